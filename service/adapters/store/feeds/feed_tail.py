"""Reads new feed entries in an asyncio process, without a consumer group."""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from typing import Any, Final, TypeVar

from redis.asyncio.cluster import RedisCluster
from redis.exceptions import RedisClusterException, RedisError

from hoodwink.service.adapters.redis.connection import AsyncClient, unless_cancelled
from hoodwink.service.adapters.store.feeds.feed_entries import feed_entry
from hoodwink.service.application.ports import FeedEntry, StoreUnavailable

T = TypeVar("T")

_POLL_S: Final = 0.02
_COUNT: Final = 1000


class FeedTail:
    """Reads the entries stored after `start`. For one task, which may continue to read after `StoreUnavailable`."""

    def __init__(self, *, client: AsyncClient, feeds: Iterable[Sequence[str]]) -> None:
        """Takes the keys of each feed, one per partition."""
        self._client = client
        self._numbers = {feed.encode(): number for feed in feeds for number, feed in enumerate(feed)}
        self._in_one_call = not isinstance(client, RedisCluster)
        self._last_ids: dict[bytes, Any] = {}
        self.is_at_end = True
        """Whether the last read returned everything stored when it was sent."""

    async def start(self) -> None:
        """Notes the current end of every partition, where the next read starts."""
        # Redis's own `$` would start at the end as of each read, and miss the entries between two reads.
        self._last_ids = {feed: await self._end(feed) for feed in self._numbers}

    async def read(self, *, block_ms: int) -> list[FeedEntry]:
        """Returns the entries since the last call, waiting up to `block_ms` for the first one.

        No entry is missed between calls, unless a minute passes and the feed is trimmed.
        """
        self.is_at_end = True
        if self._in_one_call:
            return self._taken(await self._read(self._last_ids, block_ms or None))
        now = asyncio.get_running_loop().time
        deadline = now() + block_ms / 1000
        while True:
            found = await self._sweep()
            if found or now() >= deadline:
                return found
            await asyncio.sleep(_POLL_S)

    async def _sweep(self) -> list[FeedEntry]:
        """Returns the entries of all slots of a cluster, where each command can only name one slot."""
        # With exceptions returned, because otherwise the first one, even a cancellation, would leave the other
        # reads running, and one of them could open a connection after the client was closed.
        pages: list[Any] = await asyncio.gather(
            *[self._page(feed, at) for feed, at in self._last_ids.items()], return_exceptions=True
        )
        for page in pages:
            if isinstance(page, BaseException):
                raise page
        return self._taken([(feed, page) for feed, page in zip(self._last_ids, pages, strict=True) if page])

    async def _page(self, feed: bytes, after: bytes) -> Any:
        # Not XREAD: redis-py would ask the cluster where its keys are, before each command.
        return await _await_answer(self._client.xrange(feed, min=b"(" + after, count=_COUNT))

    async def _read(self, last_ids: dict[Any, Any], block_ms: int | None) -> Any:
        return await _await_answer(self._client.xread({**last_ids}, count=_COUNT, block=block_ms))

    async def _end(self, feed: bytes) -> Any:
        newest: Any = await _await_answer(self._client.xrevrange(feed, count=1))
        return newest[0][0] if newest else b"0-0"

    def _taken(self, reply: Sequence[Any]) -> list[FeedEntry]:
        found = []
        for feed, page in reply:
            self.is_at_end &= len(page) < _COUNT  # a full page says nothing about what follows it
            self._last_ids[feed] = page[-1][0]
            number = self._numbers[feed]
            found += [
                feed_entry(number, entry_id, [part for field in fields.items() for part in field])
                for entry_id, fields in page
            ]
        return found


async def _await_answer(call: Awaitable[T]) -> T:
    try:
        return await unless_cancelled(call)
    except (RedisError, RedisClusterException) as error:
        raise StoreUnavailable(str(error)) from error
