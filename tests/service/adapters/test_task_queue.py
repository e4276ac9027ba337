"""Tasks in the queue of the broker."""

from typing import Any

import pytest
from celery import Celery

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.tasks.broker import JOB_KEYS, Broker
from hoodwink.service.adapters.tasks.task_queue import (
    CeleryJobQueue,
    CeleryTaskQueue,
    celery_application,
    job_application,
    task_name,
)
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis


@pytest.fixture
def broker(embedded_redis):
    with connect(embedded_redis.url) as client:
        client.flushall()
        yield embedded_redis.url


def test_a_task_names_its_table_and_uses_our_key_prefix(broker):
    CeleryTaskQueue(celery_application(broker)).send(Task.RUN_TABLE, "t1")
    with connect(broker) as client:
        (message,) = client.lrange("hw:celery:celery", 0, -1)
        assert all(key.startswith(b"hw:") for key in client.scan_iter())
    assert task_name(Task.RUN_TABLE).encode() in message
    assert b"attend:t1:" in message


def test_tasks_survive_their_worker():
    settings = celery_application("redis://127.0.0.1:6379/0").conf
    assert settings.task_acks_late
    assert settings.worker_prefetch_multiplier == 1
    assert settings.broker_transport_options["unacked_restore_throttle"] == 1


def test_an_unreachable_broker_is_unavailable_until_it_returns(tmp_path):
    server = EmbeddedRedis(folder=tmp_path / "redis")
    queue = CeleryTaskQueue(celery_application(server.url))
    with pytest.raises(StoreUnavailable, match="broker"):
        queue.send(Task.RUN_TABLE, "t1")
    with server, connect(server.url) as client:
        queue.send(Task.RUN_TABLE, "t1")
        assert Broker(client).waiting()[0] == 1


def take_tasks(application: Celery, count: int) -> list[str]:
    """Returns the ids in the next tasks, in the order a worker takes them."""
    names: list[str] = []

    def take(message: Any) -> None:
        names.append(message.headers["id"].split(":")[1])
        message.ack()

    with (
        application.connection_for_read() as connection,
        application.amqp.TaskConsumer(connection.default_channel, on_message=take),
    ):
        while len(names) < count:
            connection.drain_events(timeout=10)
    return names


def test_bot_tables_have_the_lowest_priority_in_the_same_queue(broker):
    application = celery_application(broker)
    queue = CeleryTaskQueue(application)
    for task, name in [(Task.RUN_BOTS, "bots"), (Task.RUN_TABLE, "people"), (Task.RUN_TOURNAMENT, "cup")]:
        for number in range(2):
            queue.send(task, f"{name}{number}")
    assert take_tasks(application, 6) == ["people0", "people1", "cup0", "cup1", "bots0", "bots1"]


def test_a_returned_task_goes_behind_the_others(broker):
    application = celery_application(broker)
    queue = CeleryTaskQueue(application)
    queue.send(Task.RUN_BOTS, "bots")
    with application.connection_for_read() as connection:
        channel: Any = connection.default_channel
        message = channel.basic_get(application.conf.task_default_queue)
        channel.basic_reject(message.delivery_tag, requeue=True)
    queue.send(Task.RUN_TABLE, "people")
    assert take_tasks(application, 2) == ["people", "bots"]


def test_large_jobs_have_the_lowest_priority_in_their_own_queue(broker):
    queue = CeleryJobQueue(job_application(broker))
    for job, is_large in (("a", True), ("b", False), ("c", True), ("d", False)):
        queue.send_job(job, is_large=is_large)
    with connect(broker) as client:
        assert Broker(client, keys=JOB_KEYS).waiting() == {0: 2, 3: 0, 6: 0, 9: 2}
        assert Broker(client).waiting()[0] == 0
