"""The rows of the lobby with the present names of the people at the tables."""

from collections.abc import Iterable, Iterator

import msgspec

from domain.kernel import Names, bot_name
from domain.projections import LobbyRow, LobbySeat
from service.application.players import Players


class NamedSeat(LobbySeat, frozen=True, gc=False, kw_only=True):
    """The player or bot in a seat; `policy` is `None` for a person."""

    name: str


class LobbyTable(LobbyRow, frozen=True, gc=False, kw_only=True):
    """A table in the lobby.

    Attributes:
        host_name: the host's name.
        options: the options of the game that differ from its defaults.
        free_seats: the seats in which a player may still sit down.
        parent: the table and version that this table is a fork of, or `None`.
        round: rounds dealt so far, as in the table's view.
        result: the result at the end of the table, even if it was voided later.
        voided: who took the result back, and why; `None` if nobody did.
        changed_at: in ms since the epoch.
    """

    host_name: str
    seats: tuple[NamedSeat | None, ...]


def lobby_tables(encoded: Iterable[bytes], players: Players) -> tuple[LobbyTable, ...]:
    """Returns the rows of a page of the lobby, with names."""
    rows = [msgspec.json.decode(row, type=LobbyRow) for row in encoded]
    names = players.names({player for row in rows for player in _people(row)})
    return tuple([_named(row, names) for row in rows])


def _people(row: LobbyRow) -> Iterator[str]:
    yield row.host
    yield from (seat.player for seat in row.seats if seat is not None and seat.policy is None)


def _named(row: LobbyRow, names: Names) -> LobbyTable:
    fields = {field: getattr(row, field) for field in row.__struct_fields__}
    seats = tuple(
        [None if seat is None else _seat(number, seat, names) for number, seat in enumerate(row.seats)]
    )
    return LobbyTable(**fields | {"seats": seats, "host_name": names(row.host)})


def _seat(number: int, seat: LobbySeat, names: Names) -> NamedSeat:
    name = names(seat.player) if seat.policy is None else bot_name(seat.policy, number)
    return NamedSeat(seat.player, seat.policy, name=name)
