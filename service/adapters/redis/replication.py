"""Waits until replicas have received a write.

Redis acknowledges a write before its replicas have it, so a replica that takes over may lack it. `WAIT` blocks a
connection until enough replicas have everything written over that connection. `WAITAOF` (Redis 7.2) also waits
until it is synced to the append-only files of the server and the replicas. Both only return how many replicas have
it; they undo nothing.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec
from redis.cluster import RedisCluster
from redis.exceptions import (
    ConnectionError,  # noqa: A004
    RedisClusterException,
    RedisError,
    ResponseError,
)

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.failures import may_pass
from hoodwink.service.adapters.redis.greenlets import suspend_until
from hoodwink.service.application.ports import StoreUnavailable

_WITH_WAITAOF: Final = (7, 2)


class Written(NamedTuple):
    """The reply to a command with a wait, and whether enough replicas confirmed the command in time."""

    reply: Any
    is_replicated: bool


class Wait(msgspec.Struct, frozen=True, gc=False):
    """The wait after a write.

    Attributes:
        replicas: the number of replicas that must confirm the write.
        commands: make the connection wait. The reply to the last one counts.
    """

    replicas: int
    commands: tuple[tuple[str | int, ...], ...]

    def judge(self, replies: Sequence[Any], confirmation: Any) -> list[Any]:
        """Returns the replies to a write as `Written`, according to the wait's reply. Errors are returned unchanged."""
        is_replicated = self._is_met_by(confirmation)
        return [
            reply if isinstance(reply, ResponseError) else Written(reply, is_replicated) for reply in replies
        ]

    def _is_met_by(self, confirmation: Any) -> bool:
        match confirmation:
            case int(replicas):
                return replicas >= self.replicas
            case [int(local), int(replicas)]:
                return local >= 1 and replicas >= self.replicas
        return False  # an error: the server has become a replica, for instance


def wait_for(client: Client, *, replicas: int, seconds: float) -> Wait:
    """Returns a wait with this timeout, for synced files if all servers have `WAITAOF` and sync each write.

    Raises:
        StoreUnavailable: a server does not answer now, so it is unknown how it syncs.
    """
    # Servers with `everysec` sync once a second, so `WAITAOF` would make each write wait for a second or two.
    if not all(_syncs_each_write(client, node) for node in primaries(client)):
        return Wait(replicas, (("WAIT", replicas, _ms(seconds)),))
    # Asked only for its file, a replica reports what it had synced before, and then nothing new for a second. So it
    # is asked twice: it answers WAIT after it has received the write, and WAITAOF after it has synced it.
    half = _ms(seconds / 2)
    return Wait(replicas, (("WAIT", replicas, half), ("WAITAOF", 1, replicas, half)))


def primaries(client: Client) -> Sequence[dict[str, Any]]:
    """Returns the argument that directs a command to each primary. A single server needs none."""
    if isinstance(client, RedisCluster):
        return [{"target_nodes": node} for node in cast("Any", client).get_primaries()]
    return [{}]


def version_of(server: dict[str, Any]) -> tuple[int, ...]:
    """Returns the first two numbers of a server's version.

    >>> version_of({"redis_version": "7.0.15"})
    (7, 0)
    """
    return tuple(int(number) for number in str(server["redis_version"]).split(".")[:2])


def _syncs_each_write(client: Any, node: dict[str, Any]) -> bool:
    try:
        fsync = client.config_get("appendfsync", **node).get("appendfsync")
        persistence = client.info("persistence", **node)
        server = client.info("server", **node)
    except (RedisError, RedisClusterException) as error:
        # Hosted servers may forbid these commands. A server that cannot answer now must be asked again, because the
        # process never changes its choice later.
        if isinstance(error, ResponseError) and not may_pass(error):
            return False
        raise StoreUnavailable(str(error) or type(error).__name__) from error
    has_command = version_of(server) >= _WITH_WAITAOF
    return has_command and bool(persistence.get("aof_enabled")) and fsync == "always"


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))  # Redis takes 0 as "wait forever"


class _Write(NamedTuple):
    commands: Sequence[bytes]
    waits: Sequence[bytes]
    future: "asyncio.Future[list[Any]]"


class ReplicatedWrites:
    """An event loop's writes that wait for replicas. They have a connection of their own, which is opened when needed.

    Redis serves nothing else on a waiting connection. So reads use another one, and writes that arrive meanwhile
    leave together, with one wait for all.
    """

    def __init__(self, *, reply_seconds: float) -> None:
        """Takes the maximum time for the replies to one write, including its wait."""
        self._reply_seconds = reply_seconds
        self._unsent: list[_Write] = []
        self._has_unsent = asyncio.Event()

    def exchange(self, commands: Sequence[bytes], waits: Sequence[bytes]) -> list[Any]:
        """Returns the replies to packed commands and, last, the reply to the last of the waits that follow them."""
        write = _Write(commands, waits, asyncio.get_running_loop().create_future())
        self._unsent.append(write)
        self._has_unsent.set()
        replies: list[Any] = suspend_until(write.future)
        return replies

    async def carry(self, pool: Any) -> None:
        """Sends writes until the connection is lost, then refuses those in progress."""
        writes: list[_Write] = []
        connection = None
        try:
            while True:
                await self._has_unsent.wait()
                self._has_unsent.clear()
                writes, self._unsent = self._unsent, []
                async with asyncio.timeout(self._reply_seconds):
                    connection = connection or await pool.get_connection()
                    await _carry_together(connection, writes)
        finally:
            _refuse(writes)
            if connection is not None:
                await connection.disconnect(nowait=True)

    def refuse(self) -> None:
        """Refuses the writes that were not sent yet."""
        refused, self._unsent = self._unsent, []
        self._has_unsent.clear()
        _refuse(refused)


def _refuse(writes: Sequence[_Write]) -> None:
    # Nothing is sent again, because nobody knows whether a write that was sent took effect.
    for write in writes:
        if not write.future.done():
            write.future.set_exception(ConnectionError("the connection was lost"))


async def _carry_together(connection: Any, writes: Sequence[_Write]) -> None:
    packed = [command for write in writes for command in write.commands]
    packed += writes[-1].waits  # one wait covers everything written before on this connection
    await connection.send_packed_command(packed, check_health=False)
    received = [await _reply(connection) for _ in packed]
    replies, confirmation = iter(received), received[-1]
    for write in writes:
        own = [next(replies) for _ in write.commands]
        if not write.future.done():  # the request may have been cancelled
            write.future.set_result([*own, confirmation])


async def _reply(connection: Any) -> Any:
    try:
        return await connection.read_response(disconnect_on_error=False)
    except ResponseError as error:
        return error
