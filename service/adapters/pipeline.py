"""One connection to Redis for everything that an event loop answers.

What comes up in one turn of the loop leaves in one write, and nobody who waits for a reply holds up the
others. The code that asks stays as it is: it runs in a greenlet, and `Wire` notices.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from greenlet import getcurrent, greenlet
from redis.asyncio.cluster import RedisCluster
from redis.exceptions import ConnectionError, RedisError, ResponseError, TimeoutError  # noqa: A004

from service.adapters.connection import AsyncClient
from service.application.ports import StoreUnavailable

log = structlog.get_logger(__name__)

REPLY_SECONDS: Final = 5.0
_TICK_SECONDS: Final = 0.5
_PAUSE_SECONDS: Final = 0.5


class Carried(greenlet):
    """Code that a loop carries. When it asks Redis, it is put aside until the replies are there."""

    def exchange(self, *commands: bytes) -> list[Any]:
        """Returns the replies to packed commands, errors among them; for the code itself to call."""
        if not commands:
            return []
        assert self.parent is not None, "the loop carries it"
        replies: list[Any] = self.parent.switch(b"".join(commands), len(commands))
        return replies


def carried() -> Carried | None:
    """Returns what carries the running code, if a loop does."""
    current = getcurrent()
    return current if type(current) is Carried else None


class _Waiting:
    """Replies on their way."""

    __slots__ = ("count", "future", "replies", "since")

    def __init__(self, future: "asyncio.Future[list[Any]]", count: int, since: float) -> None:
        self.future = future
        self.count = count
        self.since = since
        self.replies: list[Any] = []

    def take(self, reply: Any) -> bool:
        """Takes a reply; tells whether it was the last."""
        self.replies.append(reply)
        if len(self.replies) < self.count:
            return False
        if not self.future.done():  # whoever waited may have gone
            self.future.set_result(self.replies)
        return True


class Pipeline:
    """Carries code that asks Redis. All calls belong on one event loop.

    It serves a Redis of its own kind only: with a cluster it never opens, and callers use threads.
    """

    def __init__(
        self,
        connect: Callable[[], Awaitable[AsyncClient]],
        *,
        reply_seconds: float = REPLY_SECONDS,
        on_loss: Callable[[], None] = lambda: None,
    ) -> None:
        """Takes what it needs.

        Args:
            connect: opens a connection.
            reply_seconds: how long a reply may take before the connection counts as lost.
            on_loss: is called whenever the connection was lost.
        """
        self._connect = connect
        self._reply_seconds = reply_seconds
        self._on_loss = on_loss
        self._unsent: list[bytes] = []
        self._waiting: deque[_Waiting] = deque()
        self._news = asyncio.Event()
        self.is_open = False

    async def carry(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Returns what the function returns; while it waits for Redis, the loop goes on with other work."""
        code = Carried(function)
        asked = code.switch(*arguments)
        while not code.dead:
            try:
                replies = await self._exchange(*asked)
            except BaseException as error:  # noqa: BLE001 - it is the code's to handle
                asked = code.throw(error)
            else:
                asked = code.switch(replies)
        return asked

    async def keep_open(self) -> None:
        """Connects, and connects again whenever the connection is lost, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(self._reply_seconds):
                    client = await self._connect()
            except (StoreUnavailable, OSError) as error:
                log.warning("store unavailable", error=_told(error))
            else:
                try:
                    if isinstance(client, RedisCluster):
                        return
                    pool: Any = client.connection_pool
                    await self._serve(pool.make_connection())
                finally:
                    await client.aclose()
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _serve(self, connection: Any) -> None:
        """Sends and receives until the connection is lost, and then refuses whoever still waits."""
        try:
            async with asyncio.timeout(self._reply_seconds):
                await connection.connect()
            self.is_open = True
            async with asyncio.TaskGroup() as works:
                works.create_task(self._send(connection))
                works.create_task(self._receive(connection))
                works.create_task(self._watch())
        except* (RedisError, OSError) as lost:
            log.warning("the connection to the store was lost", error=_told(lost.exceptions[0]))
        except* Exception:
            log.exception("the connection to the store failed and will be opened anew")
        finally:
            self.is_open = False
            self._on_loss()
            self._refuse()
            await connection.disconnect(nowait=True)

    async def _exchange(self, commands: bytes, count: int) -> list[Any]:
        if not self.is_open:
            raise ConnectionError("the connection was lost")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(loop.create_future(), count, loop.time())
        self._waiting.append(waiting)
        self._unsent.append(commands)
        self._news.set()
        return await waiting.future

    async def _send(self, connection: Any) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            commands, self._unsent = self._unsent, []
            await connection.send_packed_command(commands, check_health=False)

    async def _receive(self, connection: Any) -> None:
        while True:
            try:
                reply = await connection.read_response(disconnect_on_error=False)
            except ResponseError as error:
                reply = error
            if not self._waiting:
                raise ConnectionError("a reply came that nobody waits for")
            if self._waiting[0].take(reply):
                self._waiting.popleft()

    async def _watch(self) -> None:
        """Raises `TimeoutError` when the oldest reply is overdue."""
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            now = asyncio.get_running_loop().time()
            if self._waiting and now - self._waiting[0].since > self._reply_seconds:
                raise TimeoutError("the store does not answer")

    def _refuse(self) -> None:
        """Tells everybody who waits that the connection was lost; whether their commands ran is unknown."""
        refused, self._waiting = self._waiting, deque()
        self._unsent.clear()
        self._news.clear()
        for waiting in refused:
            if not waiting.future.done():
                waiting.future.set_exception(ConnectionError("the connection was lost"))


def _told(error: Exception) -> str:
    return str(error) or type(error).__name__
