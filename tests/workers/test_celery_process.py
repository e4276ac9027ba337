"""A Celery worker's process."""

import os

from hoodwink.service.settings import Settings
from hoodwink.workers import celery_process


def test_a_worker_without_its_broker_exits_immediately(monkeypatch):
    awaited, exits = list[str](), list[int]()
    monkeypatch.setattr(celery_process, "await_loss", awaited.append)
    monkeypatch.setattr(os, "_exit", exits.append)
    celery_process.exit_with_broker(Settings(redis_url="redis://events", broker_url="redis://tasks"))
    assert (awaited, exits) == (["redis://tasks"], [1])
