"""Runs a Celery worker that sends pushes: `python -m hoodwink.workers.push_worker`.

It has a queue and threads of its own, because the servers that it sends to belong to strangers and may be slow.
"""

import os
from functools import cache
from threading import Thread

import structlog

from hoodwink.service.adapters.tasks.applications import celery_application
from hoodwink.service.adapters.tasks.broker import PUSH_KEYS
from hoodwink.service.application.work.recalls import Recall
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.workers.celery_process import add_visits, run_worker

log = structlog.get_logger(__name__)
settings = Settings.from_environment(os.environ)
app = celery_application(settings.tasks_url, PUSH_KEYS)


def _call(table_id: str) -> None:
    _service().caller.call(table_id)


def _announce(tournament_id: str) -> None:
    _service().caller.announce(tournament_id)


add_visits(app, Task.CALL, _call)
add_visits(app, Task.ANNOUNCE, _announce)


@cache
def _service() -> Service:
    # prometheus_client looks up the metrics' folder when it is imported, so import it only after the folder is chosen.
    from hoodwink.workers.push_metrics import count  # noqa: PLC0415

    service = Service(settings, process="pushes")
    service.pushed = count
    return service


def _call_again(recall: Recall) -> None:
    try:
        _service().caller.call_again(recall)
    except Exception:  # a lost push is no reason to keep the others waiting
        log.exception("could not send a push again")


def _prepare() -> None:
    from hoodwink.workers.push_metrics import begin_counts  # noqa: PLC0415 - see `_service`

    begin_counts()
    _ = _service().caller  # made before there are threads
    for number in range(settings.push_slots):
        again = Thread(
            target=_service().recalls.run, args=(_call_again,), name=f"recalls-{number}", daemon=True
        )
        again.start()


def main() -> None:
    """Runs the worker until SIGTERM or SIGINT."""
    run_worker(
        app, settings, part="pushes", ready=_prepare, pool_cls="threads", concurrency=settings.push_slots
    )


if __name__ == "__main__":
    main()
