"""Knowledge of cards: marks for unknown ones, limits, and even draws (G-19)."""

from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from hoodwink.domain.cards import HIDDEN, Card
from hoodwink.domain.kernel import (
    Event,
    Hidden,
    Knowledge,
    Own,
    Public,
    begin_round,
    imagine,
    lose,
    mix,
    rule_out,
    show,
    show_all,
    show_held,
)
from tests.domain.laws.even import is_even


class Zones(msgspec.Struct, frozen=True):
    """Two piles and a single card."""

    hand: tuple[Card, ...]
    kept: tuple[Card, ...] = ()
    slots: tuple[Card | None, ...] = ()


class Dealt(Event, frozen=True):
    """A deal to seat 0."""

    wire: ClassVar[str] = "test.dealt"
    seat: Public[int]
    hand: Own[tuple[Card, ...]]
    turn_up: Public[Card]
    stock: Hidden[tuple[Card, ...]]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def known(hand: str, unseen: str, **zones: str) -> Knowledge[Zones]:
    """Returns the knowledge of a state; its marks are those in the texts."""
    state = Zones(cards(hand), **{name: cards(text) for name, text in zones.items()})
    marks = tuple(card for card in (*state.hand, *state.kept) if card[0] == "?")
    return Knowledge(1, state, marks, cards(unseen), made=len(marks))


GAME: Any = type("Imagining", (), {"imagine": staticmethod(imagine)})


def test_g_19_a_deal_gives_each_hidden_card_a_mark_of_its_own():
    event = Dealt(0, (HIDDEN, HIDDEN), Card("9H"), (HIDDEN,))
    dealt, marked = begin_round(known("", ""), event, cards("2C 3C 9H 4C"))
    assert marked == Dealt(0, cards("?0 ?1"), Card("9H"), cards("?2"))
    assert (dealt.marks, dealt.unseen) == (cards("?0 ?1 ?2"), cards("2C 3C 4C"))


def test_g_19_a_card_that_was_shown_is_known_wherever_it_lies():
    seen = show(known("?0 ?1", "9S 4D"), Card("?1"), Card("4D"))
    assert (seen.state.hand, seen.marks, seen.unseen) == (cards("?0 4D"), cards("?0"), cards("9S"))


def test_g_19_what_was_not_shown_or_is_known_changes_nothing():
    before = known("?0 4D", "9S")
    assert show_all(before, (before.state.hand, None), ((HIDDEN, Card("4D")), None)) == before
    with pytest.raises(AssertionError, match="4D turned into 5D"):
        show(before, Card("4D"), Card("5D"))


def test_g_19_a_played_card_that_is_known_to_be_held_says_nothing_about_the_others():
    before = known("?0 9S", "9S 4D 5D")
    assert show_held(before, before.state.hand, cards("9S")) == before


def test_g_19_a_played_card_was_one_that_could_be_it():
    before = rule_out(known("?0 ?1", "9S 4D 5D"), cards("?0"), cards("9S"))
    seen = show_held(before, before.state.hand, cards("9S"))
    assert seen.state.hand == cards("?0 9S")
    assert seen.limits == ((frozenset(cards("9S")), cards("?0")),)


def test_g_19_limits_that_may_have_been_those_of_the_played_card_are_forgotten():
    before = rule_out(known("?0 ?1 ?2", "9S 4D 5D"), cards("?1 ?2"), cards("4D"))
    seen = show_held(before, before.state.hand, cards("9S"))
    assert seen.state.hand == cards("?0 9S ?2")
    assert seen.limits == ((frozenset(cards("4D")), cards("?2")),)
    crossing = rule_out(before, cards("?0"), cards("5D"))
    assert show_held(crossing, crossing.state.hand, cards("9S")) == seen


def test_g_19_a_known_card_that_was_mixed_with_others_is_among_them():
    before, mark = lose(known("?0 ?1", "2C 3C"), Card("9S"))
    assert (mark, before.among) == ("?2", ((Card("9S"), cards("?2")),))
    mixed = mix(before, cards("?0 ?2"))
    assert mixed.among == ((Card("9S"), cards("?2 ?0")),)
    assert show(mixed, Card("?0"), Card("2C")).among == ((Card("9S"), cards("?2")),)
    assert show_held(mixed, cards("?1 ?0"), cards("9S")).among == ()


def test_g_19_of_two_equal_known_cards_the_one_that_is_held_is_shown():
    first, _ = lose(known("?0 ?1", "2C 3C"), Card("9S"))
    both, held = lose(first, Card("9S"))
    assert both.among == ((Card("9S"), cards("?2")), (Card("9S"), (held,)))

    assert show_held(both, (held,), cards("9S")).among == ((Card("9S"), cards("?2")),)


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"?0": "2C 3C", "?1": "2C"},
        {"?0 ?1": "2C 3C", "?2": "2C"},
        {"?0": "2C 3C", "?1 ?2": "3C 4C"},
        {"?0": "2C 3C 4C", "?1": "4C 5C", "?2": "5C 6C"},
        {"?0": "2C 3C 4C", "?1": "2C 3C 4C 5C", "?2": "6C"},
    ],
)
@pytest.mark.parametrize("unseen", ["2C 3C 4C 5C 6C", "2C 2C 4C 5C 6C"])
def test_g_19_limits_leave_all_other_deals_equally_likely(limits, unseen):
    limited = known("?0 ?1 ?2", unseen, kept="?3 ?4")
    for marks, faces in limits.items():
        limited = rule_out(limited, cards(marks), cards(faces))
    assert is_even(GAME, limited, Random(unseen))


def test_g_19_cards_that_lie_among_others_lie_anywhere_among_them():
    before, mark = lose(known("?0 ?1", "2C 3C 4C", kept="?2"), Card("9S"))
    before = msgspec.structs.replace(
        before, state=msgspec.structs.replace(before.state, hand=(*before.state.hand, mark))
    )
    before = mix(before, before.state.hand)
    before, other = lose(before, Card("9H"))
    before = msgspec.structs.replace(before, state=msgspec.structs.replace(before.state, slots=(other, None)))
    assert is_even(GAME, mix(before, (mark, other)), Random(0))


def test_g_19_a_draw_that_leaves_a_limited_card_without_a_face_is_repeated():
    limited = rule_out(known("?0 ?1", "2C 3C", kept="?2"), cards("?2"), cards("3C 4C"))
    limited = rule_out(limited, cards("?0 ?1"), cards("5C"))
    limited = msgspec.structs.replace(limited, unseen=cards("2C 5C 3C"))
    assert is_even(GAME, limited, Random(0))
