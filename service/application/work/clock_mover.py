"""Moves the deadlines of tables and tournaments after an outage; see `outages`."""

from contextlib import suppress
from typing import Final

from hoodwink.service.application.errors import Busy, NotFound
from hoodwink.service.application.ports import Clock, StreamId
from hoodwink.service.application.streams.aggregates import TABLE, C, S
from hoodwink.service.application.streams.outages import Gaps, Outages
from hoodwink.service.application.streams.repository import Repository
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Tournaments
from hoodwink.service.application.work.due import DueKind, DueTimes
from hoodwink.service.application.work.tasks import TABLES_PER_TASK, Task, TaskQueue

_LOOK_EVERY_MS: Final = 1_000
_ALL: Final = 1_000_000
_END_OF_TIME: Final = 1 << 52  # Redis scores are doubles, which hold integers exactly up to 2**53

_STREAMS: Final[tuple[tuple[str, tuple[DueKind, ...]], ...]] = (
    ("table", ("work", "report")),
    ("tournament", ("round",)),
)
"""The kinds of due times that cover every table and tournament with an open deadline."""


class ClockMover:
    """Moves the deadlines of one table or tournament at a time. Several workers may do so at once."""

    def __init__(self, *, outages: Outages, tables: Tables, tournaments: Tournaments) -> None:
        self._outages = outages
        self._tables = tables
        self._tournaments = tournaments

    def move(self, stream: StreamId) -> None:
        """Moves its deadlines for each outage that has not moved them yet.

        Raises:
            StoreUnavailable: the store did not answer.
        """
        gaps = self._outages.gaps()
        if stream.category == TABLE.category:
            _move_all(self._tables, stream.id, gaps)
        else:
            _move_all(self._tournaments, stream.id, gaps)


def _move_all(repository: Repository[S, C], id_: str, gaps: Gaps) -> None:
    # If it is busy, nothing is lost: every worker that acts on a deadline looks for outages first.
    with suppress(NotFound, Busy):
        while repository.move_clocks(id_, gaps):
            pass


class OutageDispatcher:
    """Sends tasks that move the deadlines of all tables and tournaments with a due time, once for each outage."""

    def __init__(self, *, outages: Outages, due_times: DueTimes, tasks: TaskQueue, clock: Clock) -> None:
        self._outages = outages
        self._due_times = due_times
        self._tasks = tasks
        self._clock = clock
        self._look_at = 0
        # Not stored: after a restart the tasks for the last outage are sent again and find nothing to move.
        self._seen = 0

    def tick(self) -> None:
        """Looks for an outage once a second."""
        if self._clock.elapsed_ms() < self._look_at:
            return
        self._look_at = self._clock.elapsed_ms() + _LOOK_EVERY_MS
        ended = max((until for _, until in self._outages.gaps()), default=0)
        if ended > self._seen:
            for category, kinds in _STREAMS:
                self._send(category, kinds)
            # Only after all were sent: if the store fails in between, the next tick sends them again.
            self._seen = ended

    def _send(self, category: str, kinds: tuple[DueKind, ...]) -> None:
        due = [id_ for kind in kinds for id_ in self._due_times.due_by(kind, _END_OF_TIME, count=_ALL)]
        names = [f"{category}:{id_}" for id_ in dict.fromkeys(due)]
        for first in range(0, len(names), TABLES_PER_TASK):
            self._tasks.send(Task.MOVE_CLOCKS, *names[first : first + TABLES_PER_TASK])
