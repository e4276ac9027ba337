"""Brings the events of watched tables to everybody who watches them in this process.

One task follows the feed, and only while somebody watches. When it points at a watched table, the
table's tail is read once, redacted once for each kind of viewer, and written to all streams. Rounds
keep a distance, so a busy table comes in few large writes and a quiet one at once.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from typing import Final, Protocol, TypeVar

import structlog

from domain.tables import Phase, Recorded
from domain.tables.events import SeatLeft, SeatTaken, SeedRevealed, TableVoided
from domain.words import seating_after, seating_of
from service.application.aggregates import TABLE
from service.application.errors import NotFound
from service.application.history import Place, before, events_after
from service.application.ports import EventRecord, FeedEntry, StoreUnavailable, StreamId
from service.application.tables import LoadedTable, Tables
from service.http.framework.streaming import Watch
from service.http.serving.frames import end_frame, event_frame, reset_frame, snapshot_frame
from service.http.serving.watcher import Kind, Stream, Watcher

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

    def read_each(self, places: Mapping[StreamId, int], *, count: int) -> Sequence[tuple[EventRecord, ...]]:
        """Returns up to `count` events behind each stream's version."""
        ...


class Channel:
    """A watched table; everything up to the place `cursor` has been written to its watchers."""

    __slots__ = ("cursor", "game", "over", "seating", "watchers")

    def __init__(self, loaded: LoadedTable) -> None:
        self.game = loaded.state.game
        self.watchers: defaultdict[Kind, set[Watcher]] = defaultdict(set)
        self._begin(loaded)

    def _begin(self, loaded: LoadedTable) -> None:
        self.cursor = loaded.place
        self.seating = seating_of(loaded.state)
        self.over = loaded.state.phase is Phase.ENDED

    @property
    def size(self) -> int:
        """How many watch."""
        return sum([len(group) for group in self.watchers.values()])

    def everybody(self) -> list[Watcher]:
        """Returns all watchers."""
        return [watcher for group in self.watchers.values() for watcher in group]

    def add(self, watcher: Watcher) -> None:
        self.watchers[watcher.kind].add(watcher)

    def drop(self, watcher: Watcher) -> None:
        group = self.watchers[watcher.kind]
        group.discard(watcher)
        if not group:
            del self.watchers[watcher.kind]

    def deliver(self, fresh: Sequence[Recorded]) -> None:
        """Writes to the watchers what follows on the cursor."""
        first = 0
        for place, one in enumerate(fresh, start=1):
            if isinstance(one.event, SeatTaken | SeatLeft):
                self.seating = seating_after(self.seating, one.event)
                self._write(fresh[first:place])
                self._regroup(one)
                first = place
        if not fresh:
            return
        self._write(fresh[first:])
        self.cursor = Place(fresh[-1].version, fresh[-1].hash)
        self.over = isinstance(fresh[-1].event, SeedRevealed | TableVoided)
        if self.over:
            self._end()

    def restart(self, loaded: LoadedTable) -> None:
        """Lets all watchers begin anew with the table as it is stored, which went back."""
        everybody = self.everybody()
        self.watchers.clear()
        self._begin(loaded)
        for watcher in everybody:
            watcher.restart(loaded)
            self.add(watcher)
        if self.over:
            self._end()

    def _write(self, records: Sequence[Recorded]) -> None:
        for (viewer, words), group in self.watchers.items():
            seating = self.seating if words else None
            chunk = b"".join([event_frame(self.game, one, viewer, seating) for one in records])
            if chunk:
                for watcher in group:
                    watcher.stream.write(chunk)

    def _regroup(self, one: Recorded) -> None:
        for watcher in self.everybody():
            before = watcher.kind
            if watcher.note(one.version, one.event):
                self.watchers[before].discard(watcher)
                self.add(watcher)

    def _end(self) -> None:
        for watcher in self.everybody():
            self.end(watcher)

    def end(self, watcher: Watcher) -> None:
        """Ends the stream of a watcher who knows the table to its end."""
        watcher.stream.write(end_frame(self.cursor))
        watcher.stream.end()


class Hub:
    """Everybody who watches in this process. All calls belong on its event loop."""

    def __init__(
        self,
        *,
        reader: Callable[[], Reader],
        tail: Callable[[], AbstractAsyncContextManager[Tail]],
        tables: Callable[[], Tables],
    ) -> None:
        """Takes where tables are read.

        Args:
            reader: gives what reads the tails of tables.
            tail: opens the feed's newest end anew.
            tables: gives what reads whole tables.
        """
        self._reader = reader
        self._tail = tail
        self._tables = tables
        self._channels: dict[str, Channel] = {}
        self._advancing = asyncio.Lock()
        self._follower: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "hub")

    async def join(self, stream: Stream, watch: Watch) -> Watcher:
        """Writes what the watcher has to know first, and everything that happens from then on.

        Raises:
            StoreUnavailable: what happened in between cannot be read.
        """
        table = watch.loaded.state
        watcher = Watcher(stream, watch.viewer, watch.player, table.version, words=watch.words)
        place = _resumed(watch)
        if place is None:
            stream.write(snapshot_frame(watch.loaded, watch.viewer))
            place = watch.loaded.place
        channel = self._channel(watch.loaded)
        try:
            await self._bring_together(table.id, channel, watcher, place)
        except BaseException:
            self._drop_if_empty(table.id)
            raise
        channel.add(watcher)
        if channel.over:
            channel.end(watcher)
        return watcher

    def leave(self, table: str, watcher: Watcher) -> None:
        """Writes no more to the watcher."""
        if table in self._channels:
            self._channels[table].drop(watcher)
            self._drop_if_empty(table)

    async def close(self) -> None:
        """Stops following."""
        self._channels.clear()  # what is awaited may swallow the cancellation; then this ends it
        if self._follower is not None:
            self._follower.cancel()
            with suppress(asyncio.CancelledError):
                await self._follower
        self._thread.shutdown(wait=False)

    def _channel(self, loaded: LoadedTable) -> Channel:
        channel = self._channels.get(loaded.state.id)
        if channel is None:
            channel = self._channels[loaded.state.id] = Channel(loaded)
        return channel

    def _drop_if_empty(self, table: str) -> None:
        if table in self._channels and not self._channels[table].watchers:
            del self._channels[table]

    async def _bring_together(self, table: str, channel: Channel, watcher: Watcher, place: Place) -> None:
        """Writes to the watcher until it has what the channel's others have got, which may be more by then."""
        if not channel.over:
            self._see_that_somebody_follows()
        # Whatever the feed told before the channel was there told nobody.
        await self._advance({table: channel})
        while not place.is_at(channel.cursor):
            page = await self._page_from(table, place)
            if page is None:
                place = await self._restarted(table, watcher)
            elif page and place.version < channel.cursor.version:
                place = self._caught_up(channel, watcher, place, page)
            else:  # it knows more than the others, or they know what is no longer stored
                await self._advance({table: channel})

    def _see_that_somebody_follows(self) -> None:
        if self._follower is None or self._follower.done():
            self._follower = asyncio.get_running_loop().create_task(self._follow())

    def _caught_up(self, channel: Channel, watcher: Watcher, place: Place, page: Sequence[Recorded]) -> Place:
        """Writes what the others have got already of a page; returns the place reached."""
        for one in page:
            if one.version <= channel.cursor.version:
                seating = channel.seating if watcher.words else None
                watcher.stream.write(event_frame(channel.game, one, watcher.viewer, seating))
                watcher.note(one.version, one.event)
                place = Place(one.version, one.hash)
        return place

    async def _restarted(self, table: str, watcher: Watcher) -> Place:
        """Lets a watcher begin anew who knows a history that is not stored; returns the place reached."""
        loaded = await self._off_the_loop(self._load_now, table)
        watcher.restart(loaded)
        return loaded.place

    async def _follow(self) -> None:
        """Follows the feed while somebody watches, and takes it up again when it was lost."""
        while self._channels:
            try:
                async with self._tail() as tail:
                    await tail.start()
                    await self._advance(self._channels)
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
        while self._channels:
            told = self._told(await tail.read(block_ms=_BLOCK_MS))
            if loop.time() >= look_at:
                # After a failover the feed may say nothing for a while: a store that went back is seen all the same.
                told, look_at = self._channels, loop.time() + LOOK_SECONDS
            if told:
                await self._advance(told)
                await asyncio.sleep(self._distance())

    def _distance(self) -> float:
        """Returns how many seconds lie between two rounds: more watchers, fewer and larger writes."""
        watchers = sum([channel.size for channel in self._channels.values()])
        return min(LONGEST_DISTANCE, DISTANCE_SECONDS + DISTANCE_PER_WATCHER * watchers)

    def _told(self, entries: Iterable[FeedEntry]) -> dict[str, Channel]:
        """Returns the watched tables that the entries point at."""
        named = {entry.stream.id for entry in entries if entry.stream.category == "table"}
        return {table: self._channels[table] for table in named & self._channels.keys()}

    async def _advance(self, channels: Mapping[str, Channel]) -> None:
        """Delivers what is new at these tables, and begins anew where the store went back.

        One at a time: what is read follows on the place where a channel stood when it was asked for.
        """
        async with self._advancing:
            behind = dict(channels)
            while behind:
                places = {table: channel.cursor for table, channel in behind.items()}
                pages = await self._off_the_loop(self._pages_from, places)
                for (table, channel), page in zip(behind.items(), pages, strict=True):
                    if page is None:
                        await self._restart(table, channel)
                    else:
                        channel.deliver(page)
                behind = {
                    table: channel
                    for (table, channel), page in zip(behind.items(), pages, strict=True)
                    if page is not None and len(page) == _PAGE
                }

    async def _restart(self, table: str, channel: Channel) -> None:
        try:
            channel.restart(await self._off_the_loop(self._load_now, table))
        except NotFound:  # the store no longer has the table at all
            for watcher in channel.everybody():
                watcher.stream.write(reset_frame(0))
                watcher.stream.end()

    async def _page_from(self, table: str, place: Place) -> tuple[Recorded, ...] | None:
        (page,) = await self._off_the_loop(self._pages_from, {table: place})
        return page

    async def _off_the_loop(self, function: Callable[[A], R], argument: A) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, argument)

    def _load_now(self, table: str) -> LoadedTable:
        return self._tables().load(table)

    def _pages_from(self, places: Mapping[str, Place]) -> list[tuple[Recorded, ...] | None]:
        """Returns a page of what follows on each table's place, or `None` where that place is not stored."""
        streams = {StreamId("table", table): before(place) for table, place in places.items()}
        pages = self._reader().read_each(streams, count=1 + _PAGE)
        return [
            events_after(TABLE.decode, place, page)
            for page, place in zip(pages, places.values(), strict=True)
        ]


def _resumed(watch: Watch) -> Place | None:
    """Returns the place to resume after, or `None` where the watcher needs a snapshot."""
    after, present = watch.after, watch.loaded.state.version
    if after is None or present - after.version > LONGEST_REPLAY:
        return None
    return after
