"""What a projection does to what it keeps. Effects of different streams commute, so delivery order between them is free."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from domain.tables import Recorded


class Put(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Keep a row under its key, and list it in indexes.

    Attributes:
        order: where the row stands in its indexes; milliseconds since the epoch.
        indexes: the lists it stands in from now on.
        leaves: the lists it stands in no longer.
    """

    key: str
    row: msgspec.Struct
    order: int
    indexes: tuple[str, ...]
    leaves: tuple[str, ...] = ()


class Remove(msgspec.Struct, frozen=True, gc=False):
    """Keep a row no longer, and take it out of every index that lists it."""

    key: str
    indexes: tuple[str, ...]


def phase_indexes(phase: str, game: str) -> tuple[str, str]:
    """Returns the lists that something stands in while it is in a phase: that of the phase, and of its game in it."""
    return f"phase:{phase}", f"game:{game}:{phase}"


def other_phase_indexes(phase: str, phases: Iterable[str], game: str) -> tuple[str, ...]:
    """Returns the lists that something in a phase stands in no longer."""
    return tuple(index for other in phases if other != phase for index in phase_indexes(other, game))


class Add(msgspec.Struct, frozen=True, gc=False):
    """Add an amount to a counter."""

    counter: str
    amount: int


Effect: TypeAlias = Put | Remove | Add


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """Something computed from events, and rebuildable from them alone.

    Attributes:
        name: names its consumer group and its keys.
        category: of the streams it follows.
        wires: the wire names of the events it follows.
        project(state, recorded): the effects of one event; `state` is that of its aggregate right after it.
        revision: of its rows, counters and indexes. A release that changes them raises it; what an earlier
            revision kept is then made anew from the logs.
    """

    name: str
    category: str = "table"
    wires: frozenset[str]
    project: Callable[[Any, Recorded], tuple[Effect, ...]]
    revision: int = 1
