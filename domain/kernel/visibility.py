"""Visibility of events: each field of an event declares in its type who sees it, and one `redact` serves all kinds.

    card: Own[Card]                      the seat of the event sees it, all others see a back
    hands: EachOwn[tuple[Hand, ...]]     of a sequence over seats, each seat sees its own part

What is hidden keeps its shape: a card becomes `??`, a sequence of cards as many backs, and no card stays none. Only
cards can be hidden that way: a number or a flag has no back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN, Card

T = TypeVar("T")

Viewer: TypeAlias = int | Literal["spectator", "everybody"]
"""A seat, a spectator (public information only), or everybody once the table is over (G-1, G-3)."""

Show: TypeAlias = Callable[[Any, Any, Viewer], Any]
"""Returns a field's value as a viewer sees it, from the value and its event."""


def is_of_cards(hint: Any) -> bool:
    """Returns whether a type holds only what has a back: cards, no card, and tuples of them."""
    if get_origin(hint) in (tuple, Union, UnionType):
        return all(part in (..., NoneType) or is_of_cards(part) for part in get_args(hint))
    return hint is Card


def is_of_parts(hint: Any) -> bool:
    """Returns whether a type is a tuple of what has a back."""
    return get_origin(hint) is tuple and is_of_cards(hint)


@dataclass(frozen=True, slots=True)
class Visibility:
    """How seats and spectators see a field; with `show=None` all of them see it unchanged.

    Attributes:
        fits: whether `show` can hide values of a type.
    """

    show: Show | None
    fits: Callable[[Any], bool] = is_of_cards


Plan: TypeAlias = tuple[tuple[str, Show], ...]
"""The fields of an event that are hidden from some viewers, and how each of them is shown."""


def covered(value: Any) -> Any:
    """Returns the value with a card back for each card; raises `TypeError` for anything but cards."""
    if isinstance(value, tuple):
        # Nearly always cards alone, which a call for each would make several times slower in every view.
        return tuple([HIDDEN if type(part) is str else covered(part) for part in value])
    if isinstance(value, str):
        return HIDDEN
    if value is None:
        return None
    raise TypeError(f"{value!r} is no card, and cannot be hidden as one")


def shown_if(sees: Callable[[Any, Viewer], bool]) -> Visibility:
    """Returns the visibility of a field that only some viewers see, as `sees` decides; the others see card backs."""
    return Visibility(lambda value, event, viewer: value if sees(event, viewer) else covered(value))


def each_own(parts: Any, viewer: Viewer) -> Any:
    """Returns a sequence over seats. Each seat sees its own part, and "everybody" sees all of them."""
    if viewer == "everybody":
        return parts
    return tuple([part if seat == viewer else covered(part) for seat, part in enumerate(parts)])


def each_others(parts: Any, viewer: Viewer) -> Any:
    """Returns a sequence over seats. Each seat sees all parts but its own; a spectator sees none."""
    if viewer == "everybody":
        return parts
    if viewer == "spectator":
        return covered(parts)
    return tuple([covered(part) if seat == viewer else part for seat, part in enumerate(parts)])


PUBLIC = Visibility(None, lambda _hint: True)
NOBODY = Visibility(lambda value, _event, _viewer: covered(value))
OWN = Visibility(lambda value, event, viewer: value if event.seat == viewer else covered(value))
EACH_OWN = Visibility(lambda value, _event, viewer: each_own(value, viewer), is_of_parts)
EACH_OTHERS = Visibility(lambda value, _event, viewer: each_others(value, viewer), is_of_parts)
LEFT_OUT = Visibility(lambda _value, _event, _viewer: (), lambda hint: get_origin(hint) is tuple)
"""Nobody sees the items, nor how many there are."""
SECRET = Visibility(lambda _value, _event, _viewer: HIDDEN, lambda hint: hint is str)
"""Nobody sees the text, such as a seed; all see `??`."""

Public: TypeAlias = Annotated[T, PUBLIC]
Hidden: TypeAlias = Annotated[T, NOBODY]
Own: TypeAlias = Annotated[T, OWN]
EachOwn: TypeAlias = Annotated[T, EACH_OWN]
EachOthers: TypeAlias = Annotated[T, EACH_OTHERS]
Secret: TypeAlias = Annotated[str, SECRET]


def plan_of(kind: type) -> Plan:
    """Returns which fields of a kind of event are hidden.

    Raises:
        TypeError: a field does not say who sees it, or cannot be hidden the way it says.
    """
    hints = {
        name: hint
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if get_origin(hint) is not ClassVar
    }
    visibilities = [(name, _visibility_of(kind, name, hint)) for name, hint in hints.items()]
    if OWN in dict(visibilities).values() and "seat" not in hints:
        raise TypeError(f"{kind.__name__} has a field that its seat sees, and needs a field `seat`")
    return tuple(
        [(name, visibility.show) for name, visibility in visibilities if visibility.show is not None]
    )


def _visibility_of(kind: type, name: str, hint: Any) -> Visibility:
    visibilities = (
        [note for note in get_args(hint)[1:] if isinstance(note, Visibility)]
        if get_origin(hint) is Annotated
        else []
    )
    if len(visibilities) != 1:
        raise TypeError(f"{kind.__name__}.{name} does not say who sees it, such as Public[…] or Own[…]")
    if not visibilities[0].fits(get_args(hint)[0]):
        raise TypeError(
            f"{kind.__name__}.{name} cannot be hidden: only cards and tuples of cards have a back"
        )
    return visibilities[0]


class Visible(Protocol):
    """An event as `redact` needs it: with its plan, and with who may know of it at all."""

    hidden: ClassVar[Plan]

    def is_known_to(self, viewer: Viewer) -> bool: ...


E = TypeVar("E", bound=Visible)


def redact(event: E, viewer: Viewer) -> E | None:
    """Returns the event as the viewer may see it, hidden cards as `??`; `None` if its existence is secret."""
    if viewer == "everybody":
        return event
    if not event.is_known_to(viewer):
        return None
    changed = {}
    for name, show in event.hidden:
        value = getattr(event, name)
        seen = show(value, event, viewer)
        if seen is not value:
            changed[name] = seen
    if not changed:
        return event
    redacted: E = replace(event, **changed)  # type: ignore[type-var]  # an event is a struct
    return redacted
