"""Knockouts (P-6)."""

from itertools import product

import msgspec
import pytest

from hoodwink.domain.tournaments.bracket import Reached, reached
from hoodwink.domain.tournaments.crosstable import Outcome
from hoodwink.domain.tournaments.pairing.case import Case
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.pairing.knockout import (
    advancing,
    pair,
    remaining_entrants,
    replay_needed,
    rounds_of,
)
from hoodwink.domain.tournaments.pairing.knockout.tree import seeded, serpentine
from tests.domain.tournaments.knockouts import (
    Troubles,
    board_of,
    changed,
    draw_of,
    knockout,
    left_after,
    next_pairing,
    play,
    seats_of,
    with_round,
)
from tests.domain.tournaments.tables import NO_SHOW


def still_in(table):
    return remaining_entrants(table, draw_of(len(table.rounds) + 1))


def goes_on(table, number=1):
    return advancing(table, table.rounds[-1].boards[number - 1], draw_of(len(table.rounds) + 1))


def next_deal(table, number=1):
    return replay_needed(table, table.rounds[-1].boards[number - 1], draw_of(len(table.rounds)))


def ranking(table):
    """Returns the entrants from the first place on, in groups of equal ones."""
    keys = [how_far.rank_key for how_far in reached(table)]
    return [{entrant for entrant, key in enumerate(keys, 1) if key == value} for value in sorted(set(keys))]


def played_out(table, **choices):
    while still_in(table):
        table = play(table, **choices)
    return table


def first_board(size, places, entrants=None, outcome=Outcome.RESULT, **terms):
    """Returns a knockout after a first round whose first board had these places; nobody else finished."""
    table = knockout(entrants or size * 3, seats=size, **terms)
    pairing = next_pairing(table)
    boards = [
        board_of(number, seats, [None] * len(seats), Outcome.UNFINISHED)
        for number, seats in enumerate(pairing.tables, 1)
    ]
    boards[0] = board_of(1, sorted(pairing.tables[0]), places, outcome)
    return with_round(table, pairing, boards)


# ------------------------------------------------------------------------------------------ the bracket


def test_p_6_the_best_have_byes_up_to_a_power_of_two():
    for entrants in range(2, 70):
        bracket = seeded(entrants)
        size = len(bracket)
        assert size // 2 < entrants <= size, entrants
        assert sorted(seed for seed in bracket if seed) == list(range(1, entrants + 1)), entrants
        alone = {
            best
            for pair in zip(bracket[::2], bracket[1::2], strict=True)
            if None in pair
            for best in pair
            if best
        }
        assert alone == set(range(1, size - entrants + 1)), entrants


def test_p_6_seeds_meet_as_late_as_their_ranks_allow():
    for entrants in range(2, 70):
        bracket = seeded(entrants)
        while len(bracket) > 1:
            assert {seed for seed in bracket if seed} == set(range(1, min(entrants, len(bracket)) + 1)), (
                entrants
            )
            lines = zip(bracket[::2], bracket[1::2], strict=True)
            bracket = tuple(min(seed for seed in line if seed) for line in lines)


def test_p_6_winners_meet_their_neighbours_in_the_bracket():
    table = play(knockout(8))
    assert [set(seats) for seats in next_pairing(table).tables] == [{1, 4}, {2, 3}]
    upset = play(knockout(8), place_of=lambda entrant: -entrant)
    assert [set(seats) for seats in next_pairing(upset).tables] == [{8, 5}, {7, 6}]


def test_t_1_p_6_the_number_of_rounds_follows_from_the_entrants():
    for entrants in range(1, 40):
        table = played_out(knockout(entrants))
        assert len(table.rounds) == rounds_of(table.terms, entrants) == (entrants - 1).bit_length()


@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize("bots", [False, True])
def test_p_6_larger_tables_take_the_computed_number_of_rounds(seats, bots):
    for entrants in range(2, 41):
        table = played_out(knockout(entrants, seats, fills_with_bots=bots))
        assert len(table.rounds) == rounds_of(table.terms, entrants)
        assert ranking(table)[0] == {1}


def test_p_6_seats_are_drawn_and_do_not_depend_on_earlier_wins():
    whites = set()
    for seed in ("1", "2", "3", "4", "5", "6"):
        table = knockout(2)
        case = Case(crosstable=table, round=1, present=(1, 2), draw=draw_of(1, seed))
        assert pair(case) == pair(case)
        whites.add(pair(case).tables[0][0])
    assert whites == {1, 2}


def test_p_6_every_entrant_has_an_explanation():
    table = knockout(3, third_place=True)
    texts = {explanation.entrant: explanation.text for explanation in next_pairing(table).explanations}
    assert texts == {
        1: "A walkover: the bracket has no opponent here.",
        2: "Neighbours in the bracket: 2 and 3.",
        3: "Neighbours in the bracket: 2 and 3.",
    }
    large = {
        explanation.entrant: explanation.text for explanation in next_pairing(knockout(5, 3)).explanations
    }
    assert set(large.values()) == {"Seeded over 2 tables by starting rank, in serpentine order."}
    last = next_pairing(knockout(3, 3)).explanations
    assert {explanation.text for explanation in last} == {"All who are present meet at one table."}


# ------------------------------------------------------------------------------------------ who goes on


def test_p_6_nobody_present_gives_the_next_opponent_a_walkover():
    table = knockout(4)
    pairing = next_pairing(table)
    boards = [
        board_of(1, pairing.tables[0], [NO_SHOW, NO_SHOW], Outcome.NO_RESULT),
        board_of(2, pairing.tables[1], [1, 2]),
    ]
    table = with_round(table, pairing, boards)
    winner = pairing.tables[1][0]
    assert goes_on(table) == ()
    assert next_deal(table) is None
    assert table.rounds[-1].bracket == (1, 4, 2, 3)
    assert still_in(table) == ()
    assert ranking(table)[0] == {winner}


def test_p_6_an_absent_entrant_is_out_and_the_opponent_goes_on():
    table = play(knockout(4), absent=(1,))
    assert next_pairing(table).bracket == (4, 2)
    assert set(ranking(played_out(table))[0]) == {2}


def test_p_6_an_entrant_who_withdrew_reached_the_round_all_the_same():
    table = left_after(play(knockout(4)), 1, 1)
    pairing = next_pairing(table)
    assert still_in(table) == ()
    assert pairing.bracket == (1, 2)
    assert ranking(table) == [{1, 2}, {3, 4}]


def test_t_7_p_6_a_semi_finalist_meets_the_rest_of_the_other_semi_final():
    table = left_after(play(knockout(8)), 1, 1)
    assert still_in(table) == (2, 3, 4)
    table = play(table)
    assert next_pairing(table).bracket == (4, 2)
    assert ranking(played_out(table)) == [{2}, {4}, {1, 3}, {5, 6, 7, 8}]


def test_p_6_default_is_half_of_a_table_and_two_of_three():
    for size, half in ((2, 1), (3, 2), (4, 2), (5, 2), (6, 3), (7, 3), (10, 5)):
        table = first_board(size, range(1, size + 1), entrants=size * 4)
        best = [seat.entrant for seat in table.rounds[-1].boards[0].seats][:half]
        assert list(goes_on(table)) == best


@pytest.mark.parametrize(("named", "through"), [(1, 1), (2, 2), (3, 3), (4, 3), (9, 3)])
def test_p_6_a_stated_number_goes_on_and_never_the_whole_table(named, through):
    table = first_board(4, (1, 2, 3, 4), advancing=named)
    assert len(goes_on(table)) == through


def test_p_6_bots_go_on_nowhere():
    table = knockout(9, 5, fills_with_bots=True)
    pairing = next_pairing(table)
    assert sorted(map(len, pairing.tables)) == [5, 5]
    seats = pairing.tables[1]
    order = [None, *sorted(seat for seat in seats if seat)]
    boards = [
        board_of(1, pairing.tables[0], [1, 2, 3, 4, 5]),
        board_of(2, seats, [order.index(seat) + 1 for seat in seats]),
    ]
    assert goes_on(with_round(table, pairing, boards), 2) == tuple(order[1:3])


def test_p_6_larger_tables_are_seeded_in_serpentine_order():
    tables = [sorted(seats) for seats in next_pairing(knockout(10, 4)).tables]
    assert tables == [[1, 6, 7, 10], [2, 5, 8], [3, 4, 9]]
    assert serpentine((), ()) == ()


def test_p_6_at_most_a_tableful_is_left_for_one_last_table():
    table = play(knockout(8, 4))
    assert still_in(table) == (1, 2, 3, 4)
    table = play(table, place_of=lambda entrant: -entrant)
    assert still_in(table) == ()
    assert ranking(table) == [{4}, {3}, {2}, {1}, {5, 6, 7, 8}]


def test_p_6_the_only_one_present_at_the_last_table_wins_it():
    table = play(play(knockout(8, 4)), absent=(1, 2, 4))
    assert still_in(table) == ()
    assert ranking(table) == [{3}, {1, 2, 4}, {5, 6, 7, 8}]


def test_p_6_where_nobody_came_there_is_no_winner():
    table = play(play(knockout(8, 4)), absent=(1, 2, 3, 4))
    assert still_in(table) == ()
    assert ranking(table) == [{1, 2, 3, 4}, {5, 6, 7, 8}]


def test_p_6_games_of_fixed_seats_give_byes_to_entrants_with_the_fewest():
    table = knockout(6, 4, table_min=4, table_max=4)
    pairing = next_pairing(table)
    assert pairing.byes == (1, 2)
    table = play(table)
    assert still_in(table) == (1, 2, 3, 4)
    assert rounds_of(table.terms, 6) == 2
    table = play(knockout(7, 4, table_min=4, table_max=4, advancing=3))
    assert still_in(table) == (1, 2, 3, 4, 5, 6)
    assert next_pairing(table).byes == (4, 5)


def test_p_6_entrants_too_few_for_a_table_share_the_first_place():
    table = play(knockout(4, 4, table_min=4, table_max=4), absent=(1,))
    assert still_in(table) == ()
    assert ranking(table) == [{2, 3, 4}, {1}]
    table = play(knockout(5, 4, table_min=4, table_max=4))
    assert still_in(table) == ()
    assert ranking(table) == [{1, 2, 3}, {4, 5}]


def test_t_8_p_6_nobody_enters_a_knockout_late():
    table = knockout(4)
    late = msgspec.structs.replace(table.entrants[3], from_round=2)
    table = msgspec.structs.replace(table, entrants=(*table.entrants[:3], late))
    assert still_in(table) == (1, 2, 3)
    assert reached(table)[3] == Reached(round=0)


# ------------------------------------------------------------------------------- replays, and the lot


@pytest.mark.parametrize(
    ("places", "tied"),
    [
        ((1, 2, 2, 4), {2, 3}),
        ((1, 2, 2, 2), {2, 3, 4}),
        ((1, 1, 1, 4), {1, 2, 3}),
        ((1, 1, 1, 1), {1, 2, 3, 4}),
        ((1, 2, NO_SHOW, NO_SHOW), None),
        ((1, 1, 3, 3), None),
        ((1, NO_SHOW, 2, 2), {3, 4}),
    ],
)
def test_p_6_only_equals_at_the_edge_play_again(places, tied):
    table = first_board(4, places)
    entrants = [seat.entrant for seat in table.rounds[-1].boards[0].seats]
    seats = next_deal(table)
    assert (seats and {entrants.index(seat) + 1 for seat in seats}) == tied


def test_p_6_a_table_without_result_is_dealt_again_among_those_who_appeared():
    table = first_board(4, (None, None, NO_SHOW, None), outcome=Outcome.NO_RESULT)
    entrants = [seat.entrant for seat in table.rounds[-1].boards[0].seats]
    assert set(next_deal(table)) == {entrants[0], entrants[1], entrants[3]}


def test_p_6_there_are_three_further_deals_and_then_the_lot():
    table = first_board(2, (1, 1), entrants=4)
    both = {seat.entrant for seat in table.rounds[-1].boards[0].seats}
    for _ in range(3):
        seats = next_deal(table)
        assert set(seats) == both
        replays = (*table.rounds[-1].boards[0].replays, seats_of(seats, (1, 1)))
        table = changed(table, 1, replays=replays)
    assert next_deal(table) is None
    drawn = {advancing(table, table.rounds[-1].boards[0], draw_of(2, seed)) for seed in "123456789"}
    assert drawn == {(entrant,) for entrant in both}
    assert goes_on(table)[0] in still_in(changed(table, 2, outcome=Outcome.NO_RESULT))


@pytest.mark.parametrize(
    ("deals", "through", "again"),
    [
        ([((2, 3, 4), (1, 2, 3))], (1, 2), None),
        ([((2, 3, 4), (2, 1, 2))], (1, 3), None),
        ([((2, 3, 4), (1, 1, 3))], None, {2, 3}),
        ([((2, 3, 4), (1, 1, 3)), ((2, 3), (2, 1))], (1, 3), None),
        ([((2, 3, 4), (None, None, NO_SHOW))], None, {2, 3}),
        ([((2, 3, 4), (NO_SHOW, NO_SHOW, 1))], (1, 4), None),
        ([((2, 3, 4), (NO_SHOW, NO_SHOW, NO_SHOW))], (1,), None),
    ],
)
def test_p_6_each_further_deal_is_between_remaining_equals(deals, through, again):
    table = first_board(4, (1, 2, 2, 2))
    who = [seat.entrant for seat in table.rounds[-1].boards[0].seats]
    replays = tuple(seats_of([who[number - 1] for number in seated], places) for seated, places in deals)
    table = changed(table, 1, replays=replays)
    seats = next_deal(table)
    assert (seats and {who.index(seat) + 1 for seat in seats}) == again
    if through:
        assert [who.index(entrant) + 1 for entrant in goes_on(table)] == list(through)


def test_p_6_an_entrant_who_left_plays_no_further_deal():
    table = first_board(2, (1, 1), entrants=4)
    first, second = (seat.entrant for seat in table.rounds[-1].boards[0].seats)
    table = left_after(table, first, 1)
    assert next_deal(table) is None
    assert goes_on(table) == (second,)
    both_left = left_after(table, second, 1)
    assert next_deal(both_left) is None
    assert goes_on(both_left) == ()


def test_p_6_bots_fill_a_further_deal_only_where_the_game_needs_them():
    table = first_board(4, (1, 2, 2, 4), fills_with_bots=True)
    assert len(next_deal(table)) == 2
    table = first_board(4, (1, 2, 2, 4), fills_with_bots=True, table_min=3)
    assert None in next_deal(table)
    assert len(next_deal(table)) == 3
    table = first_board(4, (1, 2, 2, 4), table_min=3)
    assert next_deal(table) is None


def test_p_6_a_shared_first_place_at_the_last_table_is_dealt_again():
    table = first_board(4, (1, 1, 3, 3), entrants=4)
    seats = next_deal(table)
    assert len(seats) == 2
    table = changed(table, 1, replays=(seats_of(seats, (2, 1)),))
    lower = {1, 2, 3, 4} - {*seats}
    assert ranking(table) == [{seats[1]}, {seats[0]}, lower]


def test_p_6_the_last_table_ranks_by_its_places():
    assert ranking(first_board(4, (1, 2, 2, NO_SHOW), entrants=4)) == [{1}, {2, 3}, {4}]
    open_table = first_board(4, (None,) * 4, entrants=4, outcome=Outcome.UNFINISHED)
    assert ranking(open_table) == [{1, 2, 3, 4}]
    assert next_deal(open_table) is None


# ------------------------------------------------------------------------------- corrections and changes


def test_t_12_p_6_entrants_who_advanced_from_a_voided_table_stay():
    table = play(knockout(8))
    voided = changed(table, 1, outcome=Outcome.VOID)
    assert next_deal(voided) is None
    assert next_pairing(voided).tables == next_pairing(table).tables


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_v_2_t_12_p_6_a_voided_table_ranks_like_one_without_result(rounds):
    table = knockout(8, third_place=True)
    for _ in range(rounds):
        table = play(table)
    nothing = tuple(msgspec.structs.replace(seat, place=None) for seat in table.rounds[-1].boards[0].seats)
    without = changed(table, 1, outcome=Outcome.NO_RESULT, seats=nothing)
    assert ranking(changed(table, 1, outcome=Outcome.VOID)) == ranking(without)


def test_v_2_t_12_p_6_a_voided_further_deal_has_no_result_but_its_winners_advance():
    table = first_board(2, (1, 1), entrants=4)
    seats = next_deal(table)
    nothing = changed(table, 1, replays=(seats_of(seats, (None, None)),))
    table = changed(table, 1, replays=(seats_of(seats, (2, 1)),))
    voided = changed(table, 1, void_replays=(0,))
    assert ranking(voided) == ranking(nothing) != ranking(table)
    assert goes_on(voided) == goes_on(table)
    assert next_deal(voided) is None


def test_t_13_p_6_the_bracket_follows_an_exchange():
    table = knockout(8)
    pairing = next_pairing(table)
    assert [set(seats) for seats in pairing.tables] == [{1, 8}, {4, 5}, {2, 7}, {3, 6}]
    boards = [
        board_of(number, seats, (1, 2)) for number, seats in enumerate([(1, 2), (4, 5), (8, 7), (3, 6)], 1)
    ]
    assert next_pairing(with_round(table, pairing, boards)).bracket == (1, 4, 8, 3)
    boards = [
        board_of(number, seats, (1, 2)) for number, seats in enumerate([(4, 8), (1, 5), (2, 7), (3, 6)], 1)
    ]
    assert sorted(next_pairing(with_round(table, pairing, boards)).bracket[:2]) == [1, 4]


def test_t_13_p_6_a_bracket_grows_where_an_organiser_lets_two_go_on():
    table = knockout(4)
    pairing = msgspec.structs.replace(next_pairing(table), byes=(1, 4))
    table = with_round(table, pairing, [board_of(1, (2, 3), (1, 2))])
    assert next_pairing(table).bracket == (1, 2, 4, None)
    assert ranking(played_out(table))[0] == {1}


# ------------------------------------------------------------------------------------- the third place


def test_p_6_the_third_place_is_played_for_alongside_the_final():
    table = play(knockout(4, third_place=True))
    assert still_in(table) == (1, 2, 3, 4)
    pairing = next_pairing(table)
    assert [set(seats) for seats in pairing.tables] == [{1, 2}, {3, 4}]
    assert pairing.bracket == (1, 2)
    table = play(table)
    assert still_in(table) == ()
    assert ranking(table) == [{1}, {2}, {3}, {4}]
    assert reached(table)[2] == Reached(round=1, place=3)


@pytest.mark.parametrize(
    ("absent", "order"),
    [
        ((3,), [{1}, {2}, {4}, {3}]),
        ((1,), [{2}, {1}, {3}, {4}]),
        ((1, 3), [{2}, {1}, {4}, {3}]),
        ((3, 4), [{1}, {2}, {3, 4}]),
        ((1, 2), [{1, 2}, {3}, {4}]),
    ],
)
def test_p_6_absent_entrants_leave_walkovers_in_final_and_third_place(absent, order):
    table = play(play(knockout(4, third_place=True)), absent=absent)
    assert still_in(table) == ()
    assert ranking(table) == order


def test_p_6_the_third_place_is_played_for_although_a_finalist_left():
    table = left_after(left_after(play(knockout(4, third_place=True)), 1, 1), 2, 1)
    assert still_in(table) == (3, 4)
    assert ranking(play(table)) == [{1, 2}, {3}, {4}]


@pytest.mark.parametrize("entrants", [2, 3])
def test_p_6_without_two_losers_there_is_no_table_for_the_third_place(entrants):
    table = knockout(entrants, third_place=True)
    while still_in(table):
        assert len(next_pairing(table).tables) == 1
        table = play(table)
    assert ranking(table) == [{place} for place in range(1, entrants + 1)]


def test_p_6_without_the_option_losers_of_the_semi_finals_are_equal():
    assert ranking(played_out(knockout(4))) == [{1}, {2}, {3, 4}]


# ------------------------------------------------------------------------------------------ never stuck


@pytest.mark.parametrize("entrants", [2, 3, 4, 5])
@pytest.mark.parametrize("third_place", [False, True])
def test_p_6_t_15_every_course_of_a_small_knockout_ends(entrants, third_place):
    """Wins every table of every round for either entrant, or for nobody because neither appeared."""
    courses = [knockout(entrants, third_place=third_place)]
    while courses:
        table = courses.pop()
        if not still_in(table):
            assert len(table.rounds) <= rounds_of(table.terms, entrants)
            continue
        pairing = next_pairing(table)
        for places in product(((1, 2), (2, 1), (NO_SHOW, 1), (NO_SHOW, NO_SHOW)), repeat=len(pairing.tables)):
            outcomes = [Outcome.RESULT if 1 in pair else Outcome.NO_RESULT for pair in places]
            boards = [
                board_of(number, *parts)
                for number, parts in enumerate(zip(pairing.tables, places, outcomes, strict=True), 1)
            ]
            courses.append(with_round(table, pairing, boards))


@pytest.mark.parametrize("seats", range(2, 7))
def test_p_6_t_15_no_random_knockout_gets_stuck(seats):
    for seed in range(150):
        troubles = Troubles(seed * 10 + seats)
        entrants = troubles.rng.randint(2, 40)
        table = knockout(
            entrants,
            seats,
            third_place=seats == 2 and seed % 2 == 0,
            fills_with_bots=seed % 3 == 0,
            advancing=troubles.rng.choice((None, None, 1, 2, 3)),
        )
        while still_in(table):
            table = troubles.play(table)
            assert_nobody_sits_twice(table)
            assert len(table.rounds) <= (rounds_of(table.terms, entrants) if seats == 2 else entrants)
        assert ranking(table)


def assert_nobody_sits_twice(table):
    round_, before = table.rounds[-1], table.until(len(table.rounds) - 1)
    seated = [seat.entrant for board in round_.boards for seat in board.seats if seat.entrant is not None]
    assert len(seated) == len(set(seated))
    assert {*seated} <= {*still_in(before)}
    assert all(len(board.seats) <= table.terms.seats for board in round_.boards)
    if table.terms.seats > 2:
        sizes = [sum(seat.entrant is not None for seat in board.seats) for board in round_.boards]
        assert tuple(sizes) == table_sizes(len(seated), table.terms)
