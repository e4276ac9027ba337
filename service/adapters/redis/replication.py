"""Waiting until replicas have what was written.

Redis acknowledges a write before its replicas have it, so one that takes over may lack it. `WAIT` blocks a connection
until enough replicas have everything that was written over this connection, and `WAITAOF` (Redis 7.2) until it is also
synced to the append-only files of the server and of the replicas. Both only tell how many have it: what is written
stays written.
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
    """The reply to a command that was followed by a wait, and whether enough replicas confirmed it in time."""

    reply: Any
    is_replicated: bool


class Wait(msgspec.Struct, frozen=True, gc=False):
    """What a write ends with.

    Attributes:
        replicas: the number of replicas that must confirm it.
        commands: make the connection wait for them; the reply to the last one counts.
    """

    replicas: int
    commands: tuple[tuple[str | int, ...], ...]

    def judge(self, replies: Sequence[Any], confirmation: Any) -> list[Any]:
        """Returns the replies to a write, errors as they are, with what the reply to the command says of the others."""
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
    """Returns a wait of at most this long, for synced files if all servers have `WAITAOF` and sync each write.

    Servers that sync later would make each write wait for a second or two, because they do so once a second.

    Raises:
        StoreUnavailable: a server did not say how it syncs, because it does not answer now.
    """
    if not all(_syncs_each_write(client, node) for node in primaries(client)):
        return Wait(replicas, (("WAIT", replicas, _ms(seconds)),))
    # When asked for a file, a replica says what was synced before, and says more only after a second. So it is asked
    # twice: its answer to WAIT comes after it has received the write, and the next one after it has synced it.
    half = _ms(seconds / 2)
    return Wait(replicas, (("WAIT", replicas, half), ("WAITAOF", 1, replicas, half)))


def primaries(client: Client) -> Sequence[dict[str, Any]]:
    """Returns for each primary the argument by which a command reaches it; a single server needs none."""
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
        # Hosted servers may forbid these questions. One that cannot answer now is asked again later, because the
        # process keeps to what it was told first.
        if isinstance(error, ResponseError) and not may_pass(error):
            return False
        raise StoreUnavailable(str(error) or type(error).__name__) from error
    has_command = version_of(server) >= _WITH_WAITAOF
    return has_command and bool(persistence.get("aof_enabled")) and fsync == "always"


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))  # 0 would be without end


class _Write(NamedTuple):
    commands: Sequence[bytes]
    waits: Sequence[bytes]
    future: "asyncio.Future[list[Any]]"


class ReplicatedWrites:
    """The writes of an event loop that wait for replicas, on a connection of their own, which is opened when needed.

    Redis serves nothing else on a connection that waits. So looks travel on another one, and writes that arrive
    meanwhile leave together, with one wait for all of them.
    """

    def __init__(self, *, reply_seconds: float) -> None:
        """Takes how long the replies to one write, its wait included, may take."""
        self._reply_seconds = reply_seconds
        self._unsent: list[_Write] = []
        self._has_unsent = asyncio.Event()

    def exchange(self, commands: Sequence[bytes], waits: Sequence[bytes]) -> list[Any]:
        """Returns the replies to packed commands and, as the last one, to the last of the waits that follow them."""
        write = _Write(commands, waits, asyncio.get_running_loop().create_future())
        self._unsent.append(write)
        self._has_unsent.set()
        replies: list[Any] = suspend_until(write.future)
        return replies

    async def carry(self, pool: Any) -> None:
        """Sends the writes until the connection is lost, and then refuses those that are under way."""
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
        """Refuses the writes that have not been sent."""
        refused, self._unsent = self._unsent, []
        self._has_unsent.clear()
        _refuse(refused)


def _refuse(writes: Sequence[_Write]) -> None:
    """Refuses writes; whether those that were sent took effect is unknown, so nothing is sent again."""
    for write in writes:
        if not write.future.done():
            write.future.set_exception(ConnectionError("the connection was lost"))


async def _carry_together(connection: Any, writes: Sequence[_Write]) -> None:
    packed = [command for write in writes for command in write.commands]
    packed += writes[-1].waits
    await connection.send_packed_command(packed, check_health=False)
    received = [await _reply(connection) for _ in packed]
    replies, confirmation = iter(received), received[-1]
    for write in writes:
        own = [next(replies) for _ in write.commands]
        if not write.future.done():  # the request may have been given up
            write.future.set_result([*own, confirmation])


async def _reply(connection: Any) -> Any:
    try:
        return await connection.read_response(disconnect_on_error=False)
    except ResponseError as error:
        return error
