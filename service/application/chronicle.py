"""Tells projections what happened at tables, and proves first that what they remember is still stored."""

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import msgspec

from domain.projections import PROJECTIONS
from domain.tables import GENESIS, UNOPENED, Recorded, Table, evolve
from service.application.cache import Cache
from service.application.ports import EventRecord, EventStore, FeedEntry, Rollbacks, StreamId
from service.application.tables import decoded


class CannotReplay(Exception):
    """Raised for a log from which no table can be made; only one that breaks the rules is like that."""


class Moment(NamedTuple):
    """An event that some projection follows, and the table right after it."""

    table: Table
    recorded: Recorded


class Known(NamedTuple):
    """A table as somebody remembers it.

    Attributes:
        head: the hash of its last event, which proves whose history this is.
    """

    table: Table
    head: str


NOTHING_KNOWN = Known(UNOPENED, GENESIS)


class Chapter(NamedTuple):
    """What happened at a table for a while.

    Attributes:
        known: the table as it was in the end.
    """

    known: Known
    moments: tuple[Moment, ...]


class _Place(msgspec.Struct, frozen=True, gc=False):
    """How far this process has seen a stream."""

    version: int
    head: str
    at: int


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
        self._seen: Cache[StreamId, _Place | None] = Cache(5_000)

    def up_to(self, entry: FeedEntry, known: Known) -> Chapter:
        """Returns what happened at an entry's table from the given state of it up to the entry."""
        asked = (entry, known.head)
        with self._lock:
            told = self._told.get(asked)
            if told is None:
                told = self.between(entry.stream, known, entry.version)
                self._told.put(asked, told)
        return told

    def between(self, stream: StreamId, known: Known, version: int) -> Chapter:
        """Returns what happened at a table from the given state of it up to a version.

        Where the store holds another history than the one known, it is told from the first event on.
        """
        after = known.table.version
        if after:
            first, *tail = self._read(stream, after - 1, version) or (None,)
            if first is not None and first.hash == known.head:
                return chapter(known, tail)
            self.look_back(stream)
        return chapter(NOTHING_KNOWN, self._read(stream, 0, version))

    def look_back(self, stream: StreamId) -> None:
        """Reports what of the stream this process has seen and the store holds no longer, if anything."""
        seen = self._seen.get(stream)
        if seen is None or self._holds(stream, seen):
            return
        self._seen.put(stream, None)
        older = sum(record.at <= seen.at for record in self._store.read(stream))
        self._rollbacks.noticed(stream, first=min(older + 1, seen.version), last=seen.version)

    def version(self, stream: StreamId) -> int:
        """Returns the number of events on the stream."""
        return self._store.version(stream)

    def streams(self) -> tuple[StreamId, ...]:
        """Returns the streams of all tables."""
        return tuple(self._store.streams("table"))

    def _holds(self, stream: StreamId, seen: _Place) -> bool:
        found = self._store.read(stream, after=seen.version - 1, count=1)
        return bool(found) and found[0].hash == seen.head

    def _read(self, stream: StreamId, after: int, version: int) -> tuple[EventRecord, ...]:
        records = self._store.read(stream, after=after, count=version - after)
        seen, reached = self._seen.get(stream), after + len(records)
        if records and (seen is None or seen.version <= reached):
            if (
                seen is not None
                and after < seen.version
                and records[seen.version - after - 1].hash != seen.head
            ):
                self.look_back(stream)
            self._seen.put(stream, _Place(reached, records[-1].hash, records[-1].at))
        return records


_FOLLOWED = frozenset(wire for projection in PROJECTIONS for wire in projection.wires)


def chapter(known: Known, tail: Sequence[EventRecord]) -> Chapter:
    """Returns what the stored events that follow make of a table; raises `CannotReplay`."""
    table, moments = known.table, list[Moment]()
    try:
        for recorded in decoded(tail, table.version):
            table = evolve(table, recorded)
            if recorded.event.wire in _FOLLOWED:
                moments.append(Moment(table, recorded))
    except Exception as error:  # what such events lead to, nobody can know
        raise CannotReplay(f"event {table.version + 1} cannot be replayed") from error
    return Chapter(Known(table, tail[-1].hash if tail else known.head), tuple(moments))
