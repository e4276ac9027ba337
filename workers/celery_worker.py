"""Runs a Celery worker for `hoodwink.workers.app` with this installation's settings: `hoodwink run worker`.

It replaces `celery -A hoodwink.workers.app worker`, because Celery's command line first looks for the application
in the current folder.
"""

from hoodwink.service.adapters.process.interpreter import share_time_finely
from hoodwink.workers.app import app, service, settings
from hoodwink.workers.celery_process import run_worker


def main() -> None:
    """Runs the worker until SIGTERM or SIGINT."""
    share_time_finely()  # Celery's own thread takes the next task while others work
    run_worker(
        app,
        settings,
        part="worker",
        ready=_count_tasks,
        # `BotTables` has its slot in the memory of one process. To use more cores, run more workers.
        pool_cls="threads",
        concurrency=settings.worker_slots,
    )


def _count_tasks() -> None:
    from hoodwink.workers.task_metrics import count_tasks  # noqa: PLC0415 - the metrics' folder must be chosen before

    count_tasks(app, service)
