"""Limits work at tables without people to one slot of a worker, so that the others are free for people's tables."""

from collections.abc import Iterable, Sequence
from threading import Lock

from hoodwink.service.application.work.tasks import TABLES_PER_TASK

_FOLLOWING_TASKS = 2
"""Tasks that follow each task. With one, tables would wait here while other worker processes are idle."""


class BotTables:
    """The tables without people that this process works at or has to work at. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        # Only in memory: if the process is killed, the dispatcher sends tasks for these tables again.
        self._waiting: dict[str, None] = {}

    def begin(self, tables: Iterable[str]) -> bool:
        """Takes the slot, or returns False; the tables then wait until it is free."""
        with self._lock:
            # If it is taken, the task ends instead of waiting, so that its thread is free for people's tables.
            if self._is_taken:
                self._waiting |= dict.fromkeys(tables)
                return False
            self._is_taken = True
            return True

    def end(self, unfinished: Iterable[str]) -> Sequence[Sequence[str]]:
        """Frees the slot; returns the tables of each following task: first those that waited, then the unfinished."""
        with self._lock:
            self._is_taken = False
            tables = [*(self._waiting | dict.fromkeys(unfinished))]
            batches = [
                tables[first : first + TABLES_PER_TASK] for first in range(0, len(tables), TABLES_PER_TASK)
            ]
            # The others stay here: a task for them would most likely find the slot taken again.
            self._waiting = dict.fromkeys(tables[_FOLLOWING_TASKS * TABLES_PER_TASK :])
            return batches[:_FOLLOWING_TASKS]
