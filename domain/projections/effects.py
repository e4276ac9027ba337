"""The effects of events on a projection. Effects of different streams commute, so streams may be applied in any order."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from hoodwink.domain.tables.entries import Recorded


class Put(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Store a row under its key, and list it in indexes.

    Attributes:
        order: the position of the row in its indexes, such as milliseconds since the epoch.
        indexes: the lists that contain the row from now on.
        leaves: the lists that no longer contain it.
    """

    key: str
    row: msgspec.Struct
    order: int
    indexes: tuple[str, ...]
    leaves: tuple[str, ...] = ()


class Remove(msgspec.Struct, frozen=True, gc=False):
    """Delete a row, and remove it from every index that lists it."""

    key: str
    indexes: tuple[str, ...]


def phase_indexes(phase: str, game: str) -> tuple[str, str]:
    """Returns the two lists of everything in a phase: of all games, and of that game."""
    return f"phase:{phase}", f"game:{game}:{phase}"


def other_phase_indexes(phase: str, phases: Iterable[str], game: str) -> tuple[str, ...]:
    return tuple(index for other in phases if other != phase for index in phase_indexes(other, game))


class Add(msgspec.Struct, frozen=True, gc=False):
    """Add an amount to a counter."""

    counter: str
    amount: int


Effect: TypeAlias = Put | Remove | Add


@dataclass(frozen=True, slots=True)
class Snapshots:
    """Rows with the state of a stream, from which a projector that has just started continues.

    Attributes:
        key(stream): returns the key of a stream's row, by the id of the stream.
        restored(row): returns the state in a row, and the hash of its last event; `None` if it is damaged.
    """

    key: Callable[[str], str]
    restored: Callable[[bytes], tuple[Any, str] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """Rows, counters and indexes that are computed from events, and can be rebuilt from them alone.

    Attributes:
        name: the name of its consumer group, and part of its keys.
        category: the category of the streams it follows.
        event_types: the wire names of the events it follows.
        project(state, recorded): returns the effects of one event; `state` is its aggregate right after it.
        revision: of its rows, counters and indexes. A release that changes them must raise it, so that the contents
            of the earlier revision are rebuilt from the logs.
        snapshots: only of streams that grow for years.
    """

    name: str
    category: str = "table"
    event_types: frozenset[str]
    project: Callable[[Any, Recorded], tuple[Effect, ...]]
    revision: int = 1
    snapshots: Snapshots | None = None
