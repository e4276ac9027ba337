"""Replays the logs into memory and compares with what the projections keep."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from domain.projections import Add, Effect, Projection, Remove
from domain.tables import UnknownEvent, decoded
from service.application.aggregates import AGGREGATES
from service.application.chronicle import CannotReplay, Chapter, chapter
from service.application.history import Loaded, Place
from service.application.ports import Clock, EventStore, StreamId
from service.application.projecting import EVENTS_AT_ONCE, fold, unheard
from service.application.projections import ProjectionStore, Shelf

PATIENCE_SECONDS = 10.0
"""How long nothing may arrive of what a projection still has to apply, before the rest counts as lost."""

_LOOK_EVERY_SECONDS = 0.05

T = TypeVar("T")


class Difference(msgspec.Struct, frozen=True, gc=False):
    """Where what is kept and the logs disagree.

    Attributes:
        kept: the projection, or `due`.
        place: the part and the key, such as `partition 7, rows, t1:12`.
        live: what is kept there, or `None`.
        replayed: what should be, or `None`.
    """

    kept: str
    place: str
    live: Any
    replayed: Any


class Audit:
    """Holds one projection against the logs. What is still on its way there is no difference."""

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

    def differences(self, done: Callable[[StreamId], None] = unheard) -> Iterator[Difference]:
        """Yields every difference, and tells `done` of each stream once it was looked at.

        A partition is read as it is at one moment, and its streams are replayed exactly as far as the
        projection has come with them. What they hold beyond that has to arrive.
        """
        applied: dict[StreamId, Place] = {}
        for partition, live in enumerate(self._target.contents(self._projection.name)):
            twin = self._twin(live.applied, done)
            yield from self._compared(partition, _flat(live), _flat(twin))
            applied |= live.applied
        yield from self._lost(applied, done)

    def _twin(self, applied: Mapping[StreamId, Place], done: Callable[[StreamId], None]) -> Shelf:
        twin = Shelf()
        for stream, mark in applied.items():
            reached = Place()
            with suppress(CannotReplay):  # the audit of the logs names it
                for told in self._replayed(stream, mark.version):
                    reached, effects = fold(self._projection, told.moments, applied=reached)
                    for effect in effects:
                        _carry_out(twin, effect)
            if reached.version:
                twin.applied[stream] = reached if mark.head else Place(reached.version)
            done(stream)
        return twin

    def _replayed(self, stream: StreamId, version: int) -> Iterator[Chapter]:
        """Yields what happened on a stream up to a version, in parts of which each fits into memory."""
        known: Loaded[Any] = Loaded(AGGREGATES[stream.category].unopened)
        while known.state.version < version:
            count = min(EVENTS_AT_ONCE, version - known.state.version)
            tail = self._store.read(stream, after=known.state.version, count=count)
            if not tail:
                return
            told = chapter(AGGREGATES[stream.category], known, tail)
            known = told.known
            yield told

    def _compared(
        self, partition: int, live: Mapping[str, Any], twin: Mapping[str, Any]
    ) -> Iterator[Difference]:
        for place in sorted(live.keys() | twin.keys()):
            if live.get(place) != twin.get(place):
                where = f"partition {partition}, {place}"
                yield Difference(self._projection.name, where, live.get(place), twin.get(place))

    def _lost(
        self, applied: Mapping[StreamId, Place], done: Callable[[StreamId], None]
    ) -> Iterator[Difference]:
        """Yields the streams with something to apply that does not get applied."""
        awaited = {}
        for stream in self._store.streams(self._projection.category):
            known = applied.get(stream, Place()).version
            if concerning := self._concerning(stream, known):
                awaited[stream] = concerning
            if not known:
                done(stream)

        def is_missing(stream: StreamId) -> bool:
            return self._applied(stream) < awaited[stream]

        for stream in overdue(awaited, is_missing, self._clock, self._patience_seconds):
            place = f"applied, {_named(stream)}"
            yield Difference(self._projection.name, place, self._applied(stream), awaited[stream])

    def _concerning(self, stream: StreamId, after: int) -> int | None:
        """Returns the version of the last event behind that which the projection follows, if there is one."""
        try:
            decode = AGGREGATES[stream.category].decode
            events = decoded(self._store.read(stream, after=after), decode)
        except UnknownEvent:  # the audit of the logs names it
            return None
        return max(
            (one.entry.version for one in events if one.event.wire in self._projection.wires), default=None
        )

    def _applied(self, stream: StreamId) -> int:
        return self._target.standing(self._projection.name, stream).applied.version


def overdue(
    awaited: Collection[T], is_missing: Callable[[T], bool], clock: Clock, patience_seconds: float
) -> list[T]:
    """Returns what of the awaited is missing and does not seem to come.

    Args:
        awaited: what may still be on its way.
        is_missing: whether it has not come yet.
        patience_seconds: how long nothing may come before the rest counts as lost.
    """
    patience_ms = 1_000 * patience_seconds
    deadline = clock.elapsed_ms() + patience_ms
    missing = [one for one in awaited if is_missing(one)]
    while missing and clock.elapsed_ms() < deadline:
        clock.wait(_LOOK_EVERY_SECONDS)
        still = [one for one in missing if is_missing(one)]
        if len(still) < len(missing):
            deadline = clock.elapsed_ms() + patience_ms
        missing = still
    return missing


def _carry_out(shelf: Shelf, effect: Effect) -> None:
    if isinstance(effect, Add):
        shelf.counters[effect.counter] = shelf.counters.get(effect.counter, 0) + effect.amount
        return
    if isinstance(effect, Remove):
        shelf.rows.pop(effect.key, None)
        for index in effect.indexes:
            shelf.indexes[index].pop(effect.key, None)
        return
    shelf.rows[effect.key] = msgspec.json.encode(effect.row)
    for index in effect.indexes:
        shelf.indexes.setdefault(index, {})[effect.key] = effect.order
    for index in effect.leaves:
        shelf.indexes.get(index, {}).pop(effect.key, None)


def _flat(shelf: Shelf) -> dict[str, Any]:
    """Returns everything on a shelf by its place there."""
    parts: dict[str, Mapping[str, Any]] = {
        "applied": {_named(stream): _shown(mark) for stream, mark in shelf.applied.items()},
        "rows": {key: row.decode() for key, row in shelf.rows.items()},
        "counters": shelf.counters,
        **{f"index {name}": members for name, members in shelf.indexes.items()},
    }
    return {f"{part}, {key}": value for part, kept in parts.items() for key, value in kept.items()}


def _named(stream: StreamId) -> str:
    return f"{stream.category}:{stream.id}"


def _shown(mark: Place) -> str:
    return f"{mark.version} {mark.head}".rstrip()
