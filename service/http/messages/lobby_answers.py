"""The rows of the lobby, with the current names of the people at the tables."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from hoodwink.domain.kernel import Names, bot_name
from hoodwink.domain.projections import LobbyRow, LobbySeat
from hoodwink.domain.tables.state import Phase
from hoodwink.service.application.players.players import Players


class NamedSeat(LobbySeat, frozen=True, gc=False, kw_only=True):
    """The player or bot in a seat; `policy` is `None` for a person.

    Attributes:
        resigned: whether the player has resigned.
    """

    name: str


class LobbyTable(LobbyRow, frozen=True, gc=False, kw_only=True):
    """A table in the lobby.

    Attributes:
        host_name: the host's name.
        options: the options of the game that differ from its defaults.
        free_seats: the seats that a player may take.
        parent: the table and version that this table was forked from, or `None`.
        round: rounds dealt so far, as in the table's view.
        result: the result at the end of the table, even if it was voided later.
        voided: who voided the result, and why; `None` if nobody did.
        changed_at: in ms since the epoch.
    """

    host_name: str
    seats: tuple[NamedSeat | None, ...]


# Rows that an earlier release wrote lack newer fields until they are written again.
class _Seat(LobbySeat, frozen=True, gc=False, kw_only=True):
    resigned: bool = False


class _Row(msgspec.Struct, frozen=True, gc=False):
    """The part of a row with the people."""

    phase: Phase
    host: str
    seats: tuple[_Seat | None, ...]


def lobby_tables(encoded: Iterable[bytes], players: Players) -> tuple[Any, ...]:
    """Returns the rows of a page of the lobby with names, each with the fields of a `LobbyTable`.

    Open tables of bots are left out, because nobody there waits for people.
    """
    # Rows hold no names, which can change or be erased. One look-up for all of them, since each may ask the store.
    rows = [(msgspec.json.decode(row, type=_Row), row) for row in encoded]
    names = players.names({player for row, _ in rows for player in _people(row)})
    return tuple(
        [
            _named(row, whole, names)
            for row, whole in rows
            if row.phase is not Phase.OPEN or not names.is_bot(row.host)
        ]
    )


def _people(row: _Row) -> Iterator[str]:
    yield row.host
    yield from (seat.player for seat in row.seats if seat is not None and seat.policy is None)


def _named(row: _Row, whole: bytes, names: Names) -> Mapping[str, Any]:
    seats = [None if seat is None else _seat(seat, names) for seat in row.seats]
    # The other fields stay as they are stored; to decode them would only cost time.
    fields = msgspec.json.decode(whole, type=dict[str, msgspec.Raw])
    return fields | {"seats": seats, "host_name": names(row.host)}


def _seat(seat: _Seat, names: Names) -> NamedSeat:
    name = names(seat.player) if seat.policy is None else bot_name(seat.policy)
    return NamedSeat(seat.player, seat.policy, seat.resigned, name=name)
