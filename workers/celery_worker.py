"""Runs a Celery worker for `workers.app` with this installation's settings: `python -m workers.celery_worker`.

It replaces `celery -A workers.app worker`, because Celery's command line looks for the application in the current
folder first.
"""

import logging
import os
import sys
import threading
from typing import Any

import structlog
from celery.signals import setup_logging, worker_shutting_down

from service.adapters.broker_watch import await_loss
from service.adapters.log_lines import write_logs
from workers.app import DEFAULT_REDIS, app, settings

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
    configure_logs()  # Celery does so again, but has warned of some things before
    # Celery announces on the standard output, past all logging, that it was asked to stop. No log line goes there.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    worker: Any = app.Worker(
        pool_cls=settings.worker_pool,
        concurrency=settings.worker_slots,
        loglevel=settings.log_level,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    threading.Thread(target=exit_with_broker, daemon=True).start()
    worker.start()
    sys.exit(worker.exitcode)


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
