"""Keeps the projections up to date, and rebuilds them from the logs."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import structlog

from domain.projections import PROJECTIONS, Effect, Projection
from service.application.aggregates import AGGREGATES, TABLE
from service.application.cache import Cache
from service.application.chronicle import CannotReplay, Chapter, Chronicle, Moment
from service.application.dispatch import GROUP, entries_of, latest_entries
from service.application.history import Loaded, Place, place_of
from service.application.ports import Clock, Feed, FeedEntry, Lag, StreamId
from service.application.projections import PartitionHeld, ProjectionStore
from service.application.rating import RATER

GROUPS = (GROUP, RATER, *(one.name for one in PROJECTIONS if one.category == TABLE.category))
"""The consumer groups that follow the feed.

Each projection of tables has its own, so that none holds up another. Tournaments and ratings have few events beside
tables, and each entry that is delivered to a group costs Redis: the projections of both share the rater's.
"""

EVENTS_AT_ONCE: Final = 1_000
"""A table has hardly more; of a stream that goes on for years, so many events are read and applied in one go."""


def unheard(stream: StreamId) -> None:
    """Tells nobody."""


class Tell(Protocol):
    """Tells what happened on a stream from the given state on, up to a version."""

    def __call__(self, known: Loaded[Any], version: int) -> Chapter: ...


log = structlog.get_logger(__name__)

_LOOK_EVERY_MS: Final = 5_000
_RETRY_SECONDS: Final = 0.005
_HELD_SECONDS: Final = 0.25
_PATIENCE_SECONDS: Final = 10.0


class Projector:
    """Folds feed entries into one projection. The same entry twice changes nothing.

    What it remembers of them is held against their streams before it is built on, and so is what the
    projection stands at. Effects cannot be undone: where a stream is not the one that was projected, the
    partition is made anew.
    """

    def __init__(
        self, *, projection: Projection, chronicle: Chronicle, target: ProjectionStore, clock: Clock
    ) -> None:
        self.projection = projection
        self.chronicle = chronicle
        self.target = target
        self._known: Cache[StreamId, Loaded[Any]] = Cache(5_000)
        self._clock = clock
        self._look_at = 0

    def project(self, entries: Sequence[FeedEntry]) -> None:
        """Brings the projection up to the latest entry of each stream that concerns it.

        A stream whose log cannot be replayed is left out, as by `rebuild`: its entry would hold up the trimming
        of the feed for ever.
        """
        self._finish()
        concerning = [
            entry
            for entry in entries_of(self.projection.category, entries)
            if not self.projection.wires.isdisjoint(entry.types)
        ]
        for entry in latest_entries(concerning).values():
            try:
                self._apply(entry.stream, entry.version, partial(self._told_to, entry))
            except CannotReplay as error:
                log.warning(
                    "log left out, see `hoodwink audit`",
                    projection=self.projection.name,
                    stream=f"{entry.stream.category}:{entry.stream.id}",
                    reason=str(error),
                )

    def replay(self, stream: StreamId, version: int, tell: Tell) -> bool:
        """Brings the projection up to a version of a stream; returns False if its log cannot be replayed."""
        try:
            self._apply(stream, version, tell)
        except CannotReplay:
            return False
        return True

    def _told_to(self, entry: FeedEntry, known: Loaded[Any], version: int) -> Chapter:
        if version == entry.version:
            return self.chronicle.up_to(entry, known)
        return self.chronicle.between(entry.stream, known, version)

    def _finish(self) -> None:
        """Makes anew what is not as this process keeps it, and looks for that now and then.

        Others began to make a partition anew and may have been killed; or an earlier release filled it.
        """
        if self._clock.elapsed_ms() < self._look_at:
            return
        self._look_at = self._clock.elapsed_ms() + _LOOK_EVERY_MS
        if outdated := self.target.outdated(self.projection.name, self.projection.revision):
            self._make_anew(outdated, "another release filled it")
        for partition in self.target.unfinished(self.projection.name):
            self._make_anew([partition], "an earlier rebuild was not finished")

    def _make_anew(self, partitions: Collection[int], reason: str) -> None:
        try:
            left_out = _refill([self], partitions, unheard, wait_seconds=0)
        except PartitionHeld:
            self._clock.wait(_HELD_SECONDS)
            return
        log.warning(
            "partitions rebuilt",
            projection=self.projection.name,
            partitions=list(partitions),
            reason=reason,
            left_out=[stream.id for stream in left_out],
        )

    def _apply(self, stream: StreamId, version: int, tell: Tell) -> None:
        while not self._moved(stream, version, tell):
            # Another process was faster, holds the partition for a moment, or the store went back: look
            # again, and trust nothing that was read before.
            tell = partial(self.chronicle.between, stream)
            self._clock.wait(_RETRY_SECONDS)

    def _moved(self, stream: StreamId, version: int, tell: Tell) -> bool:
        """Brings the projection up to `version`; returns False if that did not work out this time."""
        applied, is_proven = self.target.standing(self.projection.name, stream)
        if not is_proven:
            self._make_anew([self.target.partition(stream)], f"the log of {stream.id} is another one")
            return False
        if version <= applied.version:
            return True
        known = self._remembered(stream, applied)
        is_shorter = False  # so it may be by now
        while known.state.version < version and not is_shorter:
            told = tell(known, min(version, known.state.version + EVENTS_AT_ONCE))
            reached, effects = fold(self.projection, told.moments, applied=applied)
            if reached != applied and not self.target.apply(
                self.projection.name,
                stream,
                after=applied,
                reached=reached,
                effects=effects,
                revision=self.projection.revision,
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
        self.chronicle.look_back(stream)  # the projection was rebuilt, or went back with the stream
        return unopened


def by_category(projectors: Iterable[Projector]) -> tuple[tuple[Projector, ...], ...]:
    """Returns those together that can be rebuilt together."""
    groups: dict[str, tuple[Projector, ...]] = {}
    for one in projectors:
        groups[one.projection.category] = (*groups.get(one.projection.category, ()), one)
    return tuple(groups.values())


def rebuild(
    projectors: Sequence[Projector], done: Callable[[StreamId], None] = unheard
) -> tuple[StreamId, ...]:
    """Drops projections of one category, applies each stream from its beginning, and tells `done` of it.

    A stream is read and replayed once for all of them. Others may go on projecting meanwhile. If it is broken off,
    whoever projects next completes it.

    Returns:
        The streams that are left out, for their logs cannot be replayed.

    Raises:
        PartitionHeld: somebody else is at it.
    """
    return _refill(projectors, projectors[0].target.partitions, done, wait_seconds=_PATIENCE_SECONDS)


def _refill(
    projectors: Sequence[Projector],
    partitions: Collection[int],
    done: Callable[[StreamId], None],
    *,
    wait_seconds: float,
) -> tuple[StreamId, ...]:
    category, chronicle, target = (
        projectors[0].projection.category,
        projectors[0].chronicle,
        projectors[0].target,
    )
    left_out = list[StreamId]()
    with ExitStack() as stack:
        holds = [
            stack.enter_context(target.anew(one.projection.name, partitions, wait_seconds=wait_seconds))
            for one in projectors
        ]
        # Listed behind the drop: a stream that was begun and projected right before it is replayed, too.
        for stream in chronicle.streams(category):
            if target.partition(stream) in partitions:
                version, tell = chronicle.version(stream), _Retelling(chronicle, stream, holds)
                replayed = [one.replay(stream, version, tell) for one in projectors]
                if not all(replayed):
                    left_out.append(stream)
                done(stream)
            for still_here in holds:
                still_here()
    return tuple(left_out)


class _Retelling:
    """Tells several projections of a stream, one after the other, and reads it once while they ask for the same."""

    def __init__(self, chronicle: Chronicle, stream: StreamId, holds: Iterable[Callable[[], None]]) -> None:
        self._chronicle = chronicle
        self._stream = stream
        self._holds = holds
        self._told: tuple[Place, Chapter] | None = None

    def __call__(self, known: Loaded[Any], version: int) -> Chapter:
        # All are brought up to the same version in the same steps, so where they stand says what they ask for.
        if self._told is None or self._told[0] != known.place:
            for still_here in self._holds:
                still_here()
            self._told = (known.place, self._chronicle.between(self._stream, known, version))
        return self._told[1]


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
        if recorded.entry.version > applied.version and recorded.event.wire in projection.wires:
            effects.extend(projection.project(state, recorded))
            reached = place_of(recorded.entry)
    return Told(reached, tuple(effects))


def lags(feed: Feed) -> dict[str, Lag]:
    """Returns how far each group is behind; raises `StoreUnavailable`."""
    return {group: feed.lag(group) for group in GROUPS}
