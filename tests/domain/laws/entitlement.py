"""Declares which cards each viewer may see: from the rules, and independently of the games' own views.

For every game: where the state keeps cards, which fields of which events name cards, and who may see
each of them. A field that is not declared here may not hold a card at all.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import msgspec

from hoodwink.domain.kernel import Event, Viewer
from tests.domain.laws.cards import cards_in, covered


class Look(NamedTuple):
    """A state or an event, and the viewer that looks at it.

    Attributes:
        is_revealed: the round is being scored, and what scoring turns up lies open (G-2).
    """

    record: Any
    viewer: Viewer
    is_revealed: bool = False


Rule: TypeAlias = Callable[[Look, int], bool]
"""Returns whether the viewer sees the cards of that seat; for cards that are nobody's, the seat is -1."""

Mask: TypeAlias = Callable[[Look, Any], Any]
"""Covers the cards that the viewer does not see."""


@dataclass(frozen=True, kw_only=True)
class Entitlement:
    """The entitlements of viewers to the cards of one game.

    Attributes:
        zones: the fields of the state in which the cards lie, each card in exactly one.
        marks: fields of the state that repeat cards of the zones.
        log_only: zones whose cards a viewer may look up in the log and need not find in the view (G-16).
        events: by wire name, the fields that name cards.
        facts: by wire name, what the rules make public with the event although it follows from hidden cards;
            computed here from the cards in the state after it, never read from what the game computed.
        dealer: the field of the dealing event that names the dealer (G-12), or `None` in a game without one.
    """

    zones: Mapping[str, Mask]
    marks: Mapping[str, Mask] = field(default_factory=dict)
    log_only: frozenset[str] = frozenset()
    events: Mapping[str, Mapping[str, Mask]]
    facts: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    dealer: str | None = "dealer"


def together(rule: Rule) -> Mask:
    """Returns the mask of cards that lie together; in an event they belong to its seat."""

    def mask(look: Look, value: Any) -> Any:
        return value if rule(look, getattr(look.record, "seat", -1)) else covered(value)

    return mask


def by_seat(rule: Rule) -> Mask:
    """Returns the mask of a tuple over seats."""

    def mask(look: Look, value: Any) -> Any:
        return tuple(cards if rule(look, seat) else covered(cards) for seat, cards in enumerate(value))

    return mask


def public(look: Look, seat: int) -> bool:
    return True


def nobody(look: Look, seat: int) -> bool:
    return False


def owner(look: Look, seat: int) -> bool:
    return look.viewer == seat


def others(look: Look, seat: int) -> bool:
    """All other players; a spectator is never among them (G-1)."""
    return isinstance(look.viewer, int) and look.viewer != seat


def then_all(rule: Rule) -> Rule:
    """Returns the rule of cards that the scoring turns up for everybody."""
    return lambda look, seat: look.is_revealed or rule(look, seat)


def picture(entitlement: Entitlement, look: Look) -> dict[str, Any]:
    """Returns all zones and marks of a state, with every card covered that the viewer does not see."""
    masks = {**entitlement.zones, **entitlement.marks}
    return {name: mask(look, getattr(look.record, name)) for name, mask in masks.items()}


def cards_of(entitlement: Entitlement, event: Event, viewer: Viewer) -> dict[str, Any]:
    """Returns the fields of the event that name cards, with every card covered that the viewer may not see."""
    look = Look(event, viewer)
    masks = entitlement.events.get(event.wire, {})
    return {name: mask(look, getattr(event, name)) for name, mask in masks.items()}


def shown(entitlement: Entitlement, event: Event, viewer: Viewer) -> Event:
    """Returns the event with every card covered that the viewer may not see in it."""
    return msgspec.structs.replace(event, **cards_of(entitlement, event, viewer))


def undeclared_fields(record: msgspec.Struct, declared: Collection[str]) -> set[str]:
    """Returns the fields that hold a card without being declared."""
    fields = set(record.__struct_fields__) - set(declared)
    return {name for name in fields if cards_in(getattr(record, name))}
