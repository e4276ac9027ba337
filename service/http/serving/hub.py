"""Brings the events of tables and tournaments to the watchers in this process.

One task follows the feed, and only while there are watchers. When it points at a watched stream, its tail
is read once, redacted once for each kind of watcher, and written to all of them. There is a pause between rounds,
so the events of a busy table come in few large writes and those of a quiet one immediately.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Final, Protocol, TypeVar

import structlog

from domain.tables import Entry, Recorded
from service.application.aggregates import AGGREGATES
from service.application.errors import NotFound
from service.application.history import Loaded, Position, before, events_after
from service.application.ports import FeedEntry, StoreUnavailable, StreamId
from service.application.tables import Tables
from service.application.tournaments import Tournaments
from service.http.framework.streaming import StandingsSubscription, Subscription, TableSubscription
from service.http.serving.boards import Boards
from service.http.serving.channel import Channel, watcher_of
from service.http.serving.frames import reset_frame
from service.http.serving.watcher import Stream, Watcher

log = structlog.get_logger(__name__)

A = TypeVar("A")
R = TypeVar("R")

DISTANCE_SECONDS: Final = 0.02
DISTANCE_PER_WATCHER: Final = 0.0002
LONGEST_DISTANCE: Final = 0.1
LONGEST_REPLAY: Final = 2_000
LOOK_SECONDS: Final = 5.0
"""Every so often all watched tables are looked at, whatever the feed says."""
_BLOCK_MS: Final = 1_000
_PAGE: Final = 500
_PAUSE_SECONDS: Final = 0.5


class Tail(Protocol):
    """The newest end of the feed."""

    async def start(self) -> None:
        """Marks the present end."""
        ...

    async def read(self, *, block_ms: int) -> list[FeedEntry]:
        """Returns what came since the last call, waiting up to `block_ms` for the first entry."""
        ...


class Reader(Protocol):
    """The event store, as far as it is needed here."""

    def read_each(self, positions: Mapping[StreamId, int], *, count: int) -> Sequence[tuple[Entry, ...]]:
        """Returns up to `count` events behind each stream's version."""
        ...


class Hub:
    """Everybody who watches in this process. All calls belong on its event loop."""

    def __init__(
        self,
        *,
        reader: Callable[[], Reader],
        tail: Callable[[], AbstractAsyncContextManager[Tail]],
        tables: Callable[[], Tables],
        tournaments: Callable[[], Tournaments],
    ) -> None:
        """Takes where streams are read.

        Args:
            reader: gives what reads the tails of streams.
            tail: opens the feed's newest end anew.
            tables: gives what reads whole tables.
            tournaments: gives what reads whole tournaments.
        """
        self._reader = reader
        self._tail = tail
        self._tables = tables
        self._tournaments = tournaments
        self._channels: dict[StreamId, Channel] = {}
        self._boards = Boards(lambda tournament: tournaments().load(tournament), self._off_the_loop)
        self._advancing = asyncio.Lock()
        self._follower: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "hub")

    async def join(
        self, stream: Stream, subscription: Subscription | StandingsSubscription
    ) -> Callable[[], None]:
        """Writes what the watcher has to know first, and everything that happens from then on.

        Returns:
            what ends that: nothing more is written to the stream.

        Raises:
            StoreUnavailable: what happened in between cannot be read.
        """
        if isinstance(subscription, StandingsSubscription):
            return await self._join_board(stream, subscription)
        watcher = await self._join_channel(stream, subscription)
        return lambda: self._leave(subscription.stream, watcher)

    async def _join_board(self, stream: Stream, subscription: StandingsSubscription) -> Callable[[], None]:
        try:
            await self._boards.join(stream, subscription)
        except BaseException:
            self._boards.leave(subscription, stream)
            raise
        if self._boards:
            self._ensure_follower()
        return lambda: self._boards.leave(subscription, stream)

    async def _join_channel(self, stream: Stream, subscription: Subscription) -> Watcher:
        watcher, position = watcher_of(stream, subscription), _resumed(subscription)
        if position is None:
            watcher.snapshot(subscription.loaded)
            position = subscription.loaded.position
        channel = self._channel(subscription)
        try:
            await self._catch_up(channel, watcher, position)
        except BaseException:
            self._drop_if_empty(subscription.stream)
            raise
        channel.add(watcher)
        if channel.is_over:
            channel.end(watcher)
        return watcher

    def _leave(self, stream: StreamId, watcher: Watcher) -> None:
        if stream in self._channels:
            self._channels[stream].drop(watcher)
            self._drop_if_empty(stream)

    async def close(self) -> None:
        """Stops following."""
        self._channels.clear()  # what is awaited may swallow the cancellation; then this ends it
        self._boards.clear()
        if self._follower is not None:
            self._follower.cancel()
            with suppress(asyncio.CancelledError):
                await self._follower
        self._thread.shutdown(wait=False)

    def _channel(self, subscription: Subscription) -> Channel:
        channel = self._channels.get(subscription.stream)
        if channel is None:
            channel = self._channels[subscription.stream] = Channel(subscription.stream, subscription.loaded)
        return channel

    def _drop_if_empty(self, stream: StreamId) -> None:
        if stream in self._channels and not self._channels[stream].watchers:
            del self._channels[stream]

    async def _catch_up(self, channel: Channel, watcher: Watcher, position: Position) -> None:
        """Writes to the watcher until it has what the channel's others have got, which may be more by then."""
        if not channel.is_over:
            self._ensure_follower()
        # Whatever the feed told before the channel was there told nobody.
        await self._advance({channel.stream: channel})
        while not position.is_at(channel.cursor):
            page = await self._page_from(channel.stream, position)
            if page is None:
                position = await self._restarted(channel.stream, watcher)
            elif page and position.version < channel.cursor.version:
                position = channel.catch_up(watcher, position, page)
            else:  # it knows more than the others, or they know what is no longer stored
                await self._advance({channel.stream: channel})

    def _ensure_follower(self) -> None:
        if self._follower is None or self._follower.done():
            self._follower = asyncio.get_running_loop().create_task(self._follow())

    async def _restarted(self, stream: StreamId, watcher: Watcher) -> Position:
        """Lets a watcher begin anew who knows a history that is not stored; returns the position reached."""
        loaded = await self._off_the_loop(self._load_now, stream)
        watcher.restart(loaded)
        return loaded.position

    async def _follow(self) -> None:
        """Follows the feed while somebody watches, and takes it up again when it was lost."""
        while self._channels or self._boards:
            try:
                async with self._tail() as tail:
                    await tail.start()
                    await self._look_at(self._watched())
                    await self._rounds(tail)
                    continue
            except StoreUnavailable as error:
                log.warning("the feed cannot be followed", error=str(error))
            except Exception:
                log.exception("following the feed failed")
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _rounds(self, tail: Tail) -> None:
        loop = asyncio.get_running_loop()
        look_at = loop.time() + LOOK_SECONDS
        while self._channels or self._boards:
            named = {entry.stream for entry in await tail.read(block_ms=_BLOCK_MS)} & self._watched()
            if loop.time() >= look_at:
                # After a failover the feed may say nothing for a while: a store that went back is seen all the same.
                named, look_at = self._watched(), loop.time() + LOOK_SECONDS
            if named:
                await self._look_at(named)
                await asyncio.sleep(self._distance())

    def _watched(self) -> set[StreamId]:
        """Returns the streams on which anything depends that is watched."""
        return self._channels.keys() | self._boards.watched()

    async def _look_at(self, named: Iterable[StreamId]) -> None:
        """Delivers what is new on those streams, and shows what follows from it."""
        await self._advance({one: self._channels[one] for one in named if one in self._channels})
        await self._boards.refresh(named)

    def _distance(self) -> float:
        """Returns how many seconds lie between two rounds: more watchers, fewer and larger writes."""
        watchers = self._boards.size + sum([channel.size for channel in self._channels.values()])
        return min(LONGEST_DISTANCE, DISTANCE_SECONDS + DISTANCE_PER_WATCHER * watchers)

    async def _advance(self, channels: Mapping[StreamId, Channel]) -> None:
        """Delivers what is new on these channels, and begins anew where the store went back.

        One at a time: what is read follows on the position where a channel stood when it was asked for.
        """
        async with self._advancing:
            behind = dict(channels)
            while behind:
                positions = {stream: channel.cursor for stream, channel in behind.items()}
                pages = await self._off_the_loop(self._pages_from, positions)
                for channel, page in zip(behind.values(), pages, strict=True):
                    if page is None:
                        await self._restart(channel)
                    else:
                        channel.deliver(page)
                behind = {
                    stream: channel
                    for (stream, channel), page in zip(behind.items(), pages, strict=True)
                    if page is not None and len(page) == _PAGE
                }

    async def _restart(self, channel: Channel) -> None:
        try:
            channel.restart(await self._off_the_loop(self._load_now, channel.stream))
        except NotFound:  # the store no longer has it at all
            for watcher in channel.everybody():
                watcher.stream.write(reset_frame(0))
                watcher.stream.end()

    async def _page_from(self, stream: StreamId, position: Position) -> tuple[Recorded, ...] | None:
        (page,) = await self._off_the_loop(self._pages_from, {stream: position})
        return page

    async def _off_the_loop(self, function: Callable[[A], R], argument: A) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, argument)

    def _load_now(self, stream: StreamId) -> Loaded[Any]:
        repository = self._tables() if stream.category == TableSubscription.category else self._tournaments()
        return repository.load(stream.id)

    def _pages_from(self, positions: Mapping[StreamId, Position]) -> list[tuple[Recorded, ...] | None]:
        """Returns a page of what follows on each stream's position, or `None` where that position is not stored."""
        streams = {stream: before(position) for stream, position in positions.items()}
        pages = self._reader().read_each(streams, count=1 + _PAGE)
        return [
            events_after(AGGREGATES[stream.category].decode, position, page)
            for page, (stream, position) in zip(pages, positions.items(), strict=True)
        ]


def _resumed(subscription: Subscription) -> Position | None:
    """Returns the position to resume after, or `None` where the watcher needs a snapshot."""
    after, present = subscription.after, subscription.loaded.state.version
    if after is None or present - after.version > LONGEST_REPLAY:
        return None
    return after
