"""Statements: the movements on an account, at a table or in a tournament, with running balances."""

from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping
from functools import partial
from itertools import takewhile
from typing import Literal, TypeAlias

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.projections import JournalEntry, book_index, books_of, table_account
from hoodwink.service.application.projecting.projections import Cursor
from hoodwink.service.application.reading.ledger import Ledger, after, gained
from hoodwink.service.application.reading.queries import Balance

Unit: TypeAlias = Literal["token", "point"]


class Extract(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The part of the ledger that a statement shows.

    Attributes:
        since: the earliest time, in ms since the epoch.
        before: the moment at which it ends; `None` is now.
        unit: of the games that it covers; `None` is both units.
    """

    since: int = 0
    before: Cursor | None = None
    unit: Unit | None = None

    def shows(self, entry: JournalEntry) -> bool:
        """Returns whether an entry between the statement's times is part of it."""
        return self.unit in {None, entry.unit}

    @property
    def games(self) -> tuple[str, ...]:
        """The games with that unit."""
        return tuple(game.name for game in GAMES.values() if self.unit in {None, game.unit})


class StatementLine(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The movement on one account by one journal entry.

    Attributes:
        entry: the id of the entry.
        at: milliseconds since the epoch.
        event: the type of the event that the entry comes from.
        tournament: the tournament of the table, or `None`.
        amount: the account's gain; negative for a loss.
        balance: of the account in that game right after the entry. In the statement of a table or tournament, only
            the gains there count.
        reverses: the id of the entry that this one reverses, or `None`.
    """

    entry: str
    at: int
    event: str
    table: str
    tournament: str | None
    game: str
    round: int
    account: str
    unit: Unit
    amount: int
    balance: int
    reverses: str | None


class Statement(msgspec.Struct, frozen=True, gc=False):
    """Lines, the latest first, and the cursor of the next page; `None` after the last line."""

    lines: tuple[StatementLine, ...]
    more: Cursor | None


class AccountStatement(msgspec.Struct, frozen=True, gc=False):
    """A statement of an account, with the balances at its beginning and end."""

    opening: tuple[Balance, ...]
    closing: tuple[Balance, ...]
    statement: Statement


class Statements:
    """Makes statements from the journal, which lags the tables a little."""

    def __init__(self, *, ledger: Ledger) -> None:
        self._ledger = ledger

    def of_account(
        self, account: str, extract: Extract, *, unlisted: bool = True, cursor: Cursor | None, count: int
    ) -> AccountStatement:
        """Returns up to `count` movements on an account before the cursor.

        The cost of a page does not depend on the number of entries of the account.

        Args:
            account: as in postings, such as `player:<id>`, but not a table's, which has no list of its own.
            unlisted: as in `Ledger`.
        """
        held_at = partial(self._held, account, extract, unlisted=unlisted)
        entries, more = self._page(
            *map(book_index, books_of(account, unlisted=unlisted)),
            extract=extract,
            cursor=cursor,
            count=count,
        )
        # The balance right after the latest line, not the current one: entries that arrive between the two reads
        # are in no line of this page.
        held = held_at(after(entries[0]) if entries else cursor or extract.before)
        opening = held_at(Cursor(extract.since, "")) if extract.since else Counter[str]()
        # The first page begins at the end of the statement. A copy, because the lines below change `held`.
        closing = held.copy() if cursor is None else held_at(extract.before)
        lines = tuple(_account_lines(entries, account, held, extract))
        return AccountStatement(
            _balances(extract, opening), _balances(extract, closing), Statement(lines, more)
        )

    def of_table(self, table: str, extract: Extract, *, cursor: Cursor | None, count: int) -> Statement:
        """Returns the movements on every account by up to `count` entries of a table before the cursor."""
        entries, more = self._page(table_account(table), extract=extract, cursor=cursor, count=count)
        lines = [
            _line(entry, account, gained(entry, account), _at_table(entry, account))
            for entry in entries
            if extract.shows(entry)
            for account in _accounts(entry)
        ]
        return Statement(tuple(lines), more)

    def of_tournament(
        self, tournament: str, extract: Extract, *, cursor: Cursor | None, count: int
    ) -> Statement:
        """Returns the movements on every account by up to `count` entries of a tournament before the cursor.

        All earlier entries of the tournament are read, too, for the balances.
        """
        index = f"tournament:{tournament}"
        entries, more = self._page(index, extract=extract, cursor=cursor, count=count)
        # No counters are kept per tournament: it has few entries, which are simply added up.
        held = Counter[str]()
        if entries:
            for entry in self._ledger.entries(index, before=after(entries[0])):
                for posting in entry.postings:
                    held[posting.account] += posting.amount
        lines = list[StatementLine]()
        for entry in entries:
            for account in _accounts(entry):
                amount = gained(entry, account)
                if extract.shows(entry):
                    lines.append(_line(entry, account, amount, held[account]))
                held[account] -= amount
        return Statement(tuple(lines), more)

    def _page(
        self, *indexes: str, extract: Extract, cursor: Cursor | None, count: int
    ) -> tuple[list[JournalEntry], Cursor | None]:
        """Returns entries of both units, because balances need all of them, and the cursor of the next page."""
        page = self._ledger.page(*indexes, before=cursor or extract.before, count=count)
        # A page that reaches past the beginning of the statement is its last one.
        entries = list(takewhile(lambda entry: entry.at >= extract.since, page.entries))
        return entries, page.more if len(entries) == len(page.entries) else None

    def _held(self, account: str, extract: Extract, before: Cursor | None, *, unlisted: bool) -> Counter[str]:
        return Counter(self._ledger.held(account, extract.games, before=before, unlisted=unlisted))


def _account_lines(
    entries: Iterable[JournalEntry], account: str, held: MutableMapping[str, int], extract: Extract
) -> Iterator[StatementLine]:
    """Yields the lines of an account, the latest first.

    Args:
        held: the balances right after the latest entry; changed to those before the earliest one.
    """
    for entry in entries:
        if extract.shows(entry):
            amount = gained(entry, account)
            yield _line(entry, account, amount, held[entry.game])
            held[entry.game] -= amount


def _accounts(entry: JournalEntry) -> tuple[str, ...]:
    return tuple(dict.fromkeys(posting.account for posting in entry.postings))


def _at_table(entry: JournalEntry, account: str) -> int:
    # Two seats may share an account, such as a bot's; the last posting has the gain after both.
    return [posting.at_table for posting in entry.postings if posting.account == account][-1]


def _line(entry: JournalEntry, account: str, amount: int, balance: int) -> StatementLine:
    return StatementLine(
        entry=entry.id,
        at=entry.at,
        event=entry.event,
        table=entry.table,
        tournament=entry.tournament,
        game=entry.game,
        round=entry.round,
        account=account,
        unit=entry.unit,
        amount=amount,
        balance=balance,
        reverses=entry.reverses,
    )


def _balances(extract: Extract, held: Counter[str]) -> tuple[Balance, ...]:
    return tuple(Balance(game, GAMES[game].unit, held[game]) for game in extract.games)
