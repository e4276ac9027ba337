"""Pairing by P-3, P-4 and P-7: tables of three and more in a Swiss tournament, any in a league."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.pairing.case import Case
from hoodwink.domain.tournaments.pairing.seating import pair
from hoodwink.domain.tournaments.pairing.seating.history import history_of
from hoodwink.domain.tournaments.pairing.seating.objective import objective
from hoodwink.domain.tournaments.terms import Format, Terms
from tests.domain.tournaments.tables import crosstable, out, table
from tests.seeds import chunks
from tests.tournaments.play import case_of, draw_of, play
from tests.tournaments.seating_exact import difference, faults, forbidden_pairs, random_case
from tests.tournaments.seating_quality import rematches, unevenness


def paired(made, present=None, *, seed=1):
    return pair(case_of(made, seed, present))


def terms_of(seats=4, rounds=5, **changed):
    given: dict[str, Any] = {"format": Format.SWISS, "table_min": 2, "table_max": 10}
    return Terms(seats=seats, rounds=rounds, **(given | changed))


def companies(pairing):
    """Returns the sets of entrants at the tables."""
    return {frozenset(entrant for entrant in table if entrant) for table in pairing.tables}


@pytest.mark.parametrize("number", range(14))
def test_p_5_for_up_to_12_entrants_the_values_are_those_of_exact_search(number):
    assert difference(random_case(f"a test:{number}", 12 if number % 3 else 9)) is None


def test_p_5_16_entrants_at_tables_of_four_are_seated_better_than_by_swaps():
    case = random_case("ex:4", 17)
    assert len(case.present) == 16

    exact, searched = pair(case), pair(replace(case, max_exact=12))

    values = [(forbidden_pairs(case.crosstable, found), found.objective) for found in (exact, searched)]
    assert values[0] < values[1]
    assert faults(case, exact) == []


@pytest.mark.parametrize("numbers", chunks(320, 40, first=40))
def test_p_3_t_1_after_any_history_everybody_present_sits_once_or_has_a_bye(numbers):
    for number in numbers:
        case = random_case(f"histories:{number}", 14)
        assert faults(case, pair(case)) == []


@pytest.mark.parametrize("number", range(6))
def test_p_3_t_1_many_entrants_sit_once_as_well(number):
    case = random_case(f"many:{number}", 60)
    assert faults(case, pair(case)) == []


def test_p_5_the_same_seed_pairs_the_same_and_another_one_otherwise():
    made = crosstable(entrants=30)
    assert paired(made) == paired(made)
    assert companies(paired(made)) != companies(paired(made, seed=2))
    few = crosstable(entrants=9)
    assert paired(few) == paired(few)
    assert len({frozenset(companies(paired(few, seed=seed))) for seed in range(10)}) > 5


def test_p_4_after_one_round_tables_are_of_equal_scores_without_rematches():
    tables = [
        table(number, *((4 * number + place - 4, place) for place in range(1, 5))) for number in range(1, 5)
    ]
    pairing = paired(crosstable(tables))
    assert companies(pairing) == {frozenset(range(first, 17, 4)) for first in range(1, 5)}
    assert [min(table) for table in pairing.tables] == [1, 2, 3, 4]  # the first board has the leaders
    pairs_once = 2 * 4 * 6
    assert pairing.objective == (0, pairs_once, 0, 0, 0, 4 * (4 + 2 + 2 + 2), 4 * 16)


def test_p_4_window_comes_before_rematches_and_all_leaves_it_out():
    # The leaders have met each other, and a table for them alone is what a window of 0 asks for.
    first = [table(1, (1, 1), (2, 1), (3, 1)), table(2, (4, 1), (5, 1), (6, 1))]
    second = [table(1, (1, 1), (2, 1), (3, 1)), out(4), out(5), out(6)]
    narrow = paired(crosstable(first, second, seats=3, float_window=0))
    assert companies(narrow) == {frozenset({1, 2, 3}), frozenset({4, 5, 6})}
    wide = paired(crosstable(first, second, seats=3, float_window="all"))
    assert companies(wide) != companies(narrow)
    assert wide.objective[0] == 0
    assert wide.objective[1] < narrow.objective[1]


def test_p_4_neighbours_change_their_direction():
    made = crosstable([table(1, (1, 1), (2, 2), (3, 3))], seats=3)
    pairing = paired(made)
    assert pairing.objective[3] == 0
    order = pairing.tables[0]
    assert order[order.index(1) - 1] == 2


def test_p_4_values_are_counted_over_all_entrants_and_rounds():
    made = crosstable(
        [table(1, (1, 1), (2, 2), (3, 3)), table(2, (4, 1), (5, 2), (6, 3))],
        [table(1, (1, 1), (4, 2), (2, 3)), table(2, (3, 1), (6, 2), (5, 3))],
        seats=3,
        float_window=0,
    )
    values = objective([(2, 1, 3), (4, 5, 6)], history_of(made, round_=3), made.terms)
    # Scores: 1: 2, 4: 3/2, 3: 1, 2 and 5: 1/2, 6: 1/2. Groups from below: ½, 1, 3/2, 2.
    assert values[0] == 3**2 + 2**2
    # 1-2, 3 times; 1-3, 2-3, 4-5, 4-6 twice or once; 5-6 three times.
    assert values[1] == 3 * 3 + 2 * 2 + 2 * 2 + 2 * 2 + 2 * 2 + 3 * 3 + 1 + 1 + 1 + 1
    assert values[2] == Fraction(9, 4) + 1


def test_p_4_objective_of_a_small_case_by_hand():
    made = crosstable([table(1, (1, 1), (2, 2), (3, 3))], seats=3)
    history = history_of(made, round_=2)
    assert list(objective([(1, 2, 3)], history, made.terms)) == [0, 12, 1, 3, 0, 12, 12]
    assert list(objective([(3, 2, 1)], history, made.terms)) == [0, 12, 1, 0, 0, 4 + 2 + 2, 12]


def test_p_7_a_league_counts_the_criteria_2_4_6_and_7_alone():
    first = [
        table(number, *((4 * number + place - 4, place) for place in range(1, 5))) for number in range(1, 5)
    ]
    pairing = paired(crosstable(first, format=Format.LEAGUE))
    assert pairing.objective == (48, 0, 32, 64)
    assert all(
        len(together & set(range(start, start + 4))) == 1
        for together in companies(pairing)
        for start in (1, 5, 9, 13)
    )
    assert {explanation.floated for explanation in pairing.explanations} == {0}
    assert pairing.explanations[0].text == "Has met none of them before."


def test_p_7_in_a_league_of_two_seats_an_odd_one_out_has_the_bye_by_turns():
    terms = terms_of(seats=2, rounds=5, format=Format.LEAGUE)
    made = play(pair, terms, 5, seed=3)
    byes = [unplayed.entrant for round_ in made.rounds for unplayed in round_.unplayed]
    assert sorted(byes) == [1, 2, 3, 4, 5]
    assert rematches(made) == 0
    first = paired(made.until(0)).explanations
    assert "Has the pairing bye: one of those with the fewest so far." in [
        explanation.text for explanation in first
    ]


def test_t_1_one_entrant_has_a_pairing_bye_and_an_empty_round_is_valid():
    alone = paired(crosstable(entrants=5), [3])
    assert alone.tables == ()
    assert alone.byes == (3,)
    assert alone.objective == (0,) * 7
    assert alone.relaxed == ()
    assert (
        alone.explanations[0].text
        == "Has the pairing bye: of those with the fewest so far, one with the lowest score."
    )
    empty = paired(crosstable(entrants=5), [])
    assert (empty.tables, empty.byes, empty.explanations) == ((), (), ())


def test_t_9_a_pairing_bye_goes_to_the_lowest_score_without_a_bye():
    five = {"seats": 4, "table_min": 4, "table_max": 4}
    made = crosstable([table(1, (1, 1), (2, 2), (3, 3), (4, 4)), out(5, Why.PAIRING_BYE, 0)], **five)
    assert paired(made).byes == (4,)
    assert paired(made).relaxed == ()


def test_t_9_p_2a_a_second_bye_is_named():
    made = crosstable([out(1, Why.PAIRING_BYE, 1), out(2)], entrants=2)
    assert paired(made, [1]).relaxed == (
        "Entrant 1 has a pairing bye although a round before counts as one: nobody else may have it.",
    )


def test_t_5_bots_fill_the_seats_that_entrants_leave_free():
    pairing = paired(crosstable(entrants=5, fills_with_bots=True))
    assert [len(table) for table in pairing.tables] == [4, 4]
    assert sorted(sum(entrant is None for entrant in table) for table in pairing.tables) == [1, 2]


@pytest.mark.parametrize("entrants", [8, 16])
def test_p_3_forbidden_pairs_stay_apart(entrants):
    forbidden = tuple(combinations(range(1, 3 if entrants == 8 else 5), 2))
    for seed in range(5):
        pairing = paired(crosstable(entrants=entrants, forbidden=forbidden), seed=seed)
        assert pairing.relaxed == ()
        assert not any(
            {one, other} <= together for one, other in forbidden for together in companies(pairing)
        )


def test_p_3_unavoidable_forbidden_pairs_are_the_fewest_and_named():
    pairing = paired(crosstable(entrants=8, forbidden=((1, 2), (1, 3), (2, 3))))
    assert len(pairing.relaxed) == 1
    assert pairing.relaxed[0].endswith(
        "sit together although they must not meet: no tables keep all such pairs apart."
    )


def test_p_3_forbidden_pairs_weigh_more_than_every_criterion():
    first = [
        table(number, *((4 * number + place - 4, place) for place in range(1, 5))) for number in range(1, 5)
    ]
    made = crosstable(first, forbidden=((1, 5), (1, 9), (5, 9)), float_window=0)
    assert not any(len({1, 5, 9} & together) > 1 for together in companies(paired(made)))


def test_p_4_explanations_name_group_float_and_rematches_made_and_avoided():
    made = crosstable(
        [table(1, (1, 1), (2, 2), (3, 3), (4, 4)), table(2, (5, 1), (6, 2), (7, 3), (8, 4))],
    )
    explanations = paired(made).explanations
    assert [explanation.entrant for explanation in explanations] == list(range(1, 9))
    assert explanations[0].score == 1
    assert any(
        "Has met none" not in explanation.text and "(2nd time) again" in explanation.text
        for explanation in explanations
    )
    floating = [explanation for explanation in explanations if explanation.floated]
    assert floating
    assert all(
        f"floats {'up' if explanation.floated > 0 else 'down'} by {abs(explanation.floated)} group"
        in explanation.text
        for explanation in floating
    )


@pytest.mark.parametrize("format_", [Format.SWISS, Format.LEAGUE])
def test_p_4_while_no_entrants_have_met_explanations_name_the_lot(format_):
    for made in (crosstable(entrants=8, format=format_), crosstable([out(1), out(2)], format=format_)):
        assert {explanation.text for explanation in paired(made).explanations} == {
            "Seated by lot, as nobody has met anybody yet."
        }


def test_p_4_explanations_omit_irrelevant_facts():
    equal = paired(crosstable([table(1, (1, 1), (2, 1), (3, 1)), table(2, (4, 1), (5, 1), (6, 1))], seats=3))
    assert not any("Score group" in explanation.text for explanation in equal.explanations)
    apart = paired(crosstable([out(1, Why.PAIRING_BYE, 1), out(2), out(3)], seats=3, float_window="all"))
    assert apart.explanations[1].text == "Score group 2 of 2, like most seats of the table."


def test_p_4_explanations_name_avoided_opponents_of_the_score_group():
    first = [
        table(number, *((4 * number + place - 4, place) for place in (1, 2, 3, 4))) for number in (1, 2, 3, 4)
    ]
    second = [
        table(number, *((number + 4 * place - 4, 1) for place in (1, 2, 3, 4))) for number in (1, 2, 3, 4)
    ]
    explanations = paired(crosstable(first, second, float_window="all")).explanations
    assert explanations[0].floated == 0
    assert explanations[0].text == (
        "Score group 1 of 4, like most seats of the table. "
        "Has met none of them before. Kept apart from 5, 9 and 13 of that score group, met before."
    )


def test_p_5_no_rematches_in_five_rounds_of_32_at_tables_of_four_without_a_window():
    made = play(pair, terms_of(float_window="all"), 32, seed=1)
    assert rematches(made) == 0
    spread = unevenness(made)
    assert max(spread) <= 3
    assert sum(difference <= 1 for difference in spread) >= 0.8 * 32


def test_p_4_no_rematches_in_three_rounds_of_32_with_the_default_window():
    assert rematches(play(pair, terms_of(rounds=3), 32, seed=2)) == 0


def test_p_5_lots_alone_decide_and_drawing_them_again_changes_nothing():
    made = crosstable(entrants=13)
    draw = draw_of("seed", 1)
    case = Case(crosstable=made, round=1, present=tuple(range(1, 14)), draw=draw)
    assert pair(case) == pair(case)
