"""Turns the feed into work: which tables are due, when, and the tasks that attend to them.

What is due is kept as a table's next due time, in the store, so that neither a lost task nor a
killed process can lose it: a table stays due until its feed says that it is not.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, Protocol, TypeAlias, get_args

from domain.tables.events import TableEnded, TableStarted
from service.application.ports import Clock, FeedEntry

GROUP = "reactions"

DueKind: TypeAlias = Literal["work", "rest"]

RETRY_MS = 1_500
"""A table still due so long after its task was sent gets another one."""

_FORGET_MS = 60_000


class DueTimes(Protocol):
    """When tables are next due, in ms since the epoch. Every call may raise `StoreUnavailable`.

    A table is due for `work` (a bot, a deal, a score, a clock) and, apart from that, for `rest`:
    the moment at which it may have been abandoned.
    """

    def record(self, kind: DueKind, due: Mapping[str, int | None]) -> None:
        """Sets each table's due time; `None` means no longer due."""
        ...

    def due_by(self, kind: DueKind, now_ms: int, *, count: int) -> list[str]:
        """Returns up to `count` tables due by now, longest due first."""
        ...


class TaskQueue(Protocol):
    """Where the workers take their tasks from."""

    def attend(self, table_id: str) -> None:
        """Asks a worker to attend to a table."""
        ...


class Dispatcher:
    """Follows the feed as one reader and keeps the workers busy."""

    def __init__(self, *, due_times: DueTimes, tasks: TaskQueue, clock: Clock, abandon_after_ms: int) -> None:
        self._due_times = due_times
        self._tasks = tasks
        self._clock = clock
        self._abandon_after_ms = abandon_after_ms
        self._sent: dict[str, int] = {}

    def note(self, entries: Iterable[FeedEntry]) -> None:
        """Records what the entries say is due, then sends for the tables due at once."""
        now = self._clock.now_ms()
        tables = [entry for entry in entries if entry.stream.category == "table"]
        latest = {entry.stream.id: entry.due for entry in tables}
        self._due_times.record("work", {table: _due_time(due, now) for table, due in latest.items()})
        self._due_times.record("rest", dict(self._rests(tables, now)))
        for table, due in latest.items():
            if due == "work":
                self._send(table, now)
            else:
                self._sent.pop(table, None)

    def tick(self, *, count: int = 1_000) -> None:
        """Sends for every table whose due time has come and whose last task is lost or late."""
        now = self._clock.now_ms()
        self._sent = {table: at for table, at in self._sent.items() if now - at < _FORGET_MS}
        for kind in get_args(DueKind):
            for table in self._due_times.due_by(kind, now, count=count):
                self._send(table, now)

    def _rests(self, entries: Iterable[FeedEntry], now: int) -> Iterator[tuple[str, int | None]]:
        for entry in entries:
            if TableStarted.wire in entry.types:
                yield entry.stream.id, now + self._abandon_after_ms
            if TableEnded.wire in entry.types:
                yield entry.stream.id, None

    def _send(self, table: str, now: int) -> None:
        if now - self._sent.get(table, 0) < RETRY_MS:
            return
        self._tasks.attend(table)
        self._sent[table] = now


def _due_time(due: str, now: int) -> int | None:
    if due == "work":
        return now
    kind, _, at = due.partition(":")
    return int(at) if kind == "clock" else None
