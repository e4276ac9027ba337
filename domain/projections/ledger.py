"""The double-entry ledger: every scored round as a journal entry whose postings sum to zero.

Tokens move between the seats. Points are issued: the table's account is debited with the points that the seats won.
The rounds of a table that shares its deal are booked when its seed is revealed, after the release (D-7). When a table is
voided, each of its entries is reversed by an entry of its own, and both stay (V-1).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias, assert_never, get_args

import msgspec

from hoodwink.domain.projections.effects import Add, Effect, Projection, Put
from hoodwink.domain.projections.tallies import tally_counters
from hoodwink.domain.tables.deciding.rooms import is_listed
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import RoundScored, SeedRevealed, TableVoided
from hoodwink.domain.tables.state import ScoredRound, Table

_Booked: TypeAlias = RoundScored | SeedRevealed | TableVoided


class Posting(msgspec.Struct, frozen=True, gc=False):
    """An amount on an account: `player:<id>`, `bot:<policy>` or `table:<id>`.

    Attributes:
        at_table: the account's gain at the table so far, including this posting.
    """

    account: str
    amount: int
    at_table: int


class JournalEntry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One transaction. It is never edited; when its table is voided, another entry reverses it.

    Attributes:
        id: `<table>:<version>` of the event it comes from; `<table>:<version>:<n>` of the n-th reversal by a void.
        at: milliseconds since the epoch.
        tournament: the tournament that the table belongs to, or `None`.
        unit: the unit of the amounts.
        reverses: the id of the entry that this one reverses, or `None`.
        postings: sum to zero; accounts that gain or lose nothing are omitted.
    """

    id: str
    at: int
    table: str
    tournament: str | None = None
    game: str
    round: int
    event: str
    unit: Literal["token", "point"]
    reverses: str | None = None
    postings: tuple[Posting, ...]


def entry_key(table: str, version: int, number: int = 0) -> str:
    """Returns the key of an entry; the keys of a table's entries sort in the order of the entries.

    >>> entry_key("t1", 9) < entry_key("t1", 10) < entry_key("t1", 10, 2) < entry_key("t1", 10, 10)
    True
    """
    key = f"{table}:{version:010}"
    return f"{key}:{number:04}" if number else key


def key_of(entry_id: str) -> str:
    """Returns the key of the entry with that id; raises `ValueError` if it is not the id of an entry.

    >>> key_of("t1:12") == entry_key("t1", 12), key_of("t1:12:3") == entry_key("t1", 12, 3)
    (True, True)
    """
    table, version, *number = entry_id.split(":")
    return entry_key(table, int(version), *map(int, number))


def account_of(table: Table, seat: int) -> str:
    occupant = table.seats[seat]
    assert occupant is not None
    return occupant.player if occupant.policy else f"player:{occupant.player}"


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    if table.parent is not None:  # a fork is practice and books nothing
        return ()
    if table.is_embargoed:  # D-7
        return ()
    event, at = recorded.event, recorded.entry.at
    assert isinstance(event, _Booked), "it follows nothing else"
    match event:
        case RoundScored():
            return tuple(_scored(table, len(table.scored) - 1, at))
        case SeedRevealed():
            rounds = range(len(table.scored)) if table.shared is not None else ()
            return tuple(effect for number in rounds for effect in _scored(table, number, at))
        case TableVoided():
            return tuple(_reversals(table, recorded))
        case _:
            assert_never(event)


def _scored(table: Table, number: int, at: int) -> Iterator[Effect]:
    """Yields the effects of the entry of a scored round, counted from 0."""
    scored = table.scored[number]
    entry = JournalEntry(
        id=f"{table.id}:{scored.version}",
        at=at,
        table=table.id,
        tournament=_tournament(table),
        game=table.game,
        round=scored.round,
        event=RoundScored.wire,
        unit=table.rulebook.unit,
        reverses=None,
        postings=_postings(table, scored, sign=1, gained=_gained(table, table.scored[:number])),
    )
    return _entered(table, entry_key(table.id, scored.version), entry)


def _reversals(table: Table, recorded: Recorded) -> Iterator[Effect]:
    gained = _gained(table, table.scored)
    for number, scored in enumerate(table.scored, start=1):
        entry = JournalEntry(
            id=f"{table.id}:{recorded.entry.version}:{number}",
            at=recorded.entry.at,
            table=table.id,
            tournament=_tournament(table),
            game=table.game,
            round=scored.round,
            event=recorded.event.wire,
            unit=table.rulebook.unit,
            reverses=f"{table.id}:{scored.version}",
            postings=_postings(table, scored, sign=-1, gained=gained),
        )
        yield from _entered(table, entry_key(table.id, recorded.entry.version, number), entry)


def _tournament(table: Table) -> str | None:
    return None if table.tournament is None else table.tournament.tournament


def _gained(table: Table, rounds: Sequence[ScoredRound]) -> Counter[str]:
    gained = Counter[str]()
    for scored in rounds:
        for account, amount in _amounts(table, scored):
            gained[account] += amount
    return gained


def _postings(
    table: Table, scored: ScoredRound, *, sign: Literal[1, -1], gained: Counter[str]
) -> tuple[Posting, ...]:
    """Returns the postings of a round, or of its reversal with `sign` -1; adds their amounts to `gained`."""
    postings = []
    for account, amount in _amounts(table, scored):
        gained[account] += sign * amount
        postings.append(Posting(account, sign * amount, gained[account]))
    return tuple(postings)


def _amounts(table: Table, scored: ScoredRound) -> Iterator[tuple[str, int]]:
    for seat, delta in enumerate(scored.deltas):
        if delta:
            yield account_of(table, seat), delta
    if issued := sum(scored.deltas):
        yield table_account(table.id), -issued


def table_account(table: str) -> str:
    """Returns the account that issues a table's points, which is also the name of the list of the table's entries."""
    return f"table:{table}"


def is_table_account(account: str) -> bool:
    return account.startswith(table_account(""))


def books_of(account: str, *, unlisted: bool = True) -> tuple[str, ...]:
    """Returns the books of an account: that of listed tables and, if requested, that of unlisted tables.

    Together they are the account. Other players see only the first book, which has its own balance.
    """
    return (account, _unlisted_book(account)) if unlisted else (account,)


def _unlisted_book(account: str) -> str:
    return f"unlisted:{account}"


def _entered(table: Table, key: str, entry: JournalEntry) -> Iterator[Effect]:
    book: Callable[[str], str] = str if is_listed(table) else _unlisted_book
    of_table = table_account(entry.table)
    # A table's own account has no counters, because they would stay in memory for years.
    postings = [posting for posting in entry.postings if posting.account != of_table]
    accounts = dict.fromkeys(posting.account for posting in postings)
    indexes = ["journal", of_table, *(book_index(book(account)) for account in accounts)]
    if entry.tournament is not None:
        indexes.append(f"tournament:{entry.tournament}")
    yield Put(key=key, row=entry, order=entry.at, indexes=tuple(indexes))
    for posting in postings:
        balance = balance_counter(book(posting.account), entry.game)
        yield Add(balance, posting.amount)
        for tally in tally_counters(balance, entry.at):
            yield Add(tally, posting.amount)


def book_index(book: str) -> str:
    return f"account:{book}"


def balance_counter(book: str, game: str) -> str:
    """Returns the counter with a book's balance in a game. Games have separate balances, because their points differ."""
    return f"{book}|{game}"


LEDGER = Projection(
    name="ledger",
    event_types=frozenset(kind.wire for kind in get_args(_Booked)),
    project=_project,
    revision=4,
)
