"""The shared parts of the Celery processes: logs, metrics, and the exit when the broker is lost."""

import logging
import os
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import structlog
from celery import Celery
from celery.bootsteps import StartStopStep
from celery.signals import setup_logging, worker_shutting_down

from hoodwink.service.adapters.process.interpreter import exit_quickly
from hoodwink.service.adapters.process.log_lines import write_logs
from hoodwink.service.adapters.tasks.broker_watch import await_loss
from hoodwink.service.adapters.tasks.task_queue import task_name
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.monitoring.folder import metrics_folder
from hoodwink.service.settings import Settings

log = structlog.get_logger(__name__)

_LOOP: Final = "consumer"
_BEAT_SECONDS: Final = 1.0


def run_worker(
    app: Celery, settings: Settings, *, part: str, ready: Callable[[], None] = lambda: None, **options: Any
) -> None:
    """Runs a Celery worker until SIGTERM or SIGINT, and then exits.

    Args:
        app: the Celery application.
        settings: of this installation.
        part: the name of the process in logs and metrics.
        ready: called once the metrics' folder is chosen.
        options: of the worker, such as its pool.
    """

    def configure_logs(**_: Any) -> None:
        """Replaces Celery's logging, which would write two lines for every task."""
        write_logs(settings.log_level, part=part, style=settings.log_format)
        if settings.log_level != "debug":
            for name in ("celery.app.trace", "celery.worker.strategy"):
                logging.getLogger(name).setLevel(logging.WARNING)

    setup_logging.connect(configure_logs, weak=False)
    worker_shutting_down.connect(_log_stop)
    configure_logs()  # called again by Celery, which may log warnings before that
    # Celery prints to stdout, past all logging, that it was asked to stop. Log lines go to stderr.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    exit_quickly()
    with metrics_folder():
        worker = _worker(app, settings, part, ready, options)
        threading.Thread(target=exit_with_broker, args=(settings,), daemon=True).start()
        worker.start()
    sys.exit(worker.exitcode)


def add_visits(app: Celery, task: Task, visit: Callable[[str], None]) -> None:
    """Adds a task that visits some tables in turn."""

    @app.task(name=task_name(task))
    def visit_each(*table_ids: str) -> None:
        for table_id in table_ids:
            try:
                visit(table_id)
            except StoreUnavailable as error:
                # Not an error: the due times are stored, so a worker will send a bot's turn again. Nothing waits for a push.
                log.warning("store unavailable", task=task, id=table_id, error=str(error))


def _log_stop(**_: Any) -> None:
    """Logs that the worker was asked to stop, which it does once its tasks have ended."""
    log.info("stopping")


def _worker(
    app: Celery, settings: Settings, part: str, ready: Callable[[], None], options: dict[str, Any]
) -> Any:
    # prometheus_client looks up the metrics' folder when it is imported, so import it only after the folder is chosen.
    from hoodwink.service.monitoring.processes import Heartbeats, count_start  # noqa: PLC0415
    from hoodwink.service.monitoring.server import serve_metrics  # noqa: PLC0415

    heartbeats = Heartbeats(part, (_LOOP,))
    count_start(part)
    ready()
    serve_metrics(settings, lambda _: heartbeats.fault())
    app.steps["consumer"].add(_step(partial(heartbeats.beat, _LOOP)))
    return app.Worker(
        # The processes of one machine need different names, or `celery inspect` shows only one of them.
        hostname=f"{part}-{os.getpid()}@{socket.gethostname()}",
        loglevel=settings.log_level,
        quiet=True,
        # Workers need nothing from each other, and with these each would exchange messages with all others.
        without_gossip=True,
        without_mingle=True,
        **options,
    )


def _step(beat: Any) -> type[StartStopStep]:
    """Returns a step of the worker that calls `beat` from the loop that receives tasks, once the broker is connected."""

    class Beat(StartStopStep):
        requires: Any = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, parent: Any) -> None:
            # The loop's own timer: if the loop hangs, the heartbeat stops, too.
            parent.timer.call_repeatedly(_BEAT_SECONDS, beat)

    return Beat


def exit_with_broker(settings: Settings) -> None:
    """Exits the process immediately when it loses the broker; a supervisor restarts it."""
    await_loss(settings.tasks_url)
    log.critical("lost the broker; exiting to be restarted")
    # Celery's own reconnection is not enough. A worker whose slots are all taken does not listen and would not
    # notice, and slots whose tasks could not be acknowledged stay taken forever. An orderly shutdown would wait for
    # these tasks, so this is `os._exit`.
    os._exit(1)
