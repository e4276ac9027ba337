"""Dispatches work: from the feed to due times of tables, tournaments and series, and from due times to tasks for workers.

The next due time of each stream is stored, so that neither a lost task nor a killed process can lose it. A stream
stays due until a feed entry, or a worker that looked at it, records another time. A due time of an older version
changes nothing, so entries may come twice and late.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final, NamedTuple, get_args

from hoodwink.domain.due_times import IMMEDIATELY
from hoodwink.domain.tables.events import TableEnded, TableOpened, TableStarted
from hoodwink.service.application.ports import Clock, FeedEntry
from hoodwink.service.application.streams.aggregates import SERIES, TABLE, TOURNAMENT
from hoodwink.service.application.streams.feed import entries_of, latest_entries
from hoodwink.service.application.work.due import Due, DueKind, DueTimes, IdleTimes, due_time
from hoodwink.service.application.work.tasks import (
    NO_REQUESTS,
    TABLES_PER_TASK,
    Task,
    TaskQueue,
    WaitingTasks,
)

_TASKS: Final[Mapping[DueKind, Task]] = MappingProxyType(
    {
        "work": Task.RUN_TABLE,
        "rest": Task.RUN_TABLE,
        "report": Task.REPORT_TABLE,
        "round": Task.RUN_TOURNAMENT,
        "result": Task.REPORT_TOURNAMENT,
        "season": Task.RUN_SERIES,
    }
)

RETRY_MS = 1_500
"""After this time a table that is still due gets another task."""

CROWDED_RETRY_MS = 10_000
"""The same while at least half of the tasks for due tables are in the queue: then a task is late rather than lost."""

_FORGET_MS = 60_000


class Job(NamedTuple):
    """A task for one table, tournament or series."""

    task: Task
    id: str


class Sent(NamedTuple):
    """When a job was last sent.

    Attributes:
        at: when it was last sent, or an entry last showed its worker at work, in ms by `Clock.elapsed_ms`.
        until: the same moment in ms since the epoch; work that becomes due later needs another task.
        share: the job's share of its task, which may contain several jobs.
        is_at_work: whether the worker is sure to find work and to continue until nothing is due. A worker that is
            sent for a certain moment may find nothing, because a bot passes, and then ends without an entry.
    """

    at: int
    until: int
    share: float = 1.0
    is_at_work: bool = False


_NEVER = Sent(-_FORGET_MS, -1)


class Dispatcher:
    """Follows the feed and sends tasks to the workers."""

    def __init__(
        self,
        *,
        due_times: DueTimes,
        tasks: TaskQueue,
        broker: WaitingTasks,
        clock: Clock,
        idle_times: IdleTimes,
    ) -> None:
        self._due_times = due_times
        self._tasks = tasks
        self._broker = broker
        self._clock = clock
        self._idle_times = idle_times
        # Only in memory: after a restart all due work is sent once more, and a second visit finds nothing.
        self._sent: dict[Job, Sent] = {}

    def dispatch(self, entries: Iterable[FeedEntry]) -> None:
        """Sends tasks for immediate work, and records the due times in the entries."""
        now = self._clock.now_ms()
        tables = entries_of(TABLE.category, entries)
        tournaments = entries_of(TOURNAMENT.category, entries)
        series = entries_of(SERIES.category, entries)
        working = (*tables, *tournaments, *series)
        requests = {entry.stream.id: entry.request for entry in working if entry.request}
        immediate = set()
        for entry in working:
            job = _job_of(entry)
            if entry.due.at == IMMEDIATELY:
                immediate.add(job)
            else:  # the worker has finished there, so the next task must not wait for it
                immediate.discard(job)
                self._sent.pop(job, None)
        reports, results = _report_due_times(tables), _report_due_times(tournaments)
        # A report is appended to the tournament's stream. An entry of the table is therefore news, and does not
        # show that a worker is reporting the table already. The same goes for a tournament and its series.
        for table in reports:
            self._sent.pop(Job(Task.REPORT_TABLE, table), None)
        for tournament in results:
            self._sent.pop(Job(Task.REPORT_TOURNAMENT, tournament), None)
        found: dict[DueKind, dict[str, Due]] = {
            "work": _work_due_times(tables, now),
            "report": reports,
            "round": _work_due_times(tournaments, now),
            "result": results,
            "season": _work_due_times(series, now),
        }
        # Tasks come first, because people wait for them. If this process is killed before the due times are recorded,
        # the entries come again, since they have not been acknowledged.
        try:
            for kind, due in found.items():
                self._follow_up(_due_jobs(kind, due, now), now, immediate, requests)
        finally:
            self._due_times.record({**found, "rest": self._rest_due_times(tables, now)})

    def tick(self, *, count: int = 1_000) -> None:
        """Sends tasks for all due work whose last task is lost or late."""
        now = self._clock.now_ms()
        due = self._due(now, count)
        self._forget(due)
        new = {job for job, at in due.items() if at > self._last(job).until}
        late = [job for job in due if job in new or self._waited_ms(job) >= RETRY_MS]
        if late:
            sendable = self._sendable(late, new, tasks=max(1.0, sum(self._last(job).share for job in due)))
            self._send({job: due[job] for job in sendable}, now)

    def _due(self, now: int, count: int) -> dict[Job, int]:
        due: dict[Job, int] = {}
        for kind in get_args(DueKind):
            for id_, at in self._due_times.due_by(kind, now, count=count).items():
                job = Job(_TASKS[kind], id_)
                # Two kinds of due times share a task. It must be sent again if it was too early for the later one.
                due[job] = max(at, due.get(job, at))
        return due

    def _forget(self, due: Collection[Job]) -> None:
        # Jobs that are still due are not forgotten: they would count as new and be sent to a broker that is full.
        self._sent = {
            job: sent for job, sent in self._sent.items() if job in due or self._waited_ms(job) < _FORGET_MS
        }

    def _sendable(self, late: Sequence[Job], new: Collection[Job], *, tasks: float) -> list[Job]:
        """Returns the late jobs for which the broker has room; `tasks` is the number of tasks for all that is due."""
        by_priority = self._broker.waiting()
        waiting = sum(by_priority.values())
        patience_ms = CROWDED_RETRY_MS if 2 * waiting >= tasks else RETRY_MS
        # While no worker takes tasks, more of them would only fill the broker. Waiting tasks for tables without
        # people do not keep back new work: they wait for all other work anyway.
        is_stuck, is_full = by_priority[0] >= 2 * tasks, waiting >= 2 * tasks
        return [
            job
            for job in late
            if (not is_stuck if job in new else not is_full and self._waited_ms(job) >= patience_ms)
        ]

    def _waited_ms(self, job: Job) -> int:
        return self._clock.elapsed_ms() - self._last(job).at

    def _last(self, job: Job) -> Sent:
        return self._sent.get(job, _NEVER)

    def _rest_due_times(self, entries: Sequence[FeedEntry], now: int) -> dict[str, Due]:
        # Every action delays abandonment, but recording that would cost a write for each. So only the opening, the
        # start and the end of a table change this time, and a worker that comes too early records the correct one.
        due = {}
        for entry in entries:
            if TableOpened.wire in entry.types:
                due[entry.stream.id] = Due(entry.version, entry.head, now + self._idle_times.open)
            if TableStarted.wire in entry.types:
                due[entry.stream.id] = Due(entry.version, entry.head, now + self._idle_times.playing)
            if TableEnded.wire in entry.types:
                due[entry.stream.id] = Due(entry.version, entry.head, None)
        return due

    def _follow_up(
        self, due: Mapping[Job, int], now: int, immediate: Collection[Job], requests: Mapping[str, str]
    ) -> None:
        """Sends tasks for jobs, unless the worker that wrote the entry continues with them."""
        # Another task would find nothing to do, unless the worker was killed; then `tick` sends one.
        elapsed = self._clock.elapsed_ms()
        at_work = [job for job in due if self._last(job).is_at_work]
        self._sent.update((job, self._sent[job]._replace(at=elapsed, until=now)) for job in at_work)
        idle = {job: at for job, at in due.items() if not self._last(job).is_at_work}
        self._send(idle, now, immediate, requests)

    def _send(
        self,
        due: Mapping[Job, int],
        now: int,
        immediate: Collection[Job] = (),
        requests: Mapping[str, str] = NO_REQUESTS,
    ) -> None:
        elapsed = self._clock.elapsed_ms()
        for task, alike in groupby(sorted(due, key=lambda job: job.task), key=lambda job: job.task):
            jobs = list(alike)
            for first in range(0, len(jobs), TABLES_PER_TASK):
                together = jobs[first : first + TABLES_PER_TASK]
                ids = [job.id for job in together]
                known = {id_: requests[id_] for id_ in ids if id_ in requests}
                self._tasks.send(task, *ids, due_at=min(due[job] for job in together), requests=known)
                for job in together:
                    self._sent[job] = Sent(elapsed, now, 1 / len(together), job in immediate)


_WORK: Final[Mapping[str, Task]] = MappingProxyType(
    {
        TABLE.category: Task.RUN_TABLE,
        TOURNAMENT.category: Task.RUN_TOURNAMENT,
        SERIES.category: Task.RUN_SERIES,
    }
)
"""The task that does the work in a stream itself, by category."""


def _job_of(entry: FeedEntry) -> Job:
    return Job(_WORK[entry.stream.category], entry.stream.id)


def _due_jobs(kind: DueKind, due: Mapping[str, Due], now: int) -> dict[Job, int]:
    """Returns since when those jobs are due that are due already."""
    return {
        Job(_TASKS[kind], id_): due_at.at
        for id_, due_at in due.items()
        if due_at.at is not None and due_at.at <= now
    }


def _work_due_times(entries: Sequence[FeedEntry], now: int) -> dict[str, Due]:
    return {
        id_: Due(entry.version, entry.head, due_time(entry.due.at, now), entry.due.is_for_bots)
        for id_, entry in latest_entries(entries).items()
    }


def _report_due_times(tables: Sequence[FeedEntry]) -> dict[str, Due]:
    return {
        id_: Due(entry.version, entry.head, at)
        for id_, entry in latest_entries(tables).items()
        if (at := entry.due.report_at) is not None
    }
