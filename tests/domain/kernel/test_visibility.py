"""Visibility of the fields of events; none can be forgotten."""

from typing import Annotated, ClassVar

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import Card
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import (
    OMITTED,
    EachOthers,
    EachOwn,
    Event,
    Hidden,
    Own,
    Public,
    Secret,
    Viewer,
    redact,
    shown_if,
)

VIEWERS: tuple[Viewer, ...] = (0, 1, 2, "spectator", "everybody")
KC, KD, KH = map(Card, ("KC", "KD", "KH"))
BACK = Card("??")

LOUD = shown_if(lambda event, viewer: event.seat != 0 or viewer == 2)


class Everything(Event, frozen=True):
    wire: ClassVar[str] = "test.everything"
    seat: Public[int]
    played: Public[Card]
    drawn: Own[tuple[Card, ...]]
    found: Own[Card | None]
    hands: EachOwn[tuple[tuple[Card, ...], ...]]
    pockets: EachOthers[tuple[tuple[Card, ...], ...]]
    stock: Hidden[tuple[Card, ...]]
    said: Annotated[Card, LOUD]
    notes: Annotated[tuple[str, ...], OMITTED]
    seed: Secret


HANDS = ((KC,), (KD, KH), ())
EVENT = Everything(0, KC, (KD,), None, HANDS, HANDS, (KC, KD), KH, ("a", "b"), "5eed")


def seen(field: str) -> list[object]:
    """Returns what each viewer sees of a field."""
    return [getattr(redact(EVENT, viewer), field) for viewer in VIEWERS]


def test_a_public_field_is_shown_unchanged():
    assert seen("played") == [KC] * 5


def test_g_1_a_seats_own_cards_are_hidden_from_others_and_keep_their_shape():
    assert seen("drawn") == [(KD,), (BACK,), (BACK,), (BACK,), (KD,)]
    assert seen("found") == [None] * 5


def test_g_1_each_seat_sees_only_its_own_part():
    assert seen("hands")[:4] == [
        ((KC,), (BACK, BACK), ()),
        ((BACK,), (KD, KH), ()),
        ((BACK,), (BACK, BACK), ()),
        ((BACK,), (BACK, BACK), ()),
    ]


def test_g_1_each_seat_sees_only_the_parts_of_the_others_and_a_spectator_none():
    assert seen("pockets")[:4] == [
        ((BACK,), (KD, KH), ()),
        ((KC,), (BACK, BACK), ()),
        ((KC,), (KD, KH), ()),
        ((BACK,), (BACK, BACK), ()),
    ]


def test_a_hidden_field_is_hidden_from_all_until_the_end():
    assert seen("stock") == [(BACK, BACK)] * 4 + [(KC, KD)]


def test_a_predicate_of_event_and_viewer_can_decide_who_sees_a_field():
    assert seen("said") == [BACK, BACK, KH, BACK, KH]


def test_an_omitted_field_hides_its_length():
    assert seen("notes") == [()] * 4 + [("a", "b")]


def test_g_1_a_secret_text_is_shown_only_at_the_end():
    assert seen("seed") == ["??"] * 4 + ["5eed"]


def test_a_viewer_who_sees_all_receives_the_event_itself():
    class Drawn(Event, frozen=True):
        wire: ClassVar[str] = "test.drawn"
        seat: Public[int]
        card: Own[Card]

    event = Drawn(1, KC)
    assert [redact(event, viewer) is event for viewer in VIEWERS] == [False, True, False, False, True]


def test_the_existence_of_an_event_may_be_secret():
    class Whispered(Event, frozen=True):
        wire: ClassVar[str] = "test.whispered"
        seat: Public[int]

        def is_known_to(self, viewer: Viewer) -> bool:
            return viewer == self.seat

    event = Whispered(1)
    assert [redact(event, viewer) for viewer in VIEWERS] == [None, event, None, None, event]


@pytest.mark.parametrize("hint", [int, Card, tuple[Card, ...], Annotated[bool, "whatever"]])
def test_a_field_without_visibility_is_refused(hint):
    with pytest.raises(TypeError, match=r"Leaky\.was_highest does not declare who sees it"):
        type("Leaky", (Event,), {"__annotations__": {"was_highest": hint}})


@pytest.mark.parametrize(
    "hint",
    [
        Own[bool],
        Own[int],
        Own[str],
        Own[tuple[object, ...]],
        Hidden[tuple[tuple[str, ...], ...]],
        EachOwn[Card],
        EachOthers[tuple[int, ...]],
        Annotated[str, LOUD],
        Annotated[int, OMITTED],
    ],
)
def test_a_field_that_cannot_be_hidden_as_declared_is_refused(hint):
    with pytest.raises(TypeError, match=r"Count\.high cannot be hidden"):
        type("Count", (Event,), {"__annotations__": {"seat": Public[int], "high": hint}})


def test_a_seats_own_field_is_refused_in_an_event_without_a_seat():
    with pytest.raises(TypeError, match=r"Peeked .* needs a field `seat`"):
        type("Peeked", (Event,), {"__annotations__": {"player": Public[int], "card": Own[Card]}})


def test_only_a_card_can_be_hidden_as_a_card():
    with pytest.raises(TypeError, match="3 is not a card"):
        redact(replace(EVENT, drawn=(3,)), "spectator")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_only_events_that_record_an_action_have_a_cause(game):
    caused = {kind for kind in game.events if kind.cause is not Event.cause}
    assert caused
    assert caused != set(game.events)
