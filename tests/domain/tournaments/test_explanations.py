"""Explanations of the numbers in the standings, as data and in words (K-2, K-4, T-21)."""

import random
from fractions import Fraction

import msgspec
import pytest

from hoodwink.domain.tournaments.bracket import Reached
from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.crosstable import Outcome, Why
from hoodwink.domain.tournaments.scoring import Status
from hoodwink.domain.tournaments.standings import (
    Departure,
    explanations,
    in_figures,
    in_words,
    stage_in_words,
    standings,
    three_decimals,
)
from hoodwink.domain.tournaments.terms import Compare, Format, ScoreBy, Tiebreak
from tests.domain.tournaments.knockouts import (
    board_of,
    changed,
    knockout,
    next_pairing,
    seats_of,
    with_round,
)
from tests.domain.tournaments.random_crosstables import SUMS, of_many, round_robin_of_two, swiss_of_two
from tests.domain.tournaments.tables import BOT, NO_SHOW, crosstable, out, resigned, table

NAMES = {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di"}
HALF = Fraction(1, 2)


def explained(case, entrant, tiebreak=None, **asked):
    if tiebreak is not None:
        case = msgspec.structs.replace(case, terms=msgspec.structs.replace(case.terms, tiebreaks=(tiebreak,)))
    result = standings(case, **asked)
    row = next(row for row in result.rows if row.entrant == entrant)
    return explanations(result, row)[-1]


def words(*given, **asked):
    return in_words(explained(*given, **asked), NAMES)


@pytest.mark.parametrize("make", [of_many, swiss_of_two, round_robin_of_two])
def test_k_2_every_number_is_the_sum_of_the_rounds_that_explain_it(make):
    for seed in range(25):
        result = standings(make(random.Random(seed)))

        for row in result.rows:
            score, *tiebreaks = explanations(result, row)
            assert score.value == row.score == counted(score), seed
            assert {tiebreak.tiebreak: tiebreak.value for tiebreak in tiebreaks} == row.tiebreaks, seed
            for tiebreak in tiebreaks:
                assert tiebreak.tiebreak not in SUMS or tiebreak.value == counted(tiebreak), seed


def counted(explanation):
    return sum(part.value for part in explanation.parts if not part.is_left_out)


def test_k_4_the_opponents_named_make_each_rounds_number():
    for seed in range(25):
        result = standings(of_many(random.Random(seed)))

        for row in result.rows:
            for explanation in explanations(result, row):
                if explanation.tiebreak is Tiebreak.SONNEBORN_BERGER:
                    assert all(
                        part.value == mean(other.score * (other.scored or 0) for other in part.against)
                        for part in explanation.parts
                    )
                elif explanation.tiebreak in {Tiebreak.BUCHHOLZ, Tiebreak.BUCHHOLZ_CUT1}:
                    assert all(
                        part.value == mean(other.score for other in part.against)
                        for part in explanation.parts
                    )


def mean(values):
    values = list(values)
    return sum(values) / len(values)


@pytest.mark.parametrize("make", [of_many, swiss_of_two, round_robin_of_two])
def test_k_2_the_words_show_every_number(make):
    for seed in range(10):
        result = standings(make(random.Random(seed)))
        names = {row.entrant: f"E{row.entrant}" for row in result.rows}

        for row in result.rows:
            for explanation in explanations(result, row):
                text = in_words(explanation, names)
                assert all(in_figures(part.value) in text for part in explanation.parts), seed
                assert all(
                    names[other.entrant] in text
                    for part in explanation.parts
                    for other in part.against
                    if other.entrant
                )


def test_k_2_the_score_in_words():
    case = crosstable(
        [table(1, (1, 1), (2, 2), (3, 3))],
        [table(1, (1, 1), (2, NO_SHOW), (3, NO_SHOW))],
        [table(1, (1, None), (2, None), (3, None), outcome=Outcome.NO_RESULT)],
        [table(1, (2, 1), (3, 2)), out(1, Why.REQUESTED_BYE, HALF)],
        [table(1, (2, 1), (3, 2), (1, NO_SHOW))],
    )

    assert words(case, 1) == (
        "Score 3. Round 1: 1, place 1 of 3 against Bo and Cy. "
        "Round 2: 1, a forfeit win, as Bo and Cy did not appear. "
        "Round 3: 0.500, the table counts as one without a result. "
        "Round 4: 0.500, a requested bye. Round 5: 0, did not appear."
    )
    first = explained(case, 1).parts[0]
    assert (first.status, first.place, first.size, first.why) == (Status.PLAYED, 1, 3, None)


def test_t_20_a_shared_place_is_distinguished_from_a_sole_one():
    case = crosstable([table(1, (1, 1), (2, 1))], [table(1, (1, 1), (2, 2), (BOT, 2))])

    assert words(case, 1) == (
        "Score 1.500. Round 1: 0.500, shared place 1 of 2 against Bo. Round 2: 1, place 1 of 3 against Bo."
    )
    assert words(case, 2).endswith("Round 2: 0.250, shared place 2 of 3 against Ann.")
    assert [part.is_shared for part in explained(case, 1).parts] == [True, False]


def test_t_12_a_voided_table_in_words():
    def voided(**stated):
        return table(1, (1, None), (2, None), (3, NO_SHOW), outcome=Outcome.VOID, **stated)

    case = crosstable([voided()], [voided(void_score=Fraction(0))], [voided(void_score=Fraction(2, 3))])

    assert words(case, 1) == (
        "Score 1.167. Round 1: 0.500, the table was voided and counts as one without a result. "
        "Round 2: 0, the table was voided; the organiser gave 0. "
        "Round 3: 0.667, the table was voided; the organiser gave 0.667."
    )
    assert words(case, 3).endswith("Round 3: 0, did not appear.")
    parts = explained(case, 1).parts
    assert [(part.is_void, part.void_score) for part in parts] == [
        (True, None),
        (True, Fraction(0)),
        (True, Fraction(2, 3)),
    ]
    assert not any(part.is_void for part in explained(case, 3).parts)
    finished = table(2, (4, 1), (5, 2), points=[6, 2])
    by_points = crosstable([voided(void_score=HALF), finished], score_by=ScoreBy.POINTS)
    assert words(by_points, 1).endswith("Round 1: 4, the table was voided; the organiser gave 4.")


@pytest.mark.parametrize(
    ("format_", "left", "departure", "said"),
    [
        (Format.SWISS, {"left_after": 0}, Departure.WITHDRAWN, "withdrawn"),
        (Format.SWISS, {"left_after": 0, "is_expelled": True}, Departure.EXPELLED, "expelled"),
        (Format.KNOCKOUT, {}, Departure.KNOCKED_OUT, "knocked out"),
        (Format.KNOCKOUT, {"left_after": 1}, Departure.KNOCKED_OUT, "knocked out"),
        (Format.KNOCKOUT, {"left_after": 0, "is_expelled": True}, Departure.EXPELLED, "expelled"),
    ],
)
def test_t_7_the_reason_for_not_playing_on_in_words(format_, left, departure, said):
    case = crosstable([out(1, Why.WITHDRAWN), out(2, Why.ABSENT)], format=format_)
    entrant = msgspec.structs.replace(case.entrants[0], **left)
    case = msgspec.structs.replace(case, entrants=(entrant, case.entrants[1]))

    assert words(case, 1) == f"Score 0. Round 1: 0, {said}."
    assert [explained(case, entrant).parts[0].departure for entrant in (1, 2)] == [departure, None]


def test_v_5_a_result_that_does_not_count_by_a_ruling_in_words():
    annulled = table(1, (1, None), (2, None), outcome=Outcome.VOID, is_ruled=True)

    assert (
        words(crosstable([annulled]), 1)
        == "Score 0.500. Round 1: 0.500, the result does not count, by a ruling."
    )


def test_k_2_a_no_show_in_words():
    assert words(crosstable([table(1, (1, NO_SHOW), (2, 1))]), 1) == (
        "Score 0. Round 1: 0, did not appear against Bo."
    )


def test_p_7_the_sittings_that_do_not_count_are_left_out_of_the_score():
    case = crosstable([table(1, (1, 1), (2, 2))], [table(1, (1, 2), (2, 1))], format=Format.LEAGUE, best_of=1)

    assert words(case, 2) == (
        "Score 1. Round 1: 0, place 2 of 2 against Ann, left out. Round 2: 1, place 1 of 2 against Ann."
    )


def test_k_4_buchholz_and_sonneborn_berger_in_words():
    case = crosstable(
        [table(1, (1, 1), (2, 2), (3, 2)), out(4)],
        [table(1, (2, 1), (3, 2), (4, 3)), out(1)],
    )

    assert words(case, 1, Tiebreak.BUCHHOLZ_CUT1) == (
        "Buchholz cut 1 1. Round 1: 1, the mean of Bo's 1.250 and Cy's 0.750, left out. "
        "Round 2: 1, a virtual opponent's 1 (the lesser of their own score and half the rounds)."
    )
    assert words(case, 3, Tiebreak.SONNEBORN_BERGER) == (
        "Sonneborn-Berger 0.313. Round 1: 0.313, the mean of none of Ann's 1 and half of Bo's 1.250. "
        "Round 2: 0, the mean of none of Bo's 1.250 and all of Di's 0."
    )


def test_k_3_buchholz_of_two_in_words():
    case = crosstable(
        [table(1, (1, 1), (2, 2)), table(2, (3, 1), (4, NO_SHOW))],
        [table(1, (1, 1), (3, 2)), out(2), out(4)],
        seats=2,
    )

    assert words(case, 1, Tiebreak.BUCHHOLZ) == (
        "Buchholz 1.500. Round 1: 0.500, Bo's 0, which counts as 0.500 because of rounds not played. "
        "Round 2: 1, Cy's 1."
    )
    assert words(case, 3, Tiebreak.BUCHHOLZ) == (
        "Buchholz 2.500. Round 1: 0.500, the lesser of their own score and 0.500, that of Di, whom they did not meet. "
        "Round 2: 2, Ann's 2."
    )


def test_k_2_wins_progress_and_difference_in_words():
    case = crosstable(
        [table(1, (1, 1), (2, 2), points=[7, 2])],
        [table(1, (1, 2), (2, 1), points=[0, 1])],
        seats=3,
    )

    assert words(case, 1, Tiebreak.WINS) == "Wins 1. Round 1: 1, place 1 of 2 against Bo."
    assert words(case, 1, Tiebreak.PROGRESSIVE) == "Progressive score 2. After round 1: 1. After round 2: 1."
    assert words(case, 1, Tiebreak.DIFFERENCE) == (
        "Difference 2. Round 1: 2.500, 7 points at a table with a mean of 4.500. "
        "Round 2: -0.500, 0 points at a table with a mean of 0.500."
    )
    assert "Round 2: 0.500, 1 point at a table" in words(case, 2, Tiebreak.DIFFERENCE)


def test_k_2_the_difference_of_an_entrant_who_left_in_words():
    case = crosstable(
        [table(1, (1, resigned(1)), (2, 2), (3, 3), points=[57, 3, -1])],
        [table(1, (1, NO_SHOW), (2, 1), (3, 2), points=[0, 3, 1])],
    )

    assert words(case, 1, Tiebreak.DIFFERENCE) == (
        "Difference -4. Round 1: -2, -1 points, the lowest at a table with a mean of 1; resigned. "
        "Round 2: -2, 0 points, the lowest at a table with a mean of 2; did not appear."
    )
    assert "lowest" not in words(case, 1, None)


def test_k_2_direct_encounter_in_words():
    once = [table(1, (1, 1), (2, 2)), table(2, (3, 1), (4, 2))]
    case = crosstable(once, [table(1, (2, 1), (4, 2)), out(1), out(3, Why.ASSIGNED_BYE, HALF)], seats=3)

    assert words(case, 1, Tiebreak.DIRECT) == (
        "Direct encounter: place 1 among Ann and Bo, who were tied. Round 1: 1 against Bo."
    )
    assert words(case, 3, Tiebreak.DIRECT) == "Direct encounter: nobody was tied with Cy."
    assert (
        words(crosstable(once, seats=3), 1, Tiebreak.DIRECT)
        == "Direct encounter cannot tell Ann and Cy apart."
    )


def test_k_2_the_lot_in_words():
    def draw(purpose):
        return Lots("0" * 64, [], purpose=purpose, round_=2)

    case = crosstable([table(1, (1, 1), (2, 1))])

    drawn = {words(case, entrant, Tiebreak.LOT, draw=draw) for entrant in (1, 2)}
    assert drawn == {"Lot: number 1.", "Lot: number 2."}


def test_p_6_how_far_an_entrant_got_in_words():
    assert stage_in_words(Reached(round=2), knockout(2), 1) == "Reached round 2."
    assert stage_in_words(Reached(round=3, place=1), knockout(2), 1) == "Reached round 3 and took place 1."
    assert stage_in_words(Reached(round=2, place=3), knockout(2), 1) == "Reached round 2 and took place 3."
    assert stage_in_words(Reached(round=0), knockout(2), 1) == "The first round has not started."


def staged(case):
    """Returns each entrant's stage in words."""
    terms = msgspec.structs.replace(case.terms, format=Format.KNOCKOUT)
    case = msgspec.structs.replace(case, terms=terms)
    rows = standings(case).rows
    return {row.entrant: stage_in_words(row.stage, case, row.entrant) for row in rows if row.stage}


def test_p_6_the_further_deals_of_a_knockout_in_words():
    first = next_pairing(knockout(4))
    equal = board_of(1, (1, 4), (1, 1), replays=(seats_of((4, 1), (1, 1)), seats_of((1, 4), (None, None))))
    once = with_round(knockout(4), first, [equal, board_of(2, (2, 3), (1, 2))])

    assert staged(once)[4] == "Reached round 1. Round 1 took further deals: shared place 1 of 2, no result."
    assert staged(once)[2] == "Reached round 2."

    third = changed(once, 1, replays=(*equal.replays, seats_of((4, 1), (2, 1))))
    final = board_of(1, (1, 2), (1, 1), replays=(seats_of((1, 2), (1, NO_SHOW)),))
    said = staged(with_round(third, next_pairing(third), [final]))

    deals = "Round 1 took further deals: shared place 1 of 2, no result, "
    assert said == {
        1: f"Reached round 2 and took place 1. {deals}place 1 of 2. Round 2 took a further deal: place 1 of 2.",
        2: "Reached round 2 and took place 2. Round 2 took a further deal: did not appear.",
        3: "Reached round 1.",
        4: f"Reached round 1. {deals}place 2 of 2.",
    }
    voided = changed(third, 1, void_replays=(2,))
    assert staged(voided)[4] == f"Reached round 1. {deals}voided."


def test_p_6_a_deciding_lot_in_words():
    equal = [board_of(1, (1, 4), (1, 1)), board_of(2, (2, 3), (1, 2))]
    table = with_round(knockout(4), next_pairing(knockout(4)), equal)
    assert "lot" not in staged(table)[1], "the lot waits for the next round"
    drawn = with_round(table, next_pairing(table), [])
    assert staged(drawn)[1].endswith(" Round 1 was decided by lot.")
    assert "lot" not in staged(drawn)[2]

    dealt = changed(table, 1, replays=(seats_of((1, 4), (1, 1)),))
    drawn = with_round(dealt, next_pairing(dealt), [])

    assert staged(drawn)[4].endswith(
        " Round 1 took a further deal: shared place 1 of 2; then the lot decided."
    )


def test_t_21_people_see_three_decimals():
    assert [
        three_decimals(Fraction(*ratio)) for ratio in [(2, 3), (-2, 3), (5, 16), (-1, 4000), (12, 1)]
    ] == [
        "0.667",
        "-0.667",
        "0.313",
        "0.000",
        "12.000",
    ]


def test_t_21_a_whole_number_in_a_sentence_has_no_decimals():
    assert [in_figures(Fraction(*ratio)) for ratio in [(3, 1), (0, 1), (-2, 1), (1, 2), (-2, 3)]] == [
        "3",
        "0",
        "-2",
        "0.500",
        "-0.667",
    ]


@pytest.mark.parametrize("compare", Compare)
@pytest.mark.parametrize("make", [of_many, swiss_of_two, round_robin_of_two])
def test_d_3_every_number_of_a_duplicate_tournament_is_the_sum_of_its_rounds(make, compare):
    for seed in range(15):
        case = make(random.Random(seed))
        terms = msgspec.structs.replace(case.terms, compare=compare, score_by=ScoreBy.PLACE)
        result = standings(msgspec.structs.replace(case, terms=terms))

        for row in result.rows:
            score, *tiebreaks = explanations(result, row)
            assert score.value == row.score == counted(score), seed
            for part in score.parts:
                if part.comparison is not None:
                    assert part.value == part.comparison.score
                assert (part.comparison is None) or (part.exclusion is None)
            assert {tiebreak.tiebreak: tiebreak.value for tiebreak in tiebreaks} == row.tiebreaks, seed
            for tiebreak in tiebreaks:
                assert tiebreak.tiebreak not in SUMS or tiebreak.value == counted(tiebreak), seed


def compared_words(entrant, *boards, compare=Compare.MATCHPOINTS):
    """Returns the sentence about the only round of a duplicate tournament."""
    names = {number: f"E{number}" for number in range(1, 13)}
    return in_words(explained(crosstable(list(boards), compare=compare, seats=2), entrant), names)


def duels(*points):
    return [
        table(number, (2 * number - 1, 1), (2 * number, 2), points=[own, -own])
        for number, own in enumerate(points, 1)
    ]


def test_d_3_a_score_by_matchpoints_is_explained_by_the_others_in_the_seat():
    boards = duels(7, 3, 3, 1)

    assert compared_words(3, *boards) == (
        "Score 0.500. Round 1: 0.500, 3 points, better than 1 and equal to 1 of 3 others in that seat; "
        "place 1 of 2 against E4."
    )
    assert "Score 1. Round 1: 1, -1 points, better than 3 of 3 others" in compared_words(8, *boards)


def test_d_3_a_score_by_margin_is_explained_by_the_leads():
    boards = [
        table(number, (2 * number - 1, 1), (2 * number, 2), points=[own, 0])
        for number, own in ((1, 9), (2, 5), (3, 1))
    ]

    assert compared_words(1, *boards, compare=Compare.MARGIN) == (
        "Score 4. Round 1: 4, 9 points, a lead of 4.500 over the mean of the table; 2 others in that seat led by "
        "1.500, which counts 2/6; place 1 of 2 against E2."
    )


def test_d_3_a_score_by_difference_is_explained_by_the_mean_of_the_others():
    assert compared_words(1, *duels(7, 3, 2), compare=Compare.DIFFERENCE) == (
        "Score 4.500. Round 1: 4.500, 7 points, where the mean of 2 others in that seat was 2.500; "
        "place 1 of 2 against E2."
    )


def test_d_5_a_scaled_or_missing_comparison_is_explained():
    void = table(4, (7, 1), (8, 2), points=[0, 0], outcome=Outcome.VOID)

    assert ", scaled from 3 to 4 tables;" in compared_words(1, *duels(7, 3, 2), void)
    assert "the table was voided and counts as one without a result" in compared_words(
        7, *duels(7, 3, 2), void
    )
    assert compared_words(1, *duels(7, 3)).startswith(
        "Score 0.500. Round 1: 0.500, 7 points, with fewer than two others in that seat to compare;"
    )
    stated = msgspec.structs.replace(void, void_score=HALF)
    assert "the organiser gave 0.500" in compared_words(7, *duels(7, 3, 2), stated)
    by_difference = compared_words(7, *duels(7, 3, 2), stated, compare=Compare.DIFFERENCE)
    assert by_difference.startswith(
        "Score 0. Round 1: 0, the table was voided and counts as one without a result"
    )


def test_d_6_a_seat_that_is_not_compared_has_its_reason():
    left = table(4, (7, resigned(2)), (8, 1), points=[0, 0])
    cut_short = msgspec.structs.replace(left, is_cut_short=True)

    assert compared_words(7, *duels(7, 3, 2), left).endswith(
        "place 2 of 2 against E8; not compared: resigned."
    )
    assert "not compared, because everybody else at the table resigned" in compared_words(
        8, *duels(7, 3, 2), cut_short
    )
