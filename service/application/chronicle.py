"""Tells projections what happened, and proves first that what they remember is still stored."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

from domain.projections import PROJECTIONS
from domain.tables import Entry, Recorded, decoded
from service.application.aggregates import AGGREGATES, Fold
from service.application.cache import Cache
from service.application.history import Loaded, before, first_vanished, holds, place_of
from service.application.ports import EventStore, FeedEntry, Rollbacks, StreamId


class CannotReplay(Exception):
    """Raised for a log from which no table can be made; only one that breaks the rules is like that."""


class Moment(NamedTuple):
    """An event that some projection follows, and the state of its aggregate right after it."""

    state: Any
    recorded: Recorded


class Chapter(NamedTuple):
    """What happened on a stream for a while.

    Attributes:
        known: the aggregate as it was in the end.
    """

    known: Loaded[Any]
    moments: tuple[Moment, ...]


class Chronicle:
    """Tells what happened, and reads it once when several projections ask for the same.

    They do so at the same feed entry. Redis may come back older than what was read from it: what is told is
    therefore always the rest of what is stored, from the first event on if somebody remembers another
    history. The first to find out reports what has vanished. Safe to share between threads.
    """

    def __init__(self, store: EventStore, *, rollbacks: Rollbacks, kept: int = 256) -> None:
        """Remembers so many of the latest answers."""
        self._store = store
        self._rollbacks = rollbacks
        self._told: Cache[tuple[FeedEntry, str], Chapter] = Cache(kept)
        self._lock = Lock()
        self._seen: Cache[StreamId, Entry] = Cache(5_000)
        """The last event that this process has seen of a stream."""

    def up_to(self, entry: FeedEntry, known: Loaded[Any]) -> Chapter:
        """Returns what happened on an entry's stream from the given state on, up to the entry."""
        asked = (entry, known.head)
        with self._lock:
            told = self._told.get(asked)
            if told is None:
                told = self.between(entry.stream, known, entry.version)
                self._told.put(asked, told)
        return told

    def between(self, stream: StreamId, known: Loaded[Any], version: int) -> Chapter:
        """Returns what happened on a stream from the given state on, up to a version.

        Where the store holds another history than the one known, it is told from the first event on.
        """
        aggregate = AGGREGATES[stream.category]
        if known.state.version:
            stored = self._read(stream, before(known.place), version)
            if stored and stored[0].hash == known.head:
                return chapter(aggregate, known, stored[1:])
            self.look_back(stream)
        return chapter(aggregate, Loaded(aggregate.unopened), self._read(stream, 0, version))

    def look_back(self, stream: StreamId) -> None:
        """Reports what of the stream this process has seen and the store holds no longer, if anything."""
        seen = self._seen.get(stream)
        # Several projections meet the same: the one that takes the note away reports it.
        if seen is None or self._holds(stream, seen) or not self._seen.discard(stream, seen):
            return
        first = first_vanished(self._store.read(stream), version=seen.version, at=seen.at)
        self._rollbacks.noticed(stream, first=first, last=seen.version)

    def version(self, stream: StreamId) -> int:
        """Returns the number of events on the stream."""
        return self._store.version(stream)

    def streams(self, category: str) -> tuple[StreamId, ...]:
        """Returns all streams of a category."""
        return tuple(self._store.streams(category))

    def _holds(self, stream: StreamId, seen: Entry) -> bool:
        return holds(place_of(seen), self._store.read(stream, after=seen.version - 1, count=1))

    def _read(self, stream: StreamId, after: int, version: int) -> tuple[Entry, ...]:
        entries = self._store.read(stream, after=after, count=version - after)
        seen = self._seen.get(stream)
        if entries and (seen is None or seen.version <= entries[-1].version):
            if seen and after < seen.version and entries[seen.version - after - 1].hash != seen.hash:
                self.look_back(stream)
            self._seen.put(stream, entries[-1])
        return entries


_FOLLOWED = frozenset(wire for projection in PROJECTIONS for wire in projection.wires)


def chapter(aggregate: Fold[Any], known: Loaded[Any], tail: Sequence[Entry]) -> Chapter:
    """Returns what the stored events that follow make of an aggregate; raises `CannotReplay`."""
    state, moments = known.state, list[Moment]()
    try:
        for recorded in decoded(tail, aggregate.decode):
            state = aggregate.evolve(state, recorded)
            if recorded.event.wire in _FOLLOWED:
                moments.append(Moment(state, recorded))
    except Exception as error:  # what such events lead to, nobody can know
        raise CannotReplay(f"event {state.version + 1} cannot be replayed") from error
    after = Loaded(state, tail[-1].hash, tail[-1].at) if tail else known
    return Chapter(after, tuple(moments))
