"""The queues of tasks and jobs. Senders do not need Celery itself."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from uuid import uuid4

from hoodwink.service.adapters.tasks.broker import Broker
from hoodwink.service.adapters.tasks.messages import task_message
from hoodwink.service.application.work.tasks import NO_REQUESTS, Task


def task_name(task: Task) -> str:
    return f"hoodwink.{task}"


def priority_of(task: Task) -> int:
    return PRIORITIES.get(task, 0)


RUN_JOB: Final = "hoodwink.job"
"""The name of the task that runs a job."""

DUE_AT: Final = "due_at"
REQUESTS: Final = "requests"

MAX_WAITING: Final = 1_000
"""More tasks do not wait for thinkers or pushes. *Steady* moves instead of a bot that thinks, and a push is dropped."""

_LAST: Final = 9

PRIORITIES: Final[Mapping[Task, int]] = MappingProxyType({Task.RUN_BOTS: _LAST})
"""The priority of tasks that come last; others have 0. With Redis as the broker, lower numbers are served first."""


class CeleryJobQueue:
    """Sends jobs to the job workers. Safe to share between threads."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def send_job(self, job_id: str, *, is_large: bool) -> None:
        """Sends the task of a job. Large jobs wait for all others. Raises `StoreUnavailable`."""
        priority = _LAST if is_large else 0
        self._broker.send(
            task_message(RUN_JOB, (job_id,), task_id=uuid4().hex, priority=priority, headers={}), priority
        )


class CeleryTaskQueue:
    """Sends tasks to the workers. Safe to share between threads."""

    def __init__(self, broker: Broker, *, thinkers: Broker, pushes: Broker) -> None:
        """Takes the queue of the workers, that of the thinkers, and that of the push worker."""
        self._broker = broker
        # Their queues are limited, so that nothing fills up while nobody takes from them.
        self._limited = {
            Task.THINK: thinkers,
            Task.CALL: pushes,
            Task.ANNOUNCE: pushes,
            Task.NUDGE: pushes,
            Task.OFFER_ENTRIES: pushes,
        }

    def send(
        self, task: Task, *ids: str, due_at: int | None = None, requests: Mapping[str, str] = NO_REQUESTS
    ) -> None:
        """Sends a task for tables or tournaments, with `due_at` and `requests` in its headers."""
        message = task_message(
            task_name(task),
            ids,
            task_id=f"{task}:{','.join(ids)}:{uuid4().hex}",
            priority=priority_of(task),
            headers={DUE_AT: due_at, REQUESTS: dict(requests)},
        )
        limited = self._limited.get(task)
        if limited is None:
            self._broker.send(message, priority_of(task))
        elif limited.waiting()[0] < MAX_WAITING:
            limited.send(message, 0)
