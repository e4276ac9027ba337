"""The books beyond a page at a time: the whole journal, and what an account held at any moment."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import chain, takewhile
from typing import Final

import msgspec

from domain.games import GAMES
from domain.projections import balance_counter, entry_key, key_of
from domain.projections.ledger import LEDGER, JournalEntry
from domain.projections.tallies import counters_before, span_start
from service.application.errors import NotFound, NotFoundCode
from service.application.ports import EventStore, StreamId
from service.application.projections import Cursor, ProjectionReader
from service.application.queries import Balance

_PAGE: Final = 500
_FIRST_PAGE: Final = 20
"""How many entries are read first where few are wanted: a player rarely has more in the shortest span of `tallies`."""

EVENT_PATTERN: Final = "^(?P<table>[a-z0-9]{1,32}):(?P<version>[0-9]{1,10})(:(?P<number>[0-9]{1,4}))?$"
"""How an event, or an entry that comes from it, is named."""

_EVENT: Final = re.compile(EVENT_PATTERN)

_BEHIND: Final = "~"
"""Added to a key, it makes one that stands right behind that entry and before every other."""


class JournalPage(msgspec.Struct, frozen=True, gc=False):
    """Entries, and where the next page begins; `None` behind the last entry."""

    entries: tuple[JournalEntry, ...]
    more: Cursor | None


class Ledger:
    """Reads the journal. It runs a little behind the tables.

    Entries stand in the order of time; those of one millisecond by table, those of one table by version. A moment
    is given as the `Cursor` before which everything has happened.
    """

    def __init__(self, *, reader: ProjectionReader, store: EventStore) -> None:
        self._reader = reader
        self._store = store

    def journal(self) -> Iterator[JournalEntry]:
        """Yields every entry, the latest first."""
        return self.entries("journal", None)

    def balances(self, account: str, *, before: Cursor | None = None) -> tuple[Balance, ...]:
        """Returns what an account gained in every game, up to a moment or up to now.

        Args:
            account: as in postings, such as `player:<id>`.
        """
        held = self.held(account, GAMES, before=before)
        return tuple(Balance(game.name, game.unit, held[game.name]) for game in GAMES.values())

    def held(self, account: str, games: Collection[str], *, before: Cursor | None) -> Mapping[str, int]:
        """Returns what an account gained in some games up to a moment, by game.

        However long the account is, this reads some hundred counters and the entries of a few minutes.
        """
        entries = self.entries(f"account:{account}", before, first=_FIRST_PAGE)
        latest = next(entries, None)
        if latest is None:
            return Counter()
        start = span_start(latest.at)
        held = self._held_before(account, games, start)
        for entry in takewhile(lambda entry: entry.at >= start, chain((latest,), entries)):
            held[entry.game] += gained(entry, account)
        return held

    def _held_before(self, account: str, games: Collection[str], start: int) -> Counter[str]:
        names = {game: counters_before(balance_counter(account, game), start) for game in games}
        amounts = iter(self._reader.counters(LEDGER.name, [name for each in names.values() for name in each]))
        return Counter({game: sum(next(amounts) for _ in each) for game, each in names.items()})

    def entries(
        self, index: str, before: Cursor | None, *, first: int | None = None
    ) -> Iterator[JournalEntry]:
        """Yields the entries of an index before a moment, the latest first; reads so many at `first`."""
        page = self.page(index, before, count=first or _PAGE)
        yield from page.entries
        while page.more is not None:
            page = self.page(index, page.more, count=_PAGE)
            yield from page.entries

    def page(self, index: str, before: Cursor | None, *, count: int) -> JournalPage:
        """Returns up to `count` entries of an index before a moment, the latest first."""
        page = self._reader.page(LEDGER.name, index, before=before, count=count)
        return JournalPage(
            tuple([msgspec.json.decode(row, type=JournalEntry) for row in page.rows]), page.more
        )

    def right_after(self, event: str) -> Cursor:
        """Returns the moment right after an event, or after an entry that comes from it.

        Args:
            event: `<table>:<version>`, or the id of an entry.

        Raises:
            NotFound: there is no such event.
        """
        named = _EVENT.fullmatch(event)
        if named is not None and (version := int(named["version"])):
            for record in self._store.read(StreamId("table", named["table"]), after=version - 1, count=1):
                key = key_of(event) if named["number"] else entry_key(named["table"], version) + ":"
                return Cursor(record.at, key + _BEHIND)
        raise NotFound(NotFoundCode.EVENT_NOT_FOUND)


def behind(entry: JournalEntry) -> Cursor:
    """Returns the moment right after an entry."""
    return Cursor(entry.at, key_of(entry.id) + _BEHIND)


def gained(entry: JournalEntry, account: str) -> int:
    """Returns what the entry brought to an account."""
    return sum(posting.amount for posting in entry.postings if posting.account == account)
