"""Who sees what of an event. Each field of an event says so in its type, and one `redact` serves all kinds.

    card: Own[Card]                      the seat of the event sees it, all others see a back
    hands: EachOwn[tuple[Hand, ...]]     of a sequence over seats, each seat sees its own part

What is hidden keeps its shape: a card becomes `??`, a sequence of cards as many backs, and no card stays none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec.structs import replace

from domain.cards import HIDDEN

T = TypeVar("T")

Viewer: TypeAlias = int | Literal["spectator", "everybody"]
"""A seat, a spectator (public information only), or everybody once the table is over (G-1, G-3)."""

Show: TypeAlias = Callable[[Any, Any, Viewer], Any]
"""Returns a field's value as a viewer sees it, from the value and its event."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How a field is seen by seats and spectators; `None` is as it is."""

    show: Show | None


Plan: TypeAlias = tuple[tuple[str, Show], ...]
"""The fields of an event that somebody does not see, and how each is seen."""


def covered(value: Any) -> Any:
    """Returns the backs of cards, as many as there are; raises `TypeError` for what has no back."""
    if value is None:
        return None
    if isinstance(value, str):
        return HIDDEN
    if isinstance(value, tuple):
        return tuple([covered(part) for part in value])
    raise TypeError(f"{value!r} is no card, and cannot be hidden as one")


def shown_if(sees: Callable[[Any, Viewer], bool]) -> Sight:
    """Returns the sight of those whom an event lets see the field; the others see backs."""
    return Sight(lambda value, event, viewer: value if sees(event, viewer) else covered(value))


def shown_by_seat(sees: Callable[[int, Viewer], bool]) -> Sight:
    """Returns the sight of a sequence over seats of which each viewer sees the parts of some seats."""
    return Sight(
        lambda value, _event, viewer: tuple(
            [part if sees(seat, viewer) else covered(part) for seat, part in enumerate(value)]
        )
    )


PUBLIC = Sight(None)
NOBODY = shown_if(lambda _event, _viewer: False)
OWN = shown_if(lambda event, viewer: event.seat == viewer)
EACH_OWN = shown_by_seat(lambda seat, viewer: seat == viewer)
EACH_OTHERS = shown_by_seat(lambda seat, viewer: isinstance(viewer, int) and seat != viewer)
LEFT_OUT = Sight(lambda _value, _event, _viewer: ())
"""Nobody sees how many there are."""

Public: TypeAlias = Annotated[T, PUBLIC]
Hidden: TypeAlias = Annotated[T, NOBODY]
Own: TypeAlias = Annotated[T, OWN]
EachOwn: TypeAlias = Annotated[T, EACH_OWN]
EachOthers: TypeAlias = Annotated[T, EACH_OTHERS]


def plan_of(kind: type) -> Plan:
    """Returns what is hidden of a kind of event; raises `TypeError` for a field that does not say who sees it."""
    sights = [
        (name, _sight_of(kind, name, hint))
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if get_origin(hint) is not ClassVar
    ]
    return tuple([(name, sight.show) for name, sight in sights if sight.show is not None])


def _sight_of(kind: type, name: str, hint: Any) -> Sight:
    sights = (
        [one for one in get_args(hint)[1:] if isinstance(one, Sight)] if get_origin(hint) is Annotated else []
    )
    if len(sights) != 1:
        raise TypeError(f"{kind.__name__}.{name} does not say who sees it, such as Public[…] or Own[…]")
    return sights[0]


class Visible(Protocol):
    """What says of itself who sees it."""

    hidden: ClassVar[Plan]

    def is_known_to(self, viewer: Viewer) -> bool: ...


E = TypeVar("E", bound=Visible)


def redact(event: E, viewer: Viewer) -> E | None:
    """Returns the event as the viewer may know it, hidden cards as `??`; `None` where its existence is secret."""
    if viewer == "everybody":
        return event
    if not event.is_known_to(viewer):
        return None
    seen = {name: show(getattr(event, name), event, viewer) for name, show in event.hidden}
    if all(seen[name] is getattr(event, name) for name in seen):
        return event
    changed: E = replace(event, **seen)  # type: ignore[type-var]  # an event is a struct
    return changed
