"""Coconut: going out, playing on for places, points, rounds, and a round without result."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.games.coconut import GAME
from hoodwink.domain.games.coconut.events import RoundScored
from hoodwink.domain.games.coconut.state import initial
from hoodwink.domain.games.coconut.view import view
from hoodwink.domain.kernel import Stage, Turn, places
from tests.domain.games.coconut_table import (
    NOW,
    PICK_UP,
    Stacked,
    after,
    cards,
    chosen,
    dealt,
    flip,
    fold,
    legal,
    play,
    refusal,
    scored,
    sneak,
    table,
)


def last(*hands: str, **given):
    """Returns a table at which nobody has cards on the table; an empty hand is out unless refilled."""
    empty = ("",) * len(hands)
    return table(*hands, face_up=empty, face_down=empty, **given)


# ------------------------------------------------------------------------------------ the first out


def test_co_28_the_first_player_without_cards_wins_immediately():
    state = after(last("9C", "3C", "3D"), (0, play("9C")))
    assert (GAME.stage(state), state.finished) == (Stage.TO_SCORE, (0,))
    assert scored(state).points == (1, 0, 0)


@pytest.mark.parametrize(
    ("face_up", "face_down"), [("JC", ""), ("", "4C"), ("JC", "4C")], ids=["face up", "face down", "both"]
)
def test_co_28_cards_on_the_table_count_too(face_up, face_down):
    state = table("9C", "3C", face_up=(face_up, ""), face_down=(face_down, ""))
    assert GAME.stage(after(state, (0, play("9C")))) is Stage.IN_PLAY


def test_co_28_a_player_who_still_draws_has_not_won():
    assert GAME.stage(after(last("9C", "3C", stock="KS"), (0, play("9C")))) is Stage.IN_PLAY


def test_co_28_the_last_face_up_card_can_win():
    state = table("", "3C", face_up=("9C", ""), face_down=("", ""))
    assert after(state, (0, play("9C"))).finished == (0,)


def test_co_27_co_28_a_10_flipped_last_wins():
    state = table("", "3C", face_up=("", ""), face_down=("TC", ""), pile="9S")
    assert GAME.stage(after(state, (0, flip(0)))) is Stage.TO_SCORE


def test_co_28_a_last_failed_flip_does_not_win():
    state = table("", "3C", face_up=("", ""), face_down=("7C", "4H"), pile="9S")
    assert GAME.stage(after(state, (0, flip(0)))) is Stage.IN_PLAY


def test_co_28_a_sneaker_can_win():
    state = after(last("4C", "5H 5S", "4S", pile="5C 5D", laid_by=2), (1, sneak("5H 5S")))
    assert (GAME.stage(state), state.finished) == (Stage.TO_SCORE, (1,))


def test_co_28_a_last_card_cannot_be_answered_by_a_sneak():
    state = after(last("5C", "4D", "5H 5S", pile="5D"), (0, play("5C")))
    assert GAME.turn(state) == Turn()
    assert legal(state, 2) == ()
    assert refusal(state, 2, sneak("5H 5S")) == "round_not_in_play"


def test_co_28_winning_comes_before_clearing():
    state = after(last("TC", "3C", pile="9S"), (0, play("TC")))
    assert (GAME.stage(state), state.pile, state.set_aside) == (Stage.TO_SCORE, cards("9S TC"), ())


def test_co_36_the_view_shows_who_laid_the_very_last_cards_too():
    state = after(last("4C", "5C", "4S", pile="5D", laid_by=0, to_move=1), (1, play("5C")))
    assert (view(state, 0).pile, view(state, 0).laid_by) == (cards("5D 5C"), 1)


def test_g_2_before_scoring_nobody_owes_and_no_action_is_accepted():
    state = after(last("9C", "3C", "3D", sneak_grace_ms=5_000), (0, play("9C")))
    assert refusal(state, 1, play("3C"), NOW) == "round_not_in_play"
    assert refusal(state, 1, PICK_UP, NOW) == "round_not_in_play"
    seen = view(state, 1)
    assert (seen.step, seen.to_move, seen.waits_until) == (None, None, None)


# --------------------------------------------------------------------------------------- for places


def test_co_39_play_for_places_goes_on_with_the_next_player_still_in():
    state = after(last("9C", "AC 3C", "3D", play_for_places=True), (0, play("9C")))
    assert (GAME.stage(state), state.finished, state.to_move) == (Stage.IN_PLAY, (0,), 1)
    assert after(state, (1, play("AC")), (2, PICK_UP)).to_move == 1


def test_co_39_the_round_ends_when_one_player_is_left():
    state = after(last("9C", "JC", "3D", play_for_places=True), (0, play("9C")), (1, play("JC")))
    assert (GAME.stage(state), state.finished) == (Stage.TO_SCORE, (0, 1))
    assert GAME.score_round(state) == (RoundScored((0, 1, 2), (2, 1, 0)),)


@pytest.mark.parametrize("named", ["TC", "7C 7D 7H 7S"])
def test_co_39_after_a_clear_with_the_last_cards_the_next_player_leads(named):
    state = after(last(named, "3C", "3D", pile="5S", play_for_places=True), (0, play(named)))
    assert (state.pile, state.to_move, state.finished) == ((), 1, (0,))
    assert state.set_aside == cards(f"5S {named}")


def test_co_39_a_sneaker_who_goes_out_is_followed_by_the_next_on_the_left():
    state = last("4C", "4D", "5H 5S", "4S", pile="5C 5D", play_for_places=True)
    state = after(state, (2, sneak("5H 5S")))
    assert (state.finished, state.pile, state.to_move) == ((2,), (), 3)


def test_co_39_seats_that_are_out_are_passed_over():
    state = last("9C 4C", "", "", "3D", finished=(1, 2), play_for_places=True)
    assert after(state, (0, play("9C"))).to_move == 3


def test_co_39_the_window_opens_after_last_cards_too():
    state = after(last("5C", "4D", "5H 5S 9C", "4S", pile="5D", play_for_places=True), (0, play("5C")))
    assert GAME.turn(state) == Turn((1,), (2, 3))
    assert after(state, (2, sneak("5H 5S"))).to_move == 2


def test_co_39_the_grace_runs_after_last_cards_too():
    state = last("5C", "4D", "5H 5S 9C", play_for_places=True, sneak_grace_ms=1_000)
    state = after(state, (0, play("5C")))
    assert (legal(state, 1, NOW), bool(legal(state, 1, NOW + 1_000))) == ((), True)


def test_co_38_co_39_a_2_as_last_card_passes_the_turn():
    state = last("2C", "4D", "4H", play_for_places=True, two_plays_again=True)
    assert after(state, (0, play("2C"))).to_move == 1


def test_co_39_with_two_players_the_first_out_ends_the_round():
    state = after(last("9C", "3C", play_for_places=True), (0, play("9C")))
    assert (GAME.stage(state), scored(state).points) == (Stage.TO_SCORE, (1, 0))


# ---------------------------------------------------------------------------------- points and rounds


def test_co_28_co_40_nobody_but_the_winner_has_a_place_in_the_score():
    state = after(last("4C", "5C", "4S", to_move=1), (1, play("5C")))
    assert GAME.score_round(state) == (RoundScored((1,), (0, 1, 0)),)


@pytest.mark.parametrize(("finished", "points"), [((1, 3, 0), (1, 3, 0, 2)), ((2, 1, 3), (0, 2, 3, 1))])
def test_co_40_the_kth_of_n_gets_n_minus_k(finished, points):
    state = last("", "", "", "", finished=finished, play_for_places=True)
    assert scored(replace(state, stage=Stage.TO_SCORE)).points == points


def test_co_40_g_11_the_others_share_second_place_after_the_winner():
    state = scored(replace(last("", "4D", "4H", finished=(0,)), stage=Stage.TO_SCORE))
    assert places(GAME.scores(state)) == (1, 2, 2)


@pytest.mark.parametrize(
    ("options", "number", "stage"),
    [({}, 2, Stage.TO_DEAL), ({}, 3, Stage.OVER), ({"rounds": 1}, 1, Stage.OVER)],
)
def test_co_29_three_rounds_are_played_by_default(options, number, stage):
    state = replace(last("9C", "3C", **options), round=number)
    assert GAME.stage(scored(after(state, (0, play("9C"))))) is stage


def test_co_29_co_40_points_of_all_rounds_are_added():
    state = scored(after(last("9C", "3C", "3D", rounds=2), (0, play("9C"))))
    assert (GAME.stage(state), GAME.scores(state)) == (Stage.TO_DEAL, (1, 0, 0))
    state = fold(state, Stacked())
    state = scored(replace(state, stage=Stage.TO_SCORE, finished=(0,)))
    assert (GAME.stage(state), GAME.scores(state)) == (Stage.OVER, (2, 0, 0))


def test_co_29_a_new_deal_begins_afresh():
    given = table("9C", "TC 3C", face_up=("", "KC"), face_down=("", "5C"), pile="4S", rounds=2)
    ended = scored(after(replace(given, set_aside=cards("4C 4D")), (0, play("9C"))))
    fresh = replace(initial(ended.options, 2), round=ended.round, dealer=ended.dealer, points=ended.points)
    assert fold(ended, Stacked()) == fold(fresh, Stacked())


# ------------------------------------------------------------------------------------- without result


@pytest.mark.parametrize(("rounds", "stage"), [(1, Stage.OVER), (2, Stage.TO_DEAL)])
def test_g_15_a_void_round_uses_up_a_round_and_scores_nothing(rounds, stage):
    state = last("", "4D 9C", "4H", finished=(0,), play_for_places=True, rounds=rounds)
    state = GAME.void_round(replace(state, points=(0, 2, 1)))
    assert (GAME.stage(state), GAME.scores(state), state.finished) == (stage, (0, 2, 1), ())


def test_g_15_a_void_round_reveals_nothing_and_passes_the_deal():
    state = GAME.void_round(chosen(dealt(Stacked(dealer=1), 3, rounds=2)))
    shown = view(state, "everybody")
    assert (shown.hands, shown.face_up, shown.face_down, shown.stock) == ((((),) * 3,) * 3 + ((),))
    assert (shown.round, shown.dealer, GAME.turn(state)) == (1, 1, Turn())
    again = fold(state, Stacked())
    assert (again.round, again.dealer) == (2, 2)


def test_g_15_an_expired_clock_leaves_the_choice_to_a_bot():
    assert GAME.overdue(table("4C", "4D"), 0) is None
