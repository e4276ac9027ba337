"""Sends players the news of their own tables: first a snapshot or the missed news, then each item as it happens.

A player may join a table while the stream is open. The feed names tables where somebody takes a seat or play
begins. While there are personal streams, the owners of each such table are looked up. A table that the feed named
just before a stream opened may have been missing in the lobby then, so every check reads the lobby again. The
checks of all streams are spread evenly over time.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import cycle
from typing import Final, TypeVar

import structlog

from hoodwink.domain.tables.attention import people_of
from hoodwink.domain.tables.events import SeatOffered, SeatTaken, TableOpened, TableStarted
from hoodwink.domain.tables.state import Phase, people_at
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.application.ports import Clock, FeedEntry, StoreUnavailable, StreamId, is_outage
from hoodwink.service.application.reading.my_tables import (
    NOTHING_TOLD,
    SETTLED_MS,
    HistoryVanished,
    MyTables,
    News,
    TableNow,
    Update,
    followed,
    told_of,
)
from hoodwink.service.application.streams.history import Position
from hoodwink.service.http.framework.streaming import PersonalSubscription, TableSubscription
from hoodwink.service.http.messages.my_tables import my_tables
from hoodwink.service.http.serving.streams.frames import my_tables_frame, my_tables_reset_frame, news_frame
from hoodwink.service.http.serving.streams.watcher import Page, Presence, Stream

log = structlog.get_logger(__name__)

A = TypeVar("A")
R = TypeVar("R")

ARRIVALS: Final = frozenset({kind.wire for kind in (TableOpened, SeatTaken, SeatOffered, TableStarted)})
"""The events that seat a player, and the start of play, in case a seat was taken just before the stream opened."""

INTERVAL_SECONDS: Final = 0.02
CHECK_SECONDS: Final = 5.0
"""Interval at which each stream's tables and its player's lobby are read, even without news in the feed."""
PARTS: Final = 10
_PAUSE_SECONDS: Final = 0.5

PagesFrom = Callable[[Mapping[StreamId, tuple[Position, Collection[str]]]], Sequence[Page]]
"""Returns the events after each stream's position, with the names of these people and of those in the events."""


class PersonalStream:
    """The stream of a player, and the client's knowledge.

    Attributes:
        told: what the client knew of tables outside `known` when the stream opened.
        known: the followed tables by id, each in the state that the client was last told.
        followed: the same tables, as the index of all streams has them.
        part: the number of the group of streams that are checked together.
    """

    __slots__ = ("followed", "is_bot", "known", "part", "player", "stream", "told")

    def __init__(self, stream: Stream, subscription: PersonalSubscription, part: int) -> None:
        self.stream = stream
        self.player, self.told = subscription.player, subscription.told
        self.is_bot = subscription.is_bot
        self.part = part
        self.known: dict[str, TableNow] = {}
        self.followed: set[StreamId] = set()

    def begin(self, tables: Collection[TableNow], now: int) -> None:
        """Writes a snapshot of the tables that have not ended. From then on, everything outside it is news."""
        self.told, self.known = NOTHING_TOLD, {}
        self._know(tables)
        # Those that have just ended are only in the id, or a client that resumes would get their ends as news.
        live = [table for table in tables if table.state.phase is not Phase.ENDED]
        told = told_of(tables, now - SETTLED_MS)
        self.stream.write(my_tables_frame(told, my_tables(live, self.player, now=now)))

    def tell(self, updates: Collection[Update], now: int) -> None:
        """Writes the news in chronological order, and follows the tables from there."""
        # Quiet tables first: the id of each frame lists the known ones, and these have nothing left to tell.
        self._know([update.now for update in updates if not update.news])
        news = sorted([item for update in updates for item in update.news], key=lambda item: item.at)
        if news:
            self.stream.write(b"".join([self._frame(item, now) for item in news]))
        self._know([update.now for update in updates])
        self._forget_settled(now - SETTLED_MS)

    def _frame(self, news: News, now: int) -> bytes:
        self._know([news.now])
        # If the connection breaks after this frame, later news must not count as told.
        told = told_of(self.known.values(), min(news.at - 1, now - SETTLED_MS))
        return news_frame(told, news, self.player, now)

    def _know(self, tables: Iterable[TableNow]) -> None:
        for table in tables:
            if self.player in people_of(table.state):
                self.known[table.state.id] = table
            else:
                self.known.pop(table.state.id, None)

    def _forget_settled(self, settled_at: int) -> None:
        """Forgets ended tables when the ids of frames no longer have to name them."""
        for table, now in list(self.known.items()):
            if now.state.phase is Phase.ENDED and now.loaded.at <= settled_at:
                del self.known[table]


class PersonalStreams:
    """All personal streams of this process. Call its methods on the event loop.

    They have their own task and thread, so that watchers of a table never wait for them.
    """

    def __init__(
        self,
        *,
        my_tables: Callable[[], MyTables],
        clock: Callable[[], Clock],
        presence: Callable[[], Presence],
        pages_from: PagesFrom,
    ) -> None:
        self._my_tables = my_tables
        self._clock = clock
        self._presence = presence
        self._pages_from = pages_from
        self.people: set[PersonalStream] = set()
        self._followers: defaultdict[StreamId, set[PersonalStream]] = defaultdict(set)
        self._parts = cycle(range(PARTS))
        self._named: set[StreamId] = set()
        self._arrived: set[StreamId] = set()
        self._has_missed = False
        self._has_news = asyncio.Event()
        # Two readers at the same time would start from the same known state and send the same news twice.
        self._changing = asyncio.Lock()
        self._worker: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "personal")

    def __bool__(self) -> bool:
        return bool(self.people)

    async def join(self, stream: Stream, subscription: PersonalSubscription) -> Callable[[], None]:
        """Sends the snapshot or the missed news to a stream, then each item; returns a function that stops this."""
        person = PersonalStream(stream, subscription, next(self._parts))
        if subscription.updates is None:
            person.begin(subscription.tables, subscription.now)
        else:
            # Only the latest item per table. It carries the table as it is now, so earlier ones are outdated.
            latest = [Update(update.now, update.latest) for update in subscription.updates]
            person.tell(latest, subscription.now)
        self.people.add(person)
        self._index(person)
        try:
            await self._check([person])  # the feed was not read since the subscription was loaded
        except BaseException:
            self._leave(person)
            raise
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())
        return lambda: self._leave(person)

    def _leave(self, person: PersonalStream) -> None:
        self.people.discard(person)
        person.known.clear()
        self._index(person)

    async def close(self) -> None:
        """Stops sending to all streams."""
        self.people.clear()
        self._followers.clear()
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker
        self._thread.shutdown(wait=False)

    def notice(self, entries: Iterable[FeedEntry]) -> None:
        """Notes the streams that the feed named, to read them soon."""
        if not self.people:
            return
        for entry in entries:
            self._named.add(entry.stream)  # even if nobody follows it, because somebody may be about to
            if not ARRIVALS.isdisjoint(entry.types):
                self._arrived.add(entry.stream)
        if self._arrived or not self._named.isdisjoint(self._followers):
            self._has_news.set()

    def miss(self) -> None:
        """Notes that entries of the feed may have been missed, so all streams are checked soon."""
        self._has_missed = True
        self._has_news.set()

    async def _work(self) -> None:
        """Sends the news and checks one group of streams after another, while there are streams."""
        loop, parts = asyncio.get_running_loop(), cycle(range(PARTS))
        while self.people:
            try:
                await self._send_until(loop.time() + CHECK_SECONDS / PARTS)
                part = next(parts)
                await self._check([person for person in self.people if person.part == part])
            except StoreUnavailable as error:
                log.warning("players' tables cannot be followed", error=str(error))
                await self._pause()
            except Exception:
                log.exception("following players' tables failed")
                await self._pause()

    async def _pause(self) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        self.miss()  # the names that were being worked on are gone

    async def _send_until(self, end: float) -> None:
        """Sends the news of the tables that the feed names before the loop's time `end`."""
        while asyncio.get_running_loop().time() < end:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(end):
                    await self._has_news.wait()
            self._has_news.clear()  # before sending, so that what arrives meanwhile sets it again
            await self._send()
            await asyncio.sleep(INTERVAL_SECONDS)

    async def _send(self) -> None:
        if self._has_missed:
            self._has_missed = False  # before the check, during which more may be missed
            await self.check()
        arrived, self._arrived = self._arrived, set()
        if arrived:
            await self._arrive(arrived)
        # Taken only now, because a table that has just arrived may have been named again meanwhile.
        named, self._named = self._named, set()
        await self._refresh(named)

    async def _refresh(self, named: Iterable[StreamId]) -> None:
        """Sends the news of those tables."""
        tables = defaultdict[PersonalStream, list[str]](list)
        for stream in named:
            for person in self._followers.get(stream, ()):
                tables[person].append(stream.id)
        if tables:
            async with self._changing:
                await self._advance(tables)

    async def _arrive(self, arrived: Iterable[StreamId]) -> None:
        """Follows the tables that watching players have joined, and sends their news."""
        ids = [stream.id for stream in arrived]
        owners = await self._in_thread(lambda asked: self._my_tables().owners(asked), ids)
        async with self._changing:
            for person in list(self.people):
                unknown = [table for table in owners.get(person.player, ()) if table not in person.known]
                await self._adopt(person, unknown)

    async def check(self) -> None:
        """Sends all streams the news that the feed did not name, including tables in the lobby not yet followed."""
        await self._check(list(self.people))

    async def _check(self, people: Sequence[PersonalStream]) -> None:
        if not people:
            return
        if bots := [person.player for person in people if person.is_bot]:
            # A note expires after 15 seconds.
            await self._in_thread(
                lambda noted: self._presence().note_bots(noted, now=self._clock().now_ms()), bots
            )
        async with self._changing:
            await self._advance({person: list(person.known) for person in people})
            known = [(person.player, tuple(person.known)) for person in people]
            found = await self._in_thread(lambda asked: self._my_tables().unknown_each(asked), known)
            for person, ids in zip(people, found, strict=True):
                await self._adopt(person, ids, is_late=True)

    async def _in_thread(self, function: Callable[[A], R], argument: A) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, argument)

    async def _adopt(self, person: PersonalStream, ids: Sequence[str], *, is_late: bool = False) -> None:
        if not ids:
            return
        found = await self._in_thread(self._updates_of, (person, ids))
        if found is None:
            await self._restart(person)
            return
        # A table found late may have many items, and only the latest is still current.
        updates = [Update(update.now, update.latest) for update in found] if is_late else found
        self._tell(person, updates)

    def _updates_of(self, wanted: tuple[PersonalStream, Sequence[str]]) -> list[Update] | None:
        person, ids = wanted
        try:
            updates = [self._my_tables().update(person.player, table, person.told) for table in ids]
        except HistoryVanished:
            return None
        return [update for update in updates if update is not None]

    async def _advance(self, ids: Mapping[PersonalStream, Iterable[str]]) -> None:
        """Sends the news of some followed tables, or a snapshot if events have vanished from the store."""
        behind = _known_of(ids)
        while behind:
            moved: dict[PersonalStream, list[str]] = {}
            found = await self._in_thread(self._follow_each, behind)
            for (person, known), updates in zip(behind.items(), found, strict=True):
                if isinstance(updates, Exception):
                    self._break_off(person, updates)
                elif updates is None:
                    await self._restart(person)
                else:
                    self._tell(person, updates)
                    # A page is limited, so a table that moved may have more events.
                    moved[person] = _moved(known, updates)
            behind = _known_of(moved)

    def _break_off(self, person: PersonalStream, error: Exception) -> None:
        """Ends a stream whose tables cannot be followed, so that it does not block the others."""
        log.error("a player's tables cannot be followed", player=person.player, exc_info=error)
        self._leave(person)
        person.stream.end()

    def _follow_each(
        self, behind: Mapping[PersonalStream, Sequence[TableNow]]
    ) -> list[list[Update] | Exception | None]:
        return gather(
            [partial(self._try_following, person.player, known) for person, known in behind.items()]
        )

    def _try_following(self, player: str, known: Sequence[TableNow]) -> list[Update] | Exception | None:
        try:
            return self._follow(player, known)
        except Exception as error:
            if is_outage(error):
                raise
            # A damaged log may raise anything, and must not silence the streams of other players.
            return error

    def _follow(self, player: str, known: Sequence[TableNow]) -> list[Update] | None:
        pages = self._pages_from(
            {table_stream(now): (now.loaded.position, people_at(now.state)) for now in known}
        )
        updates = [
            followed(player, now, page.events, page.names)
            for now, page in zip(known, pages, strict=True)
            if page.events is not None
        ]
        return updates if len(updates) == len(known) else None

    async def _restart(self, person: PersonalStream) -> None:
        """Sends a snapshot to a stream whose known events have vanished from the store."""
        now = self._clock().now_ms()
        tables = await self._in_thread(self._present, (person.player, now))
        if person in self.people:  # the client may have left during the read
            person.stream.write(my_tables_reset_frame(now))
            person.begin(tables, now)
            self._index(person)

    def _present(self, wanted: tuple[str, int]) -> tuple[TableNow, ...]:
        player, now = wanted
        return self._my_tables().present(player, ended_after=now - SETTLED_MS)

    def _tell(self, person: PersonalStream, updates: Collection[Update]) -> None:
        if person in self.people:
            person.tell(updates, self._clock().now_ms())
            self._index(person)

    def _index(self, person: PersonalStream) -> None:
        """Updates the index with the tables that a stream follows."""
        followed_now = {table_stream(now) for now in person.known.values()}
        for stream in person.followed - followed_now:
            self._followers[stream].discard(person)
            if not self._followers[stream]:
                del self._followers[stream]
        for stream in followed_now - person.followed:
            self._followers[stream].add(person)
        person.followed = followed_now


def table_stream(now: TableNow) -> StreamId:
    return StreamId(TableSubscription.category, now.state.id)


def _known_of(ids: Mapping[PersonalStream, Iterable[str]]) -> dict[PersonalStream, list[TableNow]]:
    known = {
        person: [person.known[table] for table in tables if table in person.known]
        for person, tables in ids.items()
    }
    return {person: tables for person, tables in known.items() if tables}


def _moved(known: Sequence[TableNow], updates: Sequence[Update]) -> list[str]:
    return [
        before.state.id
        for before, update in zip(known, updates, strict=True)
        if before.loaded.position != update.now.loaded.position
    ]
