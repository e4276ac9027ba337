"""Replays the logs in memory and compares the results with the stored projections."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from hoodwink.domain.projections import Add, Effect, Projection, Remove
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.entries import decoded
from hoodwink.service.application.ports import CannotReplay, Clock, EventStore, StreamId
from hoodwink.service.application.projecting.projecting import BATCH_SIZE, fold, no_op
from hoodwink.service.application.projecting.projections import ProjectionSnapshot, ProjectionStore
from hoodwink.service.application.streams.aggregates import AGGREGATES
from hoodwink.service.application.streams.event_reader import Batch, replay
from hoodwink.service.application.streams.history import Loaded, Position

PATIENCE_SECONDS = 10.0
"""Time without any progress of a projection after which its missing events count as lost."""

_CHECK_EVERY_SECONDS = 0.05

T = TypeVar("T")


class Difference(msgspec.Struct, frozen=True, gc=False):
    """Stored contents that differ from the logs.

    Attributes:
        source: the audited part: a projection, `ratings`, `due` or `stored`.
        location: the part and the key, such as `partition 7, rows, t1:12`.
        live: the stored value, or `None`.
        replayed: the correct value, or `None`.
    """

    source: str
    location: str
    live: Any
    replayed: Any


class Audit:
    """Compares one projection with the logs. Events that it has yet to apply are no difference."""

    def __init__(
        self,
        *,
        projection: Projection,
        store: EventStore,
        target: ProjectionStore,
        clock: Clock,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._projection = projection
        self._store = store
        self._target = target
        self._clock = clock
        self._patience_seconds = patience_seconds

    def differences(self, done: Callable[[StreamId], None] = no_op) -> Iterator[Difference]:
        """Yields every difference, and calls `done` with each stream once it is audited.

        A partition is read at one moment, and its streams are replayed exactly up to the position of the
        projection. Later events have to be applied while the audit waits.
        """
        applied: dict[StreamId, Position] = {}
        # Positions first, logs second: events that are appended meanwhile are after the position and not compared.
        for partition, live in enumerate(self._target.contents(self._projection.name)):
            expected = self._expected(live.applied, done)
            yield from self._compare(partition, _flat(live), _flat(expected))
            applied |= live.applied
        yield from self._lost(applied, done)

    def _expected(
        self, applied: Mapping[StreamId, Position], done: Callable[[StreamId], None]
    ) -> ProjectionSnapshot:
        """Returns the correct contents, with each log replayed up to the position of the projection."""
        expected = ProjectionSnapshot()
        for stream, last in applied.items():
            reached = Position()
            with suppress(CannotReplay):  # the audit of the logs reports it
                for batch in self._replay(stream, last.version):
                    reached, effects = fold(self._projection, batch.events, applied=reached)
                    for effect in effects:
                        _apply(expected, effect)
            if reached.version:
                # An earlier release stored versions without hashes, so there only the versions can be compared.
                expected.applied[stream] = reached if last.head else Position(reached.version)
            done(stream)
        return expected

    def _replay(self, stream: StreamId, version: int) -> Iterator[Batch]:
        """Yields the events of a stream up to a version, in batches small enough for memory."""
        known: Loaded[Any] = Loaded(AGGREGATES[stream.category].unopened)
        while known.state.version < version:
            count = min(BATCH_SIZE, version - known.state.version)
            tail = self._store.read(stream, after=known.state.version, count=count)
            if not tail:
                return
            batch = replay(AGGREGATES[stream.category], known, tail)
            known = batch.after
            yield batch

    def _compare(
        self, partition: int, live: Mapping[str, Any], expected: Mapping[str, Any]
    ) -> Iterator[Difference]:
        for key in sorted(live.keys() | expected.keys()):
            if live.get(key) != expected.get(key):
                location = f"partition {partition}, {key}"
                yield Difference(self._projection.name, location, live.get(key), expected.get(key))

    def _lost(
        self, applied: Mapping[StreamId, Position], done: Callable[[StreamId], None]
    ) -> Iterator[Difference]:
        """Yields the streams with events that the projection should apply and does not."""
        awaited = {}
        for stream in self._store.streams(self._projection.category):
            known = applied.get(stream, Position()).version
            if concerning := self._last_concerning(stream, known):
                awaited[stream] = concerning
            if not known:  # `_expected` has called it for all others
                done(stream)

        def is_missing(stream: StreamId) -> bool:
            return self._applied(stream) < awaited[stream]

        for stream in overdue(awaited, is_missing, self._clock, self._patience_seconds):
            location = f"applied, {_named(stream)}"
            yield Difference(self._projection.name, location, self._applied(stream), awaited[stream])

    def _last_concerning(self, stream: StreamId, after: int) -> int | None:
        """Returns the version of the last event after `after` that the projection follows, if there is one."""
        try:
            decode = AGGREGATES[stream.category].decode
            events = decoded(self._store.read(stream, after=after), decode)
        except (CannotReplay, UnknownEvent):  # the audit of the logs reports it
            return None
        followed = [
            recorded.entry.version
            for recorded in events
            if recorded.event.wire in self._projection.event_types
        ]
        return max(followed, default=None)

    def _applied(self, stream: StreamId) -> int:
        return self._target.progress(self._projection.name, stream).applied.version


def overdue(
    awaited: Collection[T], is_missing: Callable[[T], bool], clock: Clock, patience_seconds: float
) -> list[T]:
    """Returns the items that are missing and seem to be lost.

    Args:
        awaited: items that may still arrive.
        is_missing: returns whether an item has not arrived yet.
        patience_seconds: time without any arrival after which the rest counts as lost.
    """
    patience_ms = 1_000 * patience_seconds
    deadline = clock.elapsed_ms() + patience_ms
    missing = [item for item in awaited if is_missing(item)]
    while missing and clock.elapsed_ms() < deadline:
        clock.wait(_CHECK_EVERY_SECONDS)
        still_missing = [item for item in missing if is_missing(item)]
        # Any arrival extends the wait, because the service may be working off a long backlog.
        if len(still_missing) < len(missing):
            deadline = clock.elapsed_ms() + patience_ms
        missing = still_missing
    return missing


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
    """Returns all values of a snapshot by part and key."""
    parts: dict[str, Mapping[str, Any]] = {
        "applied": {_named(stream): _shown(last) for stream, last in snapshot.applied.items()},
        "rows": {key: row.decode() for key, row in snapshot.rows.items()},
        "counters": snapshot.counters,
        **{f"index {name}": members for name, members in snapshot.indexes.items()},
    }
    return {f"{part}, {key}": value for part, contents in parts.items() for key, value in contents.items()}


def _named(stream: StreamId) -> str:
    return f"{stream.category}:{stream.id}"


def _shown(last: Position) -> str:
    return f"{last.version} {last.head}".rstrip()
