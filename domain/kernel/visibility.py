"""Visibility of events: each field declares in its type who sees it, and one `redact` works for all events.

    card: Own[Card]                      the seat of the event sees it, all others see a back
    hands: EachOwn[tuple[Hand, ...]]     one item per seat, and each seat sees its own

Hidden values keep their shape: a card becomes `??`, a sequence of cards becomes as many backs, and `None` stays `None`.
Only cards can be hidden this way, because a number or a flag has no back.
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
"""A seat, a spectator (public information only), or everybody after the end of the table (G-1, G-3)."""

Show: TypeAlias = Callable[[Any, Any, Viewer], Any]
"""Returns a field's value as a viewer sees it, from the value and its event."""


def can_be_covered(hint: Any) -> bool:
    """Returns whether a type consists of cards, `None` and tuples of them, which all can be shown as backs."""
    if get_origin(hint) in (tuple, Union, UnionType):
        return all(part in (..., NoneType) or can_be_covered(part) for part in get_args(hint))
    return hint is Card


def is_tuple_of_cards(hint: Any) -> bool:
    """Returns whether a type is a tuple of values that can be shown as backs."""
    return get_origin(hint) is tuple and can_be_covered(hint)


@dataclass(frozen=True, slots=True)
class Visibility:
    """How seats and spectators see a field.

    Attributes:
        show: `None` if all of them see it unchanged.
        fits: returns whether `show` can hide values of a type.
        is_known: whether the seat that acts always saw the cards before (G-20).
    """

    show: Show | None
    fits: Callable[[Any], bool] = can_be_covered
    is_known: bool = False


Plan: TypeAlias = tuple[tuple[str, Show], ...]
"""The fields of an event that are hidden from some viewers, and how each of them is shown."""


def covered(value: Any) -> Any:
    """Returns the value with a card back for each card; raises `TypeError` for anything but cards."""
    if isinstance(value, tuple):
        # The parts are nearly always cards. A call for each card would make every view several times slower.
        return tuple([HIDDEN if type(part) is str else covered(part) for part in value])
    if isinstance(value, str):
        return HIDDEN
    if value is None:
        return None
    raise TypeError(f"{value!r} is not a card, so it cannot be shown as a back")


def shown_if(sees: Callable[[Any, Viewer], bool]) -> Visibility:
    """Returns the visibility of a field that viewers see if `sees` says so; the others see card backs."""
    return Visibility(lambda value, event, viewer: value if sees(event, viewer) else covered(value))


def each_own(parts: Any, viewer: Viewer) -> Any:
    """Returns the items of all seats, with those that the viewer does not see as backs. A seat sees its own item."""
    if viewer == "everybody":
        return parts
    return tuple([part if seat == viewer else covered(part) for seat, part in enumerate(parts)])


def each_others(parts: Any, viewer: Viewer) -> Any:
    """Returns the items of all seats. A seat sees every item except its own; a spectator sees none."""
    if viewer == "everybody":
        return parts
    if viewer == "spectator":
        return covered(parts)
    return tuple([covered(part) if seat == viewer else part for seat, part in enumerate(parts)])


PUBLIC = Visibility(None, lambda _hint: True)
KNOWN = Visibility(None, lambda _hint: True, is_known=True)
NOBODY = Visibility(lambda value, _event, _viewer: covered(value))
OWN = Visibility(lambda value, event, viewer: value if event.seat == viewer else covered(value))
EACH_OWN = Visibility(lambda value, _event, viewer: each_own(value, viewer), is_tuple_of_cards)
EACH_OTHERS = Visibility(lambda value, _event, viewer: each_others(value, viewer), is_tuple_of_cards)
OMITTED = Visibility(lambda _value, _event, _viewer: (), lambda hint: get_origin(hint) is tuple)
"""Nobody sees the items or their number."""
SECRET = Visibility(lambda _value, _event, _viewer: HIDDEN, lambda hint: hint is str)
"""Nobody sees the text, such as a seed; everyone sees `??`."""

Public: TypeAlias = Annotated[T, PUBLIC]
PublicKnown: TypeAlias = Annotated[T, KNOWN]
"""Public cards that the seat that acts has seen before, even though its action does not name them."""
Hidden: TypeAlias = Annotated[T, NOBODY]
Own: TypeAlias = Annotated[T, OWN]
EachOwn: TypeAlias = Annotated[T, EACH_OWN]
EachOthers: TypeAlias = Annotated[T, EACH_OTHERS]
Secret: TypeAlias = Annotated[str, SECRET]


def plan_of(kind: type) -> Plan:
    """Returns the hidden fields of a kind of event.

    Raises:
        TypeError: a field does not declare who sees it, or cannot be hidden as declared.
    """
    hints = _hints_of(kind)
    visibilities = [(name, _visibility_of(kind, name, hint)) for name, hint in hints.items()]
    if OWN in dict(visibilities).values() and "seat" not in hints:
        raise TypeError(f"{kind.__name__} has an `Own` field, so it needs a field `seat`")
    return tuple(
        [(name, visibility.show) for name, visibility in visibilities if visibility.show is not None]
    )


def unseen_fields(kind: type) -> tuple[str, ...]:
    """Returns the fields of a kind of event with cards that the seat that acts may not have seen before."""
    return tuple(
        [
            name
            for name, hint in _hints_of(kind).items()
            if not _visibility_of(kind, name, hint).is_known and not _is_plain(hint)
        ]
    )


def _is_plain(hint: Any) -> bool:
    """Returns whether a type consists of numbers alone. Anything else may contain cards."""
    parts = get_args(hint)
    if get_origin(hint) is Annotated:
        return _is_plain(parts[0])
    return all(map(_is_plain, parts)) if parts else hint in (int, bool, NoneType, ...)


def _hints_of(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hint for name, hint in hints.items() if get_origin(hint) is not ClassVar}


def _visibility_of(kind: type, name: str, hint: Any) -> Visibility:
    visibilities = (
        [note for note in get_args(hint)[1:] if isinstance(note, Visibility)]
        if get_origin(hint) is Annotated
        else []
    )
    if len(visibilities) != 1:
        raise TypeError(f"{kind.__name__}.{name} does not declare who sees it, such as Public[…] or Own[…]")
    if not visibilities[0].fits(get_args(hint)[0]):
        raise TypeError(
            f"{kind.__name__}.{name} cannot be hidden: only cards and tuples of cards have a back"
        )
    return visibilities[0]


class Visible(Protocol):
    """The part of an event that `redact` needs."""

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
