"""Keeps the projections up to date, and rebuilds them from the logs."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import structlog

from hoodwink.domain.projections import LOBBY, Effect, Projection
from hoodwink.service.application.ports import CannotReplay, Clock, Feed, FeedEntry, Gather, Lag, StreamId
from hoodwink.service.application.projecting.projections import PartitionHeld, ProjectionStore
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.service.application.streams.aggregates import AGGREGATES, RATINGS, TABLE
from hoodwink.service.application.streams.cache import Cache
from hoodwink.service.application.streams.event_reader import AppliedEvent, Batch, EventReader
from hoodwink.service.application.streams.feed import REACTIONS, entries_of, latest_entries
from hoodwink.service.application.streams.history import Loaded, Position, position_of

RESULTS: Final = "results"
"""The consumer group of those projections that count, list and rate results of tables."""

GROUPS: Final = (REACTIONS, RATER, LOBBY.name, RESULTS)
"""The consumer groups that follow the feed.

Every delivery to a group costs Redis and the projector time, and players wait only for the lobby. So other
projections share groups: those of tables and ratings `RESULTS`, and those of tournaments the rater's. Ratings may have
to be computed again for minutes, and pushes and webhooks, which are in the rater's group, must not wait for that.
"""

STREAMS_PER_ROUND_TRIP: Final = 16
"""Streams per round trip.

Redis serves nobody else while it reads a page of each, and a batch of each is in memory at the same time.
"""

BATCH_SIZE: Final = 1_000
"""Events that are read and applied together. Few tables have more, but a rating stream grows for years."""


def group_of(projection: Projection) -> str:
    """Returns the consumer group of a projection."""
    if projection.name == LOBBY.name:
        return LOBBY.name
    return RESULTS if projection.category in {TABLE.category, RATINGS.category} else RATER


def no_op(stream: StreamId) -> None:
    """Does nothing, for callers that do not follow the progress."""


class ReadBatch(Protocol):
    """Returns the events of one stream after the given state, up to a version."""

    def __call__(self, known: Loaded[Any], version: int) -> Batch: ...


log = structlog.get_logger(__name__)

_CHECK_EVERY_MS: Final = 5_000
_RETRY_SECONDS: Final = 0.005
_HELD_SECONDS: Final = 0.25
_PATIENCE_SECONDS: Final = 10.0


class Projector:
    """Applies feed entries to one projection. A repeated entry changes nothing.

    The remembered state and the position of the projection are compared with the stream before they are used.
    Effects cannot be undone, so if the stream has another history than the one projected, the partition is rebuilt.

    Attributes:
        progressed(known): called before each batch of events with the number of those before it, because a rebuild or a
            long stream takes minutes, and so may a single event: the void of a table rates all later ones again.
    """

    def __init__(
        self,
        *,
        projection: Projection,
        event_reader: EventReader,
        target: ProjectionStore,
        clock: Clock,
        gather: Gather,
    ) -> None:
        self.projection = projection
        self.event_reader = event_reader
        self.target = target
        self.progressed: Callable[[int], None] = lambda _: None
        self._known: Cache[StreamId, Loaded[Any]] = Cache(5_000)
        self._from_snapshot: set[StreamId] = set()
        self._clock = clock
        self._gather = gather
        self._check_at = 0

    def project(self, entries: Sequence[FeedEntry]) -> None:
        """Brings the projection up to the latest entry of each stream that concerns it.

        A stream whose log cannot be replayed is left out, as in `rebuild`. Otherwise its entry would block the
        trimming of the feed forever.
        """
        self._rebuild_where_needed()
        concerning = [
            entry
            for entry in entries_of(self.projection.category, entries)
            if not self.projection.event_types.isdisjoint(entry.types)
        ]
        latest = list(latest_entries(concerning).values())
        for first in range(0, len(latest), STREAMS_PER_ROUND_TRIP):
            together = latest[first : first + STREAMS_PER_ROUND_TRIP]
            done = self._gather([partial(self._unless_left_out, entry, self._attempt) for entry in together])
            # One after the other: a rebuild holds the whole partition, and the next entry may be in the same one.
            for entry, is_done in zip(together, done, strict=True):
                if not is_done:
                    self._unless_left_out(entry, self._apply_entry)

    def _unless_left_out(self, entry: FeedEntry, apply: Callable[[FeedEntry], bool]) -> bool:
        try:
            return apply(entry)
        except CannotReplay as error:
            log.warning(
                "log left out, see `hoodwink audit`",
                projection=self.projection.name,
                stream=f"{entry.stream.category}:{entry.stream.id}",
                reason=str(error),
            )
            return True

    def catch_up(self, stream: StreamId, version: int, read_batch: ReadBatch) -> bool:
        """Brings the projection up to a version of a stream; returns False if its log cannot be replayed."""
        try:
            self._apply(stream, version, read_batch)
        except CannotReplay:
            return False
        return True

    def _rebuild_where_needed(self) -> None:
        """Rebuilds partitions that another release filled or whose rebuild was interrupted; looks every few seconds."""
        if self._clock.elapsed_ms() < self._check_at:
            return
        self._check_at = self._clock.elapsed_ms() + _CHECK_EVERY_MS
        for partition in self._outdated():
            if partition in self._outdated():  # another projector may have rebuilt it meanwhile
                self._rebuild(partition, "another release filled it")
        for partition in self.target.unfinished(self.projection.name):
            self._rebuild(partition, "an earlier rebuild was not finished")

    def _outdated(self) -> tuple[int, ...]:
        return self.target.outdated(self.projection.name, self.projection.revision)

    def _rebuild(self, partition: int, reason: str) -> None:
        try:
            left_out = _refill([self], partition, no_op, wait_seconds=0)
        except PartitionHeld:
            # Another projector rebuilds it, or an audit reads it. `_apply` or the next check looks at it again.
            # After a pause, or the loop in `_apply` would keep Redis busy with the same question.
            self._clock.wait(_HELD_SECONDS)
            return
        log.warning(
            "partition rebuilt",
            projection=self.projection.name,
            partition=partition,
            reason=reason,
            left_out=[stream.id for stream in left_out],
        )

    def _attempt(self, entry: FeedEntry) -> bool:
        """Brings the projection up to an entry; returns False if that needs a rebuild or another attempt.

        Attempts run together, so none of them may wait, or hold a partition for which another would wait.
        """
        applied, is_proven = self.target.progress(self.projection.name, entry.stream)
        read_batch = partial(self.event_reader.read_to, entry)
        return is_proven and self._advance(entry.stream, entry.version, applied, read_batch)

    def _apply_entry(self, entry: FeedEntry) -> bool:
        # The failed attempt may have read a history that is gone, so its cached batch must not be used again.
        self._apply(entry.stream, entry.version, partial(self.event_reader.read, entry.stream))
        return True

    def _apply(self, stream: StreamId, version: int, read_batch: ReadBatch) -> None:
        """Brings the projection up to a version of a stream, with as many attempts as that takes."""
        while True:
            applied, is_proven = self.target.progress(self.projection.name, stream)
            if not is_proven:
                self._rebuild(self.target.partition(stream), f"the log of {stream.id} is another one")
            elif self._advance(stream, version, applied, read_batch):
                return
            # Another process was faster, holds the partition for a moment, or the store went back.
            read_batch = partial(self.event_reader.read, stream)
            self._clock.wait(_RETRY_SECONDS)

    def _advance(self, stream: StreamId, version: int, applied: Position, read_batch: ReadBatch) -> bool:
        """Brings the projection from `applied` up to `version`; returns False if another attempt is needed."""
        if version <= applied.version:
            return True
        known = self._remembered(stream, applied)
        # If the store goes back meanwhile, a batch ends no later than the known state, and this would loop forever.
        is_shorter = False
        while known.state.version < version and not is_shorter:
            self.progressed(known.state.version)
            try:
                batch = read_batch(known, min(version, known.state.version + BATCH_SIZE))
            except CannotReplay:
                if stream not in self._from_snapshot:
                    raise
                # An event needs what the snapshot lacks, such as a table that is voided. Cached batches lack it, too.
                self._from_snapshot.discard(stream)
                self._known.drop(stream)
                known = Loaded(AGGREGATES[stream.category].unopened)
                read_batch = partial(self.event_reader.read, stream)
                continue
            reached, effects = fold(self.projection, batch.events, applied=applied)
            if reached != applied and not self.target.apply(
                self.projection.name,
                stream,
                after=applied,
                reached=reached,
                effects=effects,
                revision=self.projection.revision,
            ):
                return False
            is_shorter = batch.after.state.version <= known.state.version
            known, applied = batch.after, reached
            self._known.put(stream, known)
        return True

    def _remembered(self, stream: StreamId, applied: Position) -> Loaded[Any]:
        """Returns the latest known state before the first event to apply."""
        unopened = Loaded(AGGREGATES[stream.category].unopened)
        known = self._known.get(stream) or self._restore(stream) or unopened
        if known.state.version <= applied.version:
            return known
        # The projection was rebuilt, or went back with the stream. Events between the two have to be applied again.
        self.event_reader.report_vanished(stream)
        return unopened

    def _restore(self, stream: StreamId) -> Loaded[Any] | None:
        """Returns the state in the stream's snapshot, if there is one. The next read compares its hash with the stream."""
        if (snapshots := self.projection.snapshots) is None:
            return None
        (row,) = self.target.rows(self.projection.name, stream, [snapshots.key(stream.id)])
        if row is None or (found := snapshots.restored(row)) is None:
            return None
        self._from_snapshot.add(stream)
        return Loaded(*found)


def grouped_by_category(projectors: Iterable[Projector]) -> tuple[tuple[Projector, ...], ...]:
    groups: dict[str, tuple[Projector, ...]] = {}
    for projector in projectors:
        category = projector.projection.category
        groups[category] = (*groups.get(category, ()), projector)
    return tuple(groups.values())


def rebuild(
    projectors: Sequence[Projector],
    done: Callable[[StreamId], None] = no_op,
    *,
    partitions: Collection[int] | None = None,
) -> tuple[StreamId, ...]:
    """Drops projections of one category, one partition after the other, and applies its streams from their beginning.

    A stream is read and replayed once for all of them. Other processes may continue to project meanwhile. If the
    rebuild is interrupted, the next projector of any process completes the partition in which it was.

    Args:
        projectors: of the projections to rebuild, all of one category.
        done: called with each stream once it is applied.
        partitions: to rebuild; by default all.

    Returns:
        The streams that were left out because their logs cannot be replayed.

    Raises:
        PartitionHeld: another process rebuilds or audits a partition.
    """
    chosen = projectors[0].target.partitions if partitions is None else partitions
    return tuple(
        stream
        for partition in chosen
        for stream in _refill(projectors, partition, done, wait_seconds=_PATIENCE_SECONDS)
    )


def _refill(
    projectors: Sequence[Projector],
    partition: int,
    done: Callable[[StreamId], None],
    *,
    wait_seconds: float,
) -> tuple[StreamId, ...]:
    category, event_reader, target = (
        projectors[0].projection.category,
        projectors[0].event_reader,
        projectors[0].target,
    )
    left_out = list[StreamId]()
    with ExitStack() as stack:
        renewals = [
            stack.enter_context(
                target.rebuilding(projector.projection.name, partition, wait_seconds=wait_seconds)
            )
            for projector in projectors
        ]
        # The streams are listed after the drop. Listed before it, a stream would be missing that began in between
        # and whose rows were dropped again.
        for stream in event_reader.streams(category, partition):
            version = event_reader.version(stream)
            read_batch = _SharedBatches(event_reader, stream, renewals)
            caught_up = [projector.catch_up(stream, version, read_batch) for projector in projectors]
            if not all(caught_up):
                left_out.append(stream)
            done(stream)
            for renew in renewals:  # a hold expires unless it is renewed
                renew()
    return tuple(left_out)


class _SharedBatches:
    """Reads a stream for several projections, one after the other, and each batch once for all of them."""

    def __init__(
        self, event_reader: EventReader, stream: StreamId, renewals: Iterable[Callable[[], None]]
    ) -> None:
        self._event_reader = event_reader
        self._stream = stream
        self._renewals = renewals
        self._latest: tuple[Position, Batch] | None = None

    def __call__(self, known: Loaded[Any], version: int) -> Batch:
        # All projections take the same steps, so the position determines the batch. A long stream must renew the
        # holds on its way, or they would expire.
        if self._latest is None or self._latest[0] != known.position:
            for renew in self._renewals:
                renew()
            self._latest = (known.position, self._event_reader.read(self._stream, known, version))
        return self._latest[1]


class ProjectionResult(NamedTuple):
    """The effects of some events of a stream on a projection.

    Attributes:
        reached: the position of the last event that concerned the projection.
    """

    reached: Position
    effects: tuple[Effect, ...]


def fold(projection: Projection, events: Iterable[AppliedEvent], *, applied: Position) -> ProjectionResult:
    """Returns the effects of those events that concern the projection and follow `applied`."""
    reached, effects = applied, list[Effect]()
    for state, recorded in events:
        if recorded.entry.version > applied.version and recorded.event.wire in projection.event_types:
            effects.extend(projection.project(state, recorded))
            reached = position_of(recorded.entry)
    return ProjectionResult(reached, tuple(effects))


def lags(feed: Feed) -> dict[str, Lag]:
    """Returns the backlog of each group; raises `StoreUnavailable`."""
    return {group: feed.lag(group) for group in GROUPS}
