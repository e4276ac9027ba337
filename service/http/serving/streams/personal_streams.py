"""Sends players the news of their own tables: a snapshot or the news missed, and from then on each as it happens.

A table may become a player's while the stream is open. The feed names the tables where somebody takes a seat or play
begins; as long as there are personal streams, each is asked whose it is. What the feed had named before a stream began
may have been missing in the lobby at that moment, so the lobby is read again at every check. The checks of all streams
are spread evenly over time.
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
from hoodwink.service.application.ports import Clock, FeedEntry, StoreUnavailable, StreamId
from hoodwink.service.application.reading.my_tables import (
    NOTHING_TOLD,
    SETTLED_MS,
    HistoryVanished,
    MyTables,
    News,
    TableNow,
    Told,
    Update,
    followed,
    told_of,
)
from hoodwink.service.application.streams.history import Position
from hoodwink.service.http.framework.streaming import PersonalSubscription, TableSubscription
from hoodwink.service.http.messages.my_tables import my_tables
from hoodwink.service.http.serving.streams.frames import my_tables_frame, my_tables_reset_frame, news_frame
from hoodwink.service.http.serving.streams.watcher import Page, Stream

log = structlog.get_logger(__name__)

A = TypeVar("A")
R = TypeVar("R")

ARRIVALS: Final = frozenset({kind.wire for kind in (TableOpened, SeatTaken, SeatOffered, TableStarted)})
"""The events that make a table a player's, and the start, in case a seat was taken just before the stream began."""

INTERVAL_SECONDS: Final = 0.02
CHECK_SECONDS: Final = 5.0
"""The interval at which each stream's tables and its player's lobby are read, even without news in the feed."""
PARTS: Final = 10
_PAUSE_SECONDS: Final = 0.5

PagesFrom = Callable[[Mapping[StreamId, tuple[Position, Collection[str]]]], Sequence[Page]]
"""Returns the events after each stream's position, with the names of these people and of those whom they introduce."""


class PersonalStream:
    """The stream of a player, and what it was told.

    Attributes:
        told: what the client knew, when the stream began, of tables that are not in `known`.
        known: the tables that are followed, each as it was told, by id.
        followed: the same tables, as the index of all streams has them.
        part: the number of the part of all streams that is checked together.
    """

    __slots__ = ("followed", "known", "part", "player", "stream", "told")

    def __init__(self, stream: Stream, player: str, part: int, told: Told = NOTHING_TOLD) -> None:
        self.stream = stream
        self.player = player
        self.part = part
        self.told = told
        self.known: dict[str, TableNow] = {}
        self.followed: set[StreamId] = set()

    def begin(self, tables: Collection[TableNow], now: int) -> None:
        """Writes a snapshot of the tables that have not ended; everything not in it is news."""
        self.told, self.known = NOTHING_TOLD, {}
        self._know(tables)
        live = [table for table in tables if table.state.phase is not Phase.ENDED]
        told = told_of(tables, now - SETTLED_MS)
        self.stream.write(my_tables_frame(told, my_tables(live, self.player, now=now)))

    def tell(self, updates: Collection[Update], now: int) -> None:
        """Writes the news in their order in time, and follows the tables from there on."""
        self._know([update.now for update in updates if not update.news])
        news = sorted([item for update in updates for item in update.news], key=lambda item: item.at)
        if news:
            self.stream.write(b"".join([self._frame(item, now) for item in news]))
        self._know([update.now for update in updates])
        self._forget_settled(now - SETTLED_MS)

    def _frame(self, news: News, now: int) -> bytes:
        self._know([news.now])
        # If the connection is cut after this frame, the news that follow must not count as told.
        told = told_of(self.known.values(), min(news.at - 1, now - SETTLED_MS))
        return news_frame(told, news, self.player, now)

    def _know(self, tables: Iterable[TableNow]) -> None:
        for table in tables:
            if self.player in people_of(table.state):
                self.known[table.state.id] = table
            else:
                self.known.pop(table.state.id, None)

    def _forget_settled(self, settled_at: int) -> None:
        """Forgets ended tables as soon as the ids of frames need not name them."""
        for table, now in list(self.known.items()):
            if now.state.phase is Phase.ENDED and now.loaded.at <= settled_at:
                del self.known[table]


class PersonalStreams:
    """All personal streams of this process. Its methods belong on the event loop.

    They have a task and a thread of their own, so that nobody who watches a table waits for them.
    """

    def __init__(
        self, *, my_tables: Callable[[], MyTables], clock: Callable[[], Clock], pages_from: PagesFrom
    ) -> None:
        self._my_tables = my_tables
        self._clock = clock
        self._pages_from = pages_from
        self._people: set[PersonalStream] = set()
        self._followers: defaultdict[StreamId, set[PersonalStream]] = defaultdict(set)
        self._parts = cycle(range(PARTS))
        self._named: set[StreamId] = set()
        self._arrived: set[StreamId] = set()
        self._has_missed = False
        self._is_awaited = asyncio.Event()
        # A stream's tables are read for what it knows at that moment; two readers would tell the same news twice.
        self._changing = asyncio.Lock()
        self._worker: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "personal")

    def __bool__(self) -> bool:
        return bool(self._people)

    async def join(self, stream: Stream, subscription: PersonalSubscription) -> Callable[[], None]:
        """Sends the snapshot or the missed news to a stream, and from then on each; returns a function that ends this."""
        person = PersonalStream(stream, subscription.player, next(self._parts), subscription.told)
        if subscription.updates is None:
            person.begin(subscription.tables, subscription.now)
        else:
            latest = [Update(update.now, update.latest) for update in subscription.updates]
            person.tell(latest, subscription.now)
        self._people.add(person)
        self._index(person)
        try:
            await self._check([person])  # nobody noticed what happened since the subscription was loaded
        except BaseException:
            self._leave(person)
            raise
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())
        return lambda: self._leave(person)

    def _leave(self, person: PersonalStream) -> None:
        self._people.discard(person)
        person.known.clear()
        self._index(person)

    async def close(self) -> None:
        """Sends nothing more to any stream."""
        self._people.clear()
        self._followers.clear()
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker
        self._thread.shutdown(wait=False)

    def notice(self, entries: Iterable[FeedEntry]) -> None:
        """Notes what the feed named; it is read soon."""
        if not self._people:
            return
        for entry in entries:
            # A table may be about to be followed, so all are noted.
            self._named.add(entry.stream)
            if not ARRIVALS.isdisjoint(entry.types):
                self._arrived.add(entry.stream)
        if self._arrived or not self._named.isdisjoint(self._followers):
            self._is_awaited.set()

    def miss(self) -> None:
        """Notes that the feed may have named any table; all streams are checked soon."""
        self._has_missed = True
        self._is_awaited.set()

    async def _work(self) -> None:
        """Sends the news, and checks one part of the streams after the other, while there are streams."""
        loop, parts = asyncio.get_running_loop(), cycle(range(PARTS))
        while self._people:
            try:
                await self._send_until(loop.time() + CHECK_SECONDS / PARTS)
                part = next(parts)
                await self._check([person for person in self._people if person.part == part])
            except StoreUnavailable as error:
                log.warning("the tables of players cannot be followed", error=str(error))
                await self._pause()
            except Exception:
                log.exception("following the tables of players failed")
                await self._pause()

    async def _pause(self) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        self.miss()

    async def _send_until(self, end: float) -> None:
        """Sends the news of the tables that the feed names until then."""
        while asyncio.get_running_loop().time() < end:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(end):
                    await self._is_awaited.wait()
            self._is_awaited.clear()
            await self._send()
            await asyncio.sleep(INTERVAL_SECONDS)

    async def _send(self) -> None:
        if self._has_missed:
            self._has_missed = False
            await self.check()
        arrived, self._arrived = self._arrived, set()
        if arrived:
            await self._arrive(arrived)
        # Only now, because a table that has just arrived may have been named again.
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
        """Follows the tables that have become those of players who watch, and sends their news."""
        ids = [stream.id for stream in arrived]
        owners = await self._in_thread(lambda asked: self._my_tables().owners(asked), ids)
        async with self._changing:
            for person in list(self._people):
                unknown = [table for table in owners.get(person.player, ()) if table not in person.known]
                await self._adopt(person, unknown)

    async def check(self) -> None:
        """Sends all streams the news that the feed did not name, also of tables in the lobby that are not followed yet."""
        await self._check(list(self._people))

    async def _check(self, people: Sequence[PersonalStream]) -> None:
        if not people:
            return
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
        """Sends the news of some tables that are followed, and a snapshot where events have vanished from the store."""
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
                    moved[person] = _moved(known, updates)
            behind = _known_of(moved)

    def _break_off(self, person: PersonalStream, error: Exception) -> None:
        """Ends a stream whose tables cannot be followed, so that it holds up no other."""
        log.error("the tables of a player cannot be followed", player=person.player, exc_info=error)
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
        except StoreUnavailable:
            raise
        # Whatever a damaged log may raise.
        except Exception as error:  # noqa: BLE001
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
        """Sends a snapshot to a stream that was told what has vanished from the store."""
        now = self._clock().now_ms()
        tables = await self._in_thread(self._present, (person.player, now))
        if person in self._people:
            person.stream.write(my_tables_reset_frame(now))
            person.begin(tables, now)
            self._index(person)

    def _present(self, wanted: tuple[str, int]) -> tuple[TableNow, ...]:
        player, now = wanted
        return self._my_tables().present(player, ended_after=now - SETTLED_MS)

    def _tell(self, person: PersonalStream, updates: Collection[Update]) -> None:
        if person in self._people:
            person.tell(updates, self._clock().now_ms())
            self._index(person)

    def _index(self, person: PersonalStream) -> None:
        """Notes which tables a stream follows."""
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
