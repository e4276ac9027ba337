"""The order of the entrants after a round (K-1, K-2, K-4, K-5, P-6, P-7, T-7, T-12)."""

import random
from fractions import Fraction

import msgspec
import pytest

from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.crosstable import Outcome, Why
from hoodwink.domain.tournaments.standings import marks_of, standings, tiebreaks_of
from hoodwink.domain.tournaments.standings.tiebreaks import value_of
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Tiebreak
from tests.domain.tournaments.random_crosstables import of_many, swiss_of_two
from tests.domain.tournaments.tables import BOT, NO_SHOW, by_bot, crosstable, out, resigned, table

HALF = Fraction(1, 2)
THREE_ROUNDS = (
    [table(1, (1, 1), (2, 2), (3, 3)), table(2, (4, 1), (5, 2), (6, 3))],
    [table(1, (1, 1), (4, 2), (5, 3)), table(2, (2, 1), (3, 2), (6, 3))],
    [table(1, (1, 2), (2, 1), (4, 3)), table(2, (3, 1), (5, 2), (6, 3))],
)


def draw(purpose):
    return Lots("f" * 64, [], purpose=purpose, round_=4)


def ranks(case, **asked):
    return {row.entrant: row.rank for row in standings(case, **asked).rows}


def value(case, entrant, tiebreak):
    terms = msgspec.structs.replace(case.terms, tiebreaks=(tiebreak,))
    rows = standings(msgspec.structs.replace(case, terms=terms)).rows
    return next(row.tiebreaks[tiebreak] for row in rows if row.entrant == entrant)


def test_k_1_the_higher_score_comes_first_and_equal_scores_share_a_rank():
    result = standings(crosstable(*THREE_ROUNDS))

    assert [(row.entrant, row.rank, row.score) for row in result.rows] == [
        (1, 1, Fraction(5, 2)),
        (2, 1, Fraction(5, 2)),
        (3, 3, Fraction(3, 2)),
        (4, 3, Fraction(3, 2)),
        (5, 5, Fraction(1)),
        (6, 6, Fraction(0)),
    ]


def test_k_1_tie_breaks_count_in_their_order():
    by_wins_first = crosstable(*THREE_ROUNDS, tiebreaks=(Tiebreak.WINS, Tiebreak.PROGRESSIVE))
    by_progress_first = crosstable(*THREE_ROUNDS, tiebreaks=(Tiebreak.PROGRESSIVE, Tiebreak.WINS))

    assert ranks(by_wins_first) == {1: 1, 2: 2, 4: 3, 3: 4, 5: 5, 6: 6}
    assert [list(row.tiebreaks.values()) for row in standings(by_progress_first).rows][:2] == [
        [Fraction(11, 2), 2],
        [Fraction(9, 2), 2],
    ]


def test_k_1_strict_places_end_with_the_lot():
    case = crosstable(*THREE_ROUNDS, strict_places=True)
    rows = standings(case, draw=draw).rows

    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
    lots = [row.tiebreaks[Tiebreak.LOT] or 0 for row in rows]
    assert sorted(lots) == [1, 2, 3, 4, 5, 6]
    assert lots[0] < lots[1]
    assert standings(case, draw=draw) == standings(case, draw=draw)


def test_k_1_the_lot_is_drawn_once_where_it_is_among_the_tie_breaks():
    case = crosstable(*THREE_ROUNDS, strict_places=True, tiebreaks=(Tiebreak.LOT, Tiebreak.WINS))

    assert tiebreaks_of(case.terms) == (Tiebreak.LOT, Tiebreak.WINS)


def test_k_1_no_lot_is_drawn_unless_the_terms_ask_for_strict_places():
    assert tiebreaks_of(crosstable(*THREE_ROUNDS).terms) == ()


def test_t_7_an_expelled_entrant_comes_last_without_a_rank():
    case = crosstable(*THREE_ROUNDS, tiebreaks=(Tiebreak.DIRECT, Tiebreak.WINS))
    entrants = (msgspec.structs.replace(case.entrants[0], is_expelled=True), *case.entrants[1:])
    rows = standings(msgspec.structs.replace(case, entrants=entrants)).rows

    assert [(row.entrant, row.rank) for row in rows] == [(2, 1), (3, 2), (4, 2), (5, 4), (6, 5), (1, None)]
    assert rows[-1].score == Fraction(5, 2)
    assert rows[-1].tiebreaks == {Tiebreak.DIRECT: None, Tiebreak.WINS: 2}


def test_t_9_only_a_bye_of_the_engine_is_marked():
    case = crosstable([table(1, (1, 1), (2, 2)), out(3, Why.ASSIGNED_BYE), out(4), out(5, Why.REQUESTED_BYE)])

    assert {entrant: marks.assigned_byes for entrant, marks in marks_of(case).items()} == {
        1: (),
        2: (),
        3: (1,),
        4: (),
        5: (),
    }


def test_k_2_direct_of_many_gives_the_place_among_the_tied():
    case = crosstable(*THREE_ROUNDS, tiebreaks=(Tiebreak.DIRECT,))
    rows = {row.entrant: row for row in standings(case).rows}

    # They have met twice, and each finished before the other once.
    assert [rows[number].tiebreaks[Tiebreak.DIRECT] for number in (1, 2)] == [1, 1]
    assert rows[1].tied == (1, 2)
    # They have never met.
    assert [rows[number].tiebreaks[Tiebreak.DIRECT] for number in (3, 4)] == [None, None]
    # Nobody was tied with them.
    assert rows[5].tied == ()
    assert rows[5].tiebreaks[Tiebreak.DIRECT] is None


def test_k_2_direct_is_applied_again_among_remaining_equals():
    case = crosstable(
        [table(1, (1, 1), (2, 2)), table(2, (3, 1), (4, 2))],
        [table(1, (1, 1), (3, 2)), table(2, (4, 1), (2, 2))],
        [table(1, (4, 1), (1, 2)), table(2, (2, 1), (3, 2))],
        [out(1), out(2, Why.ASSIGNED_BYE, 1), out(3, Why.ASSIGNED_BYE, 1), out(4)],
        seats=3,
        tiebreaks=(Tiebreak.DIRECT,),
    )

    assert ranks(case) == {4: 1, 1: 2, 2: 3, 3: 4}


def test_k_2_k_3_direct_of_two_separates_entrants_whom_nobody_could_reach():
    bye = (Why.ASSIGNED_BYE, 1)
    case = crosstable(
        [table(1, (1, 1), (2, 2)), table(2, (3, 1), (4, 2))],
        [table(1, (1, 1), (3, 2)), table(2, (2, 1), (4, 2))],
        [table(1, (4, 1), (1, 2)), out(2, *bye), out(3, *bye)],
        seats=2,
        tiebreaks=(Tiebreak.DIRECT,),
    )
    rows = {row.entrant: row for row in standings(case).rows}

    # 1 beat both; 2 and 3 have not met, and the winner of their encounter would still rank below 1.
    assert [rows[number].tiebreaks[Tiebreak.DIRECT] for number in (1, 2, 3, 4)] == [1, 2, 2, None]
    # After round 1 the two winners have not met, and either might win.
    assert [row.tiebreaks[Tiebreak.DIRECT] for row in standings(case, after=1).rows] == [None] * 4


def test_k_2_wins_are_sole_first_places_in_played_rounds():
    case = crosstable(
        [table(1, (1, 1), (2, 2))],
        [table(1, (1, 1), (2, 1))],
        [table(1, (1, 1), (2, NO_SHOW))],
        [out(1, Why.ASSIGNED_BYE, 1), out(2)],
    )

    assert value(case, 1, Tiebreak.WINS) == 1


def test_k_2_difference_adds_the_points_above_the_mean_of_the_table():
    case = crosstable(
        [table(1, (1, 1), (2, 2), (3, NO_SHOW), points=[9, 0, 0])],
        [table(1, (1, 2), (2, 1), (3, 3), points=[1, 2, 0])],
        [table(1, (1, 1), (2, 2), (3, 3), points=[50, 0, 0], outcome=Outcome.VOID)],
    )

    assert value(case, 1, Tiebreak.DIFFERENCE) == Fraction(9, 2)
    assert value(case, 2, Tiebreak.DIFFERENCE) == Fraction(-7, 2)


@pytest.mark.parametrize("score_by", ScoreBy)
@pytest.mark.parametrize("gone", [resigned, by_bot])
def test_k_2_t_20_leaving_gives_the_least_difference_despite_a_stand_in(gone, score_by):
    case = crosstable([table(1, (1, gone(1)), (2, 2), (3, 3), points=[57, 3, -1])], score_by=score_by)

    assert [value(case, number, Tiebreak.DIFFERENCE) for number in (1, 2, 3)] == [-2, 2, -2]


@pytest.mark.parametrize("gone", [resigned, by_bot, lambda _: NO_SHOW])
@pytest.mark.parametrize("stand_in", [-30, 0, 9])
def test_k_2_leaving_is_never_better_than_the_last_place(gone, stand_in):
    last = crosstable([table(1, (1, 3), (2, 2), (3, 1), points=[-30, 2, 8])])
    left = crosstable([table(1, (1, gone(3)), (2, 2), (3, 1), points=[stand_in, 2, 8])])

    assert value(left, 1, Tiebreak.DIFFERENCE) == min(stand_in, 2) - 5
    assert stand_in != -30 or value(left, 1, Tiebreak.DIFFERENCE) < value(last, 1, Tiebreak.DIFFERENCE)


def test_k_2_a_table_that_everybody_left_makes_no_difference():
    case = crosstable([table(1, (1, resigned(1)), (2, by_bot(2)), points=[9, 3])], seats=3)

    assert [value(case, number, Tiebreak.DIFFERENCE) for number in (1, 2)] == [0, 0]


def test_k_2_the_bot_that_fills_a_table_counts_in_the_difference():
    case = crosstable([table(1, (1, 1), (2, 2), (BOT, 3), points=[6, 3, 0])])

    assert value(case, 1, Tiebreak.DIFFERENCE) == 3


def test_k_2_progressive_adds_the_scores_after_each_round():
    assert value(crosstable(*THREE_ROUNDS), 2, Tiebreak.PROGRESSIVE) == HALF + Fraction(3, 2) + Fraction(5, 2)


def test_k_2_a_place_is_no_sum_over_rounds():
    result = standings(crosstable(*THREE_ROUNDS))

    with pytest.raises(ValueError, match="direct is not a sum over rounds"):
        value_of(Tiebreak.DIRECT, result.sheet, result.parts, 1)


def test_k_4_a_round_adds_the_mean_of_the_opponents_final_scores():
    case = crosstable(*THREE_ROUNDS)

    assert value(case, 1, Tiebreak.BUCHHOLZ) == 2 + Fraction(5, 4) + 2
    assert value(case, 1, Tiebreak.BUCHHOLZ_CUT1) == 4
    assert value(case, 1, Tiebreak.BUCHHOLZ_MEDIAN) == 2
    assert value(case, 1, Tiebreak.SONNEBORN_BERGER) == 2 + Fraction(5, 4) + Fraction(3, 4)


def test_k_4_an_unplayed_round_counts_a_virtual_opponent():
    case = crosstable(
        [table(1, (1, 1), (2, 2), (3, 3)), out(4)],
        [table(1, (2, 1), (3, 2), (4, 3)), out(1, Why.REQUESTED_BYE, HALF)],
        [table(1, (2, 1), (3, 2), (4, NO_SHOW)), out(1)],
    )

    # The own score and half the rounds are 3/2; the opponents of round 1 have 5/2 and 1.
    assert value(case, 1, Tiebreak.BUCHHOLZ) == 2 * Fraction(3, 2) + Fraction(7, 4)
    # 4 has nothing, so neither has the virtual opponent of rounds 1 and 3.
    assert value(case, 4, Tiebreak.BUCHHOLZ) == Fraction(7, 4)
    assert value(case, 1, Tiebreak.SONNEBORN_BERGER) == Fraction(7, 4) + Fraction(3, 4) * 2


def test_k_4_without_a_round_there_is_nothing_to_leave_out():
    case = crosstable(entrants=2, seats=3, tiebreaks=(Tiebreak.BUCHHOLZ_MEDIAN,))

    assert [row.rank for row in standings(case).rows] == [1, 1]
    assert [row.tiebreaks[Tiebreak.BUCHHOLZ_MEDIAN] for row in standings(case).rows] == [0, 0]


def test_k_3_points_at_tables_of_two_follow_k_4():
    case = crosstable([table(1, (1, 1), (2, 2), points=[8, 3])], seats=2, score_by=ScoreBy.POINTS)

    assert value(case, 1, Tiebreak.SONNEBORN_BERGER) == 3
    assert value(case, 2, Tiebreak.BUCHHOLZ) == 8


@pytest.mark.parametrize("seed", range(20))
def test_k_5_after_a_round_standings_are_as_if_the_tournament_had_ended_with_it(seed):
    case = of_many(random.Random(seed))

    for after in range(len(case.rounds) + 1):
        assert standings(case, after=after) == standings(case.until(after))


@pytest.mark.parametrize("make", [swiss_of_two, of_many])
@pytest.mark.parametrize("seed", range(15))
def test_k_5_standings_do_not_depend_on_the_order_of_finishing(make, seed):
    rng = random.Random(seed)
    case = make(rng)

    assert standings(_shuffled(case, rng)).rows == standings(case).rows


def _shuffled(case, rng):
    """Returns the cross-table with the tables and the unplayed of each round in another order."""
    rounds = tuple(
        msgspec.structs.replace(
            round_,
            boards=tuple(rng.sample(round_.boards, len(round_.boards))),
            unplayed=tuple(rng.sample(round_.unplayed, len(round_.unplayed))),
        )
        for round_ in case.rounds
    )
    return msgspec.structs.replace(case, rounds=rounds)


def test_k_5_t_11_a_table_that_has_not_finished_counts_nothing_yet():
    open_table = table(2, (3, None), (4, None), outcome=Outcome.UNFINISHED)
    case = crosstable(
        [table(1, (1, 1), (2, 2)), open_table],
        tiebreaks=(Tiebreak.BUCHHOLZ, Tiebreak.SONNEBORN_BERGER, Tiebreak.PROGRESSIVE),
    )
    rows = {row.entrant: row for row in standings(case).rows}

    assert [rows[number].score for number in (1, 2, 3, 4)] == [1, 0, 0, 0]
    assert list(rows[3].tiebreaks.values()) == [0, 0, 0]


def test_t_12_a_void_changes_the_standings_as_if_the_table_had_ended_without_result():
    def after(outcome):
        return standings(crosstable([table(1, (1, 1), (2, 2), outcome=outcome)])).rows

    assert after(Outcome.VOID) == after(Outcome.NO_RESULT) != after(Outcome.RESULT)


def test_p_7_the_best_sittings_count_and_tie_breaks_count_all_rounds():
    case = crosstable(
        [table(1, (1, 1), (2, 2))],
        [table(1, (1, 2), (2, 1))],
        [table(1, (1, 1), (2, 2))],
        format=Format.LEAGUE,
        best_of=1,
        tiebreaks=(Tiebreak.WINS, Tiebreak.PROGRESSIVE, Tiebreak.BUCHHOLZ),
    )
    rows = standings(case).rows

    assert [(row.entrant, row.rank) for row in rows] == [(1, 1), (2, 2)]
    assert [row.score for row in rows] == [1, 1]
    assert [list(row.tiebreaks.values()) for row in rows] == [[2, 4, 3], [1, 2, 3]]


def knockout(*rounds, brackets, **terms):
    case = crosstable(*rounds, format=Format.KNOCKOUT, **terms)
    made = tuple(
        msgspec.structs.replace(round_, bracket=bracket)
        for round_, bracket in zip(case.rounds, brackets, strict=True)
    )
    return msgspec.structs.replace(case, rounds=made)


def test_p_6_k_1_a_knockout_ranks_by_the_round_reached_and_the_last_tables_places():
    case = knockout(
        [table(1, (1, 1), (4, 2)), table(2, (2, 2), (3, 1))],
        [table(1, (1, 2), (3, 1)), out(2), out(4)],
        seats=2,
        brackets=[(1, 4, 2, 3), (1, 3)],
    )

    assert ranks(case) == {3: 1, 1: 2, 2: 3, 4: 3}
    assert ranks(case, after=1) == {1: 1, 3: 1, 2: 3, 4: 3}
    assert [row.stage and row.stage.round for row in standings(case).rows] == [2, 2, 1, 1]


def test_p_6_the_table_for_the_third_place_decides_places_3_and_4():
    case = knockout(
        [table(1, (1, 1), (4, 2)), table(2, (2, 2), (3, 1))],
        [table(1, (1, 2), (3, 1)), table(2, (2, 2), (4, 1))],
        seats=2,
        third_place=True,
        brackets=[(1, 4, 2, 3), (1, 3)],
    )

    assert ranks(case) == {3: 1, 1: 2, 4: 3, 2: 4}
