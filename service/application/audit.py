"""Replays the logs into memory and compares with what the projections keep."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from domain.projections import Add, Effect, Projection
from service.application.chronicle import NOTHING_KNOWN, chapter
from service.application.ports import EventStore, StreamId
from service.application.projections import Mark, ProjectionStore, Shelf, fold, unheard
from service.application.tables import decoded

PATIENCE_SECONDS = 10.0
"""How long nothing may arrive of what a projection still has to apply, before the rest counts as lost."""

_LOOK_EVERY_SECONDS = 0.05


class Difference(msgspec.Struct, frozen=True, gc=False):
    """Where a projection and the logs disagree.

    Attributes:
        place: the partition, the part and the key, such as `partition 7, rows, t1:12`.
        live: what the projection keeps there, or `None`.
        replayed: what it should keep, or `None`.
    """

    projection: str
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
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._projection = projection
        self._store = store
        self._target = target
        self._patience_seconds = patience_seconds

    def differences(self, done: Callable[[StreamId], None] = unheard) -> Iterator[Difference]:
        """Yields every difference, and tells `done` of each stream once it was looked at.

        A partition is read as it is at one moment, and its streams are replayed exactly as far as the
        projection has come with them. What they hold beyond that has to arrive.
        """
        applied: dict[StreamId, int] = {}
        for partition, live in enumerate(self._target.contents(self._projection.name)):
            twin = self._twin(live.applied, done)
            yield from self._compared(partition, _flat(live), _flat(twin))
            applied |= live.applied
        yield from self._lost(applied, done)

    def _twin(self, applied: Mapping[StreamId, int], done: Callable[[StreamId], None]) -> Shelf:
        twin = Shelf()
        for stream, version in applied.items():
            events = decoded(self._store.read(stream, count=version), 0)
            told = fold(self._projection, chapter(UNOPENED, events).moments, applied=0)
            twin.applied[stream] = told.reached
            for effect in told.effects:
                _carry_out(twin, effect)
            done(stream)
        return twin

    def _compared(
        self, partition: int, live: Mapping[str, Any], twin: Mapping[str, Any]
    ) -> Iterator[Difference]:
        for place in sorted(live.keys() | twin.keys()):
            if live.get(place) != twin.get(place):
                where = f"partition {partition}, {place}"
                yield Difference(self._projection.name, where, live.get(place), twin.get(place))

    def _lost(
        self, applied: Mapping[StreamId, int], done: Callable[[StreamId], None]
    ) -> Iterator[Difference]:
        """Yields the streams with something to apply that does not get applied."""
        awaited = {}
        for stream in self._store.streams("table"):
            known = applied.get(stream, 0)
            events = decoded(self._store.read(stream, after=known), known)
            if concerning := [one.version for one in events if one.event.wire in self._projection.wires]:
                awaited[stream] = concerning[-1]
            if not known:
                done(stream)
        for stream, version in self._overdue(awaited).items():
            live = self._target.applied(self._projection.name, stream)
            yield Difference(self._projection.name, f"applied, {_named(stream)}", live, version)

    def _overdue(self, awaited: dict[StreamId, int]) -> dict[StreamId, int]:
        """Returns what of the awaited is not applied and does not seem to come."""
        deadline = time.monotonic() + self._patience_seconds
        while awaited and time.monotonic() < deadline:
            still = {
                stream: version
                for stream, version in awaited.items()
                if self._target.applied(self._projection.name, stream) < version
            }
            if len(still) < len(awaited):
                awaited, deadline = still, time.monotonic() + self._patience_seconds
            else:
                time.sleep(_LOOK_EVERY_SECONDS)
        return awaited


def _carry_out(shelf: Shelf, effect: Effect) -> None:
    if isinstance(effect, Add):
        shelf.counters[effect.counter] = shelf.counters.get(effect.counter, 0) + effect.amount
        return
    shelf.rows[effect.key] = msgspec.json.encode(effect.row)
    for index in effect.indexes:
        shelf.indexes.setdefault(index, {})[effect.key] = effect.order
    for index in effect.leaves:
        shelf.indexes.get(index, {}).pop(effect.key, None)


def _flat(shelf: Shelf) -> dict[str, Any]:
    """Returns everything on a shelf by its place there."""
    parts: dict[str, Mapping[str, Any]] = {
        "applied": {_named(stream): version for stream, version in shelf.applied.items()},
        "rows": {key: row.decode() for key, row in shelf.rows.items()},
        "counters": shelf.counters,
        **{f"index {name}": members for name, members in shelf.indexes.items()},
    }
    return {f"{part}, {key}": value for part, kept in parts.items() for key, value in kept.items()}


def _named(stream: StreamId) -> str:
    return f"{stream.category}:{stream.id}"
