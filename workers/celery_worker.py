"""Runs a Celery worker for `workers.app` with this installation's settings: `python -m workers.celery_worker`.

The same as `celery -A workers.app worker` without its command line, which would look for the application
in the present folder first.
"""

import logging
import os
import sys
import threading
from typing import Any

from celery.signals import setup_logging

from service.adapters.broker_watch import await_loss
from service.adapters.log_lines import write_logs
from workers.app import DEFAULT_REDIS, app, settings


@setup_logging.connect
def configure_logs(**_: Any) -> None:
    """Takes logging over from Celery, which would tell of every task twice."""
    write_logs(settings.log_level)
    if settings.log_level != "debug":
        for name in ("celery.app.trace", "celery.worker.strategy"):
            logging.getLogger(name).setLevel(logging.WARNING)


def main() -> None:
    """Works until SIGTERM or SIGINT."""
    worker: Any = app.Worker(
        pool_cls=settings.worker_pool,
        concurrency=settings.worker_slots,
        loglevel=settings.log_level,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    threading.Thread(target=end_with_the_broker, daemon=True).start()
    worker.start()
    sys.exit(worker.exitcode)


def end_with_the_broker() -> None:
    """Ends the process at once when its broker goes away, as if it had been killed.

    Whoever runs it starts it again. A worker all of whose slots are taken at that moment would neither
    notice nor ever take a task again: Celery listens only while it has room, and has none for ever if it
    could not acknowledge.
    """
    await_loss(settings.broker_url or settings.redis_url or DEFAULT_REDIS)
    logging.getLogger(__name__).critical("the broker is gone; ending to be started again")
    os._exit(1)


if __name__ == "__main__":
    main()
