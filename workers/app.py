"""The Celery application of the workers, which move bots, deal and score rounds, and act on expired clocks."""

import os
from collections.abc import Callable, Sequence
from functools import partial

import structlog

from service.adapters.gathering import gather
from service.adapters.task_queue import CeleryTaskQueue, celery_application, task_name
from service.application import table_worker, tournament_worker
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


# The broker may deliver a task twice or lose it. A second visit finds nothing due, because a command is decided
# against the current version of the table; for a lost task the dispatcher sends another one. So no task needs a retry.
@app.task(name=task_name(Task.RUN_TABLE))
def run_tables(*table_ids: str) -> None:
    """Does what is due at some tables.

    Raises:
        ExceptionGroup: the visits to some tables failed; the others were handled.
    """
    _visit_all(Task.RUN_TABLE, table_ids, _is_table_unfinished)


@app.task(name=task_name(Task.REPORT_TABLE))
def report_tables(*table_ids: str) -> None:
    """Reports some tables to their tournaments; see `run_tables`."""
    _visit_all(Task.REPORT_TABLE, table_ids, service.tournament_worker.report)


@app.task(name=task_name(Task.RUN_TOURNAMENT))
def run_tournaments(*tournament_ids: str) -> None:
    """Does what is due in some tournaments; see `run_tables`."""
    _visit_all(Task.RUN_TOURNAMENT, tournament_ids, _is_tournament_unfinished)


def _is_table_unfinished(table_id: str) -> bool:
    return service.table_worker.run_due(table_id) == table_worker.STEPS_PER_VISIT


def _is_tournament_unfinished(tournament_id: str) -> bool:
    return service.tournament_worker.run_due(tournament_id) == tournament_worker.STEPS_PER_VISIT


def _visit_all(task: Task, ids: Sequence[str], visit: Callable[[str], object]) -> None:
    outcomes = gather([partial(_visit, task, id_, visit) for id_ in ids])
    errors = [error for error in outcomes if error is not None]
    if errors:
        raise ExceptionGroup(f"{len(errors)} of {len(ids)} visits failed: {task}", errors)


def _visit(task: Task, id_: str, visit: Callable[[str], object]) -> Exception | None:
    """Returns what went wrong, so that one broken table delays no other of the task."""
    try:
        if visit(id_) is True:
            # The limit of steps per visit was reached: the rest is a new task, so that tables take turns.
            queue.send(task, id_)
    except StoreUnavailable as error:
        # Not an error of the task: due times are stored, so the dispatcher sends it again when the store is back.
        log.warning("store unavailable", task=task, id=id_, error=str(error))
    except Exception as error:  # noqa: BLE001 - raised once all were visited
        return error
    return None
