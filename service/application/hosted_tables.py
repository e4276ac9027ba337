"""The numbers of tables that a host has, which limits bound."""

from typing import Final

import msgspec

from domain.projections import LOBBY, TOURNAMENTS, live_index, organised_index
from domain.tables import Phase
from service.application.limits import Limit
from service.application.projections import ProjectionReader

_MOST: Final = 1_000
"""The most live tables of a player that are looked at: those with the latest changes in the lobby."""


class _Seat(msgspec.Struct, frozen=True, gc=False):
    policy: str | None
    resigned: bool = False  # rows of an earlier release do not say so


class _Row(msgspec.Struct, frozen=True, gc=False):
    """The part of a row of the lobby that is needed here."""

    host: str
    phase: Phase
    seats: tuple[_Seat | None, ...]


class HostedTables:
    """Counts the tables of hosts that have not ended, and their tournaments that are not over."""

    def __init__(self, *, reader: ProjectionReader) -> None:
        self._reader = reader

    def numbers(self, host: str) -> dict[Limit, int]:
        """Returns how many tables and tournaments a host has that are not over, and how many tables are left to bots."""
        page = self._reader.page(LOBBY.name, live_index(host), before=None, count=_MOST)
        hosted = [row for row in map(_row, page.rows) if row.host == host]
        organised = self._reader.page(TOURNAMENTS.name, organised_index(host), before=None, count=_MOST)
        return {
            Limit.OPEN_TABLES_PER_HOST: len(hosted),
            Limit.BOT_TABLES_PER_HOST: sum(map(_is_left_to_bots, hosted)),
            Limit.TOURNAMENTS_PER_HOST: len(organised.rows),
        }


def _row(row: bytes) -> _Row:
    return msgspec.json.decode(row, type=_Row)


def _is_left_to_bots(row: _Row) -> bool:
    """Returns whether no person plays at the table, as `domain.tables.state.is_left_to_bots` does."""
    return row.phase is Phase.PLAYING and all(
        seat is None or seat.policy is not None or seat.resigned for seat in row.seats
    )
