"""Turns the feed into work: which tables and tournaments are due, when, and the tasks that see to them.

What is due is kept as a stream's next due time, in the store, so that neither a lost task nor a
killed process can lose it: it stays due until its feed, or a worker who looked, says that it
is not. What is said of an older version changes nothing, so entries may come again and late.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from domain.tables import AT_ONCE
from domain.tables.events import TableEnded, TableStarted
from service.application.aggregates import AGGREGATES, TABLE, TOURNAMENT
from service.application.ports import Clock, FeedEntry

GROUP = "reactions"

DueKind: TypeAlias = Literal["work", "rest", "report", "round"]

CATEGORIES: Final[Mapping[DueKind, str]] = MappingProxyType(
    {"work": "table", "rest": "table", "report": "table", "round": "tournament"}
)
"""The category of the streams that are due for it."""


class Task(StrEnum):
    """What a worker can be asked for."""

    ATTEND = "attend"  # do what is due at tables
    REPORT = "report"  # let their tournaments know of tables
    CONDUCT = "conduct"  # do what is due in tournaments


_TASKS: Final[Mapping[DueKind, Task]] = MappingProxyType(
    {"work": Task.ATTEND, "rest": Task.ATTEND, "report": Task.REPORT, "round": Task.CONDUCT}
)

RETRY_MS = 1_500
"""A table still due so long after its task was sent gets another one."""

CROWDED_RETRY_MS = 10_000
"""The same while at least half of the tasks for the tables due wait: then a task is late rather than lost."""

TABLES_PER_TASK = 4
"""A task costs as much as several visits, so what is due at the same moment shares one."""

_FORGET_MS = 60_000


class Due(msgspec.Struct, frozen=True, gc=False):
    """When a stream is due, and the event after which this was true.

    Attributes:
        version: of the stream; 0 says that there is no such stream.
        head: the hash of the event at that version; empty where it was never noted.
        at: ms since the epoch, or `None` if nothing is due.
    """

    version: int
    head: str
    at: int | None


class DueTimes(Protocol):
    """When tables and tournaments are next due. Every call may raise `StoreUnavailable`.

    A table is due for `work` (a bot, a deal, a score, a clock) and, apart from that, for `rest`: the moment at
    which it may have been abandoned, and for `report`: when its tournament has to know that somebody did not appear
    or that the table ended. A tournament is due for `round`: what it does by itself.
    """

    def record(self, kind: DueKind, due: Mapping[str, Due]) -> None:
        """Sets the due time of each stream by its id, unless that of a later version is known.

        A due time of an event that the store does not hold changes nothing: it was true of a history
        that is gone since the store came back older.
        """
        ...

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> list[str]:
        """Returns the ids of up to `count` streams due by now, longest due first."""
        ...


class TaskQueue(Protocol):
    """Where the workers take their tasks from. Every call may raise `StoreUnavailable`."""

    def send(self, task: Task, *ids: str) -> None:
        """Asks a worker to carry out a task for tables or tournaments, one after the other."""
        ...

    def waiting(self) -> int:
        """Returns how many tasks wait for a worker."""
        ...


class Job(NamedTuple):
    """A task for one table or tournament."""

    task: Task
    id: str


class Sent(NamedTuple):
    """When a job was last sent.

    Attributes:
        at: by the clock's `elapsed_ms`, when it was sent or last seen at work.
        share: the part of its message that is this job's.
    """

    at: int
    share: float


_NEVER = Sent(-_FORGET_MS, 1.0)


class Dispatcher:
    """Follows the feed as one reader and keeps the workers busy."""

    def __init__(self, *, due_times: DueTimes, tasks: TaskQueue, clock: Clock, abandon_after_ms: int) -> None:
        self._due_times = due_times
        self._tasks = tasks
        self._clock = clock
        self._abandon_after_ms = abandon_after_ms
        self._sent: dict[Job, Sent] = {}

    def note(self, entries: Iterable[FeedEntry]) -> None:
        """Records what the entries say is due, then sends for what is due at once."""
        now = self._clock.now_ms()
        tables = entries_of(TABLE.category, entries)
        tournaments = entries_of(TOURNAMENT.category, entries)
        for entry in (*tables, *tournaments):
            if entry.due.at != AT_ONCE:  # whoever was at work there came to an end
                self._sent.pop(_job_of(entry), None)
        reports = _reports(tables)
        for table in reports:  # the entry comes from the table, not from who reports
            self._sent.pop(Job(Task.REPORT, table), None)
        self._record("rest", self._rests(tables, now), now)
        self._follow_up(self._record("work", _works(tables, now), now))
        self._follow_up(self._record("report", reports, now))
        self._follow_up(self._record("round", _works(tournaments, now), now))

    def _record(self, kind: DueKind, due: Mapping[str, Due], now: int) -> list[Job]:
        """Records due times; returns the jobs among them that are due already."""
        self._due_times.record(kind, due)
        return [Job(_TASKS[kind], id_) for id_, one in due.items() if one.at is not None and one.at <= now]

    def tick(self, *, count: int = 1_000) -> None:
        """Sends for everything whose due time has come and whose last task is lost or late."""
        now, elapsed = self._clock.now_ms(), self._clock.elapsed_ms()
        self._sent = {job: sent for job, sent in self._sent.items() if elapsed - sent.at < _FORGET_MS}
        due = dict.fromkeys(
            Job(_TASKS[kind], id_)
            for kind in get_args(DueKind)
            for id_ in self._due_times.due_by(kind, now, count=count)
        )
        late = [job for job in due if elapsed - self._last(job).at >= RETRY_MS]
        if not late:
            return
        waiting, tasks = self._tasks.waiting(), max(1.0, sum(self._last(job).share for job in due))
        if waiting >= 2 * tasks:  # nobody takes them; more would only fill the broker
            return
        patience_ms = CROWDED_RETRY_MS if 2 * waiting >= tasks else RETRY_MS
        self._send([job for job in late if elapsed - self._last(job).at >= patience_ms])

    def _last(self, job: Job) -> Sent:
        return self._sent.get(job, _NEVER)

    def _rests(self, entries: Sequence[FeedEntry], now: int) -> dict[str, Due]:
        rests = {}
        for entry in entries:
            if TableStarted.wire in entry.types:
                rests[entry.stream.id] = Due(entry.version, entry.head, now + self._abandon_after_ms)
            if TableEnded.wire in entry.types:
                rests[entry.stream.id] = Due(entry.version, entry.head, None)
        return rests

    def _follow_up(self, jobs: Sequence[Job]) -> None:
        """Sends for jobs, except where the entry comes from somebody who is at work there."""
        elapsed = self._clock.elapsed_ms()
        self._sent.update((job, self._sent[job]._replace(at=elapsed)) for job in jobs if job in self._sent)
        self._send([job for job in jobs if job not in self._sent])

    def _send(self, jobs: Iterable[Job]) -> None:
        elapsed = self._clock.elapsed_ms()
        for task, alike in groupby(sorted(jobs, key=lambda job: job.task), key=lambda job: job.task):
            ids = [job.id for job in alike]
            for first in range(0, len(ids), TABLES_PER_TASK):
                together = ids[first : first + TABLES_PER_TASK]
                self._tasks.send(task, *together)
                sent = Sent(elapsed, 1 / len(together))
                self._sent.update((Job(task, id_), sent) for id_ in together)


def _job_of(entry: FeedEntry) -> Job:
    return Job(Task.ATTEND if entry.stream.category == TABLE.category else Task.CONDUCT, entry.stream.id)


def _works(entries: Sequence[FeedEntry], now: int) -> dict[str, Due]:
    return {
        id_: Due(entry.version, entry.head, due_time(entry.due.at, now))
        for id_, entry in latest_entries(entries).items()
    }


def _reports(tables: Sequence[FeedEntry]) -> dict[str, Due]:
    return {
        id_: Due(entry.version, entry.head, at)
        for id_, entry in latest_entries(tables).items()
        if (at := entry.due.report_at) is not None
    }


def entries_of(category: str, entries: Iterable[FeedEntry]) -> list[FeedEntry]:
    """Returns the entries of a category; an event type that was renamed since goes by its present name."""
    current_wire = AGGREGATES[category].current_wire
    return [
        _with_current_types(entry, current_wire) for entry in entries if entry.stream.category == category
    ]


def _with_current_types(entry: FeedEntry, current_wire: Callable[[str], str]) -> FeedEntry:
    types = tuple([current_wire(wire) for wire in entry.types])
    return entry if types == entry.types else replace(entry, types=types)


def latest_entries(entries: Iterable[FeedEntry]) -> dict[str, FeedEntry]:
    """Returns the entry of the highest version of each stream of one category."""
    latest: dict[str, FeedEntry] = {}
    for entry in entries:
        known = latest.get(entry.stream.id)
        if known is None or known.version < entry.version:
            latest[entry.stream.id] = entry
    return latest


def due_time(at: int | None, now: int) -> int | None:
    """Returns when something is due, in ms; what is due at once is due now, behind what was due before."""
    return now if at == AT_ONCE else at
