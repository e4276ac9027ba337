"""Code on an event loop shares one connection for its commands, and other code runs while it waits."""

import asyncio
import threading

import pytest
from redis.exceptions import ConnectionError, ResponseError  # noqa: A004

from hoodwink.service.adapters.redis.connection import connect, connect_async
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.application.ports import Appended, Conflict, Duplicate, StoreUnavailable
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from tests.service.adapters.commits import TABLE, commit

SOON = 10.0


@pytest.fixture
def redis(embedded_redis):
    with connect(embedded_redis.url) as client:
        client.flushall()
        yield client


@pytest.fixture
def transport(redis):
    return Transport(redis)


@pytest.fixture
def on_loop(embedded_redis):
    """Runs a coroutine function with an open connection in its own loop; returns its result."""

    def run(work, **limits):
        async def run():
            connection = LoopConnection(
                lambda: connect_async(embedded_redis.url, reply_seconds=None), **limits
            )
            opening = asyncio.create_task(connection.keep_open())
            try:
                await until(lambda: connection.is_open)
                return await work(connection)
            finally:
                opening.cancel()
                await asyncio.gather(opening, return_exceptions=True)

        return asyncio.run(run())

    return run


async def until(condition):
    async with asyncio.timeout(SOON):
        while not condition():  # noqa: ASYNC110 - it is looked at from outside
            await asyncio.sleep(0.005)


def test_each_task_gets_the_replies_to_its_own_commands(on_loop, transport):
    def own(number):
        first = transport.call("a", "ECHO", number)
        others = transport.call_each([("a", ("ECHO", f"{number}.{part}")) for part in range(number % 4)])
        return first, others

    async def work(connection):
        return await asyncio.gather(*[connection.run_on_loop(own, number) for number in range(200)])

    assert on_loop(work) == [
        (b"%d" % number, [b"%d.%d" % (number, part) for part in range(number % 4)]) for number in range(200)
    ]


def test_all_code_on_the_loop_shares_one_connection_and_a_thread_has_another(on_loop, transport):
    def ids():
        return transport.call("a", "CLIENT", "ID")

    async def work(connection):
        return await asyncio.gather(*[connection.run_on_loop(ids) for _ in range(10)])

    (shared,) = set(on_loop(work))
    assert ids() != shared


def test_while_one_task_waits_others_continue_in_the_same_thread(on_loop, transport):
    order = []

    def patient():
        order.append("asked")
        transport.call("a", "ECHO", 1)
        order.append("answered")
        return threading.get_ident()

    async def work(connection):
        return await asyncio.gather(connection.run_on_loop(patient), connection.run_on_loop(patient))

    assert set(on_loop(work)) == {threading.get_ident()}
    assert order == ["asked", "asked", "answered", "answered"]


def test_results_and_errors_of_the_code_reach_the_caller(on_loop, transport):
    async def work(connection):
        assert await connection.run_on_loop(lambda: "never asked") == "never asked"
        with pytest.raises(ZeroDivisionError):
            await connection.run_on_loop(lambda: transport.call("a", "ECHO", 1) and 1 / 0)
        assert LoopConnection.current() is None

    on_loop(work)


def test_a_command_error_is_raised_only_at_its_sender(on_loop, transport):
    def wrong():
        with pytest.raises(ResponseError, match="WRONGTYPE"):
            transport.call_each([("a", ("SET", "a", 1)), ("a", ("XLEN", "a")), ("b", ("SET", "b", 2))])
        with pytest.raises(ResponseError, match="WRONGTYPE"):
            transport.call("a", "XLEN", "a")
        return transport.call("b", "GET", "b")

    async def work(connection):
        return await asyncio.gather(
            connection.run_on_loop(wrong), connection.run_on_loop(transport.call, "a", "ECHO", "right")
        )

    assert on_loop(work) == [b"2", b"right"]


def test_reading_ahead_stops_when_the_callback_returns_false(on_loop, transport):
    taken = []

    def take(reply):
        taken.append(reply)
        return reply != b"2"

    async def work(connection):
        await connection.run_on_loop(
            transport.call_ahead, "a", [("ECHO", number) for number in range(1, 6)], take
        )
        return await connection.run_on_loop(transport.call, "a", "ECHO", "next")

    assert on_loop(work) == b"next"
    assert taken == [b"1", b"2"]


def test_a_cancelled_task_leaves_the_others_their_replies(on_loop, transport):
    async def work(connection):
        going = asyncio.create_task(connection.run_on_loop(transport.call, "a", "ECHO", "gone"))
        staying = asyncio.create_task(connection.run_on_loop(transport.call, "a", "ECHO", "here"))
        await asyncio.sleep(0)
        going.cancel()
        with pytest.raises(asyncio.CancelledError):
            await going
        return await staying

    assert on_loop(work) == b"here"


def test_a_lost_connection_fails_all_waiters_and_is_reopened(on_loop, transport, redis):
    async def work(connection):
        mine = await connection.run_on_loop(transport.call, "a", "CLIENT", "ID")
        commands = [("BLPOP", "nothing", 0), ("SET", "a", 1), ("ECHO", 2)]
        waiting = [
            asyncio.create_task(connection.run_on_loop(transport.call, "a", *command)) for command in commands
        ]
        await asyncio.sleep(0.05)
        redis.client_kill_filter(_id=mine)
        lost = await asyncio.gather(*waiting, return_exceptions=True)
        await until(lambda: connection.is_open)
        return lost, await connection.run_on_loop(transport.call, "a", "ECHO", "again")

    lost, again = on_loop(work)
    assert [type(outcome) for outcome in lost] == [StoreUnavailable] * 3
    assert again == b"again"


def test_a_server_that_stops_replying_counts_as_lost(on_loop, transport):
    async def work(connection):
        with pytest.raises(StoreUnavailable):
            await connection.run_on_loop(transport.call, "a", "BLPOP", "nothing", 0)
        with pytest.raises(StoreUnavailable):  # and nobody waits for it again
            await connection.run_on_loop(transport.call, "a", "ECHO", 1)
        connection._reply_seconds = SOON
        await until(lambda: connection.is_open)
        return await connection.run_on_loop(transport.call, "a", "ECHO", "again")

    assert on_loop(work, reply_seconds=0.3) == b"again"


def test_a_closed_connection_refuses_commands(transport):
    async def never():
        raise AssertionError

    with pytest.raises(StoreUnavailable):
        asyncio.run(LoopConnection(never).run_on_loop(transport.call, "a", "ECHO", 1))


def test_an_unreachable_store_is_retried(embedded_redis, transport, redis):
    tries = []

    async def reluctant():
        tries.append(1)
        if len(tries) < 2:
            raise StoreUnavailable("not yet")
        return await connect_async(embedded_redis.url, reply_seconds=None)

    async def work():
        connection = LoopConnection(reluctant)
        opening = asyncio.create_task(connection.keep_open())
        await until(lambda: connection.is_open)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    asyncio.run(work())
    assert len(tries) == 2


def test_connecting_survives_any_error(embedded_redis, redis):
    errors = [ResponseError("NOPERM this user has no permissions"), ZeroDivisionError()]

    async def refuse_then_connect():
        if errors:
            raise errors.pop()
        return await connect_async(embedded_redis.url, reply_seconds=None)

    async def work():
        connection = LoopConnection(refuse_then_connect)
        opening = asyncio.create_task(connection.keep_open())
        await until(lambda: connection.is_open or opening.done())
        assert connection.is_open
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    asyncio.run(work())


def test_a_server_that_stops_reading_is_disconnected_and_retried(tmp_path):
    """Buffered writes would never be sent, so closing must not wait for them."""
    path, writers = tmp_path / "redis.sock", []

    async def answer_once(reader, writer):
        writers.append(writer)
        await reader.readuntil(b"INFO")
        writer.write(b"$17\r\ncluster_enabled:0\r\n")
        writer.transport.pause_reading()

    async def work():
        server = await asyncio.start_unix_server(answer_once, path)
        connection = LoopConnection(
            lambda: connect_async(f"unix://{path}", reply_seconds=None), reply_seconds=0.2
        )
        opening = asyncio.create_task(connection.keep_open())
        await until(lambda: connection.is_open)
        opened = len(writers)
        asking = [connection.run_on_loop(connection.exchange, [b"x" * 2_000]) for _ in range(115)]
        lost = await asyncio.gather(*asking, return_exceptions=True)
        await until(lambda: opening.done() or (connection.is_open and len(writers) > opened))
        assert not opening.done()
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
        server.close()
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0.05)  # until both ends have noticed
        return {type(outcome) for outcome in lost}

    assert asyncio.run(work()) == {ConnectionError}


def test_a_store_silent_on_a_new_connection_is_retried(embedded_redis, redis):
    tries = []

    async def silent():
        tries.append(1)
        if len(tries) < 2:
            await asyncio.Event().wait()
        return await connect_async(embedded_redis.url, reply_seconds=None)

    async def work():
        connection = LoopConnection(silent, reply_seconds=0.2)
        opening = asyncio.create_task(connection.keep_open())
        await until(lambda: connection.is_open)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    asyncio.run(work())


def test_an_unexpected_reply_reopens_the_connection(on_loop, transport):
    def two_for_one():
        shared = LoopConnection.current()
        assert shared is not None
        return shared.exchange([b"ECHO 1\r\nECHO 2\r\n"])

    async def work(connection):
        assert await connection.run_on_loop(two_for_one) == [b"1"]
        await until(lambda: not connection.is_open)
        await until(lambda: connection.is_open)
        return await connection.run_on_loop(transport.call, "a", "ECHO", "own")

    assert on_loop(work) == b"own"


def test_the_event_store_behaves_on_the_loop_as_in_a_thread(on_loop, redis):
    store = RedisEventStore(client=redis)

    def append():
        return (
            store.append(commit(0, events=600, key="one")),
            store.append(commit(600, key="one")),
            store.append(commit(0, key="two")),
            len(store.read(TABLE)),
            store.read(TABLE, after=598),
        )

    async def work(connection):
        return await connection.run_on_loop(append)

    appended, duplicate, conflict, count, tail = on_loop(work)
    assert isinstance(appended, Appended)
    assert isinstance(duplicate, Duplicate)
    assert isinstance(conflict, Conflict)
    assert (count, tail) == (600, store.read(TABLE, after=598))


def test_a_service_creates_its_loop_parts_before_connecting(embedded_redis):
    """Before Python 3.12, a task suspended while creating a part would keep the lock of `cached_property`."""
    service = Service(Settings(redis_url=embedded_redis.url))

    async def work():
        connection = service.loop_connection()
        opening = asyncio.create_task(connection.keep_open())
        await until(lambda: connection.is_open)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    asyncio.run(work())
    assert {"client", "store", "tables", "players"} <= vars(service).keys()


@pytest.mark.cluster
def test_a_cluster_is_used_only_from_threads(cluster_ports):
    async def work():
        connection = LoopConnection(lambda: connect_async(f"redis://127.0.0.1:{cluster_ports[0]}"))
        await asyncio.wait_for(connection.keep_open(), SOON)
        return connection.is_open

    assert asyncio.run(work()) is False
