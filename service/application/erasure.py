"""Erases a player who wants to leave: gives up the seats, leaves the tournaments, and ends the token and the name."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec

from domain.kernel import RuleViolation
from domain.players import Player
from domain.projections import LobbySeat, PlayerTournamentRow, TournamentRow
from domain.tables import Phase
from domain.tournaments import life
from service.application import intents, tournament_intents
from service.application.errors import ApplicationError, ConflictCode, Forbidden
from service.application.players import Players
from service.application.ports import IdempotencyKey
from service.application.projections import Cursor, Page
from service.application.queries import Queries
from service.application.tables import Intent, Tables
from service.application.tournaments import Tournaments

_PAGE: Final = 200
_ENDED: Final = frozenset({life.Phase.FINISHED, life.Phase.CANCELLED})


class _Row(msgspec.Struct, frozen=True, gc=False):
    """The part of a row of the lobby that is needed here."""

    id: str
    phase: Phase
    host: str
    seats: tuple[LobbySeat | None, ...]


class StillOrganising(ApplicationError):
    """Raised when the player organises a tournament that is not over."""

    def __init__(self) -> None:
        super().__init__(ConflictCode.STILL_ORGANISING)


class Erasure:
    """Erases players."""

    def __init__(
        self, *, players: Players, queries: Queries, tables: Tables, tournaments: Tournaments
    ) -> None:
        self._players = players
        self._queries = queries
        self._tables = tables
        self._tournaments = tournaments

    def erase(self, player: Player, key: IdempotencyKey | None) -> Player:
        """Gives up everything that the player takes part in, by the ordinary commands, and then erases the player.

        If it fails halfway, it may be repeated.

        Raises:
            StillOrganising: a tournament of the player is not over.
            Busy, StoreUnavailable
        """
        if not player.is_erased:
            self._check_organises_nothing(player.id)
            for table, intent in list(self._leavings(player.id)):
                with suppress(RuleViolation, Forbidden):  # the table has changed since its row was written
                    self._tables.execute(table, intent)
            for tournament in list(self._entered(player.id)):
                with suppress(RuleViolation, Forbidden):
                    self._tournaments.execute(tournament, tournament_intents.withdraw(player.id, player.id))
        return self._players.erase(player, key)

    def _check_organises_nothing(self, player_id: str) -> None:
        for phase in life.Phase:
            if phase in _ENDED:
                continue
            for row in _rows(partial(self._queries.tournaments, phase, None)):
                if msgspec.json.decode(row, type=TournamentRow).organiser == player_id:
                    raise StillOrganising

    def _leavings(self, player_id: str) -> Iterator[tuple[str, Intent]]:
        """Yields the tables that the player hosts or sits at and that are not over, with what the player does there."""
        for encoded in _rows(partial(self._queries.live_tables_of, player_id)):
            row = msgspec.json.decode(encoded, type=_Row)
            seats = [seat for seat, holder in enumerate(row.seats) if holder and holder.player == player_id]
            if row.phase is Phase.OPEN and row.host == player_id:
                yield row.id, intents.close(player_id)
            elif seats:
                is_open = row.phase is Phase.OPEN
                yield row.id, intents.leave(player_id, seats[0]) if is_open else intents.resign(player_id)

    def _entered(self, player_id: str) -> Iterator[str]:
        for encoded in _rows(partial(self._queries.tournaments_of, player_id)):
            row = msgspec.json.decode(encoded, type=PlayerTournamentRow)
            if row.entered and row.phase not in _ENDED:
                yield row.tournament


def _rows(page_of: Callable[..., Page]) -> Iterator[bytes]:
    """Yields the rows of all pages."""
    before: Cursor | None = None
    while True:
        page = page_of(before=before, count=_PAGE)
        yield from page.rows
        if page.more is None:
            return
        before = page.more
