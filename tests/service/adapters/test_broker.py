"""Celery's keys in the broker's Redis are counted, and cleaned up after dead processes."""

import time

import pytest
from redis import Redis
from redis.cluster import RedisCluster

from hoodwink.service.adapters.tasks.broker import PUSH_KEYS, THINKING_KEYS, Broker
from hoodwink.service.adapters.tasks.task_queue import CeleryTaskQueue
from hoodwink.service.application.work.tasks import Task

HOUR = 3_600


@pytest.fixture
def broker(client):
    if isinstance(client, RedisCluster):
        pytest.skip("a broker is no cluster")
    return Broker(client)


def take(client: Redis, tag: str, at: float | None) -> None:
    """Stores a task as if taken by a worker; without a time, only half of it."""
    client.hset("hw:celery:unacked", tag, "a task")
    if at is not None:
        client.zadd("hw:celery:unacked_index", {tag: at})


def test_waiting_tasks_are_counted_by_priority(client, broker):
    client.rpush("hw:celery:celery", "a", "b")
    client.rpush("hw:celery:celery\x06\x169", "c")
    assert broker.waiting() == {0: 2, 3: 0, 6: 0, 9: 1}


def test_tasks_are_found_in_celerys_queues(embedded_redis):
    with Redis.from_url(embedded_redis.url) as client:
        client.flushall()
        queue = CeleryTaskQueue(
            Broker(client), thinkers=Broker(client, keys=THINKING_KEYS), pushes=Broker(client, keys=PUSH_KEYS)
        )
        queue.send(Task.RUN_TABLE, "t1", due_at=1)
        queue.send(Task.RUN_TABLE, "t2", due_at=1)
        queue.send(Task.RUN_BOTS, "t3")
        assert Broker(client).waiting() == {0: 2, 3: 0, 6: 0, 9: 1}


def test_abandoned_tasks_are_dropped(client, broker):
    now = time.time()
    taken = {"now": now, "long ago": now - 2 * HOUR, "ahead": now + 2 * HOUR, "without a time": None}
    for tag, at in taken.items():
        take(client, tag, at)
    assert broker.tidy(after_seconds=HOUR) == 3
    assert client.hkeys("hw:celery:unacked") == client.zrange("hw:celery:unacked_index", 0, -1) == [b"now"]


def test_mailboxes_of_workers_are_dropped(client, broker):
    client.sadd("hw:celery:_kombu.binding.celery.pidbox", "\x06\x16\x06\x16worker-7@host.celery.pidbox")
    client.sadd("hw:celery:_kombu.binding.celery", "celery\x06\x16\x06\x16celery")
    assert broker.tidy(after_seconds=HOUR) == 0
    assert client.keys("*") == [b"hw:celery:_kombu.binding.celery"]
