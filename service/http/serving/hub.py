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
from typing import Final, Protocol

import structlog

from domain.kernel import Event, Viewer
from domain.tables import Phase, Recorded, Table
from domain.tables.events import SeatLeft, SeatTaken, SeedRevealed
from service.application.ports import EventRecord, FeedEntry, StoreUnavailable, StreamId
from service.application.tables import decoded
from service.http.framework.streaming import Watch
from service.http.serving.frames import end_frame, event_frame, snapshot_frame

log = structlog.get_logger(__name__)

DISTANCE_SECONDS: Final = 0.02
DISTANCE_PER_WATCHER: Final = 0.0002
LONGEST_DISTANCE: Final = 0.1
LONGEST_REPLAY: Final = 2_000
_BLOCK_MS: Final = 1_000
_PAGE: Final = 500
_PAUSE_SECONDS: Final = 0.5


class Stream(Protocol):
    """Where a watcher's bytes go."""

    def write(self, chunk: bytes) -> None:
        """Sends the bytes, without waiting."""
        ...

    def end(self) -> None:
        """Ends the stream."""
        ...


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


class Watcher:
    """A stream, and whose eyes it is for.

    Attributes:
        player: who watches, if known.
        since: seats taken or left up to this version are in `viewer` already.
    """

    __slots__ = ("player", "since", "stream", "viewer")

    def __init__(self, stream: Stream, viewer: Viewer, player: str | None, since: int) -> None:
        self.stream = stream
        self.viewer = viewer
        self.player = player
        self.since = since

    def note(self, version: int, event: Event) -> bool:
        """Sees on with other eyes if the event seats or unseats the player; tells whether it does."""
        if version <= self.since:
            return False
        match event:
            case SeatTaken() if event.policy is None and event.player == self.player:
                self.viewer = event.seat
                return True
            case SeatLeft() if event.seat == self.viewer:
                self.viewer = "spectator"
                return True
            case _:
                return False


class Channel:
    """A watched table; everything up to version `cursor` has been written to its watchers."""

    __slots__ = ("cursor", "game", "over", "watchers")

    def __init__(self, game: str, cursor: int) -> None:
        self.game = game
        self.cursor = cursor
        self.over = False
        self.watchers: defaultdict[Viewer, set[Watcher]] = defaultdict(set)

    @property
    def size(self) -> int:
        """How many watch."""
        return sum([len(group) for group in self.watchers.values()])

    def add(self, watcher: Watcher) -> None:
        self.watchers[watcher.viewer].add(watcher)

    def drop(self, watcher: Watcher) -> None:
        group = self.watchers[watcher.viewer]
        group.discard(watcher)
        if not group:
            del self.watchers[watcher.viewer]

    def deliver(self, records: Sequence[Recorded]) -> None:
        """Writes what the watchers have not got yet."""
        fresh = [one for one in records if one.version > self.cursor]
        first = 0
        for place, one in enumerate(fresh, start=1):
            if isinstance(one.event, SeatTaken | SeatLeft):
                self._write(fresh[first:place])
                self._regroup(one)
                first = place
        if not fresh:
            return
        self._write(fresh[first:])
        self.cursor = fresh[-1].version
        self.over = isinstance(fresh[-1].event, SeedRevealed)
        if self.over:
            self._end()

    def _write(self, records: Sequence[Recorded]) -> None:
        for viewer, group in self.watchers.items():
            chunk = b"".join([event_frame(self.game, one, viewer) for one in records])
            if chunk:
                for watcher in group:
                    watcher.stream.write(chunk)

    def _regroup(self, one: Recorded) -> None:
        everybody = [watcher for group in self.watchers.values() for watcher in group]
        for watcher in everybody:
            before = watcher.viewer
            if watcher.note(one.version, one.event):
                self.watchers[before].discard(watcher)
                self.add(watcher)

    def _end(self) -> None:
        for group in self.watchers.values():
            for watcher in group:
                watcher.stream.write(end_frame(self.cursor))
                watcher.stream.end()


class Hub:
    """Everybody who watches in this process. All calls belong on its event loop."""

    def __init__(
        self, *, reader: Callable[[], Reader], tail: Callable[[], AbstractAsyncContextManager[Tail]]
    ) -> None:
        """Takes where tails of tables are read, and what opens the feed's newest end anew."""
        self._reader = reader
        self._tail = tail
        self._channels: dict[str, Channel] = {}
        self._follower: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "hub")

    async def join(self, stream: Stream, watch: Watch) -> Watcher:
        """Writes what the watcher has to know first, and everything that happens from then on.

        Raises:
            StoreUnavailable: what happened in between cannot be read.
        """
        table = watch.loaded.table
        watcher = Watcher(stream, watch.viewer, watch.player, table.version)
        position = _resumed(watch)
        if position is None:
            stream.write(snapshot_frame(watch.loaded, watch.viewer))
            position = table.version
        channel = self._channel(table)
        try:
            await self._bring_together(table.id, channel, watcher, position)
        except BaseException:
            self._drop_if_empty(table.id)
            raise
        channel.add(watcher)
        if channel.over:
            stream.write(end_frame(channel.cursor))
            stream.end()
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

    def _channel(self, table: Table) -> Channel:
        channel = self._channels.get(table.id)
        if channel is None:
            channel = self._channels[table.id] = Channel(table.game, table.version)
            channel.over = table.phase is Phase.ENDED
        return channel

    def _drop_if_empty(self, table: str) -> None:
        if table in self._channels and not self._channels[table].watchers:
            del self._channels[table]

    async def _bring_together(self, table: str, channel: Channel, watcher: Watcher, position: int) -> None:
        """Writes to the watcher until it has what the channel's others have got, which may be more by then."""
        if not channel.over:
            self._see_that_somebody_follows()
            # Whatever the feed told before the channel was there told nobody.
            await self._advance({table: channel})
        while position != channel.cursor:
            if position > channel.cursor:
                await self._advance({table: channel})
            else:
                position = await self._catch_up(watcher, table, channel, position)

    def _see_that_somebody_follows(self) -> None:
        if self._follower is None or self._follower.done():
            self._follower = asyncio.get_running_loop().create_task(self._follow())

    async def _catch_up(self, watcher: Watcher, table: str, channel: Channel, position: int) -> int:
        """Writes one page of what the others have got already; returns the version reached."""
        (page,) = await self._read({table: position})
        records = [one for one in page if one.version <= channel.cursor]
        for one in records:
            watcher.stream.write(event_frame(channel.game, one, watcher.viewer))
            watcher.note(one.version, one.event)
        return records[-1].version if records else channel.cursor

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
        while self._channels:
            entries = await tail.read(block_ms=_BLOCK_MS)
            if told := self._told(entries):
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
        """Delivers what is new at these tables."""
        behind = dict(channels)
        while behind:
            pages = await self._read({table: channel.cursor for table, channel in behind.items()})
            for channel, page in zip(behind.values(), pages, strict=True):
                channel.deliver(page)
            behind = {
                table: channel
                for (table, channel), page in zip(behind.items(), pages, strict=True)
                if len(page) == _PAGE
            }

    async def _read(self, places: Mapping[str, int]) -> list[tuple[Recorded, ...]]:
        """Returns a page of events behind each table's version; read and decoded off the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._read_now, places)

    def _read_now(self, places: Mapping[str, int]) -> list[tuple[Recorded, ...]]:
        streams = {StreamId("table", table): after for table, after in places.items()}
        pages = self._reader().read_each(streams, count=_PAGE)
        return [decoded(page, after) for page, after in zip(pages, places.values(), strict=True)]


def _resumed(watch: Watch) -> int | None:
    """Returns the version to resume behind, or `None` where the watcher needs a snapshot."""
    after, present = watch.after, watch.loaded.table.version
    return after if after is not None and 0 <= present - after <= LONGEST_REPLAY else None
