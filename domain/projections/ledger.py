"""The double-entry ledger: every scored round as a journal entry whose postings sum to zero.

Tokens move between the seats. Points are issued: the account of the table owes what the seats won.
"""

from typing import Literal

import msgspec

from domain.projections.effects import Add, Effect, Projection, Put
from domain.tables import Recorded, Table
from domain.tables.events import RoundScored


class Posting(msgspec.Struct, frozen=True, gc=False):
    """An amount on an account: `player:<id>`, `bot:<policy>` or `table:<id>`."""

    account: str
    amount: int


class JournalEntry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One transaction. Nothing edits it; a mistake is corrected by a reversal.

    Attributes:
        id: `<table>:<version>` of the event it comes from.
        at: milliseconds since the epoch.
        unit: what the amounts count.
        postings: sum to zero; accounts that gain or lose nothing are left out.
    """

    id: str
    at: int
    table: str
    game: str
    round: int
    event: str
    unit: Literal["token", "point"]
    postings: tuple[Posting, ...]


def journal_entry(table: Table, recorded: Recorded, scored: RoundScored) -> JournalEntry:
    """Returns the entry of a scored round."""
    gained = [Posting(account_of(table, seat), delta) for seat, delta in enumerate(scored.deltas) if delta]
    issued = sum(scored.deltas)
    if issued:
        gained.append(Posting(f"table:{table.id}", -issued))
    return JournalEntry(
        id=f"{table.id}:{recorded.version}",
        at=recorded.at,
        table=table.id,
        game=table.game,
        round=scored.round,
        event=scored.wire,
        unit=scored.unit,
        postings=tuple(gained),
    )


def account_of(table: Table, seat: int) -> str:
    """Returns the account of whoever holds the seat."""
    occupant = table.seats[seat]
    assert occupant is not None
    return occupant.player if occupant.policy else f"player:{occupant.player}"


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    assert isinstance(recorded.event, RoundScored)
    entry = journal_entry(table, recorded, recorded.event)
    accounts = dict.fromkeys(posting.account for posting in entry.postings)
    listed = Put(
        key=entry.id,
        row=entry,
        order=entry.at,
        indexes=("journal", f"table:{table.id}", *(f"account:{account}" for account in accounts)),
    )
    return (listed, *(Add(balance_counter(one.account, table.game), one.amount) for one in entry.postings))


def balance_counter(account: str, game: str) -> str:
    """Returns the counter of what an account gained in a game; points of two games are not alike."""
    return f"{account}|{game}"


LEDGER = Projection(name="ledger", wires=frozenset({RoundScored.wire}), project=_project)
