"""Projections: what is computed from the events, as pure functions from an event to its effects."""

from domain.projections.effects import Add, Effect, Projection, Put
from domain.projections.history import HISTORY, HistoryRow
from domain.projections.ledger import (
    LEDGER,
    JournalEntry,
    Posting,
    account_of,
    balance_counter,
    entry_key,
    key_of,
)
from domain.projections.lobby import LOBBY, LobbyRow, LobbySeat, lobby_indexes
from domain.projections.statistics import COUNTERS, STATISTICS

PROJECTIONS: tuple[Projection, ...] = (LOBBY, LEDGER, HISTORY, STATISTICS)

__all__ = [
    "COUNTERS",
    "HISTORY",
    "LEDGER",
    "LOBBY",
    "PROJECTIONS",
    "STATISTICS",
    "Add",
    "Effect",
    "HistoryRow",
    "JournalEntry",
    "LobbyRow",
    "LobbySeat",
    "Posting",
    "Projection",
    "Put",
    "account_of",
    "balance_counter",
    "entry_key",
    "key_of",
    "lobby_indexes",
]
