"""An append waits for replicas on every path: from a thread, gathered, on a loop, and on a cluster.

A server without replicas never confirms a wait for one replica, and always a wait for none.
"""

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from redis.exceptions import (
    ConnectionError,  # noqa: A004
    NoPermissionError,
    RedisClusterException,
    ResponseError,
    TimeoutError,  # noqa: A004
)

from hoodwink.service.adapters.redis.connection import connect, connect_async
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.adapters.redis.replication import Wait, Written, wait_for
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.application.ports import (
    Appended,
    Conflict,
    Duplicate,
    NotReplicated,
    StoreUnavailable,
    StreamId,
)
from tests.service.adapters.commits import TABLE, commit
from tests.service.adapters.servers import real

SOON = 10.0
CONFIRMED = Wait(0, (("WAIT", 0, 50),))
UNCONFIRMED = Wait(1, (("WAIT", 1, 50),))
TABLES = [StreamId("table", f"t{number}") for number in range(20)]


@pytest.fixture
def confirmed(client):
    return RedisEventStore(client=client, wait=CONFIRMED)


@pytest.fixture
def unconfirmed(client):
    return RedisEventStore(client=client, wait=UNCONFIRMED)


@pytest.fixture
def redis(embedded_redis):
    with connect(embedded_redis.url) as client:
        client.flushall()
        yield client


@pytest.fixture
def on_loop(embedded_redis):
    """Runs functions together in the loop of an open connection; returns their results or exceptions."""

    def run(*functions, **limits):
        async def run():
            connection = LoopConnection(
                lambda: connect_async(embedded_redis.url, reply_seconds=None), **limits
            )
            opening = asyncio.create_task(connection.keep_open())
            try:
                async with asyncio.timeout(SOON):
                    while not connection.is_open:  # noqa: ASYNC110 - it is looked at from outside
                        await asyncio.sleep(0.005)
                    tasks = [connection.run_on_loop(function) for function in functions]
                    return await asyncio.gather(*tasks, return_exceptions=True)
            finally:
                opening.cancel()
                await asyncio.gather(opening, return_exceptions=True)

        return asyncio.run(run())

    return run


def waits(redis):
    """Returns the number of waits sent to the server."""
    return redis.info("commandstats").get("cmdstat_wait", {"calls": 0})["calls"]


def test_all_nodes_of_a_cluster_must_confirm(confirmed):
    def call_each(commands):
        return [Written(b"OK", is_replicated=number > 0) for number, _ in enumerate(commands)]

    confirmed._replicated = Mock(call_each=call_each)
    with pytest.raises(NotReplicated):
        confirmed.confirm_all()


@real
class TestThreads:
    def test_a_confirmed_append_returns_its_result(self, confirmed):
        assert confirmed.append(commit(0)) == Appended(1)
        assert confirmed.append(commit(0)) == Duplicate(1, "asked for 1", 1)
        assert isinstance(confirmed.append(commit(0, key="late")), Conflict)

    def test_an_unconfirmed_append_stays_stored_and_its_repeat_waits(self, unconfirmed, confirmed):
        for _ in range(2):
            with pytest.raises(NotReplicated):
                unconfirmed.append(commit(0))
            assert unconfirmed.version(TABLE) == 1
        assert confirmed.append(commit(0)) == Duplicate(1, "asked for 1", 1)

    def test_a_refused_append_needs_no_confirmation(self, store, unconfirmed):
        store.append(commit(0, events=2))

        assert isinstance(unconfirmed.append(commit(0, key="late")), Conflict)

    def test_a_known_commit_is_returned_once_confirmed(self, store, confirmed, unconfirmed):
        store.append(commit(0, key="one"))

        assert confirmed.known(TABLE, "one") == Duplicate(1, "asked for 1", 1)
        assert unconfirmed.known(TABLE, "another") is None
        with pytest.raises(NotReplicated):
            unconfirmed.known(TABLE, "one")

    def test_everything_can_be_confirmed(self, confirmed, unconfirmed):
        confirmed.confirm(TABLE)
        confirmed.confirm_all()
        with pytest.raises(NotReplicated):
            unconfirmed.confirm(TABLE)
        with pytest.raises(NotReplicated):
            unconfirmed.confirm_all()

    def test_without_required_replicas_nothing_is_confirmed(self, store, monkeypatch):
        monkeypatch.setattr(Transport, "call_each", lambda *_: pytest.fail("something is sent"))

        store.confirm(TABLE)
        store.confirm_all()

    def test_an_append_with_a_reloaded_script_waits_too(self, client, unconfirmed):
        client.script_flush()

        with pytest.raises(NotReplicated):
            unconfirmed.append(commit(0))
        assert unconfirmed.version(TABLE) == 1


class TestTogether:
    def test_gathered_appends_share_one_wait(self, redis):
        store = RedisEventStore(client=redis, wait=CONFIRMED)
        store.append(commit(0))
        before = waits(redis)

        results = gather([partial(store.append, commit(0, stream=table)) for table in TABLES[2:]])

        assert results == [Appended(1)] * len(results)
        assert waits(redis) == before + 1

    def test_appends_on_the_loop_share_one_wait(self, redis, on_loop):
        store = RedisEventStore(client=redis, wait=CONFIRMED)
        store.append(commit(0))
        before = waits(redis)

        results = on_loop(*[partial(store.append, commit(0, stream=table)) for table in TABLES[2:]])

        assert results == [Appended(1)] * len(results)
        assert waits(redis) == before + 1

    def test_unconfirmed_appends_on_the_loop_stay_stored(self, redis, on_loop):
        store = RedisEventStore(client=redis, wait=UNCONFIRMED)

        results = on_loop(*[partial(store.append, commit(0, stream=table)) for table in TABLES])

        assert [type(result) for result in results] == [NotReplicated] * len(TABLES)
        assert [store.version(table) for table in TABLES] == [1] * len(TABLES)

    def test_reads_do_not_wait_for_appends(self, redis, on_loop):
        store = RedisEventStore(client=redis, wait=Wait(1, (("WAIT", 1, 2000),)))
        order = []

        def append():
            with pytest.raises(NotReplicated):
                store.append(commit(0))
            order.append("append")

        def look():
            while not store.version(TABLE):
                pass
            order.append("look")

        on_loop(append, look)

        assert order == ["look", "append"]

    def test_an_unresponsive_server_fails_waiting_appends(self, redis, on_loop):
        store = RedisEventStore(client=redis, wait=Wait(1, (("WAIT", 1, 0),)))

        (result, later) = on_loop(
            partial(store.append, commit(0)),
            lambda: (store.version(TABLE), store.append(commit(0, stream=TABLES[2]))),
            reply_seconds=0.3,
        )

        assert {type(result), type(later)} == {StoreUnavailable}

    def test_a_closed_connection_refuses_appends(self, redis):
        store = RedisEventStore(client=redis, wait=CONFIRMED)
        closed = LoopConnection(lambda: connect_async("redis://nowhere", reply_seconds=None))

        async def append():
            async with asyncio.timeout(SOON):
                await closed.run_on_loop(store.append, commit(0))

        with pytest.raises(StoreUnavailable):
            asyncio.run(append())


class TestWait:
    @pytest.mark.parametrize(
        ("confirmation", "is_replicated"),
        [(0, False), (1, True), (2, True), ([1, 1], True), ([0, 1], False), ([1, 0], False)],
    )
    def test_a_reply_counts_as_replicated_at_the_required_number(self, confirmation, is_replicated):
        assert Wait(1, ()).judge([b"OK"], confirmation) == [Written(b"OK", is_replicated)]

    def test_an_error_stays_an_error_and_confirms_nothing(self):
        error = ResponseError("WAIT cannot be used with replica instances")

        assert Wait(1, ()).judge([error, b"OK"], error) == [error, Written(b"OK", is_replicated=False)]

    @pytest.mark.parametrize(
        ("version", "aof_enabled", "fsync", "commands"),
        [
            ("7.0.15", 1, "always", (("WAIT", 1, 1500),)),
            ("7.2.0", 0, "always", (("WAIT", 1, 1500),)),
            ("7.2.0", 1, "everysec", (("WAIT", 1, 1500),)),
            ("7.2.0", 1, "", (("WAIT", 1, 1500),)),
            ("7.2.0", 1, "always", (("WAIT", 1, 750), ("WAITAOF", 1, 1, 750))),
        ],
    )
    def test_servers_syncing_each_write_also_confirm_their_files(self, version, aof_enabled, fsync, commands):
        class Server:
            def info(self, _):
                return {"redis_version": version, "aof_enabled": aof_enabled}

            def config_get(self, _):
                if not fsync:
                    raise NoPermissionError
                return {"appendfsync": fsync}

        client: Any = Server()
        assert wait_for(client, replicas=1, seconds=1.5).commands == commands

    @pytest.mark.parametrize("question", ["appendfsync", "persistence", "server"])
    @pytest.mark.parametrize(
        "refusal", [NoPermissionError("no permissions"), ResponseError("unknown command 'INFO'")]
    )
    def test_a_server_hiding_its_settings_is_not_asked_for_its_files(self, question, refusal):
        wait = wait_for(refusing_client(question, refusal), replicas=1, seconds=1.5)

        assert wait.commands == (("WAIT", 1, 1500),)

    @pytest.mark.parametrize("question", ["appendfsync", "persistence", "server"])
    @pytest.mark.parametrize(
        "failure",
        [
            ConnectionError("Connection closed by server."),
            TimeoutError(),
            ResponseError("BUSY Redis is busy running a script."),
            RedisClusterException("Redis Cluster cannot be connected"),
        ],
    )
    def test_a_server_that_does_not_answer_is_unavailable(self, question, failure):
        with pytest.raises(StoreUnavailable):
            wait_for(refusing_client(question, failure), replicas=1, seconds=1.5)


def refusing_client(question: str, refusal: Exception) -> Any:
    """Returns a client of a server that syncs each write, but refuses one of the queries about it."""

    def answer(asked: str) -> dict[str, Any]:
        if asked == question:
            raise refusal
        return {"redis_version": "7.2.0", "aof_enabled": 1, "appendfsync": "always"}

    return SimpleNamespace(info=answer, config_get=answer)
