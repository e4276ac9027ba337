"""Reads events for the projections, after a check that the remembered history is still stored."""

from collections.abc import Sequence
from threading import RLock
from typing import Any, NamedTuple

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.entries import (
    Entry,
    Recorded,
    decoded,
)
from hoodwink.service.application.ports import CannotReplay, EventStore, FeedEntry, Rollbacks, StreamId
from hoodwink.service.application.streams.aggregates import AGGREGATES, Fold
from hoodwink.service.application.streams.cache import Cache
from hoodwink.service.application.streams.history import Loaded, before, first_vanished, holds, position_of


class AppliedEvent(NamedTuple):
    """An event that some projection follows, and the state of its aggregate right after it."""

    state: Any
    recorded: Recorded


class Batch(NamedTuple):
    """Consecutive events of a stream.

    Attributes:
        after: the aggregate after the last of them.
        events: those that some projection follows.
    """

    after: Loaded[Any]
    events: tuple[AppliedEvent, ...]


class EventReader:
    """Reads the events of streams, once for all projections that ask for the same. Safe to share between threads.

    Redis may come back older than what was read from it. If the caller remembers another history, a batch therefore
    begins with the first event. The projection that notices it first reports the vanished events.
    """

    def __init__(self, store: EventStore, *, rollbacks: Rollbacks, cached: int = 1_000) -> None:
        """Caches batches under up to `cached` keys."""
        self._store = store
        self._rollbacks = rollbacks
        # By the hash of the event before the batch, or before a later part of it. Another history has another hash.
        self._batches: Cache[tuple[StreamId, str], Batch] = Cache(cached)
        # Reentrant, because the greenlets of a thread share it: one that waited for a plain lock would block
        # the thread, and with it the one that holds the lock while it reads.
        self._lock = RLock()
        self._last_read: Cache[StreamId, Entry] = Cache(5_000)

    def read_to(self, entry: FeedEntry, known: Loaded[Any], version: int) -> Batch:
        """Returns the events of an entry's stream after the given state, up to a version.

        The batch is cached for the other projections. They follow different events, so each comes to an entry from
        a different version and needs a different part of the batch.
        """
        if version != entry.version:
            return self.read(entry.stream, known, version)
        # The lock is held while Redis is read: the projections reach an entry at about the same moment, and all but
        # the first should find the batch in the cache instead of reading and replaying it, too.
        with self._lock:
            cached = self._cached(entry, known)
            if cached.after.state.version < version:
                rest = self._following(entry.stream, cached.after, version)
                if rest is not None:
                    self._cache(entry.stream, cached.after.head, rest)
                    return joined(cached, rest)
        return _ended_at(entry, cached) or self.read(entry.stream, known, version)

    def _cache(self, stream: StreamId, head: str, batch: Batch) -> None:
        """Caches a batch that follows the event with that hash, also under the hash of each event in it."""
        for known in (head, *[event.recorded.entry.hash for event in batch.events]):
            # Not under the hash of its own end: `_cached` would find the same batch there forever.
            if known != batch.after.head:
                self._batches.put((stream, known), batch)

    def _cached(self, entry: FeedEntry, known: Loaded[Any]) -> Batch:
        """Returns the cached events after the given state, which may end before or after the entry."""
        cached = Batch(known, ())
        while cached.after.state.version < entry.version:
            batch = self._batches.get((entry.stream, cached.after.head))
            if batch is None:
                break
            cached = joined(cached, batch)
        return cached

    def read(self, stream: StreamId, known: Loaded[Any], version: int) -> Batch:
        """Returns the events of a stream after the given state, up to a version.

        If the store holds another history than the known one, the batch begins with the first event.
        """
        batch = self._following(stream, known, version)
        if batch is None:
            self.report_vanished(stream)
            unopened = Loaded(AGGREGATES[stream.category].unopened)
            batch = replay(AGGREGATES[stream.category], unopened, self._entries(stream, 0, version))
        return batch

    def _following(self, stream: StreamId, known: Loaded[Any], version: int) -> Batch | None:
        """Returns the events after the given state, up to a version; `None` if the store holds another history."""
        aggregate = AGGREGATES[stream.category]
        if not known.state.version:
            return replay(aggregate, known, self._entries(stream, 0, version))
        # The last known event is read once more, because only its hash proves that this is the same history.
        stored = self._entries(stream, before(known.position), version)
        if stored and stored[0].hash == known.head:
            return replay(aggregate, known, stored[1:])
        return None

    def report_vanished(self, stream: StreamId) -> None:
        """Reports events that this process has read and the store no longer holds, if there are any."""
        last = self._last_read.get(stream)
        # Several projections notice this at the same time; the one that removes the entry reports it.
        if last is None or self._holds(stream, last) or not self._last_read.discard(stream, last):
            return
        first = first_vanished(self._store.read(stream), version=last.version, at=last.at)
        self._rollbacks.notice(stream, first=first, last=last.version)

    def version(self, stream: StreamId) -> int:
        return self._store.version(stream)

    def streams(self, category: str, partition: int) -> tuple[StreamId, ...]:
        return tuple(self._store.streams(category, partition))

    def _holds(self, stream: StreamId, last: Entry) -> bool:
        return holds(position_of(last), self._store.read(stream, after=last.version - 1, count=1))

    def _entries(self, stream: StreamId, after: int, version: int) -> tuple[Entry, ...]:
        entries = self._store.read(stream, after=after, count=version - after)
        last = self._last_read.get(stream)
        # A projection that lags reads old events again, which say nothing about later ones.
        if entries and (last is None or last.version <= entries[-1].version):
            if last and after < last.version and entries[last.version - after - 1].hash != last.hash:
                self.report_vanished(stream)
            self._last_read.put(stream, entries[-1])
        return entries


FOLLOWED = frozenset(wire for projection in PROJECTIONS for wire in projection.event_types)
"""The types of events that some projection follows."""


def _ended_at(entry: FeedEntry, batch: Batch) -> Batch | None:
    """Returns the batch up to the entry; `None` if it has no state there."""
    if batch.after.head == entry.head:
        return batch
    events = tuple([event for event in batch.events if event.recorded.entry.version <= entry.version])
    if not events or events[-1].recorded.entry.hash != entry.head:
        return None
    state, last = events[-1]
    return Batch(Loaded(state, last.entry.hash, last.entry.at), events)


def joined(first: Batch, second: Batch) -> Batch:
    """Joins two batches; the second, or a later part of it, follows the first."""
    reached = first.after.state.version
    rest = tuple([event for event in second.events if event.recorded.entry.version > reached])
    return Batch(second.after, first.events + rest)


def replay(aggregate: Fold[Any], known: Loaded[Any], tail: Sequence[Entry]) -> Batch:
    """Applies the stored events that follow a state; raises `CannotReplay`."""
    state, events = known.state, list[AppliedEvent]()
    try:
        for recorded in decoded(tail, aggregate.decode):
            state = aggregate.evolve(state, recorded)
            if recorded.event.wire in FOLLOWED:
                events.append(AppliedEvent(state, recorded))
    # `evolve` trusts its events, so a log that breaks the rules may raise anything.
    except Exception as error:
        raise CannotReplay(f"event {state.version + 1} cannot be replayed") from error
    after = Loaded(state, tail[-1].hash, tail[-1].at) if tail else known
    return Batch(after, tuple(events))
