"""The rows of the lobby with the present names of the people at the tables."""

from collections.abc import Iterable

import msgspec

from domain.kernel import Names, bot_name
from domain.projections import LobbyRow, LobbySeat
from service.application.players import Players


class ListedSeat(LobbySeat, frozen=True, gc=False, kw_only=True):
    """The player or bot in a seat; `policy` is `None` for a person."""

    name: str


class ListedTable(LobbyRow, frozen=True, gc=False, kw_only=True):
    """One table.

    Attributes:
        parent: the table and version that this table is a fork of, or `None`.
        round: the last round that ended, scored or void; 0 before that.
        result: the result at the end of the table, even if it was voided later.
        voided: who took the result back, and why; `None` if nobody did.
        changed_at: in ms since the epoch.
    """

    seats: tuple[ListedSeat | None, ...]


def listed_tables(encoded: Iterable[bytes], players: Players) -> tuple[ListedTable, ...]:
    """Returns the rows of a page of the lobby, with names."""
    rows = [msgspec.json.decode(row, type=LobbyRow) for row in encoded]
    names = players.names({seat.player for row in rows for seat in row.seats if seat and not seat.policy})
    return tuple([_listed(row, names) for row in rows])


def _listed(row: LobbyRow, names: Names) -> ListedTable:
    fields = {field: getattr(row, field) for field in row.__struct_fields__}
    seats = tuple([seat and _seat(number, seat, names) for number, seat in enumerate(row.seats)])
    return ListedTable(**fields | {"seats": seats})


def _seat(number: int, seat: LobbySeat, names: Names) -> ListedSeat:
    name = names(seat.player) if seat.policy is None else bot_name(seat.policy, number)
    return ListedSeat(seat.player, seat.policy, name=name)
