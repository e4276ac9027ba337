"""The zones, plays and slots that shedding games share."""

from typing import NamedTuple

import pytest

from hoodwink.domain.cards import Card
from hoodwink.domain.games import shedding
from hoodwink.domain.kernel import Action, CardChoice, RuleViolation


class LayCards(Action, frozen=True, tag="lay"):
    cards: tuple[Card, ...]


class Zones(NamedTuple):
    """The cards of two seats, and a stock."""

    hands: shedding.CardsBySeat = ((), ())
    face_up: shedding.CardsBySeat = ((), ())
    stock: tuple[Card, ...] = ()


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(face) for face in text.split())


def test_cards_are_dealt_singly_from_the_first_seat():
    dealt = shedding.deal_singly(cards("2C 3C 4C 5C 6C 7C"), seats=3, first=2)
    assert dealt == (cards("3C 6C"), cards("4C 7C"), cards("2C 5C"))


@pytest.mark.parametrize(
    ("hand", "face_up", "held"), [("4C", "5C", "4C"), ("4C", "", "4C"), ("", "5C", "5C")]
)
def test_co_11_co_23_sh_11_cards_are_named_from_the_hand_or_else_from_the_face_up_cards(hand, face_up, held):
    zones = Zones(((), cards(hand)), (cards("9C"), cards(face_up)))
    assert shedding.held_by_name(zones, 1) == cards(held)


def test_co_23_face_down_cards_are_never_named():
    with pytest.raises(RuleViolation, match="wrong_zone"):
        shedding.held_by_name(Zones((cards("4C"), ()), (cards("5C"), ())), 1)


def test_jokers_are_not_jacks():
    groups = shedding.by_rank(cards("JK JC 9S JD 9S"), {"JK", "J", "9"})
    assert groups == {"JK": ["JK"], "J": ["JC", "JD"], "9": ["9S", "9S"]}
    assert shedding.of_rank(cards("JK JC 9S JD"), "J") == ["JC", "JD"]


def test_only_cards_of_requested_ranks_are_grouped():
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


def test_taking_a_missing_card_raises():
    with pytest.raises(ValueError, match="not in list"):
        shedding.without(cards("9S"), cards("9S 9S"))


@pytest.mark.parametrize(
    ("hand", "laid", "drawn"),
    [
        ("9C", 1, "2C 3C 4C"),
        ("9C 9D 9H", 1, "2C"),
        ("9C 9D 9H 9S", 1, ""),
        ("9C 9D 9H 9S", 2, "2C"),
        ("9C 9D 9H 9S JC", 1, ""),
    ],
)
def test_co_10_sh_29_hands_fill_up_to_three(hand, laid, drawn):
    zones = Zones(((), cards(hand)), stock=cards("2C 3C 4C 5C"))
    assert shedding.cards_to_draw(zones, 1, laid) == cards(drawn)


def test_co_10_sh_29_a_short_stock_is_taken_whole():
    assert shedding.cards_to_draw(Zones((cards("9C"), ()), stock=cards("2C")), 0, 1) == cards("2C")


@pytest.mark.parametrize(
    ("pile", "run"), [("9C", 1), ("9C 9S", 2), ("9H 4C 9C 9S 9S", 3), ("9C 9S 9S 9H", 4)]
)
def test_co_17_sh_26_a_run_is_the_cards_of_one_rank_on_top(pile, run):
    assert shedding.run_on_top(cards(pile)) == run


@pytest.mark.parametrize(
    ("seat", "step", "out", "following"),
    [(0, 1, (), 1), (3, 1, (0, 1), 2), (0, -1, (3,), 2), (0, 1, (1, 2, 3), 0)],
)
def test_the_next_seat_still_in_follows(seat, step, out, following):
    assert shedding.next_in(seat, seats=4, out=out, step=step) == following


@pytest.mark.parametrize(
    ("pile", "clears"),
    [
        ("9C", False),
        ("TC", True),
        ("9C 9D 9H", False),
        ("9C 9D 9H 9S", True),
        ("9C 9D 9H 8S 9S", False),
        ("9C 9D 8H 9H 9S", False),
        ("4C 9C 9C 9D 9H 9S", True),
    ],
)
def test_co_13_co_18_sh_23_sh_26_a_10_or_four_together_clear_the_pile(pile, clears):
    assert shedding.is_cleared(cards(pile)) is clears


@pytest.mark.parametrize(
    ("pile", "laid", "completes"),
    [
        ("5H 5D", "5C 5S", True),
        ("5H 5D", "5C", False),
        ("5H 5D 5S", "5C", True),
        ("4H", "5C 5S 5H 5D", False),
        ("5H 4D 5D 5S", "5C", False),
    ],
)
def test_co_17_sh_55_four_are_completed_with_the_cards_on_top(pile, laid, completes):
    assert shedding.completes_four(cards(pile), cards(laid)) is completes


def test_co_31_sh_48_slots_keep_their_number():
    slots = shedding.emptied(cards("4C 5C 6C"), 1)
    assert slots == ("4C", None, "6C")
    assert shedding.filled_slots(slots) == (0, 2)
    assert shedding.flipped(Zones(), 0, slots, 2) == "6C"


@pytest.mark.parametrize("slot", [-2, -1, 1, 3])
def test_co_31_sh_48_emptied_and_unknown_slots_hold_no_card(slot):
    with pytest.raises(RuleViolation, match="slot_empty"):
        shedding.flipped(Zones(), 0, shedding.emptied(cards("4C 5C 6C"), 1), slot)


@pytest.mark.parametrize("zones", [Zones((cards("4C"), ())), Zones(face_up=(cards("4C"), ()))])
def test_co_23_sh_35_nothing_is_flipped_before_all_other_cards_are_gone(zones):
    with pytest.raises(RuleViolation, match="wrong_zone"):
        shedding.flipped(zones, 0, cards("5C"), 0)
    assert shedding.flipped(zones, 1, cards("5C"), 0) == "5C"
