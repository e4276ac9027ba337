"""The tasks of the Celery workers."""

import importlib
import sys
from typing import Any

import pytest

from service.application.dispatch import Task
from service.application.ports import StoreUnavailable
from service.application.table_worker import STEPS_PER_VISIT
from service.bootstrap import Service


class TableWorker:
    """A fake table worker, which records the visits and returns or raises a fixed outcome."""

    def __init__(self) -> None:
        self.visited: list[str] = []
        self.outcome: int | Exception = 0

    def run_due(self, table_id: str) -> int:
        self.visited.append(table_id)
        if isinstance(self.outcome, int):
            return self.outcome
        if table_id == "t1":
            raise self.outcome
        return 0


class Queue:
    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, task: Task, *ids: str) -> None:
        assert task is Task.RUN_TABLE
        self.sent.extend(ids)


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
