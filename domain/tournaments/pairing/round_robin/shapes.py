"""The shapes of schedules of larger tables, and the arrangements found for them (P-1)."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from hoodwink.domain.tournaments.pairing.round_robin.layout import Layout

Arrangement: TypeAlias = tuple[int, ...]
"""The entrant, from 0, at each position of a schedule's layout: round by round, table by table, seat by seat."""

_MAX_REMEMBERED: Final = 64

_remembered: dict["Shape", Arrangement] = {}


class Shape(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The numbers that determine an arrangement.

    Attributes:
        tables: the number of tables in each round; their sizes differ by at most one, the larger ones first.
        waiting: the number of entrants without a table in each round.
    """

    entrants: int
    tables: int
    waiting: int
    rounds: int

    @property
    def key(self) -> str:
        """The shape as text: its fields, separated by colons."""
        return f"{self.entrants}:{self.tables}:{self.waiting}:{self.rounds}"

    @property
    def largest(self) -> int:
        return -(-(self.entrants - self.waiting) // self.tables)

    def sizes(self) -> tuple[int, ...]:
        """Returns the sizes of a round's tables, including a table of one for each waiting entrant.

        >>> Shape(entrants=8, tables=2, waiting=1, rounds=3).sizes()
        (4, 3, 1)
        """
        size, larger = divmod(self.entrants - self.waiting, self.tables)
        return (*(size + 1,) * larger, *(size,) * (self.tables - larger), *(1,) * self.waiting)

    def layout(self) -> Layout:
        return Layout(self.sizes(), self.rounds)


def remembered(shape: Shape) -> Arrangement | None:
    return _remembered.get(shape)


def remember(shape: Shape, arrangement: Sequence[int]) -> Arrangement:
    """Stores the arrangement of a shape for later tournaments in this process, and returns it.

    Raises:
        ValueError: the arrangement does not seat every entrant once in each round.
    """
    kept = tuple(arrangement)
    rounds = [kept[first : first + shape.entrants] for first in range(0, len(kept), shape.entrants)]
    everybody = [*range(shape.entrants)]
    if len(rounds) != shape.rounds or any(sorted(round_) != everybody for round_ in rounds):
        raise ValueError(f"This is not an arrangement of the shape {shape.key}.")
    _remembered[shape] = kept
    for oldest in [*_remembered][:-_MAX_REMEMBERED]:
        _remembered.pop(oldest, None)  # another thread may have removed it first
    return kept
