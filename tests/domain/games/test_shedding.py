"""The zones, plays and slots that shedding games share."""

import doctest

import pytest

from domain.cards import Card
from domain.games import shedding
from domain.games.shedding import Zone
from domain.kernel import Action, CardChoice, RuleViolation


class LayCards(Action, frozen=True, tag="lay"):
    cards: tuple[Card, ...]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(face) for face in text.split())


def test_doctests_hold():
    assert doctest.testmod(shedding).failed == 0


@pytest.mark.parametrize(
    ("hand", "face_up", "face_down", "zone"),
    [
        ("4C", "5C", (Card("6C"),), Zone.HAND),
        ("", "5C", (Card("6C"),), Zone.FACE_UP),
        ("", "", (None, Card("6C")), Zone.FACE_DOWN),
        ("", "", (None, None), None),
    ],
)
def test_co_23_sh_32_zones_follow_one_another(hand, face_up, face_down, zone):
    assert shedding.active_zone(cards(hand), cards(face_up), face_down) is zone


def test_cards_are_dealt_singly_from_the_first_seat():
    dealt = shedding.deal_singly(cards("2C 3C 4C 5C 6C 7C"), seats=3, first=2)
    assert dealt == (cards("3C 6C"), cards("4C 7C"), cards("2C 5C"))


def test_jokers_are_no_jacks():
    groups = shedding.by_rank(cards("JK JC 9S JD 9S"))
    assert groups == {"JK": ["JK"], "J": ["JC", "JD"], "9": ["9S", "9S"]}


def test_only_cards_of_the_ranks_asked_for_are_grouped():
    assert shedding.by_rank(cards("9S 4C 9C 5D"), {"9", "5"}) == {"9": ["9S", "9C"], "5": ["5D"]}


def test_a_lone_card_is_its_own_action():
    assert shedding.choice_of(LayCards, "lay", [Card("9S")]) == LayCards(cards("9S"))


def test_several_cards_are_a_choice():
    choice = shedding.choice_of(LayCards, "lay", list(cards("9S 9S 9C")), at_least=2, including=Card("9C"))
    assert choice == CardChoice(type="lay", cards=cards("9S 9S 9C"), at_least=2, at_most=3, including="9C")


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("", "no_cards"),
        ("9C", "card_not_held"),
        ("9S 9S 9S", "card_not_held"),
        ("no-card", "card_not_held"),
        ("9S 4C", "mixed_ranks"),
    ],
)
def test_co_11_co_32_sh_11_named_cards_are_held_and_of_one_rank(named, code):
    with pytest.raises(RuleViolation) as caught:
        shedding.check_named(cards(named), cards("9S 4C 9S"))
    assert caught.value.code == code


def test_co_32_a_face_may_be_named_as_often_as_it_is_held():
    shedding.check_named(cards("9S 9S"), cards("9S 4C 9S"))


def test_taking_what_is_not_there_raises():
    with pytest.raises(ValueError, match="not in list"):
        shedding.without(cards("9S"), cards("9S 9S"))


@pytest.mark.parametrize(("held", "drawn"), [(0, "2C 3C 4C"), (2, "2C"), (3, ""), (9, "")])
def test_co_10_sh_29_hands_fill_up_to_three(held, drawn):
    assert shedding.cards_to_draw(held, cards("2C 3C 4C 5C")) == cards(drawn)


def test_co_10_a_short_stock_is_taken_whole():
    assert shedding.cards_to_draw(0, cards("2C")) == cards("2C")


@pytest.mark.parametrize(
    ("pile", "run"), [("", 0), ("9C", 1), ("9C 9S", 2), ("9H 4C 9C 9S 9S", 3), ("9C 9S 9S 9H", 4)]
)
def test_co_17_sh_26_a_run_is_what_lies_together_on_top(pile, run):
    assert shedding.run_on_top(cards(pile)) == run


@pytest.mark.parametrize(("pile", "laid", "run"), [("", "5C", 1), ("5H 5D", "5C", 3), ("5H 4D", "5C 5S", 2)])
def test_co_17_a_play_lengthens_the_run_of_its_rank(pile, laid, run):
    assert shedding.run_with(cards(pile), cards(laid)) == run


@pytest.mark.parametrize(
    ("seat", "step", "out", "following"),
    [(0, 1, (), 1), (3, 1, (0, 1), 2), (0, -1, (3,), 2), (0, 1, (1, 2, 3), 0)],
)
def test_the_next_seat_still_in_follows(seat, step, out, following):
    assert shedding.next_in(seat, seats=4, out=out, step=step) == following


def test_co_31_sh_48_slots_keep_their_number():
    slots = shedding.emptied(cards("4C 5C 6C"), 1)
    assert slots == ("4C", None, "6C")
    assert shedding.filled_slots(slots) == (0, 2)
    assert [shedding.is_filled(slots, slot) for slot in (-1, 0, 1, 2, 3)] == [False, True, False, True, False]


def test_hidden_cards_show_only_their_number():
    assert shedding.backs(cards("4C 5C")) == ("??", "??")
    assert shedding.slot_backs((Card("4C"), None)) == ("??", None)
