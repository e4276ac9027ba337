"""The Celery workers: `celery -A workers.app worker`. They move bots, deal and score rounds, and call time."""

import os
from collections.abc import Callable, Sequence

import structlog

from service.adapters.task_queue import CeleryTaskQueue, celery_application, task_name
from service.application import attendance, tournament_worker
from service.application.dispatch import Task
from service.application.ports import StoreUnavailable
from service.bootstrap import Service
from service.settings import Settings

log = structlog.get_logger(__name__)

DEFAULT_REDIS = "redis://127.0.0.1:6379/0"

settings = Settings.from_environment(os.environ)
service = Service(settings, process="worker")
app = celery_application(settings.tasks_url or DEFAULT_REDIS)
queue = CeleryTaskQueue(app)


@app.task(name=task_name(Task.ATTEND))
def attend(*table_ids: str) -> None:
    """Does what is due at some tables. Twice does no harm, and for a lost task the dispatcher sends another one.

    Raises:
        ExceptionGroup: what went wrong at some of them; the others were attended to.
    """
    _each(
        Task.ATTEND, table_ids, lambda table: service.attendance.attend(table) == attendance.STEPS_PER_VISIT
    )


@app.task(name=task_name(Task.REPORT))
def report(*table_ids: str) -> None:
    """Lets tournaments know of their tables; see `attend`."""
    _each(Task.REPORT, table_ids, service.tournament_worker.report)


@app.task(name=task_name(Task.CONDUCT))
def conduct(*tournament_ids: str) -> None:
    """Does what is due in some tournaments; see `attend`."""
    _each(Task.CONDUCT, tournament_ids, _is_unfinished)


def _is_unfinished(tournament_id: str) -> bool:
    return service.tournament_worker.conduct(tournament_id) == tournament_worker.STEPS_PER_VISIT


def _each(task: Task, ids: Sequence[str], visit: Callable[[str], object]) -> None:
    faults = []
    for id_ in ids:
        try:
            _visit(task, id_, visit)
        except Exception as fault:  # noqa: BLE001 - told below
            faults.append(fault)
    if faults:
        raise ExceptionGroup(f"could not {task} all", faults)


def _visit(task: Task, id_: str, visit: Callable[[str], object]) -> None:
    try:
        if visit(id_) is True:
            queue.send(task, id_)
    except StoreUnavailable as error:
        log.warning("store unavailable", task=task, id=id_, error=str(error))
