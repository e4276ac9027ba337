"""Turns the feed into work: which tables are due, when, and the tasks that attend to them.

What is due is kept as a table's next due time, in the store, so that neither a lost task nor a
killed process can lose it: a table stays due until its feed, or a worker who looked, says that it
is not. What is said of an older version changes nothing, so entries may come again and late.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from domain.tables.events import TableEnded, TableStarted
from service.application.aggregates import AGGREGATES, TABLE
from service.application.ports import Clock, FeedEntry

GROUP = "reactions"

DueKind: TypeAlias = Literal["work", "rest"]

RETRY_MS = 1_500
"""A table still due so long after its task was sent gets another one."""

CROWDED_RETRY_MS = 10_000
"""The same while at least half of the tasks for the tables due wait: then a task is late rather than lost."""

TABLES_PER_TASK = 4
"""A task costs as much as several visits, so tables due at the same moment share one."""

_FORGET_MS = 60_000


class Due(msgspec.Struct, frozen=True, gc=False):
    """When a table is due, and the event after which this was true.

    Attributes:
        version: of the table; 0 says that there is no such table.
        head: the hash of the event at that version; empty where it was never noted.
        at: ms since the epoch, or `None` if nothing is due.
    """

    version: int
    head: str
    at: int | None


class DueTimes(Protocol):
    """When tables are next due. Every call may raise `StoreUnavailable`.

    A table is due for `work` (a bot, a deal, a score, a clock) and, apart from that, for `rest`:
    the moment at which it may have been abandoned.
    """

    def record(self, kind: DueKind, due: Mapping[str, Due]) -> None:
        """Sets each table's due time, unless that of a later version is known.

        A due time of an event that the store does not hold changes nothing: it was true of a history
        that is gone since the store came back older.
        """
        ...

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> list[str]:
        """Returns up to `count` tables due by now, longest due first."""
        ...


class TaskQueue(Protocol):
    """Where the workers take their tasks from. Every call may raise `StoreUnavailable`."""

    def attend(self, *table_ids: str) -> None:
        """Asks a worker to attend to tables, one after the other."""
        ...

    def waiting(self) -> int:
        """Returns how many tasks wait for a worker."""
        ...


class Sent(NamedTuple):
    """A table's last task.

    Attributes:
        at: by the clock's `elapsed_ms`, when it was sent or last seen at work.
        share: the part of it that is this table's.
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
        self._sent: dict[str, Sent] = {}

    def note(self, entries: Iterable[FeedEntry]) -> None:
        """Records what the entries say is due, then sends for the tables due at once."""
        now = self._clock.now_ms()
        tables = entries_of(TABLE.category, entries)
        latest = latest_entries(tables)
        due = {
            table: Due(entry.version, entry.head, due_time(entry.due, now)) for table, entry in latest.items()
        }
        self._due_times.record("work", due)
        self._due_times.record("rest", self._rests(tables, now))
        for entry in tables:
            if entry.due != "work":  # whoever was at work there came to an end
                self._sent.pop(entry.stream.id, None)
        self._follow_up([table for table, one in due.items() if one.at is not None and one.at <= now])

    def tick(self, *, count: int = 1_000) -> None:
        """Sends for every table whose due time has come and whose last task is lost or late."""
        now, elapsed = self._clock.now_ms(), self._clock.elapsed_ms()
        self._sent = {table: sent for table, sent in self._sent.items() if elapsed - sent.at < _FORGET_MS}
        due = dict.fromkeys(
            table for kind in get_args(DueKind) for table in self._due_times.due_by(kind, now, count=count)
        )
        late = [table for table in due if elapsed - self._last(table).at >= RETRY_MS]
        if not late:
            return
        waiting, tasks = self._tasks.waiting(), max(1.0, sum(self._last(table).share for table in due))
        if waiting >= 2 * tasks:  # nobody takes them; more would only fill the broker
            return
        patience_ms = CROWDED_RETRY_MS if 2 * waiting >= tasks else RETRY_MS
        self._send([table for table in late if elapsed - self._last(table).at >= patience_ms])

    def _last(self, table: str) -> Sent:
        return self._sent.get(table, _NEVER)

    def _rests(self, entries: Sequence[FeedEntry], now: int) -> dict[str, Due]:
        rests = {}
        for entry in entries:
            if TableStarted.wire in entry.types:
                rests[entry.stream.id] = Due(entry.version, entry.head, now + self._abandon_after_ms)
            if TableEnded.wire in entry.types:
                rests[entry.stream.id] = Due(entry.version, entry.head, None)
        return rests

    def _follow_up(self, tables: Sequence[str]) -> None:
        """Sends for tables, except where the entry comes from somebody who is at work there."""
        elapsed = self._clock.elapsed_ms()
        self._sent.update(
            (table, self._sent[table]._replace(at=elapsed)) for table in tables if table in self._sent
        )
        self._send([table for table in tables if table not in self._sent])

    def _send(self, tables: Sequence[str]) -> None:
        elapsed = self._clock.elapsed_ms()
        for first in range(0, len(tables), TABLES_PER_TASK):
            together = tables[first : first + TABLES_PER_TASK]
            self._tasks.attend(*together)
            self._sent.update(dict.fromkeys(together, Sent(elapsed, 1 / len(together))))


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


def due_time(due: str, now: int) -> int | None:
    """Returns when that is due, in ms, which the table itself said with `work_due`."""
    if due == "work":
        return now
    kind, _, at = due.partition(":")
    return int(at) if kind == "clock" else None
