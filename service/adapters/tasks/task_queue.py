"""The Celery application that senders and workers of tasks share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final
from uuid import uuid4

import kombu
from celery import Celery
from celery.app.amqp import AMQP
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from hoodwink.service.adapters.tasks.broker import JOB_KEYS, TASK_KEYS
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.work.tasks import NO_REQUESTS, Task
from hoodwink.service.settings import celery_url


def task_name(task: Task) -> str:
    return f"hoodwink.{task}"


VISIBILITY_SECONDS = 60
"""Seconds after which an unacknowledged task is given to another worker. No task takes that long."""

JOB_VISIBILITY_SECONDS: Final = 240
"""The same for jobs, which take longer. They have their own keys, because all workers on the same keys share this time."""

RUN_JOB: Final = "hoodwink.job"
"""The name of the task that runs a job."""


DUE_AT: Final = "due_at"
_REQUESTS: Final = "requests"

_LAST: Final = 9

_PRIORITIES: Final[Mapping[Task, int]] = MappingProxyType({Task.RUN_BOTS: _LAST})
"""The priority of tasks that come last; others have 0. With Redis as the broker, lower numbers are served first."""


class _PatientConnection(kombu.Connection):
    """Tries to reach a lost broker once a second. Celery's own pause would grow to half a minute."""

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        return super().ensure_connection(*args, **{"interval_start": 1, "interval_step": 0} | options)


class _PatientAMQP(AMQP):
    Connection: type[kombu.Connection] = _PatientConnection


def celery_application(
    broker_url: str, *, keys: str = TASK_KEYS, visibility_seconds: int = VISIBILITY_SECONDS
) -> Celery:
    """Returns the Celery application. A task survives its worker, and results are not stored."""
    application = Celery("hoodwink", broker=celery_url(broker_url), amqp=_PatientAMQP, set_as_current=False)
    application.conf.update(
        task_acks_late=True,
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=True,
        broker_connection_retry_on_startup=True,
        # A worker that reconnects may never take a task again (celery issues 8091, 9054, 10302), because the tasks
        # it could not acknowledge occupy its slots. So it ends with its connection (see
        # hoodwink.workers.celery_worker).
        broker_connection_retry=False,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": visibility_seconds,
            "unacked_restore_interval": 5,
            # by default kombu restores only at every tenth poll, up to forty seconds late
            "unacked_restore_throttle": 1,
            "global_keyprefix": keys,
            "priority_steps": [0, *_PRIORITIES.values()],  # only these, because each is another list to poll
        },
    )
    return application


def job_application(broker_url: str) -> Celery:
    application = celery_application(broker_url, keys=JOB_KEYS, visibility_seconds=JOB_VISIBILITY_SECONDS)
    # If a pool process is killed, for instance because memory ran out, another one starts its job again.
    application.conf.task_reject_on_worker_lost = True
    # Celery would wait ten seconds for a late result of the killed process, but nobody sends results.
    application.conf.worker_lost_wait = 1.0
    return application


class CeleryJobQueue:
    """Sends jobs to the job workers. Safe to share between threads."""

    def __init__(self, application: Celery) -> None:
        self._application = application

    def send_job(self, job_id: str, *, is_large: bool) -> None:
        """Sends the task of a job. Large jobs wait for all others. Raises `StoreUnavailable`."""
        priority = _LAST if is_large else 0
        with _store_errors():
            self._application.send_task(RUN_JOB, (job_id,), ignore_result=True, priority=priority)


class CeleryTaskQueue:
    """Sends tasks to the workers. Safe to share between threads."""

    def __init__(self, application: Celery) -> None:
        self._application = application

    def send(
        self, task: Task, *ids: str, due_at: int | None = None, requests: Mapping[str, str] = NO_REQUESTS
    ) -> None:
        """Sends a task for tables or tournaments, with `due_at` and `requests` in its headers."""
        task_id = f"{task}:{','.join(ids)}:{uuid4().hex}"
        with _store_errors():
            self._application.send_task(
                task_name(task),
                ids,
                task_id=task_id,
                ignore_result=True,
                priority=_PRIORITIES.get(task, 0),
                headers={DUE_AT: due_at, _REQUESTS: dict(requests)},
            )

    def requests(self) -> Mapping[str, str]:
        """Returns the requests that caused this thread's current task, by the id of a table or tournament."""
        task = self._application.current_worker_task
        headers = task.request.headers if task else None
        return (headers or {}).get(_REQUESTS) or NO_REQUESTS  # tasks of earlier releases have none


@contextmanager
def _store_errors() -> Iterator[None]:
    try:
        yield
    except (KombuError, RedisError, OSError) as error:
        raise StoreUnavailable(f"the broker does not answer: {error}") from error
