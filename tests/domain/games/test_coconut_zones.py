"""Coconut: from the hand to the face-up cards to the face-down cards."""

import pytest

from hoodwink.domain.cards import RANKS
from hoodwink.domain.games.coconut.events import CardFlipped, FlipFailed, PilePickedUp
from hoodwink.domain.games.coconut.view import view
from hoodwink.domain.kernel import CardChoice
from tests.domain.games.coconut_table import (
    NOW,
    PICK_UP,
    after,
    cards,
    decided,
    flip,
    legal,
    play,
    refusal,
    table,
)


def blind(down: str, *others: str, pile: str = "", **options):
    """Returns a table at which seat 0 has face-down cards only and is to move."""
    hands = others or ("3C",)
    empty = ("",) * (len(hands) + 1)
    return table("", *hands, face_up=empty, face_down=(down, *["4H"] * len(hands)), pile=pile, **options)


def test_co_23_with_an_empty_hand_the_face_up_cards_are_played():
    state = table("", "3C", face_up=("9C 9D 4C", ""), pile="5S")
    assert legal(state, 0) == (CardChoice(type="play", cards=cards("9C 9D"), at_least=1, at_most=2),)
    assert after(state, (0, play("9D"))).face_up[0] == cards("9C 4C")


def test_co_23_the_last_hand_card_opens_the_face_up_cards_once_the_deck_is_gone():
    state = after(table("9C", "3C", face_up=("JC", ""), pile="5S"), (0, play("9C")))
    assert legal(after(state, (1, PICK_UP)), 0) == (play("JC"),)


def test_co_23_face_up_cards_are_out_of_reach_while_there_is_a_deck():
    state = after(table("9C", "3C 4C", face_up=("JC", ""), stock="5C 6C KC"), (0, play("9C")))
    assert state.hands[0] == cards("5C 6C KC")
    assert refusal(after(state, (1, PICK_UP)), 0, play("JC")) == "card_not_held"


def test_co_24_picking_up_before_the_face_up_cards_takes_the_pile_only():
    state = table("", "3C", face_up=("4C 6C", ""), pile="8S 9S")
    assert decided(state, 0, PICK_UP) == (PilePickedUp(0),)
    state = after(state, (0, PICK_UP))
    assert (state.hands[0], state.face_up[0], state.to_move) == (cards("8S 9S"), cards("4C 6C"), 1)


def test_co_24_the_hand_comes_first_again_after_picking_up():
    state = after(table("", "3C", face_up=("4C 6C", ""), pile="8S"), (0, PICK_UP), (1, play("3C")))
    assert legal(state, 0) == (play("8S"),)


@pytest.mark.parametrize(
    ("hand", "face_up"), [("9C", "JC"), ("", "JC"), ("4C", "")], ids=["hand", "face up", "hand alone"]
)
def test_co_23_nothing_is_flipped_before_hand_and_face_up_cards_are_gone(hand, face_up):
    state = table(hand, "3C", face_up=(face_up, ""), pile="5S")
    assert refusal(state, 0, flip(0)) == "wrong_zone"


def test_co_23_face_down_cards_are_flipped_and_never_named():
    state = blind("9C 8C 7C", pile="5S")
    assert legal(state, 0) == (flip(0), flip(1), flip(2))
    assert refusal(state, 0, play("9C")) == "wrong_zone"
    assert refusal(state, 0, play("AH")) == "wrong_zone"
    assert refusal(state, 0, PICK_UP) == "wrong_zone"


@pytest.mark.parametrize("slot", [-4, -1, 1, 3, 100])
def test_co_31_only_a_filled_slot_can_be_flipped(slot):
    state = blind("9C -- 7C")
    assert legal(state, 0) == (flip(0), flip(2))
    assert refusal(state, 0, flip(slot)) == "slot_empty"


def test_co_27_a_card_that_matches_or_beats_is_played():
    for card in ("8C", "9C"):
        state = blind(card + " 3D --", pile="8S")
        assert decided(state, 0, flip(0)) == (CardFlipped(0, 0, cards(card)[0], NOW),)
        state = after(state, (0, flip(0)))
        assert (state.pile, state.to_move) == (cards("8S " + card), 1)
        assert state.face_down[0] == (None, "3D", None)


@pytest.mark.parametrize("wild", ["2C", "TC"])
@pytest.mark.parametrize("top", ["3S", "AS", "2S"])
def test_co_27_a_flipped_wild_card_always_succeeds(wild, top):
    assert isinstance(decided(blind(wild + " 3D --", pile=top), 0, flip(0))[0], CardFlipped)


@pytest.mark.parametrize("rank", RANKS)
def test_co_27_on_an_empty_pile_every_flip_succeeds(rank):
    assert isinstance(decided(blind(rank + "C 3D --"), 0, flip(0))[0], CardFlipped)


def test_co_27_after_a_flipped_10_the_player_flips_again():
    state = after(blind("TC 3D --", pile="AS"), (0, flip(0)))
    assert (state.to_move, state.pile) == (0, ())
    assert legal(state, 0) == (flip(1),)


def test_co_25_a_failed_flip_goes_to_the_hand_with_the_pile():
    state = blind("7C 3D KC", pile="9S 8S")
    assert decided(state, 0, flip(0)) == (FlipFailed(0, 0, cards("7C")[0]),)
    state = after(state, (0, flip(0)))
    assert (state.hands[0], state.pile) == (cards("9S 8S 7C"), ())


def test_co_25_the_other_face_down_cards_stay():
    state = after(blind("7C 3D KC", pile="8S"), (0, flip(0)))
    assert state.face_down[0] == (None, "3D", "KC")


def test_co_25_the_hand_must_be_played_out_before_the_next_flip():
    state = after(blind("7C 3D KC", "3C 4C", pile="8S"), (0, flip(0)), (1, play("3C")))
    assert legal(state, 0) == (play("8S"), play("7C"))
    assert refusal(state, 0, flip(1)) == "wrong_zone"


def test_co_26_after_a_failed_flip_the_next_player_leads():
    assert after(blind("7C 3D KC", "3C", "3D", pile="8S"), (0, flip(0))).to_move == 1


def test_co_31_refusals_and_lists_reveal_no_face_down_card():
    one, other = blind("9C 8C 7C", pile="5S"), blind("3C 2D AC", pile="5S")
    assert legal(one, 0) == legal(other, 0)
    assert view(one, 0) == view(other, 0)
    for action in (flip(3), play("9C"), play("3C"), PICK_UP):
        assert refusal(one, 0, action) == refusal(other, 0, action)
