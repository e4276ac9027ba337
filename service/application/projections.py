"""Keeps the projections up to date, and rebuilds them from the logs."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import msgspec
import structlog

from domain.projections import PROJECTIONS, Effect, Projection
from service.application.aggregates import AGGREGATES
from service.application.cache import Cache
from service.application.chronicle import CannotReplay, Chapter, Chronicle, Moment
from service.application.dispatch import GROUP, entries_of, latest_entries
from service.application.errors import ApplicationError
from service.application.history import Loaded, Place
from service.application.ports import Feed, FeedEntry, Lag, StreamId
from service.application.rating import RATER

GROUPS = (GROUP, RATER, *(projection.name for projection in PROJECTIONS))
"""Who follows the feed: one consumer group for each."""

EVENTS_AT_ONCE: Final = 1_000
"""A table has hardly more; of a stream that goes on for years, so many events are read and applied in one go."""


class Standing(NamedTuple):
    """How a projection stands to a stream.

    Attributes:
        applied: the place of the last event that changed the projection.
        is_proven: the stream holds that place.
    """

    applied: Place
    is_proven: bool


class Shelf(msgspec.Struct, gc=False, kw_only=True):
    """What a projection keeps of the tables of one partition.

    Attributes:
        applied: how far it has come, by stream.
        rows: JSON by key.
        counters: by name.
        indexes: the order of each key, by index.
    """

    applied: dict[StreamId, Place] = {}
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

    def rows(self, projection: str, stream: StreamId, keys: Sequence[str]) -> tuple[bytes | None, ...]:
        """Returns rows that a stream's events put, as JSON, in the order asked for; `None` for one that is not there."""
        ...

    def counters(self, projection: str, names: Sequence[str]) -> tuple[int, ...]:
        """Returns counters in the order asked for; 0 for one that was never added to."""
        ...

    def applied(self, projection: str, stream: StreamId) -> int:
        """Returns the version of the last event of the stream that changed the projection."""
        ...


class PartitionHeld(ApplicationError):
    """Raised when a projection's partition is in other hands: one that reads it, or makes it anew."""

    def __init__(self, projection: str, partition: int) -> None:
        super().__init__(
            "partition_held",
            f"Partition {partition} of {projection} is being audited or rebuilt by another; try again later.",
        )


class ProjectionStore(Protocol):
    """Where projections keep their rows and counters. Every call may raise `StoreUnavailable`."""

    def apply(
        self,
        projection: str,
        stream: StreamId,
        *,
        after: Place,
        reached: Place,
        effects: Sequence[Effect],
        revision: int = 1,
    ) -> bool:
        """Carries out the effects of a stream's events behind `after` up to `reached`, all at once.

        The first effects in a partition note the revision of the projection that they are of.

        Returns False, and does nothing, unless the projection stands at `after` on that stream, the stream
        holds the event that `reached` names, and nobody reads or drops the partition just now.
        """
        ...

    def standing(self, projection: str, stream: StreamId) -> Standing:
        """Returns how far the projection has come on the stream, and whether the stream is still that one."""
        ...

    def partition(self, stream: StreamId) -> int:
        """Returns the partition that keeps what comes from the stream."""
        ...

    @property
    def partitions(self) -> tuple[int, ...]:
        """Every partition there is."""
        ...

    def anew(
        self, projection: str, partitions: Collection[int], *, wait_seconds: float = 0.0
    ) -> AbstractContextManager[Callable[[], None]]:
        """Forgets everything that the projection keeps in some partitions, for a body that fills them again.

        What the context manager gives has to be called now and then, for only so is it known that somebody
        is still at it. Others may project meanwhile. Unless the body comes to its end, the partitions count
        as unfinished.

        Raises:
            PartitionHeld: somebody else is at it and does not end in time, or the body was silent for too long.
        """
        ...

    def unfinished(self, projection: str) -> tuple[int, ...]:
        """Returns the partitions that somebody began to make anew, and nobody is at work on."""
        ...

    def outdated(self, projection: str, revision: int) -> tuple[int, ...]:
        """Returns the partitions whose contents are of another revision of the projection."""
        ...

    def contents(self, projection: str) -> Iterator[Shelf]:
        """Yields everything the projection keeps, for each partition as it was at one moment.

        Raises:
            PartitionHeld: somebody makes a partition anew for longer than one can wait.
        """
        ...


def unheard(stream: StreamId) -> None:
    """Tells nobody."""


class Tell(Protocol):
    """Tells what happened on a stream from the given state on, up to a version."""

    def __call__(self, known: Loaded[Any], version: int) -> Chapter: ...


log = structlog.get_logger(__name__)

_LOOK_EVERY_SECONDS: Final = 5.0
_RETRY_SECONDS: Final = 0.005
_HELD_SECONDS: Final = 0.25
_PATIENCE_SECONDS: Final = 10.0


class Projector:
    """Folds feed entries into one projection. The same entry twice changes nothing.

    What it remembers of them is held against their streams before it is built on, and so is what the
    projection stands at. Effects cannot be undone: where a stream is not the one that was projected, the
    partition is made anew.
    """

    def __init__(self, *, projection: Projection, chronicle: Chronicle, target: ProjectionStore) -> None:
        self._projection = projection
        self._chronicle = chronicle
        self._target = target
        self._known: Cache[StreamId, Loaded[Any]] = Cache(5_000)
        self._look_at = 0.0

    def project(self, entries: Sequence[FeedEntry]) -> None:
        """Brings the projection up to the latest entry of each stream that concerns it.

        A stream whose log cannot be replayed is left out, as by `rebuild`: its entry would hold up the trimming
        of the feed for ever.
        """
        self._finish()
        concerning = [
            entry
            for entry in entries_of(self._projection.category, entries)
            if not self._projection.wires.isdisjoint(entry.types)
        ]
        for entry in latest_entries(concerning).values():
            try:
                self._apply(entry.stream, entry.version, partial(self._told_to, entry))
            except CannotReplay as error:
                log.warning(
                    "log left out, see `hoodwink audit`",
                    projection=self._projection.name,
                    stream=f"{entry.stream.category}:{entry.stream.id}",
                    reason=str(error),
                )

    def rebuild(self, done: Callable[[StreamId], None] = unheard) -> tuple[StreamId, ...]:
        """Drops the projection, applies each stream from its beginning, and tells `done` of it.

        Others may go on projecting meanwhile. If it is broken off, whoever projects next completes it.

        Returns:
            The streams that are left out, for their logs cannot be replayed.

        Raises:
            PartitionHeld: somebody else is at it.
        """
        return self._rebuild(self._target.partitions, done, wait_seconds=_PATIENCE_SECONDS)

    def _rebuild(
        self, partitions: Collection[int], done: Callable[[StreamId], None], *, wait_seconds: float
    ) -> tuple[StreamId, ...]:
        left_out = list[StreamId]()
        with self._target.anew(self._projection.name, partitions, wait_seconds=wait_seconds) as still_here:
            # Listed behind the drop: a stream that was begun and projected right before it is replayed, too.
            for stream in self._chronicle.streams(self._projection.category):
                if self._target.partition(stream) in partitions:
                    if not self._is_replayed(stream, still_here):
                        left_out.append(stream)
                    done(stream)
                still_here()
        return tuple(left_out)

    def _is_replayed(self, stream: StreamId, still_here: Callable[[], None]) -> bool:
        def tell(known: Loaded[Any], version: int) -> Chapter:
            still_here()
            return self._chronicle.between(stream, known, version)

        try:
            self._apply(stream, self._chronicle.version(stream), tell)
        except CannotReplay:
            return False
        return True

    def _told_to(self, entry: FeedEntry, known: Loaded[Any], version: int) -> Chapter:
        if version == entry.version:
            return self._chronicle.up_to(entry, known)
        return self._chronicle.between(entry.stream, known, version)

    def _finish(self) -> None:
        """Makes anew what is not as this process keeps it, and looks for that now and then.

        Others began to make a partition anew and may have been killed; or an earlier release filled it.
        """
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + _LOOK_EVERY_SECONDS
        if outdated := self._target.outdated(self._projection.name, self._projection.revision):
            self._make_anew(outdated, "another release filled it")
        for partition in self._target.unfinished(self._projection.name):
            self._make_anew([partition], "an earlier rebuild was not finished")

    def _make_anew(self, partitions: Collection[int], reason: str) -> None:
        try:
            left_out = self._rebuild(partitions, unheard, wait_seconds=0)
        except PartitionHeld:
            time.sleep(_HELD_SECONDS)
            return
        log.warning(
            "partitions rebuilt",
            projection=self._projection.name,
            partitions=list(partitions),
            reason=reason,
            left_out=[stream.id for stream in left_out],
        )

    def _apply(self, stream: StreamId, version: int, tell: Tell) -> None:
        while not self._moved(stream, version, tell):
            # Another process was faster, holds the partition for a moment, or the store went back: look
            # again, and trust nothing that was read before.
            tell = partial(self._chronicle.between, stream)
            time.sleep(_RETRY_SECONDS)

    def _moved(self, stream: StreamId, version: int, tell: Tell) -> bool:
        """Brings the projection up to `version`; returns False if that did not work out this time."""
        applied, is_proven = self._target.standing(self._projection.name, stream)
        if not is_proven:
            self._make_anew([self._target.partition(stream)], f"the log of {stream.id} is another one")
            return False
        if version <= applied.version:
            return True
        known = self._remembered(stream, applied)
        is_shorter = False  # so it may be by now
        while known.state.version < version and not is_shorter:
            told = tell(known, min(version, known.state.version + EVENTS_AT_ONCE))
            reached, effects = fold(self._projection, told.moments, applied=applied)
            if reached != applied and not self._target.apply(
                self._projection.name,
                stream,
                after=applied,
                reached=reached,
                effects=effects,
                revision=self._projection.revision,
            ):
                return False
            is_shorter = told.known.state.version <= known.state.version
            known, applied = told.known, reached
        self._known.put(stream, known)
        return True

    def _remembered(self, stream: StreamId, applied: Place) -> Loaded[Any]:
        unopened = Loaded(AGGREGATES[stream.category].unopened)
        known = self._known.get(stream) or unopened
        if known.state.version <= applied.version:
            return known
        self._chronicle.look_back(stream)  # the projection was rebuilt, or went back with the stream
        return unopened


class Told(NamedTuple):
    """What a projection makes of some moments of a stream.

    Attributes:
        reached: the last one that concerned the projection.
    """

    reached: Place
    effects: tuple[Effect, ...]


def fold(projection: Projection, moments: Iterable[Moment], *, applied: Place) -> Told:
    """Returns what the moments of a stream mean to a projection that has come to `applied`."""
    reached, effects = applied, list[Effect]()
    for state, recorded in moments:
        if recorded.version > applied.version and recorded.event.wire in projection.wires:
            effects.extend(projection.project(state, recorded))
            reached = Place(recorded.version, recorded.hash)
    return Told(reached, tuple(effects))


def projection_named(name: str) -> Projection:
    """Returns the projection of that name; raises `KeyError`."""
    return {projection.name: projection for projection in PROJECTIONS}[name]


def lags(feed: Feed) -> dict[str, Lag]:
    """Returns how far each group is behind; raises `StoreUnavailable`."""
    return {group: feed.lag(group) for group in GROUPS}
