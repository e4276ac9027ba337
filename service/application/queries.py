"""What the projections answer: the lobby, ledgers, histories and statistics. They run a little behind the tables."""

import time
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from domain.bots import VERSIONS
from domain.games import GAMES
from domain.projections import (
    COUNTERS,
    LEADERBOARDS,
    TOURNAMENTS,
    StandingRow,
    balance_counter,
    phase_indexes,
    standing_key,
)
from domain.projections.history import HISTORY, HistoryRow
from domain.projections.ledger import LEDGER
from domain.projections.lobby import LOBBY
from domain.projections.statistics import STATISTICS
from domain.tables import Phase, Voided
from domain.tables.events import RoundScored, TableVoided
from domain.tournaments import life
from domain.tournaments.life import Participant, Tournament
from domain.tournaments.life.ranks import admitted
from domain.tournaments.life.state import setup_of
from service.application.aggregates import RATINGS
from service.application.errors import Busy, BusyCode
from service.application.ports import StreamId
from service.application.projections import Cursor, Page, ProjectionReader
from service.application.tables import Tables

PATIENCE_SECONDS: Final = 5.0
_LOOK_EVERY_SECONDS: Final = 0.02


class Balance(msgspec.Struct, frozen=True, gc=False):
    """What a player gained in a game, over all tables; points of two games are not alike."""

    game: str
    unit: Literal["token", "point"]
    amount: int


class Statistics(msgspec.Struct, frozen=True, gc=False):
    """What was played of a game.

    Attributes:
        rounds_scored: without those of voided tables.
        rounds_voided: those that ended without a score by the rules of the game.
        tables_voided: those whose result an administrator took back.
        actions: in rounds that have ended.
    """

    tables_opened: int
    tables_started: int
    rounds_scored: int
    rounds_voided: int
    actions: int
    tables_ended: int
    tables_voided: int


class _Voidable(msgspec.Struct, frozen=True, gc=False):
    """What of a row of the lobby says whether the table is void."""

    voided: Voided | None = None


def _rated_id(one: Participant) -> str:
    return one.id if one.policy is None else f"{one.policy}@{VERSIONS[one.policy]}"


class Queries:
    """Reads projections, a page at a time, the latest first."""

    def __init__(self, *, reader: ProjectionReader, tables: Tables) -> None:
        self._reader = reader
        self._tables = tables

    def lobby(self, phase: Phase, game: str | None, *, before: Cursor | None, count: int) -> Page:
        """Returns tables in a phase, of one game or of all."""
        of_phase, of_game = phase_indexes(phase, game or "")
        return self._reader.page(LOBBY.name, of_game if game else of_phase, before=before, count=count)

    def history(self, player_id: str, *, before: Cursor | None, count: int) -> Page:
        """Returns the tables that a player has ended."""
        return self._reader.page(HISTORY.name, f"player:{player_id}", before=before, count=count)

    def voided(self, rows: Iterable[bytes]) -> tuple[str, ...]:
        """Returns which of these tables of a history ended with a result that was taken back."""
        tables = [msgspec.json.decode(row, type=HistoryRow) for row in rows]
        return tuple(one.table for one in tables if one.outcome == "no_result" and self._is_void(one.table))

    def _is_void(self, table_id: str) -> bool:
        (row,) = self._reader.rows(LOBBY.name, StreamId("table", table_id), [table_id])
        return row is not None and msgspec.json.decode(row, type=_Voidable).voided is not None

    def journal_of_player(self, player_id: str, *, before: Cursor | None, count: int) -> Page:
        """Returns the journal entries that touch a player's account."""
        return self._reader.page(LEDGER.name, f"account:player:{player_id}", before=before, count=count)

    def journal_of_table(self, table_id: str, *, before: Cursor | None, count: int) -> Page:
        """Returns the journal entries of a table."""
        return self._reader.page(LEDGER.name, f"table:{table_id}", before=before, count=count)

    def balances(self, player_id: str) -> tuple[Balance, ...]:
        """Returns what a player gained in every game."""
        names = [balance_counter(f"player:{player_id}", game) for game in GAMES]
        amounts = zip(GAMES.values(), self._reader.counters(LEDGER.name, names), strict=True)
        return tuple(Balance(game.name, game.unit, amount) for game, amount in amounts)

    def tournaments(self, phase: life.Phase, game: str | None, *, before: Cursor | None, count: int) -> Page:
        """Returns tournaments in a phase, of one game or of all."""
        of_phase, of_game = phase_indexes(phase, game or "")
        return self._reader.page(TOURNAMENTS.name, of_game if game else of_phase, before=before, count=count)

    def tournaments_of(self, player_id: str, *, before: Cursor | None, count: int) -> Page:
        """Returns the tournaments that a player entered."""
        return self._reader.page(TOURNAMENTS.name, f"player:{player_id}", before=before, count=count)

    def ratings_of_entrants(self, tournament: Tournament) -> dict[str, int]:
        """Returns what starting ranks may follow (T-3): what leaderboards rank by, in millionths, of entrants who are rated.

        Those on the waiting list are left out.
        """
        game, entrants = setup_of(tournament).game, admitted(tournament)
        keys = [standing_key(game, _rated_id(one)) for one in entrants]
        rows = self._reader.rows(LEADERBOARDS.name, StreamId(RATINGS.category, game), keys)
        return {
            one.id: msgspec.json.decode(row, type=StandingRow).rating.ordinal
            for one, row in zip(entrants, rows, strict=True)
            if row is not None
        }

    def statistics(self, game: str) -> Statistics:
        """Returns what was played of a game."""
        named = dict(
            zip(
                COUNTERS,
                self._reader.counters(STATISTICS.name, [f"{game}|{one}" for one in COUNTERS]),
                strict=True,
            )
        )
        return Statistics(**named)

    def await_journal(self, table_id: str, version: int) -> None:
        """Returns once the ledger holds every round of the table scored, or voided, up to a version.

        Raises:
            Busy: it took too long.
        """
        scored = [
            one.version
            for one in self._tables.history(table_id, count=version)
            if isinstance(one.event, RoundScored | TableVoided)
        ]
        deadline = time.monotonic() + PATIENCE_SECONDS
        stream = StreamId("table", table_id)
        while scored and self._reader.applied(LEDGER.name, stream) < scored[-1]:
            if time.monotonic() > deadline:
                raise Busy(BusyCode.PROJECTION_BEHIND)
            time.sleep(_LOOK_EVERY_SECONDS)
