"""P-2: rounds of a two-seat Swiss, small enough to be paired by hand with C.04.3."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.pairing.dutch import initial_colour
from hoodwink.domain.tournaments.pairing.dutch.colours import Preference, Strength, preference_after
from tests.domain.tournaments.swiss import (
    beats,
    draws,
    ends_without_result,
    forfeits,
    loses,
    paired,
    swiss,
    unfinished,
)
from tests.domain.tournaments.tables import out

HALF = Fraction(1, 2)


def met(pairing):
    return {frozenset(seats) for seats in pairing.tables}


def test_p_2_the_first_round_pairs_the_halves_and_alternates_the_initial_colour():
    assert paired(swiss(entrants=8)).tables == ((1, 5), (6, 2), (3, 7), (8, 4))
    assert paired(swiss(entrants=8), initial="b").tables == ((5, 1), (2, 6), (7, 3), (4, 8))


def test_p_2_the_last_of_an_odd_number_has_the_bye_in_the_first_round():
    pairing = paired(swiss(entrants=7))
    assert pairing.tables == ((1, 4), (5, 2), (3, 6))
    assert pairing.byes == (7,)


def test_p_2_nobody_present_is_an_empty_round():
    assert paired(swiss(entrants=0)).tables == ()


def test_p_2_a_round_pairs_within_score_groups_and_grants_due_colours():
    played = swiss([beats(1, 5), loses(6, 2), beats(3, 7), loses(8, 4)])
    assert paired(played).tables == ((4, 1), (2, 3), (5, 8), (7, 6))


def test_p_2_only_present_entrants_are_paired():
    assert paired(swiss(entrants=8), present=[2, 3, 5, 8]).tables == ((2, 5), (8, 3))


def test_p_2_the_initial_colour_of_later_rounds_is_that_of_the_first_board():
    late = swiss([draws(2, 1), out(3, Why.LATE), out(4, Why.LATE)])
    pairing = paired(late, initial="w")
    assert initial_colour(late) == "b"
    assert (4, 3) in pairing.tables or {frozenset({3, 4})}.isdisjoint(met(pairing))
    assert initial_colour(swiss([out(1, Why.PAIRING_BYE, 1)], [beats(1, 2)])) == "w"
    assert initial_colour(swiss([out(1), out(2)])) is None


def test_t_13_p_2_a_changed_first_board_does_not_change_the_initial_colour():
    drawn = swiss([beats(1, 3), beats(4, 2)])
    turned = swiss([beats(3, 1), beats(2, 4)])
    (round_,) = turned.rounds
    changed = replace(turned, rounds=(replace(round_, is_changed=True, proposed=((1, 3), (4, 2))),))
    assert initial_colour(drawn) != initial_colour(turned)
    assert initial_colour(changed) == initial_colour(drawn)


def test_p_2_a_bye_or_an_unplayed_first_place_bars_from_another_bye():
    played = swiss(
        [beats(1, 2), out(3, Why.PAIRING_BYE, HALF)],
        [beats(1, 3), out(2, Why.ASSIGNED_BYE, 1)],
        bye_score=HALF,
    )
    pairing = paired(played)
    assert pairing.byes == (1,)
    assert met(pairing) == {frozenset({2, 3})}
    assert pairing.relaxed == ()


def test_p_2_a_half_point_without_playing_does_not_bar_from_the_bye():
    assert paired(swiss([out(1, Why.REQUESTED_BYE, HALF)])).relaxed == ()
    assert paired(swiss([out(1, Why.ASSIGNED_BYE, 1)])).relaxed == ("1 gets another bye",)


def test_p_2_the_bye_goes_to_the_lowest_score_that_lets_all_others_be_paired():
    played = swiss([draws(1, 3), forfeits(4, 2), out(5, Why.PAIRING_BYE, 1)])
    pairing = paired(played)
    assert pairing.byes == (2,)  # so 1 and 3, who have met, need the two leaders
    assert pairing.tables == ((4, 1), (3, 5))
    assert [explanation.floated for explanation in pairing.explanations] == [1, 0, 1, 0, 0]


def test_p_2_forbidden_pairs_stay_apart():
    assert met(paired(swiss(entrants=4, forbidden=((1, 3),)))) == {frozenset({1, 4}), frozenset({2, 3})}


def test_p_2_boards_are_ordered_by_higher_score_then_by_higher_rank():
    played = swiss([beats(2, 1), beats(3, 4)], forbidden=((1, 4), (2, 3)))
    assert [set(seats) for seats in paired(played).tables] == [{2, 4}, {1, 3}]


def test_p_2_t_11_an_unfinished_table_counts_as_a_draw_of_players_who_have_met():
    played = swiss([unfinished(1, 3), beats(2, 4)])
    pairing = paired(played)
    assert frozenset({1, 3}) not in met(pairing)
    assert [explanation.score for explanation in pairing.explanations] == [HALF, 1, HALF, 0]


def test_p_2_t_10_a_table_without_result_counts_for_neither_meetings_nor_colours():
    pairing = paired(swiss([ends_without_result(1, 2)]))
    assert (pairing.tables, pairing.relaxed) == (((1, 2),), ())


def test_p_2_t_6_a_forfeited_pair_may_meet_again_and_its_colours_do_not_count():
    pairing = paired(swiss([forfeits(1, 2)]))
    assert (pairing.tables, pairing.relaxed) == (((1, 2),), ())


@pytest.mark.parametrize(
    ("colours", "preferred", "strength"),
    [
        ("w", "b", Strength.STRONG),
        ("bw", "b", Strength.MILD),
        ("wb", "w", Strength.MILD),
        ("wbw", "b", Strength.STRONG),
        ("bwb", "w", Strength.STRONG),
        ("bww", "b", Strength.ABSOLUTE),
        ("bbww", "b", Strength.ABSOLUTE),
        ("wwbb", "w", Strength.ABSOLUTE),
        ("wwbwb", "b", Strength.STRONG),
        ("wwbwbw", "b", Strength.ABSOLUTE),
        ("wwwwbb", "b", Strength.ABSOLUTE),
    ],
)
def test_p_2_the_preference_is_the_first_definition_that_fits(colours, preferred, strength):
    assert preference_after(colours) == Preference(preferred, strength)


def test_p_2_there_is_no_preference_before_the_first_game():
    assert preference_after("") is None


def test_p_2_topscorers_due_the_same_colour_may_meet_in_the_last_round():
    rounds = [beats(1, 3), beats(2, 4)], [beats(1, 4), beats(2, 3)]
    assert paired(swiss(*rounds, rounds=3)).relaxed == ("3 and 4 meet although both must have white",)


def test_p_2_explanations_name_the_opponent_and_the_reason_for_the_seat():
    first = paired(swiss(entrants=2))
    assert first.explanations[1].text == (
        "Meets 1 within the score group of 0. "
        "Seat 1 (black), because neither has played yet, and the lot for the first board decides with the pairing number."
    )
    played = swiss([beats(1, 2), draws(3, 4), out(5, Why.PAIRING_BYE, 1)], forbidden=((1, 5),))
    texts = [explanation.text for explanation in paired(played).explanations]
    assert texts[0].startswith("Meets 4 of the score group of ½, having been left over above it.")
    assert texts[3].startswith("Meets 1, who was left over in the score group of 1.")
    assert texts[0].endswith("Seat 1 (black), because black is due.")
    assert texts[1].startswith("Has the bye, because the number of players is odd")
