"""The tasks of the workers, and the port of their queue."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol


class Task(StrEnum):
    """A task for a worker.

    The values are part of the names in Celery, so they must not be renamed: tasks in the queue survive an upgrade.
    """

    RUN_TABLE = "attend"  # do the work due at tables
    RUN_BOTS = "bots"  # the same at tables without people, with the lowest priority
    REPORT_TABLE = "report"  # report tables to their tournaments
    RUN_TOURNAMENT = "conduct"  # do the work due in tournaments
    RUN_SERIES = "season"  # open the tournaments of series
    REPORT_TOURNAMENT = "result"  # count tournaments in their series
    THINK = "think"  # think for bots at tables, in processes of their own
    CALL = "call"  # call players to their tables by pushes, in a process of its own
    ANNOUNCE = "announce"  # call entrants to an announcement, in the same process
    NUDGE = "nudge"  # call players who were nudged, in the same process
    OFFER_ENTRIES = "offer"  # call players to whom an entry or a place is offered, in the same process
    MOVE_CLOCKS = "clocks"  # move the deadlines of tables and tournaments after an outage


TABLES_PER_TASK = 16
"""A task costs as much as several visits, so tables that are due at the same moment share one and its round trips."""

NO_REQUESTS: Final[Mapping[str, str]] = MappingProxyType({})


class TaskQueue(Protocol):
    """The workers' queue. Every call may raise `StoreUnavailable`."""

    def send(
        self, task: Task, *ids: str, due_at: int | None = None, requests: Mapping[str, str] = NO_REQUESTS
    ) -> None:
        """Asks a worker to run a task for tables or tournaments.

        Args:
            task: what to do.
            ids: of the tables or tournaments.
            due_at: since when the first of them has been due, in ms since the epoch; `None` if the task continues
                another one.
            requests: the ids of the requests that caused the task, by table or tournament, where they are known.
        """
        ...


class WaitingTasks(Protocol):
    """The tasks that no worker has taken yet. Every call may raise `StoreUnavailable`."""

    def waiting(self) -> Mapping[int, int]:
        """Returns their number by priority; all tasks except those for tables without people have priority 0."""
        ...
