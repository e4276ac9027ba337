"""The Celery application of the workers, which move bots, deal and score rounds, and act on expired clocks."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

import structlog

from hoodwink.service.adapters.process.request_ids import serving
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.adapters.store.keys import stream_named
from hoodwink.service.adapters.tasks.applications import celery_application, requests_of_current_task
from hoodwink.service.adapters.tasks.task_queue import task_name
from hoodwink.service.application.ports import Gather, StoreUnavailable
from hoodwink.service.application.work import series_worker, table_worker, tournament_worker
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.workers.bot_tables import BotTables

T = TypeVar("T")

log = structlog.get_logger(__name__)

settings = Settings.from_environment(os.environ)
service = Service(settings, process="worker")
app = celery_application(settings.tasks_url)
bot_tables = BotTables()


Visit: TypeAlias = Callable[[str], Task | None]
"""Does the work due at one table, tournament or series; returns the task that continues it, if there is more to do."""


# No task needs a retry, although the broker may deliver one twice or lose it. A second visit finds nothing due,
# because commands are decided on the latest version of the table. For a lost task the dispatcher sends another one.
@app.task(name=task_name(Task.RUN_TABLE))
def run_tables(*table_ids: str) -> None:
    """Does the work due at some tables, side by side.

    Raises:
        ExceptionGroup: the visits to some tables failed; the others were handled.
    """
    _visit_all(Task.RUN_TABLE, table_ids, _table_visit, gather)


@app.task(name=task_name(Task.RUN_BOTS))
def run_bots(*table_ids: str) -> None:
    """Does the work due at some tables without people; see `run_tables`."""
    if not bot_tables.begin(table_ids):
        return
    unfinished: list[str] = []

    def follow_up(task: Task, *ids: str) -> None:
        if task is Task.RUN_BOTS:
            unfinished.extend(ids)
        else:
            _follow_up(task, *ids)

    try:
        _visit_all(Task.RUN_BOTS, table_ids, _bots_visit, gather, follow_up)
    finally:
        # New tasks instead of a loop, so that work for people in the queue comes before the rest of the bots' work.
        for ids in bot_tables.end(unfinished):
            _follow_up(Task.RUN_BOTS, *ids)


@app.task(name=task_name(Task.REPORT_TABLE))
def report_tables(*table_ids: str) -> None:
    """Reports some tables to their tournaments; see `run_tables`."""
    # Tables of one tournament report to the same stream. Side by side, all of them would decide on the same
    # version, and all but one would have to decide again.
    _visit_all(Task.REPORT_TABLE, table_ids, lambda: service.tournament_worker.report, _in_turn)


@app.task(name=task_name(Task.RUN_TOURNAMENT))
def run_tournaments(*tournament_ids: str) -> None:
    """Does the work due in some tournaments; see `run_tables`."""
    _visit_all(Task.RUN_TOURNAMENT, tournament_ids, _tournament_visit, _in_turn)


@app.task(name=task_name(Task.RUN_SERIES))
def run_series(*series_ids: str) -> None:
    """Does the work due in some series; see `run_tables`."""
    _visit_all(Task.RUN_SERIES, series_ids, _series_visit, _in_turn)


@app.task(name=task_name(Task.REPORT_TOURNAMENT))
def report_tournaments(*tournament_ids: str) -> None:
    """Counts some tournaments in their series; see `run_tables`."""
    _visit_all(Task.REPORT_TOURNAMENT, tournament_ids, lambda: service.series_worker.report, _in_turn)


@app.task(name=task_name(Task.MOVE_CLOCKS))
def move_clocks(*streams: str) -> None:
    """Moves the deadlines of some tables and tournaments after an outage; see `run_tables`."""
    _visit_all(Task.MOVE_CLOCKS, streams, _moving_visit, gather)


def _table_visit() -> Visit:
    run_due = service.table_worker.run_due
    return lambda table_id: run_due(table_id).next_task


def _bots_visit() -> Visit:
    # Computed once per task, so that all its tables share the time of one visit.
    run_bots, until = service.table_worker.run_bots, service.clock.elapsed_ms() + table_worker.BOTS_VISIT_MS
    return lambda table_id: run_bots(table_id, until=until).next_task


def _moving_visit() -> Visit:
    move = service.clock_mover.move
    return lambda stream: move(stream_named(stream))


def _tournament_visit() -> Visit:
    run_due = service.tournament_worker.run_due
    return lambda tournament_id: (
        Task.RUN_TOURNAMENT if run_due(tournament_id) == tournament_worker.STEPS_PER_VISIT else None
    )


def _series_visit() -> Visit:
    run_due = service.series_worker.run_due
    return lambda series_id: Task.RUN_SERIES if run_due(series_id) == series_worker.STEPS_PER_VISIT else None


def _in_turn(functions: Sequence[Callable[[], T]]) -> list[T]:
    return [function() for function in functions]


def _follow_up(task: Task, *ids: str) -> None:
    """Sends a task that continues unfinished visits, so that tables take turns."""
    try:
        service.tasks.send(task, *ids, requests=requests_of_current_task(app))
    except StoreUnavailable as error:
        _log_outage(task, ids, error)


def _visit_all(
    task: Task,
    ids: Sequence[str],
    make_visit: Callable[[], Visit],
    run: Gather,
    follow_up: Callable[..., None] = _follow_up,
) -> None:
    outcomes: list[Task | Exception | None] = []
    requests = requests_of_current_task(app)
    try:
        visit = (
            make_visit()
        )  # not in a greenlet, which may be suspended while a part of the service is half made
        outcomes = run([partial(_outcome, task, id_, visit, requests.get(id_, "")) for id_ in ids])
    except StoreUnavailable as error:
        _log_outage(task, ids, error)
    for following in Task:
        if unfinished := [id_ for id_, outcome in zip(ids, outcomes, strict=False) if outcome is following]:
            follow_up(following, *unfinished)
    if errors := [outcome for outcome in outcomes if isinstance(outcome, Exception)]:
        raise ExceptionGroup(f"{len(errors)} of {len(ids)} visits failed: {task}", errors)


def _outcome(task: Task, id_: str, visit: Visit, request: str) -> Task | Exception | None:
    """Returns the task that continues the visit, or the error, so that one broken table delays no other in the task."""
    with serving(request):
        try:
            return visit(id_)
        except StoreUnavailable as error:
            _log_outage(task, [id_], error)
            return None
        except Exception as error:  # noqa: BLE001 - raised after all visits, and then Celery logs the traceback
            log.error("a visit failed", task=task, id=id_, error=type(error).__name__)  # noqa: TRY400 - see above
            return error


def _log_outage(task: Task, ids: Sequence[str], error: StoreUnavailable) -> None:
    # Not an error of the task: the due times are stored, so the dispatcher sends it again when the store is back.
    log.warning("store unavailable", task=task, ids=ids, error=str(error))
