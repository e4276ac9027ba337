"""Reads the ledger: the whole journal, and the balance of an account at any moment."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, takewhile
from typing import Final

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.projections import (
    balance_counter,
    book_index,
    books_of,
    entry_key,
    is_table_account,
    key_of,
)
from hoodwink.domain.projections.ledger import LEDGER, JournalEntry
from hoodwink.domain.projections.tallies import counters_before, span_start
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.ports import EventStore, StreamId
from hoodwink.service.application.projecting.projections import Cursor, ProjectionReader
from hoodwink.service.application.reading.queries import Balance

_PAGE: Final = 500
_FIRST_PAGE: Final = 20
"""Size of the first page for a balance: a player rarely has more entries in the shortest span of `tallies`."""

EVENT_PATTERN: Final = "^(?P<table>[a-z0-9]{1,32}):(?P<version>[0-9]{1,10})(:(?P<number>[0-9]{1,4}))?$"
"""The form of the id of an event, or of a journal entry that comes from it."""

_EVENT: Final = re.compile(EVENT_PATTERN)

_AFTER: Final = "~"
"""Sorts after all characters of keys, so a key with this suffix is between its entry and the next one."""


class JournalPage(msgspec.Struct, frozen=True, gc=False):
    """Entries, and the cursor of the next page; `None` after the last entry."""

    entries: tuple[JournalEntry, ...]
    more: Cursor | None


class Ledger:
    """Reads the journal, which lags the tables a little.

    Entries are ordered by time, within a millisecond by table, and within a table by version. A `Cursor` denotes a
    moment: the entries before it had been made by then. Without `unlisted`, an account is read as strangers may see
    it: without the tables that not everyone may watch.
    """

    def __init__(self, *, reader: ProjectionReader, store: EventStore) -> None:
        self._reader = reader
        self._store = store

    def journal(self) -> Iterator[JournalEntry]:
        """Yields every entry, the latest first."""
        return self.entries("journal", before=None)

    def balances(self, account: str, *, before: Cursor | None = None) -> tuple[Balance, ...]:
        """Returns the balances of an account in all games, at a moment or now.

        Args:
            account: as in postings, such as `player:<id>`.
        """
        held = self.held(account, GAMES, before=before)
        return tuple(Balance(game.name, game.unit, held[game.name]) for game in GAMES.values())

    def held(
        self, account: str, games: Collection[str], *, before: Cursor | None, unlisted: bool = True
    ) -> Mapping[str, int]:
        """Returns the balances of an account in some games at a moment, by game.

        For any number of entries, this reads about a hundred counters and the entries of a few minutes; for a table's
        own account, which has no counters and no second book, all entries of the table.
        """
        if is_table_account(account):
            return _total(self.entries(account, before=before), account)
        books = books_of(account, unlisted=unlisted)
        entries = self.entries(*map(book_index, books), before=before, first=_FIRST_PAGE)
        latest = next(entries, None)
        if latest is None:
            return Counter()
        start = span_start(latest.at)
        # Counters only tell the balance at the beginning of a span, so the entries since then are added one by one.
        since = takewhile(lambda entry: entry.at >= start, chain((latest,), entries))
        held = self._held_before(books, games, start)
        held.update(_total(since, account))
        return held

    def _held_before(self, books: Sequence[str], games: Collection[str], start: int) -> Counter[str]:
        names = {
            game: [name for book in books for name in counters_before(balance_counter(book, game), start)]
            for game in games
        }
        # One call for all games, because each call is a round trip.
        amounts = iter(
            self._reader.counters(LEDGER.name, [name for of_game in names.values() for name in of_game])
        )
        return Counter({game: sum(next(amounts) for _ in of_game) for game, of_game in names.items()})

    def entries(
        self, *indexes: str, before: Cursor | None, first: int | None = None
    ) -> Iterator[JournalEntry]:
        """Yields the entries of indexes before a moment, the latest first; the first page has `first` entries."""
        page = self.page(*indexes, before=before, count=first or _PAGE)
        yield from page.entries
        while page.more is not None:
            page = self.page(*indexes, before=page.more, count=_PAGE)
            yield from page.entries

    def page(self, *indexes: str, before: Cursor | None, count: int) -> JournalPage:
        """Returns up to `count` entries of indexes before a moment, the latest first."""
        page = self._reader.page(LEDGER.name, *indexes, before=before, count=count)
        return JournalPage(
            tuple([msgspec.json.decode(row, type=JournalEntry) for row in page.rows]), page.more
        )

    def right_after(self, event: str) -> Cursor:
        """Returns the moment right after an event, or after a journal entry.

        Args:
            event: `<table>:<version>`, or the id of an entry.

        Raises:
            NotFound: there is no such event.
        """
        named = _EVENT.fullmatch(event)
        if named is not None and (version := int(named["version"])):
            # From the stream, because the ledger may not have the entry yet. An entry has the time of its event.
            for record in self._store.read(StreamId("table", named["table"]), after=version - 1, count=1):
                key = key_of(event) if named["number"] else entry_key(named["table"], version) + ":"
                return Cursor(record.at, key + _AFTER)
        raise NotFound(NotFoundCode.EVENT_NOT_FOUND)


def after(entry: JournalEntry) -> Cursor:
    return Cursor(entry.at, key_of(entry.id) + _AFTER)


def _total(entries: Iterable[JournalEntry], account: str) -> Counter[str]:
    """Returns what the account gained by the entries, by game."""
    total = Counter[str]()
    for entry in entries:
        total[entry.game] += gained(entry, account)
    return total


def gained(entry: JournalEntry, account: str) -> int:
    """Returns the amount that the account gained by the entry; negative for a loss."""
    return sum(posting.amount for posting in entry.postings if posting.account == account)
