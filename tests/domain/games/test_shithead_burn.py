"""Burned piles in Shithead: by a ten, by four of a kind, and out of turn."""

import pytest

from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.events import PileBurned
from hoodwink.domain.kernel import CardChoice, Stage, Turn
from tests.domain.games.shithead_table import (
    PICK_UP,
    after,
    burn,
    can,
    cards,
    counter,
    dealt,
    deck_for,
    events_of,
    flip,
    joker,
    play,
    refusal,
    table,
)

OPEN = {"out_of_turn_burn": True}


@pytest.mark.parametrize("tens", ["TC", "TC TD"])
def test_sh_23_tens_burn_the_pile_and_the_same_player_goes_on(tens):
    state = after(table("TC TD 4C", "KD", pile="9S AS"), (0, play(tens)))
    assert (state.pile, state.to_move, state.removed) == ((), 0, cards(f"9S AS {tens}"))


def test_sh_23_a_ten_on_an_empty_pile_burns_itself():
    assert after(table("TC 4C", "KD"), (0, play("TC"))).removed == cards("TC")


def test_sh_23_out_with_a_ten_the_next_player_leads():
    state = after(table("TC", "KD", "KH", pile="9S"), (0, play("TC")))
    assert (state.finished, state.to_move, state.pile) == ((0,), 1, ())
    assert after(table("TC", "KD", "KH", pile="9S", direction=-1), (0, play("TC"))).to_move == 2
    state = after(table("TC", "", "KH", "KS", pile="9S"), (0, play("TC")))
    assert (state.finished, state.to_move) == ((1, 0), 2)


def test_sh_23_sh_44_a_ten_as_last_card_of_the_last_but_one_ends_the_round():
    assert GAME.stage(after(table("TC", "KD", pile="9S"), (0, play("TC")))) is Stage.TO_SCORE


def test_sh_24_four_of_a_kind_burn_if_they_may_be_played():
    state = table("5C 5D 5H 5S 9C", "KD", pile="4S")
    assert after(state, (0, play("5C 5D 5H 5S"))).pile == ()
    state = table("5C 5D 5H 5S 9C", "KD", pile="6S")
    assert refusal(state, 0, play("5C 5D 5H 5S")) == "not_playable"


def test_sh_24_jokers_have_no_value_and_complete_nothing():
    state = table("JK JC", "KD", pile="JD JH JS")
    assert refusal(state, 0, play("JK")) == "joker_names_a_player"
    assert refusal(state, 0, play("JC JK")) == "mixed_ranks"
    assert after(state, (0, play("JC"))).pile == ()


def test_sh_25_sh_26_a_burn_is_completed_over_several_turns():
    state = table("6H 6D 9C", "6S 9D", "6C 9H", pile="4S")
    state = after(state, (0, play("6H 6D")), (1, play("6S")), (2, play("6C")))
    assert (state.pile, state.to_move) == ((), 2)


def test_sh_25_nobody_burns_out_of_turn_by_default():
    state = after(table("6H 6D 6S 9C", "KD", "6C KH"), (0, play("6H 6D 6S")))
    assert GAME.turn(state) == Turn((1,))
    assert refusal(state, 2, burn("6C")) == "no_burn_now"


def test_sh_26_an_eight_between_breaks_the_four():
    assert after(table("6H 9C", "KD", pile="6C 6D 6S 8C"), (0, play("6H"))).pile == cards("6C 6D 6S 8C 6H")


def test_sh_26_four_eights_burn():
    assert after(table("8H 9C", "KD", pile="AS 8C 8D 8S"), (0, play("8H"))).pile == ()


def test_sh_26_a_flip_completes_four():
    state = after(table("", "KD", blind=["6H 9C"], pile="6C 6D 6S"), (0, flip(0)))
    assert (state.pile, state.to_move) == ((), 0)


@pytest.mark.parametrize("rank", ["3", "5"])
def test_sh_27_burning_replaces_skipping_and_reversing(rank):
    hand = f"{rank}H {rank}C {rank}D {rank}S 9C"
    state = after(table(hand, "KD", "KH", pile=""), (0, play(hand.removesuffix(" 9C"))))
    assert (state.pile, state.to_move, state.direction) == ((), 0, 1)


def test_sh_27_out_with_a_burn_of_threes_nobody_is_skipped():
    assert after(table("3H", "KD", "KH", pile="3C 3D 3S"), (0, play("3H"))).to_move == 1


def test_sh_28_the_burner_draws_and_must_play_again():
    state = after(table("6H", "KD", pile="6C 6D 6S", stock="9C 9D JH QH"), (0, play("6H")))
    assert (state.hands[0], GAME.turn(state)) == (cards("9C 9D JH"), Turn((0,)))
    assert refusal(state, 0, PICK_UP) == "pile_empty"


def test_sh_55_anybody_else_still_in_may_burn_out_of_turn():
    state = table("9C KC", "KD", "6C KH", "", "KS", pile="6H 6D 6S", to_move=1, last_layer=0, options=OPEN)
    assert GAME.turn(state) == Turn((1,), (2, 4))
    (event,) = events_of(state, 2, burn("6C"))
    assert event == PileBurned(2, cards("6C"), ())
    state = after(state, (2, burn("6C")))
    assert (state.pile, state.to_move, state.hands[2], state.direction) == ((), 2, cards("KH"), 1)


def test_sh_55_the_window_does_not_depend_on_cards():
    hands = ("9C KC", "KD", "KH", "KS")
    state = table(*hands, pile="4S", to_move=1, last_layer=0, options=OPEN)
    assert GAME.turn(state).may == (2, 3)
    assert GAME.legal_actions(state, 2, 0) == ()


def test_sh_55_the_player_to_move_the_last_layer_and_those_out_may_not_burn():
    state = table("6C", "6C", "6C", "", pile="6H 6D 6S", to_move=1, last_layer=0, options=OPEN)
    for seat in (0, 1, 3):
        assert refusal(state, seat, burn("6C")) == "may_not_burn"
    assert can(state, 2, burn("6C"))


def test_sh_55_a_player_who_flips_a_blind_card_is_the_last_layer_too():
    state = table("", "KD", "KH", "KS", blind=["6C 9C"], pile="4S", last_layer=3, options=OPEN)
    assert GAME.turn(after(state, (0, flip(0)))) == Turn((1,), (2, 3))


def test_sh_55_a_three_may_leave_the_last_layer_to_move():
    state = after(table("3H 9C", "3C 9D", pile="3D 3S", options=OPEN), (0, play("3H")))
    assert GAME.turn(state) == Turn((0,), (1,))
    assert after(state, (1, burn("3C"))).to_move == 1


def test_sh_55_the_window_is_closed_on_an_empty_pile_and_while_a_joker_waits():
    state = table("JK 9C", "KD", "6C KH", pile="6H 6D 6S", options=OPEN, last_layer=1)
    assert GAME.turn(state) == Turn((0,), (2,))
    state = after(state, (0, joker(1)))
    assert GAME.turn(state) == Turn((1,))
    assert refusal(state, 2, burn("6C")) == "no_burn_now"
    turned = after(
        table("", "KD", "6C KH", blind=["JK"], pile="6H 6D 6S", options=OPEN, last_layer=1), (0, flip(0))
    )
    assert refusal(turned, 2, burn("6C")) == "no_burn_now"
    assert refusal(table("9C", "KD", "6C", options=OPEN), 2, burn("6C")) == "no_burn_now"


def test_g_10_sh_55_nobody_burns_before_play_has_begun():
    state = dealt(deck_for(["4C 4H 4S", "5C 5H 5S", "6C 6H 6S"]), seats=3, **OPEN)
    assert refusal(state, 2, burn("6C 6H 6S")) == "wrong_phase"


def test_sh_55_hand_and_face_up_cards_burn_but_blind_ones_never():
    state = table(
        "9C", "KD", "", "", face_up=["", "", "6C 6D"], blind=["", "", "", "6S"],
        pile="6H 6D", last_layer=1, options=OPEN,
    )  # fmt: skip
    assert GAME.legal_actions(state, 2, 0) == (
        CardChoice(type="burn", cards=cards("6C 6D"), at_least=2, at_most=2),
    )
    assert after(state, (2, burn("6D 6C"))).face_up[2] == ()
    assert GAME.turn(state).may == (2, 3)
    assert refusal(state, 3, burn("6S")) == "wrong_zone"
    assert GAME.legal_actions(state, 3, 0) == ()


def test_sh_55_only_cards_that_complete_four_of_the_top_rank_burn():
    state = table("9C", "KD", "6C 6S 9H 9D 9S JK", pile="6H 6D", last_layer=1, options=OPEN)
    assert refusal(state, 2, burn("6C")) == "completes_no_four"
    assert refusal(state, 2, burn("9H 9D 9S")) == "completes_no_four"
    assert refusal(state, 2, burn("KD")) == "card_not_held"
    assert refusal(state, 2, burn("")) == "no_cards"
    assert can(state, 2, burn("6C 6S"))


def test_sh_55_the_burner_draws_first():
    state = table("9C", "KD", "6C KH KS", pile="6H 6D 6S", last_layer=1, stock="9D JD", options=OPEN)
    state = after(state, (2, burn("6C")))
    assert (state.hands[2], state.stock) == (cards("KH KS 9D"), cards("JD"))


def test_sh_55_out_with_a_burn_the_next_player_leads():
    state = table("9C", "KD", "6C", "KS", pile="6H 6D 6S", last_layer=1, options=OPEN)
    state = after(state, (2, burn("6C")))
    assert (state.finished, state.to_move) == ((2,), 3)


def test_sh_55_every_four_is_burned_by_the_rank_on_top_sevens_and_eights_too():
    state = table("9C", "KD", "7C", pile="7H 7D 7S", last_layer=1, options=OPEN)
    assert can(state, 2, burn("7C"))


def test_sh_55_a_burn_needs_no_legal_rank_and_no_counter_is_one():
    state = table("9C", "KD", "6C", pile="6H 6D 6S", last_layer=1, options=OPEN)
    assert refusal(state, 2, counter(1)) == "not_your_turn"
    assert refusal(state, 2, play("6C")) == "not_your_turn"
