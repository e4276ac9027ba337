"""The tasks of the Celery workers."""

import importlib
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from structlog.testing import capture_logs

from service.adapters.gathering import gather, is_gathered
from service.adapters.request_ids import current_request
from service.application.dispatch import NO_REQUESTS, Task
from service.application.ports import StoreUnavailable
from service.application.table_worker import STEPS_PER_VISIT
from service.bootstrap import Service
from tests.service.application.world import fake_redis


class TableWorker:
    """A fake table worker, which records the visits and returns or raises a fixed outcome."""

    def __init__(self) -> None:
        self.visited: list[str] = []
        self.requests: list[str] = []
        self.outcome: int | Exception = 0

    def run_due(self, table_id: str) -> int:
        self.visited.append(table_id)
        self.requests.append(current_request())
        if isinstance(self.outcome, int):
            return self.outcome
        if table_id == "t1":
            raise self.outcome
        return 0


def merge_request(_logger: Any, _method: str, fields: Any) -> Any:
    return {**fields, "request": current_request()}


class Queue:
    def __init__(self) -> None:
        self.sent: list[str] = []
        self.known: Mapping[str, str] = {"t1": "r1"}

    def requests(self) -> Mapping[str, str]:
        return self.known

    def send(self, task: Task, *ids: str, requests: Mapping[str, str] = NO_REQUESTS) -> None:
        assert task is Task.RUN_TABLE
        self.sent.extend(ids)
        assert requests == self.known


@pytest.fixture
def worker(monkeypatch) -> Any:
    """The module of the workers, with a fake table worker and a fake queue."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    sys.modules.pop("workers.app", None)
    module = importlib.import_module("workers.app")
    given = Service(module.settings, table_worker=TableWorker())  # type: ignore[arg-type]
    monkeypatch.setattr(module, "service", given)
    monkeypatch.setattr(module, "queue", Queue())
    yield module
    sys.modules.pop("workers.app", None)


def test_a_task_visits_each_of_its_tables(worker):
    worker.run_tables("t1", "t2")
    assert worker.service.table_worker.visited == ["t1", "t2"]
    assert worker.queue.sent == []


def test_each_visit_knows_the_request_that_led_to_it(worker):
    worker.run_tables("t1", "t2")
    assert worker.service.table_worker.requests == ["r1", ""]
    assert current_request() == ""


def test_a_failed_visit_is_logged_with_its_table_and_request(worker):
    worker.service.table_worker.outcome = ValueError("a card that nobody may see")
    with capture_logs([merge_request]) as lines, pytest.raises(ExceptionGroup):
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


def test_a_visit_that_reached_its_limit_is_followed_by_another_task(worker):
    worker.service.table_worker.outcome = STEPS_PER_VISIT
    worker.run_tables("t1")
    assert worker.queue.sent == ["t1"]


def test_a_task_ends_without_an_error_while_the_store_is_unavailable(worker):
    worker.service.table_worker.outcome = StoreUnavailable("away")
    worker.run_tables("t1")
    assert worker.queue.sent == []


def test_a_failed_visit_is_raised_after_the_visits_to_the_other_tables(worker):
    worker.service.table_worker.outcome = ValueError("a bot that does not know the rules")
    with pytest.raises(ExceptionGroup) as raised:
        worker.run_tables("t1", "t2")
    assert raised.value.exceptions == (worker.service.table_worker.outcome,)
    assert worker.service.table_worker.visited == ["t1", "t2"]


def test_tables_of_a_task_are_visited_side_by_side_and_nothing_is_made_meanwhile(worker, monkeypatch):
    """Two threads that made parts while their visits are suspended would wait for each other for ever."""
    service, parts = Service(worker.settings, client=fake_redis()), []

    def noting(functions):
        parts.append(set(vars(service)))
        outcomes = gather([*functions, is_gathered])
        parts.append(set(vars(service)))
        return outcomes[:-1]

    monkeypatch.setattr(worker, "service", service)
    monkeypatch.setattr(worker, "gather", noting)
    worker.run_tables("t1", "t2")
    before, after = parts
    assert before == after
    assert "table_worker" in before


@pytest.mark.parametrize("task", ["report_tables", "run_tournaments"])
def test_reports_and_tournaments_take_turns(worker, monkeypatch, task):
    """Reports of one tournament would all decide on the same version of it, and all but one decide again."""
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


def test_no_part_can_be_made_by_code_that_is_gathered(worker):
    with pytest.raises(AssertionError, match="half made"):
        gather([lambda: Service(worker.settings).client])
