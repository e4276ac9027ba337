"""Keeps the projections up to date, and rebuilds them from the logs."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Lock
from typing import NamedTuple, Protocol, TypeAlias

import msgspec

from domain.projections import PROJECTIONS, Effect, Projection
from domain.tables import UNOPENED, Recorded, Table, evolve
from service.application.cache import Cache
from service.application.dispatch import GROUP, latest_entries, table_entries
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


class Moment(NamedTuple):
    """An event that some projection follows, and the table right after it."""

    table: Table
    recorded: Recorded


class Chapter(NamedTuple):
    """What happened at a table for a while.

    Attributes:
        table: as it was in the end.
    """

    table: Table
    moments: tuple[Moment, ...]


class Chronicle:
    """Tells what happened at tables, and reads it once when several projections ask for the same.

    They do so at the same feed entry. A log that was put back to an older copy goes on under other entries,
    so what is remembered is never of a log that is no more. Safe to share between threads.
    """

    def __init__(self, store: EventStore, *, kept: int = 256) -> None:
        """Remembers so many of the latest answers."""
        self._store = store
        self._told: Cache[tuple[int, str, int], Chapter] = Cache(kept)
        self._lock = Lock()

    def up_to(self, entry: FeedEntry, table: Table) -> Chapter:
        """Returns what happened at an entry's table from the given state of it up to the entry."""
        asked = (entry.partition, entry.entry_id, table.version)
        with self._lock:
            told = self._told.get(asked)
            if told is None:
                told = self.between(entry.stream, table, entry.version)
                self._told.put(asked, told)
        return told

    def between(self, stream: StreamId, table: Table, version: int) -> Chapter:
        """Returns what happened at a table from the given state of it up to a version."""
        tail = self._store.read(stream, after=table.version, count=version - table.version)
        return chapter(table, decoded(tail, table.version))

    def version(self, stream: StreamId) -> int:
        """Returns the number of events on the stream."""
        return self._store.version(stream)


_FOLLOWED = frozenset(wire for projection in PROJECTIONS for wire in projection.wires)


def chapter(table: Table, events: Iterable[Recorded]) -> Chapter:
    """Returns what the events that follow on a table make of it."""
    moments = []
    for recorded in events:
        table = evolve(table, recorded)
        if recorded.event.wire in _FOLLOWED:
            moments.append(Moment(table, recorded))
    return Chapter(table, tuple(moments))


Tell: TypeAlias = Callable[[Table], Chapter]
"""Tells what happened at a table from the given state of it on."""


class Projector:
    """Folds feed entries into one projection. The same entry twice changes nothing."""

    def __init__(self, *, projection: Projection, chronicle: Chronicle, target: ProjectionStore) -> None:
        self._projection = projection
        self._chronicle = chronicle
        self._target = target
        self._tables: Cache[str, Table] = Cache(5_000)

    def project(self, entries: Sequence[FeedEntry]) -> None:
        """Brings the projection up to the latest entry of each table that concerns it."""
        concerning = [
            entry for entry in table_entries(entries) if not self._projection.wires.isdisjoint(entry.types)
        ]
        for entry in latest_entries(concerning).values():
            self._apply(entry.stream, entry.version, partial(self._chronicle.up_to, entry))

    def rebuild(self, streams: Iterable[StreamId], done: Callable[[StreamId], None] = unheard) -> None:
        """Drops the projection, applies each stream from its beginning, and tells `done` of it.

        Others may go on projecting meanwhile. If it is broken off, it has to be done again.
        """
        self._target.drop(self._projection.name)
        for stream in streams:
            version = self._chronicle.version(stream)
            self._apply(stream, version, partial(self._chronicle.between, stream, version=version))
            done(stream)

    def _apply(self, stream: StreamId, version: int, tell: Tell) -> None:
        while not self._moved(stream, version, tell):
            pass  # another process was faster; look again

    def _moved(self, stream: StreamId, version: int, tell: Tell) -> bool:
        """Brings the projection up to `version`; returns False if it was moved meanwhile."""
        applied = self._target.applied(self._projection.name, stream)
        if version <= applied:
            return True
        table = self._tables.get(stream.id) or UNOPENED
        told = tell(UNOPENED if table.version > applied else table)
        self._tables.put(stream.id, told.table)
        reached, effects = fold(self._projection, told.moments, applied=applied)
        return reached == applied or self._target.apply(
            self._projection.name, stream, after=applied, version=reached, effects=effects
        )


class Told(NamedTuple):
    """What a projection makes of some moments of a table.

    Attributes:
        reached: the version of the last one that concerned the projection.
    """

    reached: int
    effects: tuple[Effect, ...]


def fold(projection: Projection, moments: Iterable[Moment], *, applied: int) -> Told:
    """Returns what the moments of a table mean to a projection that has come to `applied`."""
    reached, effects = applied, list[Effect]()
    for table, recorded in moments:
        if recorded.version > applied and recorded.event.wire in projection.wires:
            effects.extend(projection.project(table, recorded))
            reached = recorded.version
    return Told(reached, tuple(effects))


def projection_named(name: str) -> Projection:
    """Returns the projection of that name; raises `KeyError`."""
    return {projection.name: projection for projection in PROJECTIONS}[name]


def lags(feed: Feed) -> dict[str, Lag]:
    """Returns how far each group is behind; raises `StoreUnavailable`."""
    return {group: feed.lag(group) for group in GROUPS}
