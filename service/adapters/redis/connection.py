"""Clients of a Redis or a Redis Cluster that never send a command twice."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit, urlunsplit

from redis import Redis
from redis import asyncio as aio
from redis.asyncio.cluster import ClusterNode as AsyncClusterNode
from redis.asyncio.cluster import RedisCluster as AsyncRedisCluster
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.connection import parse_url
from redis.exceptions import RedisClusterException, RedisError
from redis.retry import Retry

from hoodwink.service.application.ports import StoreUnavailable

T = TypeVar("T")

Client: TypeAlias = Redis | RedisCluster
AsyncClient: TypeAlias = aio.Redis | AsyncRedisCluster

CLUSTER_SCHEMES = {"redis+cluster": "redis", "rediss+cluster": "rediss"}
_SCHEMES = ("redis", "rediss", "unix", *CLUSTER_SCHEMES)

# RESP2 saves the handshake of RESP3 and its notifications, which nothing here reads.
_OPTIONS: dict[str, Any] = {
    "protocol": 2,
    "socket_connect_timeout": 2,
    "socket_keepalive": True,  # notices a machine that vanished while no command was under way
    "driver_info": None,
}
REPLY_SECONDS = 5

_CONNECTING = re.compile(r"^Error -?\d+ connecting to .*?\. ")
"""redis-py's prefix before the reason: an error number, and the address again."""

# redis-py has no types for these.
_node: Callable[[str, int], ClusterNode] = ClusterNode
_parsed_url: Callable[[str], dict[str, Any]] = parse_url


def connect(url: str, *, on_connect: Callable[[], None] = lambda: None) -> Client:
    """Returns a client that has reached the server. A cluster is recognised regardless of the URL.

    A lost connection raises immediately. Only the caller knows whether it is safe to send a command again.

    Args:
        url: `redis://`, `rediss://`, `unix://`, or `redis+cluster://host:port,host:port`.
        on_connect: called whenever a connection has been opened, including the replacement of a lost one.

    Raises:
        StoreUnavailable: one line that says why, without the password.
    """
    _check_scheme(url)
    try:
        return _cluster(url, on_connect) if _names_cluster(url) else _server(url, on_connect)
    except (RedisError, RedisClusterException, ValueError, OSError) as error:
        raise _unavailable(url, error) from error


async def connect_async(url: str, *, reply_seconds: float | None = 30) -> AsyncClient:
    """Returns an asyncio client that has reached the server.

    Args:
        url: as in `connect`.
        reply_seconds: must be longer than any blocking read; `None` if the caller sets its own timeouts.

    Raises:
        StoreUnavailable: one line that says why, without the password.
    """
    _check_scheme(url)
    options = _OPTIONS | {"retry": AsyncRetry(NoBackoff(), 0), "socket_timeout": reply_seconds}
    try:
        if _names_cluster(url):
            return await _cluster_async(url, options)
        client = aio.Redis.from_url(url, **_for_scheme(url, options))
        try:
            is_cluster = _is_cluster(await unless_cancelled(client.info("cluster")))
        except BaseException:
            await client.aclose()
            raise
        if not is_cluster:
            return client
        await client.aclose()
        return await _cluster_async(url, options)
    except (RedisError, RedisClusterException, ValueError, OSError) as error:
        raise _unavailable(url, error) from error


async def close_async(client: AsyncClient) -> None:
    """Closes a client, even if it has just lost a connection."""
    if isinstance(client, AsyncRedisCluster):
        # After such a loss redis-py's `aclose` does nothing before the next command, and would leave the connections to
        # the other nodes open.
        with suppress(RedisError, RedisClusterException, OSError):
            client = await client.initialize()
    await client.aclose()


async def unless_cancelled(call: Awaitable[T]) -> T:
    """Returns the reply to a call of redis-py, or ends the task if it was cancelled meanwhile."""
    # While redis-py connects or sends, it may swallow a cancellation and continue or raise another error.
    task = asyncio.current_task()
    assert task is not None, "it is awaited in a task"
    before = task.cancelling()
    try:
        return await call
    finally:
        if task.cancelling() > before:
            raise asyncio.CancelledError


def ping(client: Client) -> None:
    """Returns if every primary answers; raises `StoreUnavailable`."""
    try:
        if isinstance(client, RedisCluster):
            client.ping(target_nodes=RedisCluster.PRIMARIES)
        else:
            client.ping()
    except (RedisError, RedisClusterException) as error:
        raise StoreUnavailable(str(error)) from error


def _server(url: str, on_connect: Callable[[], None]) -> Client:
    def connected(connection: Any) -> None:
        connection.on_connect()  # `redis_connect_func` replaces redis-py's own handshake, so it is called here
        on_connect()

    options = _OPTIONS | {"retry": Retry(NoBackoff(), 0), "socket_timeout": REPLY_SECONDS}
    client = Redis.from_url(url, **_for_scheme(url, options), redis_connect_func=connected)
    if not _is_cluster(client.info("cluster")):
        return client
    client.close()
    return _cluster(url, on_connect)


def _cluster(url: str, on_connect: Callable[[], None]) -> RedisCluster:
    nodes, options = _startup(url)
    options |= _OPTIONS | {"retry": Retry(NoBackoff(), 0), "socket_timeout": REPLY_SECONDS}
    return RedisCluster(
        startup_nodes=[_node(host, port) for host, port in nodes],
        redis_connect_func=lambda _: on_connect(),
        **options,
    )


async def _cluster_async(url: str, options: dict[str, Any]) -> AsyncRedisCluster:
    nodes, given = _startup(url)
    client = AsyncRedisCluster(
        startup_nodes=[AsyncClusterNode(host, port) for host, port in nodes], **given, **options
    )
    return await client.initialize()


def _startup(url: str) -> tuple[list[tuple[str, int]], dict[str, Any]]:
    """Returns the nodes in a URL, and its options (user, password, encryption)."""
    scheme, _, rest = url.partition("://")
    access, at, hosts = rest.rpartition("@")
    hosts, _, query = hosts.partition("?")
    names = [host.strip("/") for host in hosts.split(",")]
    parsed = [
        _parsed_url(f"{CLUSTER_SCHEMES.get(scheme, scheme)}://{access}{at}{name}?{query}") for name in names
    ]
    nodes = [(node.pop("host", "localhost"), node.pop("port", 6379)) for node in parsed]
    given = parsed[0]
    given.pop("db", None)  # a cluster has one database
    if given.pop("connection_class", None):
        given["ssl"] = True
    return nodes, given


def _unavailable(url: str, error: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"No Redis at {without_password(url)}: {_CONNECTING.sub('', str(error))}")


def _check_scheme(url: str) -> None:
    beginnings = [f"{scheme}://" for scheme in _SCHEMES]
    if not url.startswith(tuple(beginnings)):
        raise StoreUnavailable(
            f"No Redis at {without_password(url)}: "
            f"the address must begin with {', '.join(beginnings[:-1])} or {beginnings[-1]}."
        )


def _names_cluster(url: str) -> bool:
    return url.partition("://")[0] in CLUSTER_SCHEMES


def _is_cluster(info: Any) -> bool:
    return bool(info.get("cluster_enabled"))


def _for_scheme(url: str, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options that redis-py accepts for the URL's scheme."""
    # Its unix sockets accept no keepalive: the kernel itself reports a peer that ends.
    if url.startswith("unix:"):
        return {name: value for name, value in options.items() if name != "socket_keepalive"}
    return options


def without_password(url: str) -> str:
    """Returns a URL without its password, so that it can be shown and logged.

    >>> without_password("redis://user:secret@example.org:6379/0")
    'redis://user:…@example.org:6379/0'
    """
    parts = urlsplit(url)
    access, at, where = parts.netloc.rpartition("@")
    if not at:
        return url
    return urlunsplit(parts._replace(netloc=f"{access.partition(':')[0]}:…@{where}"))
