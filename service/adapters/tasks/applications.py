"""The Celery applications of the workers."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import kombu
from celery import Celery
from celery.app.amqp import AMQP

from hoodwink.service.adapters.tasks.broker import JOB_KEYS, TASK_KEYS
from hoodwink.service.adapters.tasks.task_queue import PRIORITIES, REQUESTS
from hoodwink.service.application.work.tasks import NO_REQUESTS

JOB_VISIBILITY_SECONDS: Final = 240
"""Seconds after which an unacknowledged job is given to another worker. No job takes that long."""


class _PatientConnection(kombu.Connection):
    """Tries to reach a lost broker once a second. Celery's own pause would grow to half a minute."""

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        return super().ensure_connection(*args, **{"interval_start": 1, "interval_step": 0} | options)


class _PatientAMQP(AMQP):
    Connection: type[kombu.Connection] = _PatientConnection


def celery_application(broker_url: str, keys: str = TASK_KEYS) -> Celery:
    """Returns the Celery application of the workers, the thinkers or the push worker. Results are not stored.

    A task is lost with its worker or process. The dispatcher or a worker sends another one, and nothing waits for a push.
    So no task has to be noted and acknowledged in the broker, which would take as long as receiving it.
    """
    return _application(broker_url, keys, {"ack_emulation": False})


def job_application(broker_url: str) -> Celery:
    """Returns the Celery application of the job workers. A job survives its worker."""
    acknowledging = {
        "visibility_timeout": JOB_VISIBILITY_SECONDS,
        "unacked_restore_interval": 5,
        # by default kombu restores only at every tenth poll, up to forty seconds late
        "unacked_restore_throttle": 1,
    }
    application = _application(broker_url, JOB_KEYS, acknowledging)
    # If a pool process is killed, for instance because memory ran out, another one starts its job again.
    application.conf.task_reject_on_worker_lost = True
    return application


def _application(broker_url: str, keys: str, transport_options: Mapping[str, Any]) -> Celery:
    application = Celery("hoodwink", broker=celery_url(broker_url), amqp=_PatientAMQP, set_as_current=False)
    application.conf.update(
        task_acks_late=True,  # until then a task takes one of the worker's slots
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        worker_prefetch_multiplier=1,
        # Celery would wait ten seconds for a late result of a killed process, but nobody sends results.
        worker_lost_wait=1.0,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=True,
        broker_connection_retry_on_startup=True,
        # A worker that reconnects may never take a task again (celery issues 8091, 9054, 10302), because the tasks
        # it could not acknowledge occupy its slots. So it ends with its connection (see
        # hoodwink.workers.celery_worker).
        broker_connection_retry=False,
        broker_connection_max_retries=None,
        broker_transport_options={
            "global_keyprefix": keys,
            "priority_steps": [0, *PRIORITIES.values()],  # only these, because each is another list to poll
            **transport_options,
        },
    )
    return application


def celery_url(url: str) -> str:
    """Returns a Redis URL in Celery's notation, which differs for Unix sockets only.

    >>> celery_url("unix:///run/redis.sock?db=1")
    'redis+socket:///run/redis.sock?virtual_host=1'
    """
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


def requests_of_current_task(application: Celery) -> Mapping[str, str]:
    """Returns the requests that caused this thread's current task, by the id of a table or tournament."""
    task = application.current_worker_task
    headers = task.request.headers if task else None
    return (headers or {}).get(REQUESTS) or NO_REQUESTS  # tasks of earlier releases have none
