"""Sends players the news of their own tables: a snapshot or the news missed, and from then on each as it happens.

A table may become a player's while the stream is open. The feed names the tables where somebody takes a seat or play
begins; as long as there are personal streams, each is asked whose it is. What the feed had named before a stream began
may have been missing in the lobby at that moment, so the lobby is read again at every check.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from domain.tables import Phase, people_at, people_of
from domain.tables.events import SeatOffered, SeatTaken, TableOpened, TableStarted
from service.application.history import Position
from service.application.my_tables import (
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
from service.application.ports import Clock, FeedEntry, StreamId
from service.http.framework.streaming import PersonalSubscription, TableSubscription
from service.http.messages.my_tables import my_tables
from service.http.serving.frames import my_tables_frame, my_tables_reset_frame, news_frame
from service.http.serving.watcher import Page, Stream

A = TypeVar("A")
R = TypeVar("R")

ARRIVALS: Final = frozenset({kind.wire for kind in (TableOpened, SeatTaken, SeatOffered, TableStarted)})
"""The events that make a table a player's, and the start, in case a seat was taken just before the stream began."""

PagesFrom = Callable[[Mapping[StreamId, tuple[Position, Collection[str]]]], Sequence[Page]]
"""Returns the events after each stream's position, with the names of these people and of those whom they introduce."""


class InThread(Protocol):
    """Runs a function in another thread."""

    def __call__(self, function: Callable[[A], R], argument: A) -> Awaitable[R]: ...


class PersonalStream:
    """The stream of a player, and what it was told.

    Attributes:
        told: what the client knew, when the stream began, of tables that are not in `known`.
        known: the tables that are followed, each as it was told, by id.
        followed: the same tables, as the index of all streams has them.
    """

    __slots__ = ("followed", "known", "player", "stream", "told")

    def __init__(self, stream: Stream, player: str, told: Told = NOTHING_TOLD) -> None:
        self.stream = stream
        self.player = player
        self.told = told
        self.known: dict[str, TableNow] = {}
        self.followed: set[StreamId] = set()

    def begin(self, tables: Collection[TableNow], now: int) -> None:
        """Writes a snapshot of the tables that have not ended; whatever is not in it is news."""
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
    """All personal streams of this process. Its methods belong on the event loop."""

    def __init__(
        self,
        *,
        my_tables: Callable[[], MyTables],
        clock: Callable[[], Clock],
        pages_from: PagesFrom,
        in_thread: InThread,
    ) -> None:
        self._my_tables = my_tables
        self._clock = clock
        self._pages_from = pages_from
        self._in_thread = in_thread
        self._people: set[PersonalStream] = set()
        self._followers: defaultdict[StreamId, set[PersonalStream]] = defaultdict(set)
        # A stream's tables are read for what it knows at that moment; two readers would tell the same news twice.
        self._changing = asyncio.Lock()

    def __bool__(self) -> bool:
        return bool(self._people)

    @property
    def size(self) -> int:
        """How many streams there are."""
        return len(self._people)

    def watched(self) -> set[StreamId]:
        """Returns the tables that are followed."""
        return set(self._followers)

    async def join(self, stream: Stream, subscription: PersonalSubscription) -> Callable[[], None]:
        """Sends the snapshot or the missed news to a stream, and from then on each; returns a function that ends this."""
        person = PersonalStream(stream, subscription.player, subscription.told)
        if subscription.updates is None:
            person.begin(subscription.tables, subscription.now)
        else:
            latest = [Update(update.now, update.latest) for update in subscription.updates]
            person.tell(latest, subscription.now)
        self._people.add(person)
        self._index(person)
        try:
            async with self._changing:
                # Nobody noticed what happened between the loading of the subscription and now.
                await self._advance(person, list(person.known))
                await self._find(person)
        except BaseException:
            self._leave(person)
            raise
        return lambda: self._leave(person)

    def _leave(self, person: PersonalStream) -> None:
        self._people.discard(person)
        person.known.clear()
        self._index(person)

    def clear(self) -> None:
        self._people.clear()
        self._followers.clear()

    async def refresh(self, named: Iterable[StreamId]) -> None:
        """Sends the news of those tables."""
        tables = defaultdict[PersonalStream, list[str]](list)
        for stream in named:
            for person in self._followers.get(stream, ()):
                tables[person].append(stream.id)
        if tables:
            async with self._changing:
                for person, ids in tables.items():
                    await self._advance(person, ids)

    async def arrive(self, entries: Iterable[FeedEntry]) -> None:
        """Follows the tables that have become those of players who watch, and sends their news."""
        if not self._people:
            return
        arrived = {entry.stream for entry in entries if not ARRIVALS.isdisjoint(entry.types)}
        if not arrived:
            return
        owners = await self._in_thread(self._owners, arrived)
        async with self._changing:
            for person in list(self._people):
                ids = [table for table in owners.get(person.player, ()) if table not in person.known]
                await self._adopt(person, ids)

    async def check(self) -> None:
        """Follows the tables in the lobby that the feed did not name, and sends the last news of each."""
        async with self._changing:
            for person in list(self._people):
                await self._find(person)

    async def _find(self, person: PersonalStream) -> None:
        await self._adopt(person, await self._in_thread(self._unknown, person), is_late=True)

    def _owners(self, streams: Iterable[StreamId]) -> Mapping[str, list[str]]:
        """Returns the tables among these streams by the players whose they are."""
        tables = defaultdict[str, list[str]](list)
        for stream in streams:
            for player in self._my_tables().players_of(stream.id):
                tables[player].append(stream.id)
        return tables

    def _unknown(self, person: PersonalStream) -> tuple[str, ...]:
        return self._my_tables().unknown(person.player, person.known)

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

    async def _advance(self, person: PersonalStream, ids: Sequence[str]) -> None:
        """Sends the news of some tables that are followed, and a snapshot where events have vanished from the store."""
        behind = [table for table in ids if table in person.known]
        while behind:
            known = [person.known[table] for table in behind]
            updates = await self._in_thread(self._followed, (person.player, known))
            if updates is None:
                await self._restart(person)
                return
            self._tell(person, updates)
            behind = [
                before.state.id
                for before, update in zip(known, updates, strict=True)
                if before.loaded.position != update.now.loaded.position and before.state.id in person.known
            ]

    def _followed(self, wanted: tuple[str, Sequence[TableNow]]) -> list[Update] | None:
        player, known = wanted
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
