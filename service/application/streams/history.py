"""The history of an aggregate: positions in it, and the state after the stored events."""

from collections.abc import Sequence
from typing import Generic

import msgspec

from hoodwink.domain.due_times import WorkDue
from hoodwink.domain.tables.entries import (
    Decode,
    Entry,
    Recorded,
    decoded,
)
from hoodwink.domain.tables.proving.log import GENESIS
from hoodwink.service.application.streams.aggregates import Fold, V


class Position(msgspec.Struct, frozen=True, gc=False):
    """A position in a history, as a process or client remembers it.

    Attributes:
        version: of the last event before the position; 0 is the beginning.
        head: the hash of that event or the first digits of it. It proves that the position belongs to this history
            and not to one that Redis lost. Empty where only the version is known.
    """

    version: int = 0
    head: str = ""

    def is_at(self, other: "Position") -> bool:
        """Returns whether both are the same position; `other` has the whole hash."""
        # Entity tags and cursors contain only the first digits of the hash, to stay short.
        return self.version == other.version and other.head.startswith(self.head)


BEGINNING = Position()
"""The position before the first event."""


def position_of(entry: Entry) -> Position:
    return Position(entry.version, entry.hash)


class Loaded(msgspec.Struct, Generic[V], frozen=True, gc=False):
    """The state of an aggregate at its latest known version, with the hash and time that the next append needs.

    Attributes:
        head: the hash of the last event.
        at: the time of the last event; no later event may have an earlier time.
        due: the work due in this state; `None` if it was not computed yet.
    """

    state: V
    head: str = GENESIS
    at: int = 0
    due: WorkDue | None = None

    @property
    def position(self) -> Position:
        return Position(self.state.version, self.head)


def extended(fold: Fold[V], loaded: Loaded[V], tail: Sequence[Entry]) -> Loaded[V]:
    """Returns the aggregate after the stored events `tail`, which follow on it."""
    if not tail:
        return loaded
    state = loaded.state
    # `due` is not computed here: most states that are read are only looked at.
    for recorded in decoded(tail, fold.decode):
        state = fold.evolve(state, recorded)
    return Loaded(state, tail[-1].hash, tail[-1].at)


def before(position: Position) -> int:
    """Returns the version after which to read for `events_after`, which also needs the event at the position."""
    return max(0, position.version - 1)


def tail_after(position: Position, stored: Sequence[Entry]) -> Sequence[Entry] | None:
    """Returns the entries after a position, or `None` if that position is not in the stored history.

    Args:
        stored: the stream's events after version `before(position)`, or the first of them.
    """
    if not holds(position, stored):
        return None
    return stored[1:] if position.version else stored


def events_after(decode: Decode, position: Position, stored: Sequence[Entry]) -> tuple[Recorded, ...] | None:
    tail = tail_after(position, stored)
    return None if tail is None else decoded(tail, decode)


def holds(position: Position, stored: Sequence[Entry]) -> bool:
    """Returns whether a position is in the stored history; `stored` is as for `events_after`."""
    # The beginning belongs to every history, so version 0 needs no proof.
    return not position.version or bool(stored and position.is_at(position_of(stored[0])))


def first_vanished(stored: Sequence[Entry], *, version: int, at: int) -> int:
    """Returns the first of the remembered versions that the store no longer holds.

    Events that were appended after Redis came back older are later than all remembered ones, because time on a
    stream never runs backwards. So the events up to `at` are the ones that survived.

    Args:
        stored: the whole stream as it is now.
        version: the latest remembered version.
        at: the time of the event at that version, in ms.
    """
    return min(version, 1 + sum(entry.at <= at for entry in stored))
