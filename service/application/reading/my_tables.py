"""The tables of one player: which they are, what is new at them, and what a client has been told already.

Which tables are a player's is read from the lobby's projection, which follows the tables with a short delay; everything
about them is read from the tables themselves.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

import msgspec

from hoodwink.domain.kernel import Names
from hoodwink.domain.projections import ended_index, live_index
from hoodwink.domain.projections.lobby import LOBBY
from hoodwink.domain.tables.attention import (
    NewsKind,
    news_of,
    people_of,
    waits_since,
)
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import Recorded, decoded
from hoodwink.domain.tables.proving.log import people_in_log
from hoodwink.domain.tables.state import (
    Phase,
    Table,
    people_at,
)
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Gather
from hoodwink.service.application.projecting.projections import Cursor, ProjectionReader
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.history import Loaded, Position, before, events_after, extended
from hoodwink.service.application.streams.tables import LoadedTable, Tables

MAX_TABLES: Final = 200
"""The most tables of a player that are listed and followed at a time: those with the latest changes in the lobby."""

SETTLED_MS: Final = 60_000
"""The time after which no further event appears with an earlier time.

A process reads the clock right before it appends, so an event is on its stream within this time, even if something else is
stored meanwhile.
"""

ID_DIGITS: Final = 8
"""The number of characters of a table's id and of a hash that are enough to find one of a player's tables."""


class TableNow(NamedTuple):
    """A table right after a commit, the last event of it, and the present names of its people."""

    loaded: LoadedTable
    last: Recorded
    names: Names

    @property
    def state(self) -> Table:
        return self.loaded.state


class News(NamedTuple):
    """Something that happened at a player's table, and the table right after it."""

    kind: NewsKind
    now: TableNow
    at: int


class Told(msgspec.Struct, frozen=True, gc=False):
    """What a client knows of a player's tables: everything up to a moment, and what it was told since.

    Events of different tables become known in another order than their times have, so a moment alone says too little.

    Attributes:
        settled_at: everything that happened at or before this moment was told, in ms.
        tables: the beginning of the id of each table at which something happened later, and the position up to which
            that was told.
    """

    settled_at: int = 0
    tables: tuple[tuple[str, Position], ...] = ()

    def position(self, table: str) -> Position | None:
        """Returns the position up to which a table was told, where something happened at it after `settled_at`."""
        return dict(self.tables).get(table[:ID_DIGITS])


NOTHING_TOLD: Final = Told()


def told_of(tables: Iterable[TableNow], settled_at: int) -> Told:
    """Returns what a client knows that was told of these tables, and of all others what happened until `settled_at`."""
    return Told(
        settled_at,
        tuple(
            [
                (now.state.id[:ID_DIGITS], Position(now.state.version, now.loaded.head[:ID_DIGITS]))
                for now in tables
                if now.loaded.at > settled_at
            ]
        ),
    )


class Update(NamedTuple):
    """What happened at a table since a client was told of it.

    Attributes:
        now: the table at present.
        news: in the order in which they happened.
    """

    now: TableNow
    news: tuple[News, ...]

    @property
    def latest(self) -> tuple[News, ...]:
        """The last of the news, with the table at present; empty without news."""
        return tuple([news._replace(now=self.now) for news in self.news[-1:]])


class HistoryVanished(Exception):
    """Raised where the store no longer holds what a client was told, because it was restored from an older copy."""


class _Listed(msgspec.Struct, frozen=True, gc=False):
    """The part of a row of the lobby that is needed here."""

    id: str
    changed_at: int


class MyTables:
    """Finds the tables of a player, and what is new at them. Every call may raise `StoreUnavailable`."""

    def __init__(self, *, reader: ProjectionReader, tables: Tables, players: Players, gather: Gather) -> None:
        """Takes the projections, the tables, the players, and a function that runs others side by side."""
        self._reader = reader
        self._players = players
        self._tables = tables
        self._gather = gather

    def page(
        self, player: str, *, has_ended: bool, before: Cursor | None, count: int
    ) -> tuple[tuple[TableNow, ...], Cursor | None]:
        """Returns a page of a player's tables, and where the next page begins.

        The tables that changed last in the lobby are on the first page. On a page of live tables those that wait for
        the player come first, the newest need foremost; on one of ended tables the last one does.
        """
        index = ended_index(player) if has_ended else live_index(player)
        page = self._reader.page(LOBBY.name, index, before=before, count=count)
        found = self._all_of(player, [_listed(row).id for row in page.rows])
        tables = [now for now in found if (now.state.phase is Phase.ENDED) is has_ended]
        return tuple(tables if has_ended else _newest_need_first(tables, player)), page.more

    def present(self, player: str, *, ended_after: int) -> tuple[TableNow, ...]:
        """Returns the live tables of a player, ordered as on a page, and those that have ended after a moment."""
        rows = self._listed(
            live_index(player)
        )  # first: a table that ends meanwhile is in one list or in both
        rows += self._ended_after(player, ended_after)
        return tuple(_newest_need_first(self._all_of(player, [row.id for row in rows]), player))

    def unknown_each(self, asked: Iterable[tuple[str, Collection[str]]]) -> list[tuple[str, ...]]:
        """Returns, for each player with the tables known already, the ids of the other live tables of that player."""
        return self._gather([partial(self._unknown, player, known) for player, known in asked])

    def _unknown(self, player: str, known: Collection[str]) -> tuple[str, ...]:
        return tuple([row.id for row in self._listed(live_index(player)) if row.id not in known])

    def owners(self, tables: Sequence[str]) -> Mapping[str, list[str]]:
        """Returns those of the tables that exist, by the players whose they are."""
        found = defaultdict[str, list[str]](list)
        people = self._gather([partial(self._players_of, table) for table in tables])
        for table, players in zip(tables, people, strict=True):
            for player in players:
                found[player].append(table)
        return found

    def _players_of(self, table: str) -> tuple[str, ...]:
        try:
            return people_of(self._tables.load(table).state)
        except NotFound:
            return ()

    def since(self, player: str, told: Told) -> tuple[Update, ...] | None:
        """Returns all live tables of a player, and those that have ended since a client was told of them.

        Returns `None` if more have ended than are followed at a time.

        Raises:
            HistoryVanished: the store has lost events that the client was told.
        """
        live = self._listed(live_index(player))
        ended = self._ended_after(player, told.settled_at)
        if len(ended) == MAX_TABLES:
            return None
        ids = dict.fromkeys([row.id for row in live + ended])
        updates = self._gather([partial(self.update, player, id_, told) for id_ in ids])
        return tuple([update for update in updates if update is not None])

    def update(self, player: str, table: str, told: Told) -> Update | None:
        """Returns what happened at a table since a client was told of it; `None` if it is not the player's.

        Raises:
            HistoryVanished: the store has lost events that the client was told.
        """
        now = self._now(table)
        if now is None or player not in people_of(now.state):
            return None
        position = told.position(table)
        if position is None and now.loaded.at <= told.settled_at:
            return Update(now, ())
        entries = self._tables.entries(table)
        if position is None:
            version = sum(entry.at <= told.settled_at for entry in entries)  # times on a stream never go back
        elif events_after(decode_event, position, entries[before(position) :]) is None:
            raise HistoryVanished
        else:
            version = position.version
        known = extended(TABLE, Loaded(TABLE.unopened), entries[:version])
        names = self._players.names(people_in_log(entries))
        return followed(
            player, TableNow(known, now.last, names), decoded(entries[version:], decode_event), names
        )

    def _listed(self, index: str) -> tuple[_Listed, ...]:
        page = self._reader.page(LOBBY.name, index, before=None, count=MAX_TABLES)
        return tuple(map(_listed, page.rows))

    def _ended_after(self, player: str, moment: int) -> tuple[_Listed, ...]:
        return tuple([row for row in self._listed(ended_index(player)) if row.changed_at > moment])

    def _all_of(self, player: str, ids: Sequence[str]) -> tuple[TableNow, ...]:
        # A player who has just left a seat may still be listed, and a table may have vanished with its store.
        found = self._gather([partial(self._now, id_) for id_ in dict.fromkeys(ids)])
        return tuple([now for now in found if now is not None and player in people_of(now.state)])

    def _now(self, table: str) -> TableNow | None:
        try:
            loaded = self._tables.load(table)
        except NotFound:
            return None
        last = self._tables.history(table, after=loaded.state.version - 1, count=1)
        return TableNow(loaded, last[0], self._players.names(people_at(loaded.state))) if last else None


def followed(player: str, known: TableNow, events: Sequence[Recorded], names: Names) -> Update:
    """Returns what further events of a table mean to a player; `names` are the present ones of its people."""
    now, news = known, list[News]()
    for after in _after_each_commit(known, events, names):
        at = after.loaded.at
        news += [News(kind, after, at) for kind in news_of(now.state, after.state, player)]
        now = after
    return Update(now, tuple(news))


def _after_each_commit(known: TableNow, events: Sequence[Recorded], names: Names) -> Iterator[TableNow]:
    state = known.state
    for _, commit in groupby(events, key=lambda recorded: recorded.entry.cmd):
        for recorded in commit:
            state = TABLE.evolve(state, recorded)
        yield TableNow(Loaded(state, recorded.entry.hash, recorded.entry.at), recorded, names)


def _newest_need_first(tables: Iterable[TableNow], player: str) -> list[TableNow]:
    def need(now: TableNow) -> tuple[bool, int]:
        since = waits_since(now.state, player)
        return since is not None, since or now.loaded.at

    return sorted(tables, key=need, reverse=True)


def _listed(row: bytes) -> _Listed:
    return msgspec.json.decode(row, type=_Listed)
