"""The Celery application of the workers, which move bots, deal and score rounds, and act on expired clocks."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

import structlog

from service.adapters.gathering import gather
from service.adapters.request_ids import serving
from service.adapters.task_queue import CeleryTaskQueue, celery_application, task_name
from service.application import table_worker, tournament_worker
from service.application.dispatch import Task
from service.application.ports import Gather, StoreUnavailable
from service.bootstrap import Service
from service.settings import Settings

T = TypeVar("T")

log = structlog.get_logger(__name__)

DEFAULT_REDIS = "redis://127.0.0.1:6379/0"

settings = Settings.from_environment(os.environ)
service = Service(settings, process="worker")
app = celery_application(settings.tasks_url or DEFAULT_REDIS)
queue = CeleryTaskQueue(app)


Visit: TypeAlias = Callable[[str], bool | None]
"""Does what is due at one table or tournament, and returns true if there is more to do."""


# The broker may deliver a task twice or lose it. A second visit finds nothing due, because a command is decided
# against the current version of the table; for a lost task the dispatcher sends another one. So no task needs a retry.
@app.task(name=task_name(Task.RUN_TABLE))
def run_tables(*table_ids: str) -> None:
    """Does what is due at some tables, side by side.

    Raises:
        ExceptionGroup: the visits to some tables failed; the others were handled.
    """
    _visit_all(Task.RUN_TABLE, table_ids, _table_visit, gather)


@app.task(name=task_name(Task.REPORT_TABLE))
def report_tables(*table_ids: str) -> None:
    """Reports some tables to their tournaments; see `run_tables`."""
    # Tables of one tournament report to the same stream: side by side, all of them would decide on the same version of
    # it, and all but one would have to decide again.
    _visit_all(Task.REPORT_TABLE, table_ids, _report_visit, _in_turn)


@app.task(name=task_name(Task.RUN_TOURNAMENT))
def run_tournaments(*tournament_ids: str) -> None:
    """Does what is due in some tournaments; see `run_tables`."""
    _visit_all(Task.RUN_TOURNAMENT, tournament_ids, _tournament_visit, _in_turn)


def _table_visit() -> Visit:
    run_due = service.table_worker.run_due
    return lambda table_id: run_due(table_id) == table_worker.STEPS_PER_VISIT


def _report_visit() -> Visit:
    return service.tournament_worker.report


def _tournament_visit() -> Visit:
    run_due = service.tournament_worker.run_due
    return lambda tournament_id: run_due(tournament_id) == tournament_worker.STEPS_PER_VISIT


def _in_turn(functions: Sequence[Callable[[], T]]) -> list[T]:
    return [function() for function in functions]


def _visit_all(task: Task, ids: Sequence[str], make_visit: Callable[[], Visit], run: Gather) -> None:
    outcomes: list[bool | Exception | None] = []
    requests = queue.requests()
    try:
        visit = make_visit()  # not in a greenlet: what is suspended while it is made would be seen half made
        outcomes = run([partial(_outcome, task, id_, visit, requests.get(id_, "")) for id_ in ids])
        # Where the limit of steps was reached, the rest is a new task, so that tables take turns.
        if unfinished := [id_ for id_, outcome in zip(ids, outcomes, strict=True) if outcome is True]:
            queue.send(task, *unfinished, requests=requests)
    except StoreUnavailable as error:
        _note_absence(task, ids, error)
    if errors := [outcome for outcome in outcomes if isinstance(outcome, Exception)]:
        raise ExceptionGroup(f"{len(errors)} of {len(ids)} visits failed: {task}", errors)


def _outcome(task: Task, id_: str, visit: Visit, request: str) -> bool | Exception | None:
    """Returns true if there is more to do, or what went wrong, so that one broken table delays no other of the task."""
    with serving(request):
        try:
            return visit(id_)
        except StoreUnavailable as error:
            _note_absence(task, [id_], error)
            return None
        except Exception as error:  # noqa: BLE001 - raised once all were visited, and then Celery logs the traceback
            log.error("a visit failed", task=task, id=id_, error=type(error).__name__)  # noqa: TRY400 - see above
            return error


def _note_absence(task: Task, ids: Sequence[str], error: StoreUnavailable) -> None:
    # Not an error of the task: due times are stored, so the dispatcher sends it again when the store is back.
    log.warning("store unavailable", task=task, ids=ids, error=str(error))
