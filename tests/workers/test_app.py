"""The one task of the workers."""

import importlib
import sys
from typing import Any

import pytest

from service.application.attendance import STEPS_PER_VISIT
from service.application.ports import StoreUnavailable


class Attendance:
    """What a visit leads to."""

    def __init__(self) -> None:
        self.visited: list[str] = []
        self.outcome: int | Exception = 0

    def attend(self, table_id: str) -> int:
        self.visited.append(table_id)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


class Queue:
    def __init__(self) -> None:
        self.sent: list[str] = []

    def attend(self, table_id: str) -> None:
        self.sent.append(table_id)


@pytest.fixture
def worker(monkeypatch) -> Any:
    """The module of the workers, with an attendance and a queue of paper."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    sys.modules.pop("workers.app", None)
    module = importlib.import_module("workers.app")
    vars(module.service)["attendance"] = Attendance()
    monkeypatch.setattr(module, "queue", Queue())
    yield module
    sys.modules.pop("workers.app", None)


def test_a_task_is_a_visit(worker):
    worker.attend("t1")
    assert worker.service.attendance.visited == ["t1"]
    assert worker.queue.sent == []


def test_a_visit_that_was_not_enough_leads_to_another(worker):
    worker.service.attendance.outcome = STEPS_PER_VISIT
    worker.attend("t1")
    assert worker.queue.sent == ["t1"]


def test_without_its_store_a_task_ends_and_is_found_again(worker):
    worker.service.attendance.outcome = StoreUnavailable("away")
    worker.attend("t1")
    assert worker.queue.sent == []


def test_what_is_wrong_with_a_table_is_told(worker):
    worker.service.attendance.outcome = ValueError("a bot that does not know the rules")
    with pytest.raises(ValueError, match="bot"):
        worker.attend("t1")
