"""The id of a request reaches the feed, the tasks, and the log lines of all of them."""

import asyncio
from functools import partial
from typing import Any

import pytest

from hoodwink.domain.due_times import IMMEDIATELY, WorkDue
from hoodwink.service.adapters.process.request_ids import RequestIds, begin_request, current_request, serving
from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.adapters.redis.greenlets import suspend_until
from hoodwink.service.adapters.store.feeds.feed_entries import feed_entry
from hoodwink.service.adapters.tasks.applications import celery_application, requests_of_current_task
from hoodwink.service.adapters.tasks.broker import PUSH_KEYS, THINKING_KEYS, Broker
from hoodwink.service.adapters.tasks.task_queue import CeleryTaskQueue
from hoodwink.service.application.work.tasks import Task
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.serving import bridge
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.adapters.commits import TABLE, commit


@pytest.mark.parametrize("given", ["a", "A-b_c.9", "x" * 64])
def test_a_valid_client_id_is_kept(given):
    assert RequestIds().of(given) == given


@pytest.mark.parametrize("given", [None, "", "x" * 65, "a b", "a\n", "é", 'a"', "a=b"])
def test_invalid_client_ids_are_replaced_by_unique_ones(given):
    ids, others = RequestIds(), RequestIds()
    made = [ids.of(given), ids.of(given), others.of(given)]
    assert len(set(made)) == 3
    assert all(ids.of(id_) == id_ for id_ in made)


def test_the_feed_has_the_request_id_and_the_events_do_not(store, feed):
    with serving("r1"):
        store.append(commit(0))
    store.append(commit(1))

    entries = feed.read(group="g", consumer="c", partitions=feed.partitions, count=9, block_ms=0)

    assert [(entry.version, entry.request) for entry in entries] == [(1, "r1"), (2, "")]
    assert "r1" not in str(store.read(TABLE))


@pytest.mark.parametrize("fields", [10, 12])
def test_entries_of_earlier_releases_can_be_read(fields):
    written = b"stream table:t1 first 1 version 2 types a due work head h".split()[:fields]
    entry = feed_entry(0, b"1-0", written)
    assert (entry.version, entry.due, entry.request) == (2, WorkDue(IMMEDIATELY), "")


def test_a_received_task_has_its_request_ids(embedded_redis):
    application = celery_application(embedded_redis.url)
    application.conf.task_always_eager = True
    found = []

    @application.task
    def look() -> None:
        found.append(requests_of_current_task(application))

    given: list[Any] = [{"requests": {"t1": "r1"}}, {"other": "x"}, None]
    for headers in given:
        look.apply(headers=headers)
    assert found == [{"t1": "r1"}, {}, {}]
    assert requests_of_current_task(application) == {}


def test_a_task_is_sent_with_its_request_ids(embedded_redis):
    with connect(embedded_redis.url) as client:
        client.flushall()
        CeleryTaskQueue(
            Broker(client), thinkers=Broker(client, keys=THINKING_KEYS), pushes=Broker(client, keys=PUSH_KEYS)
        ).send(Task.RUN_TABLE, "t1", requests={"t1": "r1"})
        (message,) = client.lrange("hw:celery:celery", 0, -1)
    assert b'"requests":{"t1":"r1"}' in message


def test_simultaneous_requests_keep_their_ids(tmp_path):
    """The lane's greenlets start with the same context and are reused."""
    seen = []

    def answer():
        before = current_request()
        suspend_until(asyncio.sleep(0.001))
        seen.append((before, current_request()))

    async def ask():
        with EmbeddedRedis(folder=tmp_path / "redis") as server:
            connection = Service(Settings(redis_url=server.url)).loop_connection()
            for first in range(0, 200, 100):  # the second hundred reuse the greenlets of the first
                asked = [f"r{number}" for number in range(first, first + 100)]
                await asyncio.gather(
                    *[connection.run_on_loop(bridge._serve, request, answer) for request in asked]
                )
            await connection.run_on_loop(answer)

    begin_request("")
    asyncio.run(ask())
    assert sorted(seen[:-1]) == sorted((f"r{number}",) * 2 for number in range(200))
    assert seen[-1] == ("", "")
    assert current_request() == ""


def test_parallel_visits_keep_their_ids():
    seen = []

    def visit(request):
        with serving(request):
            seen.append((request, current_request()))

    gather([partial(visit, request) for request in ("r1", "", "r2")])
    gather([lambda: seen.append(("", current_request()))])

    assert seen == [("r1", "r1"), ("", ""), ("r2", "r2"), ("", "")]
