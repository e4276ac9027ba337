"""Tasks in the queue of the broker."""

import pytest

from service.adapters.connection import connect
from service.adapters.embedded_redis import EmbeddedRedis
from service.adapters.task_queue import CeleryTaskQueue, celery_application, task_name
from service.application.dispatch import Task
from service.application.ports import StoreUnavailable


@pytest.fixture
def broker(embedded_redis):
    with connect(embedded_redis.url) as client:
        client.flushall()
        yield embedded_redis.url


def test_a_task_waits_until_somebody_takes_it(broker):
    queue = CeleryTaskQueue(celery_application(broker))
    assert queue.waiting() == 0
    queue.send(Task.RUN_TABLE, "t1")
    queue.send(Task.RUN_TABLE, "t2")
    assert queue.waiting() == 2


def test_a_task_names_its_table_and_is_kept_under_our_prefix(broker):
    CeleryTaskQueue(celery_application(broker)).send(Task.RUN_TABLE, "t1")
    with connect(broker) as client:
        (message,) = client.lrange("hw:celery:celery", 0, -1)
        assert all(key.startswith(b"hw:") for key in client.scan_iter())
    assert task_name(Task.RUN_TABLE).encode() in message
    assert b"attend:t1:" in message


def test_tasks_survive_their_worker():
    settings = celery_application("redis://127.0.0.1:6379/0").conf
    assert settings.task_acks_late
    assert settings.task_reject_on_worker_lost
    assert settings.worker_prefetch_multiplier == 1
    assert settings.broker_transport_options["unacked_restore_throttle"] == 1


def test_a_broker_out_of_reach_is_unavailable_and_then_is_not(tmp_path):
    server = EmbeddedRedis(folder=tmp_path / "redis")
    queue = CeleryTaskQueue(celery_application(server.url))
    for ask in (lambda: queue.send(Task.RUN_TABLE, "t1"), queue.waiting):
        with pytest.raises(StoreUnavailable, match="broker"):
            ask()
    with server:
        queue.send(Task.RUN_TABLE, "t1")
        assert queue.waiting() == 1
