"""Tasks in the queue of the broker."""

import base64
import json
from typing import Any

import pytest
from celery import Celery
from redis import Redis

from hoodwink.service.adapters.tasks.applications import celery_application, job_application
from hoodwink.service.adapters.tasks.broker import JOB_KEYS, PUSH_KEYS, THINKING_KEYS, Broker
from hoodwink.service.adapters.tasks.messages import task_message
from hoodwink.service.adapters.tasks.task_queue import CeleryJobQueue, CeleryTaskQueue, task_name
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis


@pytest.fixture
def client(embedded_redis):
    with Redis.from_url(embedded_redis.url) as client:
        client.flushall()
        yield client


def test_a_task_names_its_table_and_uses_our_key_prefix(client):
    CeleryTaskQueue(
        Broker(client), thinkers=Broker(client, keys=THINKING_KEYS), pushes=Broker(client, keys=PUSH_KEYS)
    ).send(Task.RUN_TABLE, "t1")
    (message,) = client.lrange("hw:celery:celery", 0, -1)
    assert all(key.startswith(b"hw:") for key in client.scan_iter())
    assert task_name(Task.RUN_TABLE).encode() in message
    assert b"attend:t1:" in message


def test_our_messages_equal_celerys(client, embedded_redis):
    application = celery_application(embedded_redis.url)
    application.send_task(
        "hoodwink.attend", ("t1", "t2"), task_id="x", ignore_result=True, priority=9, headers={"due_at": 5}
    )
    ours = task_message("hoodwink.attend", ("t1", "t2"), task_id="x", priority=9, headers={"due_at": 5})
    theirs, ours = [json.loads(found) for found in (client.lindex("hw:celery:celery\x06\x169", 0), ours)]
    for message in (theirs, ours):
        message["body"] = json.loads(base64.b64decode(message["body"]))
        # Random, and the queue for a result, which nobody asks for.
        del message["properties"]["delivery_tag"], message["properties"]["reply_to"]
    assert ours == theirs


def test_jobs_survive_their_worker_but_tasks_do_not():
    tasks, jobs = (make("redis://127.0.0.1:6379/0").conf for make in (celery_application, job_application))
    assert tasks.task_acks_late == jobs.task_acks_late == True  # noqa: E712
    assert tasks.worker_prefetch_multiplier == jobs.worker_prefetch_multiplier == 1
    assert tasks.broker_transport_options["ack_emulation"] is False
    assert jobs.broker_transport_options["unacked_restore_throttle"] == 1


def test_an_unreachable_broker_is_unavailable_until_it_returns(tmp_path):
    server = EmbeddedRedis(folder=tmp_path / "redis")
    with server:
        client = Redis.from_url(server.url)
    queue = CeleryTaskQueue(
        Broker(client), thinkers=Broker(client, keys=THINKING_KEYS), pushes=Broker(client, keys=PUSH_KEYS)
    )
    with pytest.raises(StoreUnavailable):
        queue.send(Task.RUN_TABLE, "t1")
    with server, client:
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


def test_bot_tables_have_the_lowest_priority_in_the_same_queue(client, embedded_redis):
    queue = CeleryTaskQueue(
        Broker(client), thinkers=Broker(client, keys=THINKING_KEYS), pushes=Broker(client, keys=PUSH_KEYS)
    )
    for task, name in [(Task.RUN_BOTS, "bots"), (Task.RUN_TABLE, "people"), (Task.RUN_TOURNAMENT, "cup")]:
        for number in range(2):
            queue.send(task, f"{name}{number}")
    assert take_tasks(celery_application(embedded_redis.url), 6) == [
        "people0",
        "people1",
        "cup0",
        "cup1",
        "bots0",
        "bots1",
    ]


def test_large_jobs_have_the_lowest_priority_in_their_own_queue(client):
    queue = CeleryJobQueue(Broker(client, keys=JOB_KEYS))
    for job, is_large in (("a", True), ("b", False), ("c", True), ("d", False)):
        queue.send_job(job, is_large=is_large)
    assert Broker(client, keys=JOB_KEYS).waiting() == {0: 2, 3: 0, 6: 0, 9: 2}
    assert Broker(client).waiting()[0] == 0
