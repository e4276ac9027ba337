"""Tells projections what happened at tables, and proves first that what they remember is still stored."""

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from domain.projections import PROJECTIONS
from domain.tables import Recorded, Table, evolve
from service.application.cache import Cache
from service.application.ports import EventRecord, EventStore, FeedEntry, Rollbacks, StreamId
from service.application.tables import Loaded, before, decoded, first_vanished


class CannotReplay(Exception):
    """Raised for a log from which no table can be made; only one that breaks the rules is like that."""


class Moment(NamedTuple):
    """An event that some projection follows, and the table right after it."""

    table: Table
    recorded: Recorded


class Chapter(NamedTuple):
    """What happened at a table for a while.

    Attributes:
        loaded: the table as it was in the end.
    """

    loaded: Loaded
    moments: tuple[Moment, ...]


class Chronicle:
    """Tells what happened at tables, and reads it once when several projections ask for the same.

    They do so at the same feed entry. Redis may come back older than what was read from it: what is told is
    therefore always the rest of what is stored, from the table's first event on if somebody remembers another
    history. The first to find out reports what has vanished. Safe to share between threads.
    """

    def __init__(self, store: EventStore, *, rollbacks: Rollbacks, kept: int = 256) -> None:
        """Remembers so many of the latest answers."""
        self._store = store
        self._rollbacks = rollbacks
        self._told: Cache[tuple[FeedEntry, str], Chapter] = Cache(kept)
        self._lock = Lock()
        self._seen: Cache[StreamId, Loaded] = Cache(5_000)

    def up_to(self, entry: FeedEntry, loaded: Loaded) -> Chapter:
        """Returns what happened at an entry's table from the given state of it up to the entry."""
        asked = (entry, loaded.head)
        with self._lock:
            told = self._told.get(asked)
            if told is None:
                told = self.between(entry.stream, loaded, entry.version)
                self._told.put(asked, told)
        return told

    def between(self, stream: StreamId, loaded: Loaded, version: int) -> Chapter:
        """Returns what happened at a table from the given state of it up to a version.

        Where the store holds another history than that of the given state, it is told from the first event on.
        """
        after = before(loaded.place)
        records = self._store.read(stream, after=after, count=version - after)
        if loaded.table.version and not (records and records[0].hash == loaded.head):
            self.look_back(stream)
            return self.between(stream, Loaded(), version)
        told = chapter(loaded, records[loaded.table.version - after :])
        self._see(stream, after, records, told.loaded)
        return told

    def look_back(self, stream: StreamId) -> None:
        """Reports what of the stream this process has seen and the store holds no longer, if anything."""
        seen = self._seen.get(stream)
        if seen is None:
            return
        version = seen.table.version
        found = self._store.read(stream, after=version - 1, count=1)
        if (found and found[0].hash == seen.head) or not self._seen.discard(stream, seen):
            return
        first = first_vanished(self._store.read(stream), version=version, at=seen.at)
        self._rollbacks.noticed(stream, first=first, last=version)

    def version(self, stream: StreamId) -> int:
        """Returns the number of events on the stream."""
        return self._store.version(stream)

    def streams(self) -> tuple[StreamId, ...]:
        """Returns the streams of all tables."""
        return tuple(self._store.streams("table"))

    def _see(self, stream: StreamId, after: int, records: Sequence[EventRecord], loaded: Loaded) -> None:
        """Remembers how far this process has seen the stream, whoever of it asked."""
        seen = self._seen.get(stream)
        if seen is None:
            self._seen.put(stream, loaded)
        elif seen.table.version <= loaded.table.version:
            place = seen.table.version - after - 1
            if place >= 0 and records[place].hash != seen.head:
                self.look_back(stream)
            self._seen.put(stream, loaded)


_FOLLOWED = frozenset(wire for projection in PROJECTIONS for wire in projection.wires)


def chapter(loaded: Loaded, tail: Sequence[EventRecord]) -> Chapter:
    """Returns what the stored events that follow make of a table; raises `CannotReplay`."""
    table, moments = loaded.table, list[Moment]()
    try:
        for recorded in decoded(tail, table.version):
            table = evolve(table, recorded)
            if recorded.event.wire in _FOLLOWED:
                moments.append(Moment(table, recorded))
    except Exception as error:  # what such events lead to, nobody can know
        raise CannotReplay(f"event {table.version + 1} cannot be replayed") from error
    return Chapter(Loaded(table, tail[-1].hash, tail[-1].at) if tail else loaded, tuple(moments))
