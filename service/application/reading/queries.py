"""Reads the projections: lobby, ledger, histories and statistics. They lag the tables a little."""

from collections import Counter
from collections.abc import Container, Iterable
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from hoodwink.domain.bots import VERSIONS
from hoodwink.domain.games import GAMES
from hoodwink.domain.players import Player
from hoodwink.domain.projections import (
    COUNTERS,
    LEADERBOARDS,
    SERIES,
    TOURNAMENTS,
    StandingRow,
    balance_counter,
    book_index,
    books_of,
    history_of,
    live_index,
    officiated_index,
    organised_index,
    phase_indexes,
    series_index,
    standing_key,
    table_account,
    tournaments_index,
    trophies_index,
)
from hoodwink.domain.projections.history import HISTORY, HistoryRow
from hoodwink.domain.projections.ledger import LEDGER
from hoodwink.domain.projections.lobby import ALONE, LOBBY, LobbySeat, is_alone
from hoodwink.domain.projections.statistics import STATISTICS
from hoodwink.domain.ratings import rated_bot
from hoodwink.domain.series import SeasonPhase
from hoodwink.domain.tables.state import Phase, Voided
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Participant, Tournament
from hoodwink.domain.tournaments.life.facts import setup_of
from hoodwink.domain.tournaments.life.scoring.ranks import admitted
from hoodwink.service.application.errors import Busy, BusyCode
from hoodwink.service.application.ports import Clock, Owners, StreamId
from hoodwink.service.application.projecting.projections import Cursor, Page, ProjectionReader
from hoodwink.service.application.streams.aggregates import RATINGS
from hoodwink.service.application.streams.tables import Tables

PATIENCE_MS: Final = 5_000
"""How long a request waits for the projector, which may be restarting. It occupies a thread meanwhile."""

_LOOK_EVERY_SECONDS: Final = 0.02

_ALONE_MS: Final = 3_600_000
"""After this time without a change, a table at which a person plays against bots interests nobody else."""


class Balance(msgspec.Struct, frozen=True, gc=False):
    """The balance of an account in one game, over all tables; points of different games cannot be compared."""

    game: str
    unit: Literal["token", "point"]
    amount: int


class Statistics(msgspec.Struct, frozen=True, gc=False):
    """Counts of tables, rounds and actions of a game.

    Attributes:
        rounds_scored: scored rounds, except those of voided tables.
        rounds_voided: rounds that the rules of the game ended without a score.
        tables_voided: tables whose result an administrator voided.
        actions: actions in rounds that have ended.
    """

    tables_opened: int
    tables_started: int
    rounds_scored: int
    rounds_voided: int
    actions: int
    tables_ended: int
    tables_voided: int


class _Voidable(msgspec.Struct, frozen=True, gc=False):
    """The field of a lobby row that says whether the table was voided."""

    voided: Voided | None = None


class _Fresh(msgspec.Struct, frozen=True, gc=False):
    """The fields of a lobby row that say whether it is still of interest."""

    seats: tuple[LobbySeat | None, ...]
    changed_at: int


def _is_fresh(row: bytes, changed_after: int) -> bool:
    read = msgspec.json.decode(row, type=_Fresh)
    return read.changed_at > changed_after or not is_alone(read.seats)


def _rated_id(entrant: Participant, owned: Container[str]) -> str:
    if entrant.policy is not None:
        return f"{entrant.policy}@{VERSIONS[entrant.policy]}"
    return rated_bot(entrant.id) if entrant.id in owned else entrant.id


class Queries:
    """Reads projections, a page at a time, the latest first."""

    def __init__(self, *, reader: ProjectionReader, tables: Tables, owners: Owners, clock: Clock) -> None:
        """Takes the sources; `owners` returns the owners of those players who are bots."""
        self._reader = reader
        self._owners = owners
        self._tables = tables
        self._clock = clock

    def lobby(
        self, phase: Phase, game: str | None, *, people: bool = False, before: Cursor | None, count: int
    ) -> Page:
        """Returns a page of the lobby; with `people`, tables in play only if two or more people play there.

        A table at which somebody plays against bots is left out an hour after its last change.
        """
        lists = [phase_indexes(phase, game or "")[bool(game)]]
        if phase is Phase.PLAYING and not people:
            lists.append(phase_indexes(ALONE, game or "")[bool(game)])
        page = self._reader.page(LOBBY.name, *lists, before=before, count=count)
        if phase is not Phase.PLAYING or people:
            return page
        # Left out here, because no event marks the end of the hour, and projections change only with events.
        changed_after = self._clock.now_ms() - _ALONE_MS
        return replace(page, rows=tuple(row for row in page.rows if _is_fresh(row, changed_after)))

    def live_tables_of(self, player_id: str, *, before: Cursor | None, count: int) -> Page:
        """Returns the lobby rows of a player's live tables."""
        return self._reader.page(LOBBY.name, live_index(player_id), before=before, count=count)

    def history(self, player_id: str, *, unlisted: bool, before: Cursor | None, count: int) -> Page:
        """Returns a player's ended tables; those that not everyone may watch only with `unlisted`."""
        kinds = (False, True) if unlisted else (False,)
        indexes = [history_of(player_id, unlisted=kind) for kind in kinds]
        return self._reader.page(HISTORY.name, *indexes, before=before, count=count)

    def voided(self, rows: Iterable[bytes]) -> tuple[str, ...]:
        """Returns the voided tables among these rows of a history."""
        tables = [msgspec.json.decode(row, type=HistoryRow) for row in rows]
        # A row of the history does not say why a table has no result. Few tables have none, so each is looked up.
        return tuple(row.table for row in tables if row.outcome == "no_result" and self._is_void(row.table))

    def _is_void(self, table_id: str) -> bool:
        (row,) = self._reader.rows(LOBBY.name, StreamId("table", table_id), [table_id])
        return row is not None and msgspec.json.decode(row, type=_Voidable).voided is not None

    def journal_of_player(self, player_id: str, *, unlisted: bool, before: Cursor | None, count: int) -> Page:
        """Returns the journal entries with a posting on a player's account, as `Ledger` reads it."""
        books = books_of(f"player:{player_id}", unlisted=unlisted)
        return self._reader.page(LEDGER.name, *map(book_index, books), before=before, count=count)

    def journal_of_table(self, table_id: str, *, before: Cursor | None, count: int) -> Page:
        return self._reader.page(LEDGER.name, table_account(table_id), before=before, count=count)

    def balances(self, player_id: str, *, unlisted: bool = True) -> tuple[Balance, ...]:
        # An account has two books, so that a stranger's sum is the same as without the unlisted tables.
        held = Counter[str]()
        for book in books_of(f"player:{player_id}", unlisted=unlisted):
            names = [balance_counter(book, game) for game in GAMES]
            held.update(dict(zip(GAMES, self._reader.counters(LEDGER.name, names), strict=True)))
        return tuple(Balance(game.name, game.unit, held[game.name]) for game in GAMES.values())

    def tournaments(self, phase: life.Phase, game: str | None, *, before: Cursor | None, count: int) -> Page:
        of_phase, of_game = phase_indexes(phase, game or "")
        return self._reader.page(TOURNAMENTS.name, of_game if game else of_phase, before=before, count=count)

    def tournaments_of(self, player_id: str, *, unlisted: bool, before: Cursor | None, count: int) -> Page:
        """Returns a player's tournaments; those that are in no list only with `unlisted` (T-24)."""
        kinds = (False, True) if unlisted else (False,)
        indexes = [tournaments_index(player_id, unlisted=kind) for kind in kinds]
        return self._reader.page(TOURNAMENTS.name, *indexes, before=before, count=count)

    def organised_by(self, player_id: str, *, before: Cursor | None, count: int) -> Page:
        """Returns the tournaments that a player organises and that are not over, even those in no list (T-24)."""
        return self._reader.page(TOURNAMENTS.name, organised_index(player_id), before=before, count=count)

    def officiated_by(self, player_id: str, *, before: Cursor | None, count: int) -> Page:
        """Returns a player's tournaments as organiser or official, even those in no list (T-24, T-50)."""
        indexes = organised_index(player_id), officiated_index(player_id)
        return self._reader.page(TOURNAMENTS.name, *indexes, before=before, count=count)

    def series(self, phase: SeasonPhase, *, before: Cursor | None, count: int) -> Page:
        return self._reader.page(SERIES.name, series_index(phase), before=before, count=count)

    def series_of(self, player_id: str, *, before: Cursor | None, count: int) -> Page:
        """Returns the series that a player organises and that are not over, even those in no list (T-24)."""
        return self._reader.page(SERIES.name, organised_index(player_id), before=before, count=count)

    def trophies_of(self, player_id: str, *, unlisted: bool, count: int) -> tuple[Page, Page]:
        """Returns a player's latest trophies of tournaments and of seasons (S-11)."""
        kinds = (False, True) if unlisted else (False,)
        indexes = [trophies_index(player_id, unlisted=kind) for kind in kinds]
        tournaments = self._reader.page(TOURNAMENTS.name, *indexes, before=None, count=count)
        return tournaments, self._reader.page(SERIES.name, *indexes, before=None, count=count)

    def ratings_of_entrants(self, tournament: Tournament) -> dict[str, int]:
        """Returns the ordinals of the rated entrants in millionths, for starting ranks (T-3).

        Entrants on the waiting list are left out.
        """
        game, entrants = setup_of(tournament).game, admitted(tournament)
        owned = self._owners([entrant.id for entrant in entrants if entrant.policy is None])
        found = self._standings(game, [_rated_id(entrant, owned) for entrant in entrants])
        return {
            entrant.id: row.rating.ordinal
            for entrant, row in zip(entrants, found, strict=True)
            if row is not None
        }

    def standing_of(self, game: str, player: Player) -> StandingRow | None:
        """Returns the standing of a player or of a player's bot; `None` without a rated table."""
        (found,) = self._standings(game, [player.id if player.owner is None else rated_bot(player.id)])
        return found

    def _standings(self, game: str, rated: Iterable[str]) -> list[StandingRow | None]:
        keys = [standing_key(game, each) for each in rated]
        rows = self._reader.rows(LEADERBOARDS.name, StreamId(RATINGS.category, game), keys)
        return [None if row is None else msgspec.json.decode(row, type=StandingRow) for row in rows]

    def statistics(self, game: str) -> Statistics:
        counts = self._reader.counters(STATISTICS.name, [f"{game}|{counter}" for counter in COUNTERS])
        return Statistics(**dict(zip(COUNTERS, counts, strict=True)))

    def await_journal(self, table_id: str, version: int) -> None:
        """Returns once the ledger contains every score and void of the table up to a version.

        Raises:
            Busy: it took too long.
        """
        # The ledger's position is that of the last event it follows, so it may never reach `version` itself.
        last = self._tables.last_version_of(table_id, LEDGER.event_types, upto=version)
        deadline = self._clock.elapsed_ms() + PATIENCE_MS
        stream = StreamId("table", table_id)
        while self._reader.applied(LEDGER.name, stream) < last:
            if self._clock.elapsed_ms() > deadline:
                raise Busy(BusyCode.PROJECTION_BEHIND)
            self._clock.wait(_LOOK_EVERY_SECONDS)
