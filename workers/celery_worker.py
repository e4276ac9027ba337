"""Runs a Celery worker for `workers.app` with this installation's settings: `python -m workers.celery_worker`.

It replaces `celery -A workers.app worker`, because Celery's command line looks for the application in the current
folder first.
"""

import logging
import os
import socket
import sys
import threading
from functools import partial
from typing import Any

import structlog
from celery.bootsteps import StartStopStep
from celery.signals import setup_logging, worker_shutting_down

from service.adapters.broker_watch import await_loss
from service.adapters.log_lines import write_logs
from service.monitoring.folder import metrics_folder
from workers.app import DEFAULT_REDIS, app, service, settings

log = structlog.get_logger(__name__)


@setup_logging.connect
def configure_logs(**_: Any) -> None:
    """Replaces Celery's logging, which would write two lines for every task."""
    write_logs(settings.log_level, part="worker", style=settings.log_format)
    if settings.log_level != "debug":
        for name in ("celery.app.trace", "celery.worker.strategy"):
            logging.getLogger(name).setLevel(logging.WARNING)


@worker_shutting_down.connect
def log_order_to_stop(**_: Any) -> None:
    """Logs that the worker ends once its tasks have."""
    log.info("stopping")


def main() -> None:
    """Runs the worker until SIGTERM or SIGINT."""
    configure_logs()  # again by Celery, which warns of some things before
    # Celery announces on the standard output, past all logging, that it was asked to stop. No log line goes there.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with metrics_folder():
        worker = _worker()
        threading.Thread(target=exit_with_broker, daemon=True).start()
        worker.start()
    sys.exit(worker.exitcode)


def _worker() -> Any:
    # The metrics' folder must be chosen before.
    from service.monitoring.processes import Heartbeats, count_start  # noqa: PLC0415
    from service.monitoring.server import serve_metrics  # noqa: PLC0415
    from workers.task_metrics import count_tasks  # noqa: PLC0415

    heartbeats = Heartbeats("worker", (_LOOP,))
    count_start("worker")
    count_tasks(service)
    serve_metrics(settings, lambda _: heartbeats.fault())
    app.steps["consumer"].add(_step(partial(heartbeats.beat, _LOOP)))
    return app.Worker(
        # The processes of one machine need different names, or `celery inspect` shows one of them only.
        hostname=f"worker-{os.getpid()}@{socket.gethostname()}",
        # `BotTables` keeps its slot in the memory of one process; more cores are for more workers.
        pool_cls="threads",
        concurrency=settings.worker_slots,
        loglevel=settings.log_level,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
    )


_LOOP = "consumer"
_BEAT_SECONDS = 1.0


def _step(beat: Any) -> type[StartStopStep]:
    """Returns the part of the worker that lets the loop which receives tasks beat, once it is connected to the broker."""

    class Beat(StartStopStep):
        requires: Any = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, parent: Any) -> None:
            parent.timer.call_repeatedly(_BEAT_SECONDS, beat)

    return Beat


def exit_with_broker() -> None:
    """Exits the process immediately when the connection to its broker is lost; a supervisor restarts it."""
    await_loss(settings.broker_url or settings.redis_url or DEFAULT_REDIS)
    log.critical("the broker is gone; exiting to be restarted")
    # Celery's own reconnection is not enough: a worker whose slots are all taken at that moment does not listen, so it
    # would not notice, and slots whose tasks could not be acknowledged stay taken for ever. `os._exit`, because an
    # orderly shutdown would wait for these tasks.
    os._exit(1)


if __name__ == "__main__":
    main()
