"""The division of entrants over tables."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.tournaments.pairing.division import seats_at, table_sizes
from hoodwink.domain.tournaments.terms import Compare, Format, Terms


def terms_of(seats, *, least=2, most=10, bots=False):
    return Terms(
        format=Format.SWISS, seats=seats, table_min=least, table_max=most, rounds=1, fills_with_bots=bots
    )


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [
        (9, (3, 3, 3)),
        (10, (4, 3, 3)),
        (5, (3, 2)),
        (13, (4, 3, 3, 3)),
        (2, (2,)),
        (4, (4,)),
        (128, (4,) * 32),
    ],
)
def test_t_1_tables_of_four_are_as_few_and_as_equal_as_possible(entrants, sizes):
    assert table_sizes(entrants, terms_of(4)) == sizes


@pytest.mark.parametrize("bots", [False, True])
@pytest.mark.parametrize("seats", range(3, 11))
def test_t_1_everybody_sits_at_the_fewest_tables_whose_sizes_differ_by_at_most_one(seats, bots):
    for entrants in range(2, 131):
        sizes = table_sizes(entrants, terms_of(seats, bots=bots))
        assert sum(sizes) == entrants
        assert len(sizes) == -(-entrants // seats)
        assert 2 <= sizes[-1] <= sizes[0] <= min(seats, sizes[-1] + 1)
        assert sizes == tuple(sorted(sizes, reverse=True))


@pytest.mark.parametrize("entrants", range(8))
def test_t_1_of_tables_of_two_an_odd_one_out_has_a_bye(entrants):
    assert table_sizes(entrants, terms_of(2)) == (2,) * (entrants // 2)


@pytest.mark.parametrize("bots", [False, True])
@pytest.mark.parametrize("seats", range(2, 11))
def test_t_1_one_entrant_or_nobody_sits_at_no_table(seats, bots):
    assert table_sizes(1, terms_of(seats, bots=bots)) == ()
    assert table_sizes(0, terms_of(seats, bots=bots)) == ()


@pytest.mark.parametrize(
    ("entrants", "seats", "least", "most", "sizes"),
    [
        (5, 3, 3, 10, (5,)),  # not 3 + 2, and nobody is left out
        (5, 4, 3, 10, (5,)),
        (7, 3, 3, 10, (4, 3)),
        (9, 4, 4, 6, (5, 4)),
        (11, 4, 4, 6, (6, 5)),
        (5, 4, 4, 4, (4,)),  # one more than a table may hold, one fewer than two need
        (7, 4, 4, 4, (4,)),
        (3, 4, 4, 10, ()),
    ],
)
def test_t_1_where_the_game_needs_more_seats_tables_are_fewer_and_larger(entrants, seats, least, most, sizes):
    assert table_sizes(entrants, terms_of(seats, least=least, most=most)) == sizes


def test_t_1_every_division_keeps_the_games_range_and_leaves_out_the_fewest():
    for least in range(2, 6):
        for seats in range(max(3, least), 8):
            for most in range(seats, 9):
                for entrants in range(40):
                    sizes = table_sizes(entrants, terms_of(seats, least=least, most=most))
                    assert all(least <= size <= most for size in sizes)
                    assert max(sizes, default=0) <= min(sizes, default=0) + 1
                    assert sum(sizes) == max(_seatable(entrants, least, most))


def _seatable(entrants, least, most):
    """Returns every number up to `entrants` that some tables within a range hold exactly."""
    return [
        seated
        for seated in range(entrants + 1)
        if not seated or any(least * tables <= seated <= most * tables for tables in range(1, seated + 1))
    ]


@pytest.mark.parametrize(("entrants", "sizes"), [(5, (3, 2)), (9, (3, 3, 3)), (3, (3,))])
def test_t_5_bots_fill_tables_up_to_the_games_minimum(entrants, sizes):
    terms = terms_of(4, least=4, most=4, bots=True)
    assert table_sizes(entrants, terms) == sizes
    assert [seats_at(size, terms) for size in sizes] == [4] * len(sizes)


def test_t_5_no_bot_fills_a_table_of_two_or_with_filling_off():
    assert seats_at(3, terms_of(4)) == 3
    assert seats_at(2, terms_of(2, bots=True)) == 2
    assert table_sizes(3, terms_of(2, bots=True)) == (2,)


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [(5, (4,)), (6, (3, 3)), (7, (3, 3)), (9, (3, 3, 3)), (10, (3, 3, 3)), (12, (4, 4, 4))],
)
def test_d_6_bots_fill_all_tables_of_a_deal_alike_and_others_have_a_bye(entrants, sizes):
    terms = replace(terms_of(4, least=4, most=4, bots=True), compare=Compare.MARGIN)
    assert table_sizes(entrants, terms) == sizes


def test_d_6_without_bots_alike_there_are_tables_of_the_games_own_sizes():
    terms = replace(terms_of(4, least=2, most=4, bots=True), compare=Compare.MARGIN)
    assert table_sizes(10, terms) == (4, 3, 3)
    assert [seats_at(size, terms, (4, 3, 3)) for size in (4, 3)] == [4, 3]
    assert seats_at(3, terms, (3, 3, 3)) == 4
