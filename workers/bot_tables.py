"""Keeps the work at tables without people to one slot of a worker, so that the others are free for tables with people."""

from collections.abc import Iterable, Sequence
from threading import Lock

from hoodwink.service.application.work.tasks import TABLES_PER_TASK

_TASKS_AFTER_ONE = 2
"""So many tasks follow on each: one would leave tables to wait here while the workers of other processes are idle."""


class BotTables:
    """The tables without people that this process works at or shall work at. Safe to share between threads.

    They are in memory only: if the process is killed, the dispatcher sends tasks for them again.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        self._waiting: dict[str, None] = {}

    def begin(self, tables: Iterable[str]) -> bool:
        """Takes the slot; returns false if it is taken, and then the tables wait until it is free."""
        with self._lock:
            if self._is_taken:
                self._waiting |= dict.fromkeys(tables)
                return False
            self._is_taken = True
            return True

    def end(self, unfinished: Iterable[str]) -> Sequence[Sequence[str]]:
        """Frees the slot; returns the tables of each task that has to follow: those that waited, then the unfinished."""
        with self._lock:
            self._is_taken = False
            tables = [*(self._waiting | dict.fromkeys(unfinished))]
            batches = [
                tables[first : first + TABLES_PER_TASK] for first in range(0, len(tables), TABLES_PER_TASK)
            ]
            self._waiting = dict.fromkeys(tables[_TASKS_AFTER_ONE * TABLES_PER_TASK :])
            return batches[:_TASKS_AFTER_ONE]
