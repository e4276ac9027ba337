"""One Redis connection for all requests that an event loop answers.

The commands of one turn of the loop leave in one write, and no request blocks another while it waits for replies.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from contextvars import ContextVar, copy_context
from typing import Any, Final

import structlog
from redis.asyncio.cluster import RedisCluster
from redis.exceptions import ConnectionError, RedisError, ResponseError, TimeoutError  # noqa: A004

from hoodwink.service.adapters.redis.connection import AsyncClient
from hoodwink.service.adapters.redis.greenlets import GreenletPool, suspend_until
from hoodwink.service.adapters.redis.replication import ReplicatedWrites
from hoodwink.service.application.ports import StoreUnavailable

log = structlog.get_logger(__name__)

REPLY_SECONDS: Final = 5.0
_TICK_SECONDS: Final = 0.5
_PAUSE_SECONDS: Final = 0.5

_current: "ContextVar[LoopConnection | None]" = ContextVar("loop_connection", default=None)


class _Exchange:
    """Commands that were handed to the connection, and their replies so far."""

    __slots__ = ("count", "future", "replies", "since")

    def __init__(self, future: "asyncio.Future[list[Any]]", count: int, since: float) -> None:
        self.future = future
        self.count = count
        self.since = since
        self.replies: list[Any] = []

    def add(self, reply: Any) -> bool:
        """Adds a reply; returns whether it was the last."""
        self.replies.append(reply)
        if len(self.replies) < self.count:
            return False
        # A cancelled request stays in the queue: Redis still replies to it, and replies carry no id.
        if not self.future.done():
            self.future.set_result(self.replies)
        return True


class LoopConnection:
    """Runs code that sends commands over one shared connection. All calls belong on one event loop.

    It serves a single Redis only. With a cluster it never opens, and callers use threads.
    """

    def __init__(
        self,
        connect: Callable[[], Awaitable[AsyncClient]],
        *,
        reply_seconds: float = REPLY_SECONDS,
        on_loss: Callable[[], None] = lambda: None,
    ) -> None:
        """Does not connect yet; see `keep_open`.

        Args:
            connect: returns a client that has reached the server.
            reply_seconds: how long a reply may take before the connection counts as lost.
            on_loss: called whenever the connection was lost.
        """
        self._connect = connect
        self._reply_seconds = reply_seconds
        self._on_loss = on_loss
        self._unsent: list[bytes] = []
        self._waiting: deque[_Exchange] = deque()
        self._has_unsent = asyncio.Event()
        self._replicated = ReplicatedWrites(reply_seconds=reply_seconds)
        self.is_open = False
        context = copy_context()
        context.run(_current.set, self)
        self.run_on_loop = GreenletPool(context).run

    @staticmethod
    def current() -> "LoopConnection | None":
        """Returns the connection of the loop that runs the calling code, or `None` in another thread."""
        return _current.get()

    def exchange(self, commands: Sequence[bytes]) -> list[Any]:
        """Returns the replies to packed commands, including errors. Only for code run by `run_on_loop`."""
        if not commands:
            return []
        if not self.is_open:
            raise ConnectionError("the connection was lost")
        loop = asyncio.get_running_loop()
        exchange = _Exchange(loop.create_future(), len(commands), loop.time())
        self._waiting.append(exchange)
        self._unsent.extend(commands)
        self._has_unsent.set()
        replies: list[Any] = suspend_until(exchange.future)
        return replies

    def exchange_replicated(self, commands: Sequence[bytes], waits: Sequence[bytes]) -> list[Any]:
        """Returns the replies to packed commands and, last, the reply to the last of the waits that follow them."""
        if not self.is_open:
            raise ConnectionError("the connection was lost")
        return self._replicated.exchange(commands, waits)

    async def keep_open(self) -> None:
        """Connects, and reconnects whenever the connection is lost, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(self._reply_seconds):
                    client = await self._connect()
                async with aclosing(client):
                    if isinstance(client, RedisCluster):
                        return
                    await self._serve(client.connection_pool)
            except (StoreUnavailable, OSError) as error:
                log.warning("store unavailable", error=_text(error))
            except Exception:
                log.exception("connecting to the store failed; retrying")
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _serve(self, pool: Any) -> None:
        """Sends and receives until the connection is lost, then refuses all waiting requests."""
        try:
            async with asyncio.timeout(self._reply_seconds):
                connection = await pool.get_connection()
            self.is_open = True
            try:
                # In a group, because the failure of one task means that the connection is unusable for the others.
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._send(connection))
                    tasks.create_task(self._receive(connection))
                    tasks.create_task(self._watch())
                    tasks.create_task(self._replicated.carry(pool))
            finally:  # without waiting for unsent bytes, which a server that hangs would never take
                await connection.disconnect(nowait=True)
        except* (RedisError, OSError) as lost:
            log.warning("the connection to the store was lost", error=_text(lost.exceptions[0]))
        except* Exception:
            log.exception("the connection to the store failed; reconnecting")
        finally:
            self.is_open = False
            self._refuse()
            self._on_loss()

    async def _send(self, connection: Any) -> None:
        while True:
            await self._has_unsent.wait()
            self._has_unsent.clear()
            commands, self._unsent = self._unsent, []
            # A health check, which the URL may enable, would take a reply that belongs to a request.
            await connection.send_packed_command(commands, check_health=False)

    async def _receive(self, connection: Any) -> None:
        while True:
            try:
                reply = await connection.read_response(disconnect_on_error=False)
            except ResponseError as error:
                reply = error
            # Replies are matched by order, so after a surplus one every request would get a wrong answer.
            if not self._waiting:
                raise ConnectionError("a reply came that no request waits for")
            if self._waiting[0].add(reply):
                self._waiting.popleft()

    async def _watch(self) -> None:
        """Raises `TimeoutError` when the oldest reply is overdue."""
        # Polled, because a timer per request would be on the path of every action.
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            now = asyncio.get_running_loop().time()
            if self._waiting and now - self._waiting[0].since > self._reply_seconds:
                raise TimeoutError("the store does not answer")

    def _refuse(self) -> None:
        """Refuses all waiting requests."""
        # Nothing is sent again, because nobody knows which commands have run.
        self._replicated.refuse()
        refused, self._waiting = self._waiting, deque()
        self._unsent.clear()
        self._has_unsent.clear()
        for exchange in refused:
            if not exchange.future.done():
                exchange.future.set_exception(ConnectionError("the connection was lost"))


def _text(error: Exception) -> str:
    return str(error) or type(error).__name__
