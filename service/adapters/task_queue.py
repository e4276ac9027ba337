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

from service.application.dispatch import NO_REQUESTS, Task
from service.application.ports import StoreUnavailable
from service.settings import celery_url


def task_name(task: Task) -> str:
    """Returns the name of a task in Celery."""
    return f"hoodwink.{task}"


VISIBILITY_SECONDS = 60
"""A task that is not acknowledged for so long is given to another worker; longer than any task takes."""


DUE_AT: Final = "due_at"
_REQUESTS: Final = "requests"

_PRIORITIES: Final[Mapping[Task, int]] = MappingProxyType({Task.RUN_BOTS: 9})
"""The priority of the tasks that come after the others, which have 0: on Redis the broker serves lower numbers first."""


class _PatientConnection(kombu.Connection):
    """Tries to reach a lost broker once a second; Celery itself would soon try only twice a minute."""

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        return super().ensure_connection(*args, **{"interval_start": 1, "interval_step": 0} | options)


class _PatientAMQP(AMQP):
    Connection: type[kombu.Connection] = _PatientConnection


def celery_application(broker_url: str) -> Celery:
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
        # it could not acknowledge fill its slots. So it ends with its connection (see workers.celery_worker).
        broker_connection_retry=False,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": VISIBILITY_SECONDS,
            "unacked_restore_interval": 5,
            # kombu restores only at every n-th poll, by default the tenth: forty seconds late
            "unacked_restore_throttle": 1,
            "global_keyprefix": "hw:celery:",
            "priority_steps": [0, *_PRIORITIES.values()],  # a list in Redis for each
        },
    )
    return application


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
