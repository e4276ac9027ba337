"""Dispatches work: from the feed to due times of tables and tournaments, and from due times to tasks for workers.

The next due time of each stream is stored, so that neither a lost task nor a killed process can lose it: a stream stays
due until a feed entry, or a worker who checked, records another time. A due time of an older version changes nothing,
so entries may come twice and late.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from domain.tables import IMMEDIATELY
from domain.tables.events import TableEnded, TableOpened, TableStarted
from service.application.aggregates import AGGREGATES, TABLE, TOURNAMENT
from service.application.ports import Clock, FeedEntry

GROUP = "reactions"

DueKind: TypeAlias = Literal["work", "rest", "report", "round"]

CATEGORIES: Final[Mapping[DueKind, str]] = MappingProxyType(
    {"work": "table", "rest": "table", "report": "table", "round": "tournament"}
)
"""The category of the streams that each kind of due time belongs to.

The kinds are part of Redis keys. They stay as they were, so that stored due times survive an upgrade.
"""


class Task(StrEnum):
    """A task for a worker.

    The values are part of the names in Celery. They stay as they were, so that tasks in the queue survive an upgrade.
    """

    RUN_TABLE = "attend"  # do what is due at tables
    RUN_BOTS = "bots"  # the same at tables without people, which come after all other work
    REPORT_TABLE = "report"  # report tables to their tournaments
    RUN_TOURNAMENT = "conduct"  # do what is due in tournaments


_TASKS: Final[Mapping[DueKind, Task]] = MappingProxyType(
    {
        "work": Task.RUN_TABLE,
        "rest": Task.RUN_TABLE,
        "report": Task.REPORT_TABLE,
        "round": Task.RUN_TOURNAMENT,
    }
)

RETRY_MS = 1_500
"""After this time a table that is still due gets another task."""

CROWDED_RETRY_MS = 10_000
"""The same while at least half of the tasks for due tables wait in the queue: then a task is late rather than lost."""

TABLES_PER_TASK = 16
"""A task costs as much as several visits, so tables that are due at the same moment share one, and also its round trips."""

_FORGET_MS = 60_000


NO_REQUESTS: Final[Mapping[str, str]] = MappingProxyType({})


class Due(msgspec.Struct, frozen=True, gc=False):
    """When a stream is due, and the event of which this is true.

    Attributes:
        version: of the event; 0 means that there is no such stream.
        head: the hash of the event at that version; empty if it is not known.
        at: ms since the epoch, or `None` if nothing is due.
        is_for_bots: whether the `work` is at a table where no person plays; the other kinds make no difference.
    """

    version: int
    head: str
    at: int | None
    is_for_bots: bool = False


class IdleTimes(NamedTuple):
    """After how long a table without people acting is ended, in ms.

    Attributes:
        open: from its opening on, if it has not started (G-17).
        playing: once it has started, from the last time on that a person acted (G-14).
    """

    open: int
    playing: int


class DueTimes(Protocol):
    """Stores when tables and tournaments are next due. Every call may raise `StoreUnavailable`.

    A table is due for `work` (a bot, a deal, a score, a clock), for `rest` (the moment from which it may have
    expired, or count as abandoned), and for `report` (its end or a no-show has to be reported to its tournament). A tournament is due for
    `round`: its next step.
    """

    def record(self, kind: DueKind, due: Mapping[str, Due]) -> None:
        """Records the due time of each stream by its id, unless one of a later version is on record.

        A due time of an event that the store does not hold changes nothing: it belongs to a history that is gone
        since the store came back older.
        """
        ...

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> dict[str, int]:
        """Returns up to `count` streams that are due by now, the longest due first: by id, since when in ms.

        Of `work`, up to `count` tables without people come after those of people.
        """
        ...


class TaskQueue(Protocol):
    """The queue of tasks for the workers. Every call may raise `StoreUnavailable`."""

    def send(
        self, task: Task, *ids: str, due_at: int | None = None, requests: Mapping[str, str] = NO_REQUESTS
    ) -> None:
        """Asks a worker to run a task for tables or tournaments.

        Args:
            task: what to do.
            ids: of the tables or tournaments.
            due_at: since when the first of them has been due, in ms since the epoch; `None` if the task goes on where
                another ended.
            requests: the request that led to it, by the id of a table or tournament, where it is known.
        """
        ...


class WaitingTasks(Protocol):
    """The tasks that no worker has taken yet. Every call may raise `StoreUnavailable`."""

    def waiting(self) -> Mapping[int, int]:
        """Returns their number by priority: 0 for all tasks but those for tables without people."""
        ...


class Job(NamedTuple):
    """A task for one table or tournament."""

    task: Task
    id: str


class Sent(NamedTuple):
    """When a job was last sent.

    Attributes:
        at: when it was sent, or an entry last showed its worker at work; in ms by the clock's `elapsed_ms`.
        until: the time then, in ms since the epoch; what becomes due later needs another task.
        share: the part of a task that this job is.
        goes_on: whether the worker is sure to find work, and goes on until nothing is due. One that is sent at a certain
            moment may find nothing, such as a bot that lets a chance pass, and end without an entry.
    """

    at: int
    until: int
    share: float = 1.0
    goes_on: bool = False


_NEVER = Sent(-_FORGET_MS, -1)


class Dispatcher:
    """Follows the feed, and sends tasks to the workers."""

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
        self._sent: dict[Job, Sent] = {}

    def dispatch(self, entries: Iterable[FeedEntry]) -> None:
        """Records the due times in the entries, then sends tasks for what is due immediately."""
        now = self._clock.now_ms()
        tables = entries_of(TABLE.category, entries)
        tournaments = entries_of(TOURNAMENT.category, entries)
        requests = {entry.stream.id: entry.request for entry in (*tables, *tournaments) if entry.request}
        immediate = set()
        for entry in (*tables, *tournaments):
            job = _job_of(entry)
            if entry.due.at == IMMEDIATELY:
                immediate.add(job)
            else:  # the worker there has finished, so the next task must not wait for it
                immediate.discard(job)
                self._sent.pop(job, None)
        reports = _reports(tables)
        # A report commits to the tournament's stream. An entry of the table is therefore news, and no sign that a worker
        # is reporting the table already.
        for table in reports:
            self._sent.pop(Job(Task.REPORT_TABLE, table), None)
        self._record("rest", self._rests(tables, now), now)
        self._follow_up(self._record("work", _works(tables, now), now), now, immediate, requests)
        self._follow_up(self._record("report", reports, now), now, immediate, requests)
        self._follow_up(self._record("round", _works(tournaments, now), now), now, immediate, requests)

    def _record(self, kind: DueKind, due: Mapping[str, Due], now: int) -> dict[Job, int]:
        """Records due times; returns those of the jobs that are due already."""
        self._due_times.record(kind, due)
        return {
            Job(_TASKS[kind], id_): due_at.at
            for id_, due_at in due.items()
            if due_at.at is not None and due_at.at <= now
        }

    def tick(self, *, count: int = 1_000) -> None:
        """Sends tasks for everything that is due and whose last task is lost or late."""
        now, elapsed = self._clock.now_ms(), self._clock.elapsed_ms()
        due: dict[Job, int] = {}
        for kind in get_args(DueKind):
            for id_, at in self._due_times.due_by(kind, now, count=count).items():
                job = Job(_TASKS[kind], id_)
                due[job] = max(at, due.get(job, at))
        # What is still due is not forgotten: it would count as new, and be sent to a broker that is full.
        self._sent = {
            job: sent for job, sent in self._sent.items() if job in due or elapsed - sent.at < _FORGET_MS
        }
        new = {job for job, at in due.items() if at > self._last(job).until}
        late = [job for job in due if job in new or elapsed - self._last(job).at >= RETRY_MS]
        if not late:
            return
        by_priority, tasks = self._broker.waiting(), max(1.0, sum(self._last(job).share for job in due))
        waiting = sum(by_priority.values())
        patience_ms = CROWDED_RETRY_MS if 2 * waiting >= tasks else RETRY_MS
        # While no worker takes tasks, more of them would only fill the broker. But those for tables without people wait
        # as long as there is other work, which must not wait for them: what is new is sent whatever their number.
        is_stuck, is_full = by_priority[0] >= 2 * tasks, waiting >= 2 * tasks
        sent = [
            job
            for job in late
            if (not is_stuck if job in new else not is_full and elapsed - self._last(job).at >= patience_ms)
        ]
        self._send({job: due[job] for job in sent}, now)

    def _last(self, job: Job) -> Sent:
        return self._sent.get(job, _NEVER)

    def _rests(self, entries: Sequence[FeedEntry], now: int) -> dict[str, Due]:
        # Only the opening, the start and the end of a table change this time. Actions put abandonment off, but recording that for
        # each of them would cost a write; the worker that comes too early records the time that is true by then.
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
        """Sends tasks for jobs, except for those whose worker wrote the entry, and goes on."""
        elapsed = self._clock.elapsed_ms()
        at_work = [job for job in due if self._last(job).goes_on]
        self._sent.update((job, self._sent[job]._replace(at=elapsed, until=now)) for job in at_work)
        idle = {job: at for job, at in due.items() if not self._last(job).goes_on}
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


def _job_of(entry: FeedEntry) -> Job:
    return Job(
        Task.RUN_TABLE if entry.stream.category == TABLE.category else Task.RUN_TOURNAMENT, entry.stream.id
    )


def _works(entries: Sequence[FeedEntry], now: int) -> dict[str, Due]:
    return {
        id_: Due(entry.version, entry.head, due_time(entry.due.at, now), entry.due.is_for_bots)
        for id_, entry in latest_entries(entries).items()
    }


def _reports(tables: Sequence[FeedEntry]) -> dict[str, Due]:
    return {
        id_: Due(entry.version, entry.head, at)
        for id_, entry in latest_entries(tables).items()
        if (at := entry.due.report_at) is not None
    }


def entries_of(category: str, entries: Iterable[FeedEntry]) -> list[FeedEntry]:
    """Returns the entries of a category, with the present names of event types that were renamed."""
    current_wire = AGGREGATES[category].current_wire
    return [
        _with_current_types(entry, current_wire) for entry in entries if entry.stream.category == category
    ]


def _with_current_types(entry: FeedEntry, current_wire: Callable[[str], str]) -> FeedEntry:
    types = tuple([current_wire(wire) for wire in entry.types])
    return entry if types == entry.types else replace(entry, types=types)


def latest_entries(entries: Iterable[FeedEntry]) -> dict[str, FeedEntry]:
    """Returns the latest entry of each stream, by id; all entries must be of one category."""
    latest: dict[str, FeedEntry] = {}
    for entry in entries:
        known = latest.get(entry.stream.id)
        if known is None or known.version < entry.version:
            latest[entry.stream.id] = entry
    return latest


def due_time(at: int | None, now: int) -> int | None:
    """Returns a due time in ms; what is due immediately is due now, after everything that was due before."""
    return now if at == IMMEDIATELY else at
