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
"""Seconds after which an unacknowledged task goes to another worker; longer than any task takes."""

JOB_VISIBILITY_SECONDS: Final = 240
"""The same for jobs, which take longer; they have queues of their own, since workers share this time with all queues."""

RUN_JOB: Final = "hoodwink.job"
"""The name of the task that runs a job."""


DUE_AT: Final = "due_at"
_REQUESTS: Final = "requests"

_LAST: Final = 9

_PRIORITIES: Final[Mapping[Task, int]] = MappingProxyType({Task.RUN_BOTS: _LAST})
"""The priority of the tasks that come after the others, which have 0: on Redis the broker serves lower numbers first."""


class _PatientConnection(kombu.Connection):
    """Tries to reach a lost broker once a second; Celery itself would soon try only twice a minute."""

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        return super().ensure_connection(*args, **{"interval_start": 1, "interval_step": 0} | options)


class _PatientAMQP(AMQP):
    Connection: type[kombu.Connection] = _PatientConnection


def celery_application(
    broker_url: str, *, keys: str = TASK_KEYS, visibility_seconds: int = VISIBILITY_SECONDS
) -> Celery:
    """Returns the Celery application, set up so that a task survives its worker; results are not stored."""
    application = Celery("hoodwink", broker=celery_url(broker_url), amqp=_PatientAMQP, set_as_current=False)
    application.conf.update(
        task_acks_late=True,
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=True,
        broker_connection_retry_on_startup=True,
        # A worker that reconnects may never take a task again (celery issues 8091, 9054, 10302), because tasks that
        # it could not acknowledge fill its slots. So it ends with its connection (see hoodwink.workers.celery_worker).
        broker_connection_retry=False,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": visibility_seconds,
            "unacked_restore_interval": 5,
            # kombu restores only at every n-th poll, by default the tenth: forty seconds late
            "unacked_restore_throttle": 1,
            "global_keyprefix": keys,
            "priority_steps": [0, *_PRIORITIES.values()],  # a list in Redis for each
        },
    )
    return application


def job_application(broker_url: str) -> Celery:
    application = celery_application(broker_url, keys=JOB_KEYS, visibility_seconds=JOB_VISIBILITY_SECONDS)
    # A process of the pool that was killed leaves a job behind, which another one begins again.
    application.conf.task_reject_on_worker_lost = True
    # What Celery waits for in the meantime is a result that it has missed, and nobody sends results.
    application.conf.worker_lost_wait = 1.0
    return application


class CeleryJobQueue:
    """Sends jobs to the job workers. Safe to share between threads."""

    def __init__(self, application: Celery) -> None:
        self._application = application

    def send_job(self, job_id: str, *, is_large: bool) -> None:
        """Asks a worker to run a job, a large one after all others; raises `StoreUnavailable`."""
        priority = _LAST if is_large else 0
        with _reaching_the_broker():
            self._application.send_task(RUN_JOB, (job_id,), ignore_result=True, priority=priority)


class CeleryTaskQueue:
    """Sends tasks to the workers. Safe to share between threads."""

    def __init__(self, application: Celery) -> None:
        self._application = application

    def send(
        self, task: Task, *ids: str, due_at: int | None = None, requests: Mapping[str, str] = NO_REQUESTS
    ) -> None:
        """Asks a worker to run a task for tables or tournaments; `due_at` and `requests` travel in its headers."""
        task_id = f"{task}:{','.join(ids)}:{uuid4().hex}"
        with _reaching_the_broker():
            self._application.send_task(
                task_name(task),
                ids,
                task_id=task_id,
                ignore_result=True,
                priority=_PRIORITIES.get(task, 0),
                headers={DUE_AT: due_at, _REQUESTS: dict(requests)},
            )

    def requests(self) -> Mapping[str, str]:
        """Returns the requests that led to the task which this thread runs, by the id of a table or tournament."""
        task = self._application.current_worker_task
        headers = task.request.headers if task else None
        return (headers or {}).get(_REQUESTS) or NO_REQUESTS  # a task that an earlier release sent has none


@contextmanager
def _reaching_the_broker() -> Iterator[None]:
    try:
        yield
    except (KombuError, RedisError, OSError) as error:
        raise StoreUnavailable(f"the broker does not answer: {error}") from error
