import asyncio
from typing import Any

import pytest
from redis import Redis
from redis import asyncio as aio
from redis.asyncio.cluster import RedisCluster as AsyncRedisCluster
from redis.cluster import RedisCluster
from redis.exceptions import RedisError

from hoodwink.service.adapters.redis.connection import _startup, close_async, connect, connect_async, ping
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis


def test_a_server_is_reached_by_its_url(embedded_redis):
    with connect(embedded_redis.url) as client:
        assert isinstance(client, Redis)
        ping(client)


@pytest.mark.cluster
@pytest.mark.parametrize("url", ["redis://127.0.0.1:{0}", "redis+cluster://127.0.0.1:{0},127.0.0.1:{1}"])
def test_a_cluster_is_recognised_however_it_is_named(cluster_ports, url):
    with connect(url.format(*cluster_ports)) as client:
        assert isinstance(client, RedisCluster)
        assert len(client.get_primaries()) == 3
        ping(client)


@pytest.mark.cluster
def test_one_reachable_node_is_enough_to_find_a_cluster(cluster_ports):
    with connect(f"redis+cluster://127.0.0.1:1,127.0.0.1:{cluster_ports[2]}") as client:
        assert len(client.get_primaries()) == 3


@pytest.mark.parametrize(
    "url",
    [
        "redis://user:secret@127.0.0.1:1/0",
        "redis+cluster://user:secret@127.0.0.1:1,127.0.0.1:2",
        "unix:///nowhere/redis.sock",
        "rediss://user:secret@127.0.0.1:1",
        "http://user:secret@127.0.0.1",
        "redis://127.0.0.1:notaport",
        "nonsense",
    ],
)
def test_an_unreachable_server_is_reported_without_its_password(url):
    for attempt in (lambda: connect(url), lambda: asyncio.run(connect_async(url))):
        with pytest.raises(StoreUnavailable) as caught:
            attempt()
        assert "\n" not in str(caught.value)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["foo://127.0.0.1", "nonsense", "redis"])
def test_an_unknown_url_scheme_is_refused_with_the_valid_ones(url):
    for attempt in (lambda: connect(url), lambda: asyncio.run(connect_async(url))):
        with pytest.raises(StoreUnavailable) as caught:
            attempt()
        for beginning in ("redis://", "rediss://", "unix://", "redis+cluster://"):
            assert beginning in str(caught.value)


def test_a_stopped_server_is_unavailable(tmp_path):
    with EmbeddedRedis(folder=tmp_path) as server, connect(server.url) as client:
        server.stop()
        with pytest.raises(StoreUnavailable):
            ping(client)


def test_a_command_on_a_lost_connection_is_not_retried(embedded_redis):
    with connect(embedded_redis.url) as client:
        assert client.get_retry().get_retries() == 0


def test_user_password_and_tls_are_used_for_every_node():
    nodes, options = _startup("rediss+cluster://me:s%40t@a:7000,b:7001?socket_timeout=9")
    assert nodes == [("a", 7000), ("b", 7001)]
    assert options == {"username": "me", "password": "s@t", "ssl": True, "socket_timeout": 9.0}


def test_an_asyncio_client_reaches_a_server(embedded_redis):
    async def kind() -> type:
        client = await connect_async(embedded_redis.url)
        async with client:
            await client.ping()
        return type(client)

    assert asyncio.run(kind()) is aio.Redis


def test_cancelling_a_task_discards_its_connection(embedded_redis):
    async def cancelled_after(turns: int) -> bool:
        task = asyncio.create_task(connect_async(embedded_redis.url))
        for _ in range(turns):
            await asyncio.sleep(0)
        if task.done():
            await task.result().aclose()
            return False
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled(), turns
        return True

    async def story() -> int:
        turns = 0
        while await cancelled_after(turns):
            turns += 1
        return turns

    assert asyncio.run(story()) > 3


@pytest.mark.cluster
@pytest.mark.parametrize("url", ["redis://127.0.0.1:{0}", "redis+cluster://127.0.0.1:{0},127.0.0.1:{1}"])
def test_an_asyncio_client_recognises_a_cluster(cluster_ports, url):
    async def is_cluster() -> bool:
        client = await connect_async(url.format(*cluster_ports))
        await client.aclose()
        return isinstance(client, AsyncRedisCluster)

    assert asyncio.run(is_cluster())


@pytest.mark.cluster
def test_closing_a_cluster_closes_every_node_after_one_was_lost(cluster_ports):
    async def connected() -> list[bool]:
        client: Any = await connect_async(f"redis://127.0.0.1:{cluster_ports[0]}")
        nodes = client.get_nodes()
        for node in nodes:
            await node.execute_command("PING")
        with Redis(port=nodes[0].port) as other:
            other.client_kill_filter(_type="normal", skipme=True)
        with pytest.raises(RedisError):
            await client.execute_command("PING", target_nodes=nodes[0])
        await close_async(client)
        return [connection.is_connected for node in nodes for connection in node._connections]

    assert asyncio.run(connected()) == [False] * 3
