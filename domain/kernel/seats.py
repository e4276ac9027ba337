"""Seats 0 … N-1 clockwise, and what happens around them."""

from typing import TypeVar

T = TypeVar("T")


def left(seat: int, seats: int) -> int:
    """Returns the next seat clockwise."""
    return (seat + 1) % seats


def right(seat: int, seats: int) -> int:
    """Returns the next seat counter-clockwise."""
    return (seat - 1) % seats


def replace_at(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Returns the tuple with one item replaced."""
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def places(scores: tuple[int, ...]) -> tuple[int, ...]:
    """Returns each seat's place, highest score first; equal scores share the better place (G-11).

    >>> places((7, 9, 7, 1))
    (2, 1, 2, 4)
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)
