"""The numbers of tables that a host has, which limits bound."""

from typing import Final

import msgspec

from domain.projections import live_index
from domain.projections.lobby import LOBBY
from domain.tables import Phase
from service.application.limits import Limit
from service.application.projections import ProjectionReader

_MOST: Final = 1_000
"""The most live tables of a player that are looked at: those with the latest changes in the lobby."""


class _Seat(msgspec.Struct, frozen=True, gc=False):
    policy: str | None


class _Row(msgspec.Struct, frozen=True, gc=False):
    """The part of a row of the lobby that is needed here."""

    host: str
    phase: Phase
    seats: tuple[_Seat | None, ...]


class HostedTables:
    """Counts the tables of hosts that have not ended, without those of tournaments."""

    def __init__(self, *, reader: ProjectionReader) -> None:
        self._reader = reader

    def numbers(self, host: str) -> dict[Limit, int]:
        """Returns how many tables a host has that have not ended, and at how many of these only bots play."""
        page = self._reader.page(LOBBY.name, live_index(host), before=None, count=_MOST)
        hosted = [row for row in map(_row, page.rows) if row.host == host]
        return {
            Limit.OPEN_TABLES_PER_HOST: len(hosted),
            Limit.BOT_TABLES_PER_HOST: sum(map(_is_played_by_bots, hosted)),
        }


def _row(row: bytes) -> _Row:
    return msgspec.json.decode(row, type=_Row)


def _is_played_by_bots(row: _Row) -> bool:
    return row.phase is Phase.PLAYING and all(
        seat is not None and seat.policy is not None for seat in row.seats
    )
