"""Replays the logs in memory and compares the results with a stored projection."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import msgspec

from hoodwink.domain.projections import Add, Effect, Projection, Remove
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.entries import Recorded, decoded
from hoodwink.service.application.audit.audited_log import AuditedLog
from hoodwink.service.application.audit.difference import Difference
from hoodwink.service.application.ports import CannotReplay, EventStore, StreamId
from hoodwink.service.application.projecting.projecting import BATCH_SIZE, fold
from hoodwink.service.application.projecting.projections import ProjectionSnapshot, ProjectionStore
from hoodwink.service.application.streams.aggregates import AGGREGATES
from hoodwink.service.application.streams.event_reader import AppliedEvent, replay
from hoodwink.service.application.streams.history import Loaded, Position

_NOTHING: Final = Position()


class Unapplied(NamedTuple):
    """A stream with events that the projection should apply and has not applied yet.

    Attributes:
        version: of the last of these events.
    """

    stream: StreamId
    version: int


class ProjectionAudit:
    """Compares one projection with the logs. Events that it has yet to apply are no difference."""

    def __init__(self, *, projection: Projection, store: EventStore, target: ProjectionStore) -> None:
        self.projection = projection
        self.store = store
        self.target = target

    def of(self, partition: int, *, is_whole: bool) -> "_Partition":
        """Reads the projection's contents in a partition, at one moment. Logs must be read later; see `Auditor`."""
        return _Partition(self, partition, is_whole=is_whole)

    def is_missing(self, awaited: Unapplied) -> bool:
        return self._applied(awaited.stream) < awaited.version

    def difference(self, awaited: Unapplied) -> Difference:
        location = f"applied, {_named(awaited.stream)}"
        return Difference(self.projection.name, location, self._applied(awaited.stream), awaited.version)

    def _applied(self, stream: StreamId) -> int:
        return self.target.progress(self.projection.name, stream).applied.version


class _Partition:
    """The comparison of one partition. Each log is replayed exactly up to the projection's position in it.

    Events that were appended after the contents were read are after that position, and are not compared but awaited.
    """

    def __init__(self, audit: ProjectionAudit, partition: int, *, is_whole: bool) -> None:
        live = audit.target.contents(audit.projection.name, partition)
        self._audit = audit
        self._partition = partition
        self._is_whole = is_whole
        # Only one stream determines the value of a key, so each is removed once its stream was compared.
        self._applied = live.applied
        self._live = _flat(live)
        self._counters: dict[str, int] = {}
        self._live_counters = live.counters
        self._found: dict[str, tuple[Any, Any]] = {}
        self.awaited: list[Unapplied] = []

    def add(self, log: AuditedLog) -> tuple[()]:
        """Compares the data of one stream; `finish` returns the differences, in order."""
        if log.stream.category != self._audit.projection.category:
            return ()
        last = self._applied.pop(log.stream, _NOTHING)
        if log.is_lost:
            # Its rows, and its part of the counters, are right or wrong together with those of others.
            self._is_whole = False
            return ()
        if last.version:
            self._compare(log, last)
        if concerning := self._last_concerning(log, last.version):
            self.awaited.append(Unapplied(log.stream, concerning))
        return ()

    def finish(self) -> Iterator[Difference]:
        if self._is_whole:
            for stream, last in self._applied.items():  # of streams that are gone
                self._compare(AuditedLog(stream), last)
            self._found |= {key: (value, None) for key, value in self._live.items()}
            for name in self._live_counters.keys() | self._counters:
                self._note(f"counters, {name}", self._live_counters.get(name), self._counters.get(name))
        for key in sorted(self._found):
            yield Difference(
                self._audit.projection.name, f"partition {self._partition}, {key}", *self._found[key]
            )

    def _compare(self, log: AuditedLog, last: Position) -> None:
        expected = self._expected(log, last)
        for key, value in _flat(expected).items():
            self._note(key, self._live.pop(key, None), value)
        for name, amount in expected.counters.items():
            self._counters[name] = self._counters.get(name, 0) + amount

    def _note(self, key: str, live: Any, replayed: Any) -> None:
        if live != replayed:
            self._found[key] = (live, replayed)

    def _expected(self, log: AuditedLog, last: Position) -> ProjectionSnapshot:
        """Returns the correct data of a stream, with its log replayed up to the position of the projection."""
        expected, reached = ProjectionSnapshot(), _NOTHING
        with suppress(CannotReplay):  # the audit of the logs reports it
            for events in self._batches(log, last.version):
                reached, effects = fold(self._audit.projection, events, applied=reached)
                for effect in effects:
                    _apply(expected, effect)
        if reached.version:
            # An earlier release stored versions without hashes, so there only the versions can be compared.
            expected.applied[log.stream] = reached if last.head else Position(reached.version)
        return expected

    def _batches(self, log: AuditedLog, version: int) -> Iterator[Sequence[AppliedEvent]]:
        """Yields the events of a stream up to a version, in batches small enough for memory."""
        if log.batch is not None:
            yield [event for event in log.batch.events if event.recorded.entry.version <= version]
            return
        aggregate = AGGREGATES[log.stream.category]
        known: Loaded[Any] = Loaded(aggregate.unopened)
        while known.state.version < version:
            count = min(BATCH_SIZE, version - known.state.version)
            tail = self._audit.store.read(log.stream, after=known.state.version, count=count)
            if not tail:
                return
            batch = replay(aggregate, known, tail)
            known = batch.after
            yield batch.events

    def _last_concerning(self, log: AuditedLog, after: int) -> int | None:
        """Returns the version of the last event after `after` that the projection follows, if there is one."""
        try:
            followed = [
                recorded.entry.version
                for recorded in self._events_after(log, after)
                if recorded.event.wire in self._audit.projection.event_types
            ]
        except (CannotReplay, UnknownEvent):  # the audit of the logs reports it
            return None
        return max(followed, default=None)

    def _events_after(self, log: AuditedLog, after: int) -> Iterable[Recorded]:
        if log.batch is None:
            decode = AGGREGATES[log.stream.category].decode
            return decoded(self._audit.store.read(log.stream, after=after), decode)
        return [event.recorded for event in log.batch.events if event.recorded.entry.version > after]


def _apply(snapshot: ProjectionSnapshot, effect: Effect) -> None:
    if isinstance(effect, Add):
        snapshot.counters[effect.counter] = snapshot.counters.get(effect.counter, 0) + effect.amount
        return
    if isinstance(effect, Remove):
        snapshot.rows.pop(effect.key, None)
        for index in effect.indexes:
            snapshot.indexes[index].pop(effect.key, None)
        return
    snapshot.rows[effect.key] = msgspec.json.encode(effect.row)
    for index in effect.indexes:
        snapshot.indexes.setdefault(index, {})[effect.key] = effect.order
    for index in effect.leaves:
        snapshot.indexes.get(index, {}).pop(effect.key, None)


def _flat(snapshot: ProjectionSnapshot) -> dict[str, Any]:
    """Returns all values of a snapshot except counters, by part and key."""
    parts: dict[str, Mapping[str, Any]] = {
        "applied": {_named(stream): _shown(last) for stream, last in snapshot.applied.items()},
        "rows": {key: row.decode() for key, row in snapshot.rows.items()},
        **{f"index {name}": members for name, members in snapshot.indexes.items()},
    }
    return {f"{part}, {key}": value for part, contents in parts.items() for key, value in contents.items()}


def _named(stream: StreamId) -> str:
    return f"{stream.category}:{stream.id}"


def _shown(last: Position) -> str:
    return f"{last.version} {last.head}".rstrip()
