"""Keeps the projections up to date, rebuilds them from the logs, and compares the two."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import msgspec

from domain.projections import PROJECTIONS, Effect, Projection
from domain.tables import UNOPENED, Table, evolve
from service.application.cache import Cache
from service.application.ports import EventStore, FeedEntry, StreamId
from service.application.tables import decoded

Contents: TypeAlias = dict[str, Any]
"""Everything a projection keeps, in one canonical form."""


class Cursor(msgspec.Struct, frozen=True, gc=False):
    """Where a page ended: the order and the key of its last row."""

    order: int
    key: str


class Page(msgspec.Struct, frozen=True, gc=False):
    """Rows as JSON, and where the next page begins; `None` behind the last row."""

    rows: tuple[bytes, ...]
    more: Cursor | None


class ProjectionReader(Protocol):
    """What projections answer. Every call may raise `StoreUnavailable`."""

    def page(self, projection: str, index: str, *, before: Cursor | None, count: int) -> Page:
        """Returns up to `count` rows of an index, the highest order first, that stand behind `before`."""
        ...

    def row(self, projection: str, stream: StreamId, key: str) -> bytes | None:
        """Returns a row that a stream's events put, as JSON, or `None`."""
        ...

    def counters(self, projection: str, names: Sequence[str]) -> tuple[int, ...]:
        """Returns counters in the order asked for; 0 for one that was never added to."""
        ...

    def applied(self, projection: str, stream: StreamId) -> int:
        """Returns the version of the last event of the stream that changed the projection."""
        ...


class ProjectionStore(Protocol):
    """Where projections keep their rows and counters. Every call may raise `StoreUnavailable`."""

    def apply(
        self, projection: str, stream: StreamId, *, after: int, version: int, effects: Sequence[Effect]
    ) -> bool:
        """Carries out the effects of a stream's events behind `after` up to `version`, all at once.

        Returns False, and does nothing, unless the projection stands at `after` on that stream.
        """
        ...

    def applied(self, projection: str, stream: StreamId) -> int:
        """Returns the version of the last event of the stream that changed the projection."""
        ...

    def drop(self, projection: str) -> None:
        """Forgets everything the projection keeps."""
        ...

    def contents(self, projection: str) -> Contents:
        """Returns everything the projection keeps, positions included."""
        ...


class Projector:
    """Folds feed entries into one projection. The same entry twice changes nothing."""

    def __init__(self, *, projection: Projection, store: EventStore, target: ProjectionStore) -> None:
        self._projection = projection
        self._store = store
        self._target = target
        self._tables: Cache[str, Table] = Cache(5_000)

    def project(self, entries: Sequence[FeedEntry]) -> None:
        """Applies every entry that concerns the projection, in order."""
        for entry in entries:
            if entry.stream.category == "table" and not self._projection.wires.isdisjoint(entry.types):
                self._apply(entry.stream, entry.version)

    def rebuild(self, streams: Iterator[StreamId]) -> int:
        """Applies the whole of each stream; returns how many streams there were."""
        count = 0
        for stream in streams:
            if stream.category == "table":
                self._apply(stream, self._store.version(stream))
                count += 1
        return count

    def _apply(self, stream: StreamId, version: int) -> None:
        while not self._moved(stream, version):
            self._tables.put(stream.id, UNOPENED)  # another process was faster; look again

    def _moved(self, stream: StreamId, version: int) -> bool:
        """Brings the projection up to `version`; returns False if it was moved meanwhile."""
        applied = self._target.applied(self._projection.name, stream)
        if version <= applied:
            return True
        table = self._tables.get(stream.id) or UNOPENED
        if table.version > applied:
            table = UNOPENED
        reached, effects = applied, list[Effect]()
        tail = self._store.read(stream, after=table.version, count=version - table.version)
        for recorded in decoded(tail, table.version):
            table = evolve(table, recorded)
            if recorded.version > applied and recorded.event.wire in self._projection.wires:
                effects.extend(self._projection.project(table, recorded))
                reached = recorded.version
        self._tables.put(stream.id, table)
        return reached == applied or self._target.apply(
            self._projection.name, stream, after=applied, version=reached, effects=effects
        )


class Difference(msgspec.Struct, frozen=True, gc=False):
    """Where a live projection and its replayed twin disagree."""

    projection: str
    key: str
    live: Any
    replayed: Any


def differences(projection: str, live: Contents, replayed: Contents) -> list[Difference]:
    """Returns every key whose contents differ, in order."""
    return [
        Difference(projection, key, live.get(key), replayed.get(key))
        for key in sorted(live.keys() | replayed.keys())
        if live.get(key) != replayed.get(key)
    ]


def projection_named(name: str) -> Projection:
    """Returns the projection of that name; raises `KeyError`."""
    return {projection.name: projection for projection in PROJECTIONS}[name]
