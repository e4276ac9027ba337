"""Sends events of tables and tournaments to this process's watchers, and sends players the news of their own tables.

While there are watchers, one task follows the feed. When the feed names a watched stream, its new events are read
once, redacted once per kind of watcher, and written to all of them. Between rounds the task pauses. So the events
of a busy table arrive in a few large writes, and those of a quiet one immediately.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from typing import Final, TypeVar

import structlog

from hoodwink.service.adapters.store.feeds.feed_tail import FeedTail
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock, StoreUnavailable, StreamId, is_outage
from hoodwink.service.application.reading.my_tables import MyTables
from hoodwink.service.application.streams.history import Position
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Tournaments
from hoodwink.service.http.framework.streaming import (
    AnySubscription,
    JobSubscription,
    PersonalSubscription,
    StandingsSubscription,
    Subscription,
    TableSubscription,
)
from hoodwink.service.http.serving.streams.archive_readings import ArchiveReadings, close_damaged
from hoodwink.service.http.serving.streams.channel import Channel, Wait, watcher_of
from hoodwink.service.http.serving.streams.company import Company, pass_on
from hoodwink.service.http.serving.streams.job_watch import JobWatch
from hoodwink.service.http.serving.streams.pages import PAGE, Pages
from hoodwink.service.http.serving.streams.personal_streams import PersonalStreams
from hoodwink.service.http.serving.streams.standings_channels import StandingsChannels
from hoodwink.service.http.serving.streams.tournament_offers import TournamentOffers
from hoodwink.service.http.serving.streams.watcher import Page, Presence, StoreReader, Stream, Watcher

log = structlog.get_logger(__name__)

A = TypeVar("A")
R = TypeVar("R")

REST_FACTOR: Final = 16
"""How much longer the task pauses after a round than the round took. Larger batches take less time per event."""
MAX_REST_SECONDS: Final = 0.1
MAX_REPLAY: Final = 2_000
CHECK_SECONDS: Final = 5.0
"""Interval at which all watched streams are read, even without news in the feed."""
STAY_SECONDS: Final = 120.0
"""Time for which streams stay open after the end of a table that may have a rematch."""
_BLOCK_MS: Final = 1_000
_PAUSE_SECONDS: Final = 0.5


class Hub:
    """The channels of all streams watched in this process. Call its methods on the event loop."""

    def __init__(  # noqa: PLR0913 - each of its sources
        self,
        *,
        reader: Callable[[], StoreReader],
        tail: Callable[[], AbstractAsyncContextManager[FeedTail]],
        tables: Callable[[], Tables],
        tournaments: Callable[[], Tournaments],
        players: Callable[[], Players],
        my_tables: Callable[[], MyTables],
        clock: Callable[[], Clock],
        presence: Callable[[], Presence],
        jobs: JobWatch,
    ) -> None:
        """Takes the sources of events, as functions because they connect to Redis when they are first used.

        Args:
            reader: returns the reader of new events.
            tail: opens the newest end of the feed.
            tables: returns the repository of tables.
            tournaments: returns the repository of tournaments.
            players: returns the players; their names are looked up in a thread, since that may read from the store.
            my_tables: returns the finder of a player's tables.
            clock: returns the clock of the service.
            presence: returns the record of connected players.
            jobs: reports the progress of jobs.
        """
        self._tail = tail
        self._pages = Pages(reader=reader, tables=tables, tournaments=tournaments, players=players)
        self._clock = clock
        self._jobs = jobs
        self._waits: dict[StreamId, Wait] = {}
        self._channels: dict[StreamId, Channel] = {}
        self._standings = StandingsChannels(
            lambda tournament: tournaments().load(tournament), self._pages.names, self._in_thread, jobs
        )
        self._personal = PersonalStreams(
            my_tables=my_tables, clock=clock, presence=presence, pages_from=self._pages.everywhere
        )
        self._offers = TournamentOffers(tournaments=tournaments, people=self._personal.people, clock=clock)
        self._advancing = asyncio.Lock()
        self._follower: asyncio.Task[None] | None = None
        # Its own thread: in the loop's default executor, live events would queue behind unrelated work.
        self._thread = ThreadPoolExecutor(1, "hub")
        self._archive = ArchiveReadings()
        self._company = Company(presence, self._now_ms, self._thread)

    async def join(self, stream: Stream, subscription: AnySubscription) -> Callable[[], None]:
        """Writes the snapshot or the missed events to a stream, and then each new event.

        Returns:
            a function that stops this.

        Raises:
            StoreUnavailable: the events cannot be read.
        """
        if isinstance(subscription, StandingsSubscription):
            return await self._join_standings(stream, subscription)
        if isinstance(subscription, JobSubscription):
            return self._jobs.join(stream, subscription)
        if isinstance(subscription, PersonalSubscription):
            leave = await self._personal.join(stream, subscription)
            # Afterwards, because a follower without any watcher ends immediately.
            self._ensure_follower()
            return leave
        watcher = await self._join_channel(stream, subscription)
        return lambda: self._leave(subscription.stream, watcher)

    async def _join_standings(
        self, stream: Stream, subscription: StandingsSubscription
    ) -> Callable[[], None]:
        try:
            await self._standings.join(stream, subscription)
        except BaseException:
            self._standings.leave(subscription, stream)
            raise
        if self._standings:
            self._ensure_follower()
        return lambda: self._standings.leave(subscription, stream)

    async def _join_channel(self, stream: Stream, subscription: Subscription) -> Watcher:
        watcher, position = watcher_of(stream, subscription, self._now_ms), _resumed(subscription)
        if position is None:
            watcher.snapshot(subscription.loaded, subscription.names)
            position = subscription.loaded.position
        channel = self._channel(subscription)
        # Otherwise the channel could be dropped with its last watcher while this one catches up.
        channel.beginning.add(watcher)
        try:
            await self._catch_up(channel, watcher, position)
            # No `await` since the cursor was compared, or the watcher would miss what the channel delivers meanwhile.
            channel.add(watcher)
            if not channel.admits(watcher):
                channel.dismiss(watcher)
            elif channel.is_over:
                # If the end came while this watcher joined, it waits for a rematch like the others.
                channel.end(watcher, may_stay=not subscription.loaded.position.is_at(channel.cursor))
                self._close_later(channel)
            await self._company.meet([channel])
            self._await_change(channel)
        except BaseException:
            self._leave(subscription.stream, watcher)
            raise
        return watcher

    def _leave(self, stream: StreamId, watcher: Watcher) -> None:
        channel = self._channels.get(stream)
        if channel is not None:
            player = channel.player_of(watcher)
            channel.drop(watcher)
            if player is not None and player not in channel.players:
                self._company.depart(stream.id, player)
            self._drop_if_empty(stream)

    async def close(self) -> None:
        # First, because redis-py may swallow the follower's cancellation: without channels its loop ends anyway.
        for stream in list(self._channels):
            self._drop(stream)
        self._standings.clear()
        await self._personal.close()
        if self._follower is not None:
            self._follower.cancel()
            with suppress(asyncio.CancelledError):
                await self._follower
        self._archive.close()
        self._thread.shutdown(wait=False)

    def _channel(self, subscription: Subscription) -> Channel:
        channel = self._channels.get(subscription.stream)
        if channel is None:
            channel = Channel(subscription.stream, subscription.loaded, subscription.names, self._now_ms)
            self._channels[subscription.stream] = channel
        return channel

    def _drop_if_empty(self, stream: StreamId) -> None:
        channel = self._channels.get(stream)
        if channel is not None and not (channel.watchers or channel.beginning):
            self._drop(stream)

    def _drop(self, stream: StreamId) -> None:
        del self._channels[stream]
        if stream in self._waits:
            self._waits.pop(stream).timer.cancel()

    def _now_ms(self) -> int:
        return self._clock().now_ms()

    def _await_change(self, channel: Channel) -> None:
        """Schedules a new view for the moment when a seat no longer has to wait (CO-37). No event marks that moment."""
        until, waits = channel.changes_at, self._waits.get(channel.stream)
        # A wait until the same time stays, even if it is over: its view may not have been sent yet.
        if waits is not None and waits.until != until:
            self._waits.pop(channel.stream).timer.cancel()
            waits = None
        is_open, now = self._channels.get(channel.stream) is channel, self._now_ms()
        if waits is None and is_open and until is not None and until > now:
            timer = asyncio.get_running_loop().call_later((until - now) / 1000, self._change, channel)
            self._waits[channel.stream] = Wait(until, timer)

    def _change(self, channel: Channel) -> None:
        wait = self._waits.pop(channel.stream)
        if self._now_ms() >= wait.until:
            channel.show()
        else:  # the service's clock is slower than the loop's
            self._await_change(channel)

    async def _catch_up(self, channel: Channel, watcher: Watcher, position: Position) -> None:
        """Writes the channel's earlier events to a new watcher, until it has them all or may no longer watch."""
        if not channel.is_over:
            self._ensure_follower()
        # The follower ignored the feed's entries from before the channel existed, so its new events are read here.
        await self._advance_anywhere(channel)
        # Compared again after each page, because the channel may advance during each `await`.
        while not position.is_at(channel.cursor):
            page = await self._page_from(channel, position)
            if not channel.admits(watcher):  # the host may have freed the seat since the request was checked
                return
            if page.events is None:
                position = await self._restart_watcher(channel.stream, watcher)
            elif page.events and position.version < channel.cursor.version:
                position = channel.catch_up(watcher, page.events, page.names)
            else:  # the watcher is ahead of the channel, or the channel's last events have vanished from the store
                await self._advance_anywhere(channel)

    def _ensure_follower(self) -> None:
        if self._follower is None or self._follower.done():
            self._follower = asyncio.get_running_loop().create_task(self._follow())

    async def _restart_watcher(self, stream: StreamId, watcher: Watcher) -> Position:
        """Sends a snapshot to a watcher whose history has vanished from the store; returns the new position."""
        loaded, names = await self._archive.run(self._pages.load, stream)
        watcher.restart(loaded, names)
        return loaded.position

    def _has_watchers(self) -> bool:
        return bool(self._channels or self._standings or self._personal)

    async def _follow(self) -> None:
        """Follows the feed while there are watchers, and reconnects after failures."""
        while self._has_watchers():
            try:
                async with self._tail() as tail:
                    await tail.start()
                    # After the start, so that no event falls between this reading and the first entry of the tail.
                    self._personal.miss()
                    await self._refresh(self._watched())
                    await self._rounds(tail)
                    continue  # without the pause: somebody may have joined meanwhile, and relies on this task
            except StoreUnavailable as error:
                log.warning("the feed cannot be followed", error=str(error))
            except Exception:
                log.exception("following the feed failed")
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _rounds(self, tail: FeedTail) -> None:
        loop = asyncio.get_running_loop()
        next_check = loop.time() + CHECK_SECONDS
        while self._has_watchers():
            entries = pass_on(await tail.read(block_ms=_BLOCK_MS), self._channels)
            self._personal.notice(entries)
            self._offers.notice(entries)
            named = {entry.stream for entry in entries} & self._watched()
            if loop.time() >= next_check:
                # After a restore of an older copy, only reading all streams shows that events have vanished.
                named, next_check = self._watched(), loop.time() + CHECK_SECONDS
                await self._company.meet(list(self._channels.values()))
            if named:
                began = loop.time()
                await self._refresh(named)
                await asyncio.sleep(min(MAX_REST_SECONDS, REST_FACTOR * (loop.time() - began)))

    def _watched(self) -> set[StreamId]:
        """Returns the streams of all channels. Those that only personal streams follow are not among them."""
        return self._channels.keys() | self._standings.watched()

    async def _refresh(self, named: Iterable[StreamId]) -> None:
        """Delivers the new events of those streams, and the resulting standings."""
        await self._advance_or_close([self._channels[stream] for stream in named if stream in self._channels])
        await self._standings.refresh(named)

    async def _advance_or_close(self, channels: Collection[Channel]) -> None:
        try:
            archived = await self._advance({channel.stream: channel for channel in channels})
        except Exception as error:
            if is_outage(error):
                raise
            # A damaged log may raise anything, and must not silence the streams of others.
            for channel in channels:
                if len(channels) > 1:
                    await self._advance_or_close([channel])
                else:
                    close_damaged(channel, error)
        else:
            for channel in archived:
                self._archive.begin(channel, self._advance_archived)

    async def _advance(self, channels: Mapping[StreamId, Channel]) -> list[Channel]:
        """Delivers the new events of these channels; returns the channels whose last event is not in Redis."""
        archived = list[Channel]()
        # Two rounds at the same time would read from the same cursors and deliver the same events twice.
        async with self._advancing:
            behind = dict(channels)
            while behind:
                asked = {stream: (channel.cursor, channel.people) for stream, channel in behind.items()}
                pages = await self._in_thread(self._pages.in_memory, asked)
                more = dict[StreamId, Channel]()
                for (stream, channel), page in zip(behind.items(), pages, strict=True):
                    if channel.cursor is not asked[stream][0]:  # `_advance_archived` was faster
                        more[stream] = channel
                    elif page.events is None:
                        archived.append(channel)
                    elif self._deliver(channel, page):
                        more[stream] = channel
                behind = more
        return archived

    def _deliver(self, channel: Channel, page: Page) -> bool:
        """Delivers the events of a page; returns whether there may be more."""
        events = page.events or ()
        channel.deliver(events, page.names)
        self._close_later(channel)
        self._await_change(channel)
        return len(events) == PAGE

    async def _advance_anywhere(self, channel: Channel) -> None:
        """Delivers the new events of a channel, even if reading them may take long."""
        if await self._advance({channel.stream: channel}):
            await self._advance_archived(channel)

    async def _advance_archived(self, channel: Channel) -> None:
        """Delivers the events after an archived one, or a snapshot if events have vanished from the store."""
        is_behind = True
        while is_behind:
            asked = channel.cursor, channel.people
            (page,) = await self._archive.run(self._pages.everywhere, {channel.stream: asked})
            # Compared, because this waits for no other reading, which may have delivered the same events.
            if channel.cursor is asked[0]:
                if page.events is None:
                    await self._restart_channel(channel)
                is_behind = page.events is not None and self._deliver(channel, page)

    def _close_later(self, channel: Channel) -> None:
        """Ends the streams of a finished table later, so that a rematch can still be announced to them."""
        if channel.is_staying and channel.closing is None:
            channel.closing = asyncio.get_running_loop().call_later(STAY_SECONDS, channel.close)

    async def _restart_channel(self, channel: Channel) -> None:
        cursor = channel.cursor
        try:
            loaded, names = await self._archive.run(self._pages.load, channel.stream)
        except NotFound:  # the table or tournament itself has vanished
            channel.vanish()
            return
        if channel.cursor is cursor:  # compared as in `_advance_archived`
            channel.restart(loaded, names)
            self._await_change(channel)

    async def _page_from(self, channel: Channel, position: Position) -> Page:
        while True:
            cursor = channel.cursor
            asked = {channel.stream: (position, channel.people)}
            (page,) = await self._in_thread(self._pages.in_memory, asked)
            if not page.events:
                (page,) = await self._archive.run(self._pages.everywhere, asked)
            # If the channel has advanced meanwhile, the page lacks its newest events and the names in them.
            if cursor == channel.cursor:
                return page

    async def _in_thread(self, function: Callable[[A], R], argument: A) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, argument)


def _resumed(subscription: Subscription) -> Position | None:
    """Returns the position to resume after, or `None` if the watcher needs a snapshot."""
    after, present = subscription.after, subscription.loaded.state.version
    # A watcher with views gets everything it missed in one message, which is made from one page.
    with_view = isinstance(subscription, TableSubscription) and subscription.with_view
    if after is None or present - after.version > (PAGE if with_view else MAX_REPLAY):
        return None
    return after
