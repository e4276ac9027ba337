"""The Celery workers: `celery -A workers.app worker`. They move bots, deal and score rounds, and call time."""

import os

import structlog

from service.adapters.task_queue import ATTEND, CeleryTaskQueue, celery_application
from service.application.attendance import STEPS_PER_VISIT
from service.application.ports import StoreUnavailable
from service.bootstrap import Service
from service.settings import Settings

log = structlog.get_logger(__name__)

DEFAULT_REDIS = "redis://127.0.0.1:6379/0"

settings = Settings.from_environment(os.environ)
service = Service(settings, process="worker")
app = celery_application(settings.tasks_url or DEFAULT_REDIS)
queue = CeleryTaskQueue(app)


@app.task(name=ATTEND)
def attend(*table_ids: str) -> None:
    """Does what is due at some tables. Twice does no harm, and for a lost task the dispatcher sends another one.

    Raises:
        ExceptionGroup: what went wrong at some of them; the others were attended to.
    """
    faults = []
    for table_id in table_ids:
        try:
            _visit(table_id)
        except Exception as fault:  # noqa: BLE001 - told below
            faults.append(fault)
    if faults:
        raise ExceptionGroup("could not attend to all tables", faults)


def _visit(table_id: str) -> None:
    try:
        if service.attendance.attend(table_id) == STEPS_PER_VISIT:
            queue.attend(table_id)
    except StoreUnavailable as error:
        log.warning("store unavailable", table=table_id, error=str(error))
