"""Comparisons of a seat with the same seat at the other tables of a deal (D-3, D-5, D-6)."""

from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.tournaments.crosstable import Outcome, Why
from hoodwink.domain.tournaments.scoring import Status, round_scores
from hoodwink.domain.tournaments.scoring.comparisons import compared as compared_exactly
from hoodwink.domain.tournaments.terms import Compare
from tests.domain.tournaments.tables import NO_SHOW, by_bot, crosstable, out, resigned, table

HALF = Fraction(1, 2)
MATCHPOINTS, DIFFERENCE, MARGIN = Compare


def scores(*boards, compare=MATCHPOINTS):
    """Returns the scores of the only round of a duplicate tournament, by entrant."""
    return {number: found.score for number, found in only_round(*boards, compare=compare).items()}


def only_round(*boards, compare=MATCHPOINTS):
    return round_scores(crosstable(list(boards), compare=compare))[0]


def compared(results, compare):
    return list(compared_exactly(results, compare))


def duel(board, first, second, points, **more):
    """Returns a table of two that the first entrant won."""
    return table(board, (first, 1), (second, 2), points=points, **more)


def plain_matchpoints(results, own):
    """Counts the share of the others that a result beats, one by one."""
    others = [other for index, other in enumerate(results) if index != own]
    won = sum(
        (HALF if other == results[own] else Fraction(other < results[own]) for other in others), Fraction()
    )
    return won / len(others)


def test_d_3_matchpoints_are_the_share_of_the_others_that_a_seat_beats():
    assert compared((7, 3, 3, -2), MATCHPOINTS) == [1, HALF, HALF, 0]
    assert compared((4, 4, 4), MATCHPOINTS) == [HALF, HALF, HALF]


def test_d_3_the_difference_is_from_the_mean_of_the_others():
    assert compared((7, 3, -1), DIFFERENCE) == [6, 0, -6]


def test_d_3_the_margin_is_the_lead_over_the_table_against_the_mean_lead_of_the_others():
    boards = [duel(1, 1, 2, [60, 40]), duel(2, 3, 4, [900, 890]), duel(3, 5, 6, [-7, -7])]

    assert scores(*boards, compare=MARGIN) == {
        1: 10 - Fraction(5, 6),
        3: 5 - Fraction(10, 6),
        5: 0 - Fraction(15, 6),
        2: -10 + Fraction(5, 6),
        4: -5 + Fraction(10, 6),
        6: 0 + Fraction(15, 6),
    }, "the mean of two others counts 2/6"


@pytest.mark.parametrize("shift", [0, 100])
def test_d_3_a_table_at_which_everybody_wins_more_changes_no_margin(shift):
    chance = Random(2)
    points = [[chance.randint(-9, 9) for _ in range(4)] for _ in range(5)]
    boards = [
        table(number + 1, *[(4 * number + seat, seat + 1) for seat in range(4)], points=[*own])
        for number, own in enumerate(points)
    ]
    moved = replace(
        boards[0], seats=tuple([replace(seat, points=seat.points + shift) for seat in boards[0].seats])
    )

    found = scores(moved, *boards[1:], compare=MARGIN)

    assert found == scores(*boards, compare=MARGIN)
    assert sum(found.values()) == 0
    for number, own in enumerate(points):
        mean = Fraction(sum(own), 4)
        others = [each[1] - Fraction(sum(each), 4) for each in points if each is not own]
        assert found[4 * number + 1] == own[1] - mean - Fraction(sum(others), 4 + 4)


def test_d_5_fewer_than_two_comparisons_are_an_average():
    assert compared((9, 1), MATCHPOINTS) == [HALF, HALF]
    assert compared((9, None, None, 1), MATCHPOINTS) == [HALF, None, None, HALF]
    assert compared((9, None, 1), DIFFERENCE) == [0, None, 0]
    assert scores(duel(1, 1, 2, [9, 0]), duel(2, 3, 4, [7, 2]), compare=MARGIN) == {1: 0, 2: 0, 3: 0, 4: 0}


def test_d_3_d_5_random_results_score_as_a_count_one_by_one_says():
    chance = Random(1)
    for _ in range(300):
        results = tuple(chance.randint(-4, 4) for _ in range(chance.randint(3, 9)))
        whole = compared(results, MATCHPOINTS)
        assert whole == [plain_matchpoints(results, own) for own in range(len(results))]
        assert sum(whole) == HALF * len(results)
        # Neuberg: missing results count as if the known ones had been repeated at the other tables.
        copies = chance.randint(2, 4)
        missing = (None,) * (len(results) * (copies - 1))
        expected = [plain_matchpoints(results * copies, own) for own in range(len(results))]
        assert compared(results + missing, MATCHPOINTS) == [*expected, *missing]


def test_d_3_only_the_same_seat_is_compared():
    found = scores(duel(1, 1, 2, [9, 0]), duel(2, 3, 4, [7, 2]), duel(3, 5, 6, [5, 4]))

    assert found == {1: 1, 3: HALF, 5: 0, 2: 0, 4: HALF, 6: 1}


def test_d_3_tables_of_another_size_are_compared_among_themselves():
    small = [table(number, (2 * number, 1), (2 * number + 1, 2), points=[number, 0]) for number in (1, 2, 3)]
    large = table(4, (8, 1), (9, 2), (10, 3), points=[99, 50, 1])

    found = scores(*small, large)

    assert [found[number] for number in (2, 4, 6)] == [0, HALF, 1]
    assert [found[number] for number in (8, 9, 10)] == [HALF] * 3


@pytest.mark.parametrize("gone", [resigned, by_bot])
def test_d_6_a_seat_that_left_its_cards_to_a_bot_scores_0_and_is_not_compared(gone):
    boards = [duel(number, 2 * number - 1, 2 * number, [number, -number]) for number in (1, 2, 3)]
    left = table(4, (7, gone(2)), (8, 1), points=[50, -50])

    found = scores(*boards, left)

    first = compared((1, 2, 3, None), MATCHPOINTS)
    assert [found[number] for number in (1, 3, 5, 7)] == [*first[:3], 0]
    assert [found[number] for number in (2, 4, 6, 8)] == compared((-1, -2, -3, -50), MATCHPOINTS)
    assert scores(*boards, left, compare=DIFFERENCE)[7] == compared((-1, -2, -3, -50), DIFFERENCE)[3]
    assert scores(*boards, left, compare=MARGIN)[7] == -50 + Fraction(6, 7), "the least"


def test_d_6_the_last_seat_left_at_a_table_wins_it_without_a_comparison():
    boards = [duel(number, 2 * number - 1, 2 * number, [number, -number]) for number in (1, 2, 3)]
    cut_short = replace(table(4, (7, resigned(2)), (8, 1), points=[0, 0]), is_cut_short=True)

    found = scores(*boards, cut_short)

    assert (found[7], found[8]) == (0, 1)
    assert [found[number] for number in (2, 4, 6)] == compared((-1, -2, -3, None), MATCHPOINTS)[:3]
    assert {scores(*boards, cut_short, compare=compare)[8] for compare in (DIFFERENCE, MARGIN)} == {0}


def test_d_5_void_tables_no_shows_and_byes_leave_the_comparisons():
    boards = [duel(number, 2 * number - 1, 2 * number, [number, -number]) for number in (1, 2, 3)]
    others = (
        duel(4, 7, 8, [80, -80], outcome=Outcome.VOID),
        table(5, (9, None), (10, None), outcome=Outcome.NO_RESULT),
        table(6, (11, 1), (12, NO_SHOW), points=[0, 0], is_cut_short=True),
        out(13, Why.PAIRING_BYE, HALF),
    )

    found = scores(*boards, *others)

    assert [found[number] for number in (1, 3, 5)] == list(
        compared((1, 2, 3, None, None, None), MATCHPOINTS)
    )[:3]
    assert [found[number] for number in range(7, 14)] == [HALF, HALF, HALF, HALF, 1, 0, HALF]
    least = Fraction(1) - Fraction(5, 2)
    by_difference = scores(*boards, *others, compare=DIFFERENCE)
    assert [by_difference[number] for number in range(7, 14)] == [0, 0, 0, 0, 0, least, 0]


@pytest.mark.parametrize(("compare", "provisional"), [(MATCHPOINTS, HALF), (DIFFERENCE, 0), (MARGIN, 0)])
def test_d_3_nothing_is_scored_before_every_table_of_the_deal_has_ended(compare, provisional):
    found = only_round(
        duel(1, 1, 2, [9, 0]),
        duel(2, 3, 4, [7, 2]),
        table(3, (5, None), (6, None), outcome=Outcome.UNFINISHED),
        compare=compare,
    )

    assert {mine.status for mine in found.values()} == {Status.PENDING}
    assert {(mine.score, mine.provisional, mine.place) for mine in found.values()} == {(0, provisional, None)}
