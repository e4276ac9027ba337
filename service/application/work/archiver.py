"""Moves finished tables, tournaments and series from Redis to the archive."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import gmtime
from types import MappingProxyType
from typing import Any, Final, Protocol

from hoodwink.domain.series import SeasonPhase
from hoodwink.domain.tables.state import Phase
from hoodwink.domain.tournaments.life.facts import is_over
from hoodwink.service.application.ports import CannotReplay, Clock, StreamId, WholeLog
from hoodwink.service.application.streams.aggregates import SERIES, TABLE, TOURNAMENT, Aggregate
from hoodwink.service.application.streams.event_reader import replay
from hoodwink.service.application.streams.history import Loaded
from hoodwink.service.application.streams.parts import rest
from hoodwink.service.application.work.due import CATEGORIES, DueKind

_MAX_LOGS: Final = 256
"""Logs in one segment, which are all in memory while it is written."""

_AGGREGATES: Final[Mapping[str, Aggregate[Any, Any]]] = MappingProxyType(
    {aggregate.category: aggregate for aggregate in (TABLE, TOURNAMENT, SERIES)}
)

MIN_LOGS: Final = 32
"""Logs for which it is worth writing a segment: fewer would compress badly and make many files."""


class Archive(Protocol):
    """The store of archived logs. Every call may raise `StoreUnavailable`."""

    def partition(self, stream: StreamId) -> int: ...

    def idle(self, category: str, before_ms: int) -> Iterator[StreamId]:
        """Yields the streams of a category that are in Redis and whose last event is older than a time."""
        ...

    def whole(self, stream: StreamId) -> WholeLog: ...

    def move(self, partition: int, month: int, logs: Mapping[StreamId, WholeLog]) -> int:
        """Moves logs of a partition to the archive and returns how many.

        A log that is damaged, or that has grown meanwhile, stays where it is.

        Args:
            partition: of all the logs.
            month: names the series of segments, for example 202611.
            logs: the logs by their streams.
        """
        ...

    def complete(self, partition: int) -> int:
        """Completes a move that was interrupted; returns the number of logs."""
        ...


class Archiver:
    """Chooses the logs to move, and has them moved."""

    def __init__(
        self,
        *,
        archive: Archive,
        partitions: Sequence[int],
        clock: Clock,
        due_at: Callable[[DueKind, str], int | None],
    ) -> None:
        """`due_at` returns the recorded due time of a stream."""
        self._archive = archive
        self._partitions = partitions
        self._clock = clock
        self._due_at = due_at

    def run(
        self,
        *,
        idle_ms: int,
        min_logs: int = MIN_LOGS,
        begin: Callable[[int], Callable[[StreamId], object]] = lambda _total: lambda _stream: None,
    ) -> int:
        """Moves all that ended and have not changed for a time; returns their number.

        Args:
            idle_ms: the time since the last event.
            min_logs: partitions with fewer logs wait for more.
            begin: called with the number of logs to look at; returns a function that is called after each of them.
        """
        # First, because a run that was killed may have left a move half done.
        moved = sum(self._archive.complete(partition) for partition in self._partitions)
        now = self._clock.now_ms()
        month = gmtime(now / 1_000)
        series = month.tm_year * 100 + month.tm_mon
        idle = {
            partition: streams
            for partition, streams in sorted(self._idle(now - idle_ms).items())
            if len(streams) >= min_logs
        }
        step = begin(sum(map(len, idle.values())))
        for partition, streams in idle.items():
            for logs in self._segments_of(streams, min_logs, step):
                moved += self._archive.move(partition, series, logs)
                rest()
        return moved

    def _idle(self, before_ms: int) -> Mapping[int, list[StreamId]]:
        found = defaultdict[int, list[StreamId]](list)
        for category in _AGGREGATES:
            for stream in self._archive.idle(category, before_ms):
                found[self._archive.partition(stream)].append(stream)
        return found

    def _segments_of(
        self, streams: Iterable[StreamId], min_logs: int, step: Callable[[StreamId], object]
    ) -> Iterator[Mapping[StreamId, WholeLog]]:
        """Yields the finished logs of a partition, as many at a time as one segment has."""
        logs = dict[StreamId, WholeLog]()
        for stream in streams:
            if (log := self._finished(stream)) is not None:
                logs[stream] = log
            step(stream)
            rest()
            if len(logs) == _MAX_LOGS:
                yield logs
                logs = {}
        if len(logs) >= min_logs:
            yield logs

    def _finished(self, stream: StreamId) -> WholeLog | None:
        """Returns the log if it is at its end and no work is due any more, otherwise `None`."""
        # Before the log is read and replayed, which costs much more. Long tournaments come here at every run.
        kinds = [kind for kind, category in CATEGORIES.items() if category == stream.category]
        if any(self._due_at(kind, stream.id) is not None for kind in kinds):
            return None
        aggregate = _AGGREGATES[stream.category]
        try:
            log = self._archive.whole(stream)
            state = replay(aggregate, Loaded(aggregate.unopened), log.entries).after.state
        except CannotReplay:  # it stays in Redis, and the audit of the logs reports it
            return None
        return log if _is_over(stream, state) and aggregate.work_due(state).at is None else None


def _is_over(stream: StreamId, state: Any) -> bool:
    # More events follow the end: the reveal of the seed, and the release of a shared deal (D-7).
    if stream.category == TOURNAMENT.category:
        return is_over(state) and state.is_seed_revealed
    if stream.category == SERIES.category:
        return state.phase is SeasonPhase.ENDED
    return state.phase is Phase.ENDED and not state.is_embargoed
