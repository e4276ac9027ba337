"""The scores of entrants from the tables of a round (T-4, T-6, T-9 … T-12, T-20, T-21)."""

from fractions import Fraction

import pytest

from hoodwink.domain.tournaments.crosstable import Outcome, Why
from hoodwink.domain.tournaments.scoring import Status, meetings, round_scores, scores_after
from hoodwink.domain.tournaments.terms import ScoreBy
from tests.domain.tournaments.tables import BOT, NO_SHOW, by_bot, crosstable, out, resigned, table

HALF = Fraction(1, 2)


def scores(*boards, **terms):
    """Returns the scores of the only round of a tournament, by entrant."""
    return {number: found.score for number, found in only_round(*boards, **terms).items()}


def only_round(*boards, **terms):
    return round_scores(crosstable(list(boards), **terms))[0]


@pytest.mark.parametrize("seats", [2, 3, 4, 7])
def test_t_20_a_first_place_is_1_and_a_last_0_whatever_the_size(seats):
    found = scores(table(1, *((place, place) for place in range(1, seats + 1))))

    assert found == {place: Fraction(seats - place, seats - 1) for place in range(1, seats + 1)}


def test_t_20_shared_places_score_their_mean():
    assert scores(table(1, (1, 1), (2, 2), (3, 2), (4, 4))) == {1: 1, 2: HALF, 3: HALF, 4: 0}
    assert scores(table(1, (1, 1), (2, 1), (3, 1))) == {1: HALF, 2: HALF, 3: HALF}


def test_t_20_by_win_a_first_place_scores_1_and_a_shared_one_is_divided():
    assert scores(table(1, (1, 1), (2, 2), (3, 2)), score_by=ScoreBy.WIN) == {1: 1, 2: 0, 3: 0}
    assert scores(table(1, (1, 1), (2, 1), (3, 1)), score_by=ScoreBy.WIN) == dict.fromkeys(
        (1, 2, 3), Fraction(1, 3)
    )


def test_t_20_by_points_a_seat_scores_its_points():
    assert scores(table(1, (1, 2), (2, 1), points=[-3, 12]), score_by=ScoreBy.POINTS) == {1: -3, 2: 12}


def test_t_20_by_points_an_unplayed_round_scores_the_mean_and_a_no_show_the_least():
    found = scores(
        table(1, (1, 1), (2, 2), (3, NO_SHOW), points=[9, 3, -3]),
        table(2, (4, None), (5, None), outcome=Outcome.NO_RESULT),
        table(3, (6, 1), (7, NO_SHOW), points=[6, 0]),
        out(8, Why.PAIRING_BYE, 1),
        out(9, Why.REQUESTED_BYE, HALF),
        out(10, Why.ABSENT, 0),
        score_by=ScoreBy.POINTS,
    )

    assert found == {1: 9, 2: 3, 3: -3, 4: 3, 5: 3, 6: 3, 7: -3, 8: 3, 9: 3, 10: 0}


@pytest.mark.parametrize("gone", [resigned, by_bot])
def test_t_20_by_points_a_stand_in_wins_nothing_for_its_player(gone):
    board = table(1, (1, gone(3)), (2, 2), (3, 1), points=[57, -24, -33])

    assert scores(board, score_by=ScoreBy.POINTS) == {1: -33, 2: -24, 3: -33}
    for other in (ScoreBy.PLACE, ScoreBy.WIN):
        assert scores(board, score_by=other) == scores(table(1, (1, 3), (2, 2), (3, 1)), score_by=other)


def test_t_20_an_entrant_who_left_counts_as_met():
    found = only_round(table(1, (1, resigned(3)), (2, by_bot(2)), (3, 1)), score_by=ScoreBy.POINTS)

    assert [found[number].opponents for number in (1, 2, 3)] == [(2, 3), (1, 3), (1, 2)]
    assert [found[number].is_least for number in (1, 2, 3)] == [True, True, False]


def test_t_20_by_points_an_undealt_table_is_left_out_of_the_mean():
    found = scores(
        table(1, (1, 1), (2, 2), points=[6, 2]),
        table(2, (3, 1), (4, NO_SHOW), points=[None, None]),
        score_by=ScoreBy.POINTS,
    )

    assert found == {1: 6, 2: 2, 3: 4, 4: 2}


def test_t_20_by_points_an_organisers_score_for_a_voided_table_counts_in_points():
    found = scores(
        table(1, (1, 1), (2, 2), points=[6, 2]),
        table(2, (3, 1), (4, 2), outcome=Outcome.VOID, void_score=Fraction(1)),
        table(3, (5, 1), (6, 2), outcome=Outcome.VOID, void_score=Fraction(0)),
        score_by=ScoreBy.POINTS,
    )

    assert found == {1: 6, 2: 2, 3: 4, 4: 4, 5: 0, 6: 0}


def test_t_20_by_points_a_round_without_a_finished_table_gives_nothing():
    assert scores(table(1, (1, 1), (2, 2), outcome=Outcome.VOID), score_by=ScoreBy.POINTS) == {1: 0, 2: 0}


def test_t_21_scores_are_exact_fractions():
    found = scores(table(1, (1, 1), (2, 2), (3, 3), (4, 4)))

    assert found[2] == Fraction(2, 3)
    assert {type(score) for score in found.values()} == {Fraction}


def test_t_4_t_9_an_entrant_at_no_table_has_the_score_of_the_round():
    found = only_round(
        table(1, (1, 1), (2, 2)), out(3), out(4, Why.PAIRING_BYE, 1), out(5, Why.ASSIGNED_BYE, HALF)
    )

    assert [found[number].score for number in (3, 4, 5)] == [0, 1, HALF]
    assert not any(found[number].is_played for number in (3, 4, 5))
    assert found[4].why is Why.PAIRING_BYE


def test_t_6_a_no_show_scores_0_and_was_not_met():
    round_ = only_round(table(1, (1, 1), (2, 2), (3, 3), (4, NO_SHOW)))

    assert [round_[number].score for number in (1, 2, 3, 4)] == [1, Fraction(2, 3), Fraction(1, 3), 0]
    assert round_[1].opponents == (2, 3)
    assert round_[4].status is Status.NO_SHOW
    assert round_[4].opponents == ()
    assert not round_[4].is_played


def test_t_6_the_others_move_up_when_an_absent_entrants_bot_won():
    board = table(1, (1, 2), (2, 3), (3, NO_SHOW), (4, 4))

    assert scores(board) == {1: 1, 2: Fraction(2, 3), 3: 0, 4: Fraction(1, 3)}


def test_t_6_the_only_one_present_has_a_forfeit_win():
    round_ = only_round(table(1, (1, NO_SHOW), (2, 1), (3, NO_SHOW)))

    assert [round_[number].score for number in (1, 2, 3)] == [0, 1, 0]
    assert round_[2].status is Status.FORFEIT_WIN
    assert round_[2].missed == (1, 3)
    assert not round_[2].is_played
    assert not round_[2].is_seated
    assert meetings(crosstable([table(1, (1, NO_SHOW), (2, 1), (3, NO_SHOW))])) == {}


def test_t_6_a_lone_entrant_among_bots_has_a_forfeit_win():
    round_ = only_round(table(1, (1, 3), (2, NO_SHOW), (BOT, 1), (BOT, 2)))

    assert round_[1].status is Status.FORFEIT_WIN
    assert round_[1].score == 1


def test_t_6_nobody_present_scores():
    assert scores(table(1, (1, NO_SHOW), (2, NO_SHOW), outcome=Outcome.NO_RESULT)) == {1: 0, 2: 0}


def test_t_5_a_bot_takes_a_place_and_is_nobodys_opponent():
    round_ = only_round(table(1, (1, 2), (BOT, 1), (2, 3)))

    assert [round_[number].score for number in (1, 2)] == [HALF, 0]
    assert round_[1].opponents == (2,)
    assert round_[1].halves == (2,)
    assert not round_[1].is_win


def test_t_10_a_table_without_result_scores_half_and_nobody_met():
    board = table(1, (1, None), (2, None), (3, NO_SHOW), outcome=Outcome.NO_RESULT)

    assert scores(board) == {1: HALF, 2: HALF, 3: 0}
    assert meetings(crosstable([board])) == {}


def test_t_10_a_resigned_seat_has_its_place_at_the_table():
    assert scores(table(1, (1, 3), (2, 1), (3, 2))) == {1: 0, 2: 1, 3: HALF}


def test_t_11_an_unfinished_table_counts_for_pairing_alone():
    case = crosstable([table(1, (1, None), (2, None), (3, NO_SHOW), outcome=Outcome.UNFINISHED), out(4)])

    assert scores_after(case, 1) == {1: HALF, 2: HALF, 3: HALF, 4: 0}
    assert meetings(case) == {(1, 2): 1}
    assert [found.score for found in round_scores(case)[0].values()] == [0, 0, 0, 0]
    assert round_scores(case)[0][1].is_seated


def test_t_12_a_voided_table_has_no_result_or_the_organisers_score():
    assert scores(table(1, (1, 1), (2, 2), outcome=Outcome.VOID)) == {1: HALF, 2: HALF}

    stated = table(1, (1, 1), (2, 2), (3, NO_SHOW), outcome=Outcome.VOID, void_score=Fraction(1))
    assert scores(stated) == {1: 1, 2: 1, 3: 0}
    assert meetings(crosstable([stated])) == {}


def test_p_4_scores_and_meetings_add_up_over_the_rounds():
    case = crosstable(
        [table(1, (1, 1), (2, 2), (3, 3)), out(4, Why.PAIRING_BYE, 1)],
        [table(1, (1, 2), (2, 1)), table(2, (4, 1), (3, 2))],
    )

    assert scores_after(case, 0) == {1: 0, 2: 0, 3: 0, 4: 0}
    assert scores_after(case, 1) == {1: 1, 2: HALF, 3: 0, 4: 1}
    assert scores_after(case, 2) == {1: 1, 2: Fraction(3, 2), 3: 0, 4: 2}
    assert meetings(case) == {(1, 2): 2, (1, 3): 1, (2, 3): 1, (3, 4): 1}
