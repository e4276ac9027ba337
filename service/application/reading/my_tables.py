"""One player's tables, the news at them, and the news that a client has already received.

The list of a player's tables is read from the lobby's projection, which lags a little. Everything else is read from
the tables themselves.
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
from hoodwink.domain.tables.codec import UnknownEvent, decode_event
from hoodwink.domain.tables.entries import Recorded, decoded
from hoodwink.domain.tables.proving.log import people_in_log
from hoodwink.domain.tables.state import (
    Phase,
    Table,
    people_at,
)
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import DamagedArchive, Gather
from hoodwink.service.application.projecting.projections import Cursor, ProjectionReader
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.history import Loaded, Position, before, events_after, extended
from hoodwink.service.application.streams.tables import LoadedTable, Tables

MAX_TABLES: Final = 200
"""Limit of a player's tables that are listed and followed: those with the latest changes in the lobby."""

_TABLES_TOGETHER: Final = 16
"""Tables that are loaded together. More would drop each other's archived logs from the cache before they are replayed."""

_UNREADABLE: Final = (NotFound, UnknownEvent, DamagedArchive)
"""Raised for a table that is left out, because it must not hide the player's other tables."""

SETTLED_MS: Final = 60_000
"""Time after which no event with an earlier time can still appear.

A process reads the clock right before it appends, so even a slow store has the event within this time.
"""

ID_DIGITS: Final = 8
"""Characters of a table's id, and of a hash, that are enough to distinguish one player's tables."""


class TableNow(NamedTuple):
    """A table right after a commit, the last event of that commit, and the current names of the table's people."""

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
    """The news of a player's tables that a client has received.

    Events of different tables become known in a different order than their times, so a single moment is not enough.

    Attributes:
        settled_at: the client has all events up to this time, in ms.
        tables: for each table with later events, the beginning of its id and the client's position there.
    """

    settled_at: int = 0
    tables: tuple[tuple[str, Position], ...] = ()

    def position(self, table: str) -> Position | None:
        """Returns the position that the client has reached at a table with events after `settled_at`, else `None`."""
        return dict(self.tables).get(table[:ID_DIGITS])


NOTHING_TOLD: Final = Told()


def told_of(tables: Iterable[TableNow], settled_at: int) -> Told:
    """Returns the state of a client that has received these tables, and all other events until `settled_at`."""
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
    """The news at a table that a client does not have yet.

    Attributes:
        now: the current table.
        news: in the order in which they happened.
    """

    now: TableNow
    news: tuple[News, ...]

    @property
    def latest(self) -> tuple[News, ...]:
        """The last of the news, with the current table; empty without news."""
        return tuple([news._replace(now=self.now) for news in self.news[-1:]])


class HistoryVanished(Exception):
    """Raised when the store has lost events that a client has, because it was restored from an older copy."""


class _Listed(msgspec.Struct, frozen=True, gc=False):
    """The fields of a lobby row that are needed here."""

    id: str
    changed_at: int


class MyTables:
    """Finds a player's tables and the news at them. Every call may raise `StoreUnavailable`."""

    def __init__(self, *, reader: ProjectionReader, tables: Tables, players: Players, gather: Gather) -> None:
        self._reader = reader
        self._players = players
        self._tables = tables
        self._gather = gather

    def page(
        self, player: str, *, has_ended: bool, before: Cursor | None, count: int
    ) -> tuple[tuple[TableNow, ...], Cursor | None]:
        """Returns a page of a player's tables and the cursor of the next page.

        The tables with the latest changes in the lobby are on the first page. Within a page of live tables, those
        that wait for the player come first, the latest need foremost. Within one of ended tables, the latest end
        comes first.
        """
        index = ended_index(player) if has_ended else live_index(player)
        page = self._reader.page(LOBBY.name, index, before=before, count=count)
        found = self._all_of(player, [_listed(row).id for row in page.rows])
        # The lobby lags, so a table may have ended after it was listed as live.
        tables = [now for now in found if (now.state.phase is Phase.ENDED) is has_ended]
        return tuple(tables if has_ended else _newest_need_first(tables, player)), page.more

    def present(self, player: str, *, ended_after: int) -> tuple[TableNow, ...]:
        """Returns a player's live tables and those that ended after a moment, ordered as on a page."""
        # The live ones first: a table that ends between the two reads is then in both lists, not in neither.
        rows = self._listed(live_index(player))
        rows += self._ended_after(player, ended_after)
        return tuple(_newest_need_first(self._all_of(player, [row.id for row in rows]), player))

    def unknown_each(self, asked: Iterable[tuple[str, Collection[str]]]) -> list[tuple[str, ...]]:
        """Returns, for each pair of player and known tables, the ids of that player's other live tables."""
        return self._gather([partial(self._unknown, player, known) for player, known in asked])

    def _unknown(self, player: str, known: Collection[str]) -> tuple[str, ...]:
        return tuple([row.id for row in self._listed(live_index(player)) if row.id not in known])

    def owners(self, tables: Sequence[str]) -> Mapping[str, list[str]]:
        """Returns the existing ones of these tables by player."""
        found = defaultdict[str, list[str]](list)
        people = self._gather([partial(self._players_of, table) for table in tables])
        for table, players in zip(tables, people, strict=True):
            for player in players:
                found[player].append(table)
        return found

    def _players_of(self, table: str) -> tuple[str, ...]:
        try:
            return people_of(self._tables.load(table).state)
        except _UNREADABLE:
            return ()

    def since(self, player: str, told: Told) -> tuple[Update, ...] | None:
        """Returns updates of all live tables of a player, and of those that ended since the client last heard of them.

        Returns `None` if more tables have ended than can be followed.

        Raises:
            HistoryVanished: the store has lost events that the client has.
        """
        live = self._listed(live_index(player))
        ended = self._ended_after(player, told.settled_at)
        # The list is cut off there, so further tables may have ended that it does not name.
        if len(ended) == MAX_TABLES:
            return None
        ids = dict.fromkeys([row.id for row in live + ended])
        updates = self._gather([partial(self.update, player, id_, told) for id_ in ids])
        return tuple([update for update in updates if update is not None])

    def update(self, player: str, table: str, told: Told) -> Update | None:
        """Returns the news at a table that the client does not have; `None` if the table is not the player's.

        Raises:
            HistoryVanished: the store has lost events that the client has.
        """
        now = self._now(table)
        if now is None or player not in people_of(now.state):
            return None
        position = told.position(table)
        # Most tables have no news. Only the others are worth reading a whole log.
        if position is None and now.loaded.at <= told.settled_at:
            return Update(now, ())
        try:
            entries = self._tables.entries(table)
        except DamagedArchive:
            return None
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
        # The lobby may still list a player who has just left a seat, or a table that the store has lost. A table whose
        # log is damaged must not hide the others.
        found, asked = list[TableNow | None](), [partial(self._now, id_) for id_ in dict.fromkeys(ids)]
        for first in range(0, len(asked), _TABLES_TOGETHER):
            found += self._gather(asked[first : first + _TABLES_TOGETHER])
        return tuple([now for now in found if now is not None and player in people_of(now.state)])

    def _now(self, table: str) -> TableNow | None:
        try:
            loaded = self._tables.load(table)
            # A loaded state does not have its last event. The store may have come back without it.
            last = self._tables.history(table, after=loaded.state.version - 1, count=1)
        except _UNREADABLE:
            return None
        return TableNow(loaded, last[0], self._players.names(people_at(loaded.state))) if last else None


def followed(player: str, known: TableNow, events: Sequence[Recorded], names: Names) -> Update:
    """Returns the news that further events mean for a player; `names` are the current names of the table's people."""
    now, news = known, list[News]()
    for after in _after_each_commit(known, events, names):
        at = after.loaded.at
        news += [News(kind, after, at) for kind in news_of(now.state, after.state, player)]
        now = after
    return Update(now, tuple(news))


def _after_each_commit(known: TableNow, events: Sequence[Recorded], names: Names) -> Iterator[TableNow]:
    state = known.state
    # States within a commit never existed for anybody, so only the one after it can be news.
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
