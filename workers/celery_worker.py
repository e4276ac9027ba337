"""Runs a Celery worker for `workers.app` with this installation's settings: `python -m workers.celery_worker`.

The same as `celery -A workers.app worker` without its command line, which would look for the application
in the present folder first.
"""

import logging
import sys
from typing import Any

from celery.signals import setup_logging

from service.adapters.log_lines import write_logs
from workers.app import app, settings


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
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
