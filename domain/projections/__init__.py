"""Projections: lists, counters and rows computed from the events, by pure functions from an event to its effects."""

from hoodwink.domain.projections.effects import Add, Effect, Projection, Put, Remove, phase_indexes
from hoodwink.domain.projections.history import HISTORY, HistoryRow, history_of
from hoodwink.domain.projections.leaderboards import (
    LEADERBOARDS,
    RatedTableRow,
    SnapshotRow,
    StandingRow,
    board_index,
    history_index,
    snapshot_key,
    standing_key,
)
from hoodwink.domain.projections.ledger import (
    LEDGER,
    JournalEntry,
    Posting,
    balance_counter,
    book_index,
    books_of,
    entry_key,
    is_table_account,
    key_of,
    table_account,
)
from hoodwink.domain.projections.lobby import LOBBY, LobbyRow, LobbySeat, ended_index, live_index
from hoodwink.domain.projections.series import SERIES, SeasonTrophyRow, SeriesRow, series_index
from hoodwink.domain.projections.statistics import COUNTERS, STATISTICS, phase_counter
from hoodwink.domain.projections.tournaments import (
    TOURNAMENTS,
    PlayerTournamentRow,
    TournamentRow,
    officiated_index,
    organised_index,
    tournaments_index,
    trophies_index,
)

PROJECTIONS: tuple[Projection, ...] = (LOBBY, LEDGER, HISTORY, STATISTICS, LEADERBOARDS, TOURNAMENTS, SERIES)

__all__ = [
    "COUNTERS",
    "HISTORY",
    "LEADERBOARDS",
    "LEDGER",
    "LOBBY",
    "PROJECTIONS",
    "SERIES",
    "STATISTICS",
    "TOURNAMENTS",
    "Add",
    "Effect",
    "HistoryRow",
    "JournalEntry",
    "LobbyRow",
    "LobbySeat",
    "PlayerTournamentRow",
    "Posting",
    "Projection",
    "Put",
    "RatedTableRow",
    "Remove",
    "SeasonTrophyRow",
    "SeriesRow",
    "SnapshotRow",
    "StandingRow",
    "TournamentRow",
    "balance_counter",
    "board_index",
    "book_index",
    "books_of",
    "ended_index",
    "entry_key",
    "history_index",
    "history_of",
    "is_table_account",
    "key_of",
    "live_index",
    "officiated_index",
    "organised_index",
    "phase_counter",
    "phase_indexes",
    "series_index",
    "snapshot_key",
    "standing_key",
    "table_account",
    "tournaments_index",
    "trophies_index",
]
