"""The tasks of the Celery workers."""

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from structlog.testing import capture_logs

from hoodwink.service.adapters.process.request_ids import current_request
from hoodwink.service.adapters.redis.gathering import gather, is_gathered
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.work import table_worker
from hoodwink.service.application.work.table_worker import Visit
from hoodwink.service.application.work.tasks import NO_REQUESTS, Task
from hoodwink.service.bootstrap import Service
from tests.service.application.world import StandingClock
from tests.service.databases import new_redis


class TableWorker:
    """A fake table worker that records visits and returns or raises a fixed outcome."""

    def __init__(self) -> None:
        self.visited: list[str] = []
        self.requests: list[str] = []
        self.outcome: Visit | Exception = Visit(1)
        self.meanwhile: Callable[[], object] = lambda: None

    def run_due(self, table_id: str) -> Visit:
        self.visited.append(table_id)
        self.requests.append(current_request())
        if isinstance(self.outcome, Visit):
            return self.outcome
        if table_id == "t1":
            raise self.outcome
        return Visit(1)

    def run_bots(self, table_id: str, *, until: int) -> Visit:
        assert until >= table_worker.BOTS_VISIT_MS
        self.meanwhile()
        return self.run_due(table_id)


def add_request(_logger: Any, _method: str, fields: Any) -> Any:
    return {**fields, "request": current_request()}


class Queue:
    def __init__(self) -> None:
        self.sent: list[tuple[str, ...]] = []
        self.known: Mapping[str, str] = {"t1": "r1"}

    def send(self, task: Task, *ids: str, requests: Mapping[str, str] = NO_REQUESTS) -> None:
        self.sent.append((task, *ids))
        assert requests == self.known


@pytest.fixture
def worker(monkeypatch) -> Any:
    """The module of the workers, with a fake table worker and a fake queue."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    sys.modules.pop("hoodwink.workers.app", None)
    module = importlib.import_module("hoodwink.workers.app")
    queue = Queue()
    given = Service(module.settings, table_worker=TableWorker(), tasks=queue, clock=StandingClock())  # type: ignore[arg-type]
    monkeypatch.setattr(module, "service", given)
    monkeypatch.setattr(module, "requests_of_current_task", lambda _: queue.known)
    yield module
    sys.modules.pop("hoodwink.workers.app", None)


def test_a_task_visits_each_of_its_tables(worker):
    worker.run_tables("t1", "t2")
    assert worker.service.table_worker.visited == ["t1", "t2"]
    assert worker.service.tasks.sent == []


def test_each_visit_has_the_id_of_its_request(worker):
    worker.run_tables("t1", "t2")
    assert worker.service.table_worker.requests == ["r1", ""]
    assert current_request() == ""


def test_a_failed_visit_is_logged_with_its_table_and_request(worker):
    worker.service.table_worker.outcome = ValueError("a card that nobody may see")
    with capture_logs([add_request]) as lines, pytest.raises(ExceptionGroup):
        worker.run_tables("t1", "t2")
    assert lines == [
        {
            "event": "a visit failed",
            "log_level": "error",
            "task": "attend",
            "id": "t1",
            "error": "ValueError",
            "request": "r1",
        }
    ]


def test_a_visit_that_reached_its_limit_sends_another_task(worker):
    worker.service.table_worker.outcome = Visit(100, Task.RUN_TABLE)
    worker.run_tables("t1")
    assert worker.service.tasks.sent == [(Task.RUN_TABLE, "t1")]


def test_bot_tables_continue_in_a_low_priority_task(worker):
    worker.service.table_worker.outcome = Visit(0, Task.RUN_BOTS)
    worker.run_tables("t1", "t2")
    worker.run_bots("t3")
    assert worker.service.tasks.sent == [(Task.RUN_BOTS, "t1", "t2"), (Task.RUN_BOTS, "t3")]


def test_a_bot_table_is_handed_over_to_a_thinker(worker):
    worker.service.table_worker.outcome = Visit(0, Task.THINK)
    worker.run_bots("t1")
    assert worker.service.tasks.sent == [(Task.THINK, "t1")]


def test_bot_tables_use_one_slot_of_a_worker(worker):
    fake = worker.service.table_worker
    fake.outcome = Visit(9, Task.RUN_BOTS)
    fake.meanwhile = lambda: worker.run_bots("t2", "t3")
    worker.run_bots("t1")
    assert fake.visited == ["t1"]
    assert worker.service.tasks.sent == [(Task.RUN_BOTS, "t2", "t3", "t1")]


def test_a_visit_sends_at_most_two_tasks(worker):
    many = [f"t{number}" for number in range(40)]
    fake, sent = worker.service.table_worker, worker.service.tasks.sent
    fake.meanwhile = lambda: worker.run_bots(*many)
    worker.run_bots("first")
    fake.meanwhile = lambda: None
    assert sent == [(Task.RUN_BOTS, *many[:16]), (Task.RUN_BOTS, *many[16:32])]
    worker.run_bots(*many[:16])
    assert sent[2:] == [(Task.RUN_BOTS, *many[32:])]


def test_a_failed_visit_to_a_bot_table_frees_the_slot(worker):
    fake = worker.service.table_worker
    fake.outcome = ValueError("a bot that does not know the rules")
    for _ in range(2):
        with pytest.raises(ExceptionGroup):
            worker.run_bots("t1")
    assert fake.visited == ["t1", "t1"]


def test_an_unreachable_broker_ends_a_task_without_error(worker, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(worker.service.tasks, "send", fail)
    worker.service.table_worker.outcome = Visit(9, Task.RUN_BOTS)
    worker.run_tables("t1")
    worker.run_bots("t1")


def test_an_unavailable_store_ends_a_task_without_error(worker):
    worker.service.table_worker.outcome = StoreUnavailable("away")
    worker.run_tables("t1")
    assert worker.service.tasks.sent == []


def test_a_failed_visit_is_raised_after_the_visits_to_the_other_tables(worker):
    worker.service.table_worker.outcome = ValueError("a bot that does not know the rules")
    with pytest.raises(ExceptionGroup) as raised:
        worker.run_tables("t1", "t2")
    assert raised.value.exceptions == (worker.service.table_worker.outcome,)
    assert worker.service.table_worker.visited == ["t1", "t2"]


def test_tables_of_a_task_are_visited_together_without_creating_parts(worker, monkeypatch):
    """Two threads that create parts while their visits are suspended would deadlock."""
    service, parts = Service(worker.settings, client=new_redis()), []

    def gather_and_record(functions):
        parts.append(set(vars(service)))
        outcomes = gather([*functions, is_gathered])
        parts.append(set(vars(service)))
        return outcomes[:-1]

    monkeypatch.setattr(worker, "service", service)
    monkeypatch.setattr(worker, "gather", gather_and_record)
    worker.run_tables("t1", "t2")
    before, after = parts
    assert before == after
    assert "table_worker" in before


@pytest.mark.parametrize("task", ["report_tables", "run_tournaments"])
def test_reports_and_tournaments_take_turns(worker, monkeypatch, task):
    """Parallel reports on one tournament would conflict: all but one would be decided again."""
    seen = []

    class TournamentWorker:
        def report(self, table_id: str) -> None:
            seen.append((table_id, is_gathered()))

        def run_due(self, tournament_id: str) -> int:
            seen.append((tournament_id, is_gathered()))
            return 0

    monkeypatch.setitem(vars(worker.service), "tournament_worker", TournamentWorker())
    getattr(worker, task)("t1", "t2")
    assert seen == [("t1", False), ("t2", False)]


def test_gathered_code_cannot_create_parts(worker):
    with pytest.raises(AssertionError, match="half created"):
        gather([lambda: Service(worker.settings).client])
