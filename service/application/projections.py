"""Keeps the projections up to date, and rebuilds them from the logs."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from domain.projections import PROJECTIONS, Effect, Projection
from domain.tables import UNOPENED, Recorded, Table, evolve
from service.application.cache import Cache
from service.application.dispatch import GROUP
from service.application.ports import EventStore, Feed, FeedEntry, Lag, StreamId
from service.application.tables import decoded

GROUPS = (GROUP, *(projection.name for projection in PROJECTIONS))
"""Who follows the feed: one consumer group for each."""


class Shelf(msgspec.Struct, gc=False, kw_only=True):
    """What a projection keeps of the tables of one partition.

    Attributes:
        applied: how far it has come, by stream.
        rows: JSON by key.
        counters: by name.
        indexes: the order of each key, by index.
    """

    applied: dict[StreamId, int] = {}
    rows: dict[str, bytes] = {}
    counters: dict[str, int] = {}
    indexes: dict[str, dict[str, int]] = {}


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

    def contents(self, projection: str) -> tuple[Shelf, ...]:
        """Returns everything the projection keeps, for each partition as it was at one moment."""
        ...


def unheard(stream: StreamId) -> None:
    """Tells nobody."""


class Projector:
    """Folds feed entries into one projection. The same entry twice changes nothing."""

    def __init__(self, *, projection: Projection, store: EventStore, target: ProjectionStore) -> None:
        self._projection = projection
        self._store = store
        self._target = target
        self._tables: Cache[str, Table] = Cache(5_000)

    def project(self, entries: Sequence[FeedEntry]) -> None:
        """Brings the projection up to the latest entry of each table that concerns it."""
        latest: dict[StreamId, int] = {}
        for entry in entries:
            if entry.stream.category == "table" and not self._projection.wires.isdisjoint(entry.types):
                latest[entry.stream] = max(entry.version, latest.get(entry.stream, 0))
        for stream, version in latest.items():
            self._apply(stream, version)

    def rebuild(self, streams: Iterable[StreamId], done: Callable[[StreamId], None] = unheard) -> None:
        """Drops the projection, applies each stream from its beginning, and tells `done` of it.

        Others may go on projecting meanwhile. If it is broken off, it has to be done again.
        """
        self._target.drop(self._projection.name)
        for stream in streams:
            self._apply(stream, self._store.version(stream))
            done(stream)

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
        tail = self._store.read(stream, after=table.version, count=version - table.version)
        told = fold(self._projection, table, decoded(tail, table.version), applied=applied)
        self._tables.put(stream.id, told.table)
        return told.reached == applied or self._target.apply(
            self._projection.name, stream, after=applied, version=told.reached, effects=told.effects
        )


class Told(NamedTuple):
    """What a projection makes of some events of a table.

    Attributes:
        table: right after them.
        reached: the version of the last one that concerned the projection.
    """

    table: Table
    reached: int
    effects: tuple[Effect, ...]


def fold(projection: Projection, table: Table, events: Iterable[Recorded], *, applied: int) -> Told:
    """Returns what the events that follow on a table mean to a projection that has come to `applied`."""
    reached, effects = applied, list[Effect]()
    for recorded in events:
        table = evolve(table, recorded)
        if recorded.version > applied and recorded.event.wire in projection.wires:
            effects.extend(projection.project(table, recorded))
            reached = recorded.version
    return Told(table, reached, tuple(effects))


def projection_named(name: str) -> Projection:
    """Returns the projection of that name; raises `KeyError`."""
    return {projection.name: projection for projection in PROJECTIONS}[name]


def lags(feed: Feed) -> dict[str, Lag]:
    """Returns how far each group is behind; raises `StoreUnavailable`."""
    return {group: feed.lag(group) for group in GROUPS}
