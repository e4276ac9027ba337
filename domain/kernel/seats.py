"""Seats, numbered 0 to N-1 clockwise, and the functions to go round them."""

from typing import Annotated, Final, TypeAlias, TypeVar, get_args, get_type_hints

T = TypeVar("T")

_OVER_SEATS: Final = "over seats"

BySeat: TypeAlias = Annotated[tuple[T, ...], _OVER_SEATS]
"""A field of a view with one item per seat, from seat 0."""


def fields_by_seat(kind: type) -> tuple[str, ...]:
    """Returns the names of a view's fields that have one item per seat, in order, including those that may be `None`."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple([name for name, hint in hints.items() if _is_by_seat(hint)])


def _is_by_seat(hint: object) -> bool:
    return any(_OVER_SEATS in getattr(part, "__metadata__", ()) for part in (hint, *get_args(hint)))


def left(seat: int, seats: int) -> int:
    """Returns the next seat clockwise."""
    return (seat + 1) % seats


def right(seat: int, seats: int) -> int:
    """Returns the next seat counter-clockwise."""
    return (seat - 1) % seats


def replace_at(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def places(scores: tuple[int, ...]) -> tuple[int, ...]:
    """Returns each seat's place, the highest score first; equal scores share the better place (G-11).

    >>> places((7, 9, 7, 1))
    (2, 1, 2, 4)
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)
