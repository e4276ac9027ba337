"""The one task of the workers."""

import importlib
import sys
from typing import Any

import pytest

from service.application.attendance import STEPS_PER_VISIT
from service.application.dispatch import Task
from service.application.ports import StoreUnavailable
from service.bootstrap import Service


class Attendance:
    """What a visit leads to."""

    def __init__(self) -> None:
        self.visited: list[str] = []
        self.outcome: int | Exception = 0

    def attend(self, table_id: str) -> int:
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
        assert task is Task.ATTEND
        self.sent.extend(ids)


@pytest.fixture
def worker(monkeypatch) -> Any:
    """The module of the workers, with an attendance and a queue of paper."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    sys.modules.pop("workers.app", None)
    module = importlib.import_module("workers.app")
    given = Service(module.settings, attendance=Attendance())  # type: ignore[arg-type]
    monkeypatch.setattr(module, "service", given)
    monkeypatch.setattr(module, "queue", Queue())
    yield module
    sys.modules.pop("workers.app", None)


def test_a_task_is_a_visit_to_each_of_its_tables(worker):
    worker.attend("t1", "t2")
    assert worker.service.attendance.visited == ["t1", "t2"]
    assert worker.queue.sent == []


def test_a_visit_that_was_not_enough_leads_to_another(worker):
    worker.service.attendance.outcome = STEPS_PER_VISIT
    worker.attend("t1")
    assert worker.queue.sent == ["t1"]


def test_without_its_store_a_task_ends_and_is_found_again(worker):
    worker.service.attendance.outcome = StoreUnavailable("away")
    worker.attend("t1")
    assert worker.queue.sent == []


def test_what_is_wrong_with_a_table_is_told_and_keeps_nobody_from_the_others(worker):
    worker.service.attendance.outcome = ValueError("a bot that does not know the rules")
    with pytest.raises(ExceptionGroup) as told:
        worker.attend("t1", "t2")
    assert told.value.exceptions == (worker.service.attendance.outcome,)
    assert worker.service.attendance.visited == ["t1", "t2"]
