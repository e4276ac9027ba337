"""The lobby: a row for every table, listed by phase and for each of its players."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import changed_options
from hoodwink.domain.projections.effects import Effect, Projection, Put, other_phase_indexes, phase_indexes
from hoodwink.domain.tables.attention import people_of
from hoodwink.domain.tables.deciding.rooms import free_seats, is_listed
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import (
    HostChanged,
    NoShow,
    OfferWithdrawn,
    Parent,
    RoundScored,
    RoundVoided,
    SeatLeft,
    SeatOffered,
    SeatResigned,
    SeatTaken,
    SeedRevealed,
    TableEnded,
    TableOpened,
    TableStarted,
    TableVoided,
)
from hoodwink.domain.tables.state import (
    Occupant,
    Phase,
    Result,
    Table,
    Voided,
)


class LobbySeat(msgspec.Struct, frozen=True, gc=False):
    """The player in a seat, whose name is looked up; `policy` is `None` for a person.

    Attributes:
        resigned: whether the player has given the seat up for good.
    """

    player: str
    policy: str | None
    resigned: bool


class LobbyRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One table.

    Attributes:
        options: the options of the game that differ from its defaults.
        free_seats: the seats in which a player may still sit down.
        parent: the table and version that this table is a fork of, or `None`.
        round: rounds dealt so far, as in the table's view.
        result: the result at the end of the table, even if it was voided later.
        voided: who took the result back, and why; `None` if nobody did.
        changed_at: in ms since the epoch.
    """

    id: str
    game: str
    phase: Phase
    host: str
    options: dict[str, Any]
    seats: tuple[LobbySeat | None, ...]
    free_seats: tuple[int, ...]
    turn_seconds: int | None
    parent: Parent | None
    round: int
    result: Result | None
    voided: Voided | None
    changed_at: int


ALONE: Final = "playing_alone"
"""In place of the phase: tables in play at which a person plays only against bots."""

_LISTS: Final = (*Phase, ALONE)


def live_index(player: str) -> str:
    """Returns the list of a player's tables that have not ended."""
    return f"player:{player}:live"


def ended_index(player: str) -> str:
    """Returns the list of a player's tables that have ended."""
    return f"player:{player}:ended"


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    if isinstance(recorded.event, SeedRevealed) and table.shared is None:
        return ()
    row = LobbyRow(
        id=table.id,
        game=table.game,
        phase=table.phase,
        host=table.host,
        options=_changed(table),
        seats=tuple(
            LobbySeat(occupant.player, occupant.policy, seat in table.resigned) if occupant else None
            for seat, occupant in enumerate(table.seats)
        ),
        free_seats=_free_seats(table),
        turn_seconds=table.turn_seconds,
        parent=table.parent,
        round=table.round,
        result=table.result,
        voided=table.voided,
        changed_at=recorded.entry.at,
    )
    present, past = _player_indexes(table)
    listed_as = ALONE if table.phase is Phase.PLAYING and is_alone(table.seats) else table.phase
    in_phase = phase_indexes(listed_as, table.game) if _is_shown(table) else ()
    return (
        Put(
            key=table.id,
            row=row,
            order=recorded.entry.at,
            indexes=(*in_phase, *present),
            leaves=(*other_phase_indexes(listed_as, _LISTS, table.game), *past),
        ),
    )


def _is_shown(table: Table) -> bool:
    """Returns whether the lobby lists the table: anybody may watch it, or at least sit down."""
    if table.is_embargoed:  # D-7
        return False
    return is_listed(table) or (not table.private and table.phase is Phase.OPEN)


def is_alone(seats: Iterable[LobbySeat | Occupant | None]) -> bool:
    """Returns whether fewer than two people sit in these seats."""
    return sum(not seat.policy for seat in seats if seat) < 2


def _changed(table: Table) -> dict[str, Any]:
    assert table.options is not None, "a table is opened with its options"
    return changed_options(table.options)


def _free_seats(table: Table) -> tuple[int, ...]:
    if table.phase is not Phase.OPEN:
        return ()
    return tuple(free_seats(table, None))


def _player_indexes(table: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the players' lists that contain the table, and those that no longer do."""
    people = people_of(table)
    if table.phase is Phase.ENDED:
        return tuple(map(ended_index, people)), tuple(map(live_index, people))
    return tuple(map(live_index, people)), (live_index(table.left_by),) if table.left_by else ()


_DEALS = frozenset(kind.wire for game in GAMES.values() for kind in game.events if kind.starts_round)

LOBBY = Projection(
    name="lobby",
    event_types=_DEALS.union(
        kind.wire
        for kind in (
            TableOpened,
            SeatTaken,
            SeatLeft,
            SeatOffered,
            OfferWithdrawn,
            HostChanged,
            TableStarted,
            NoShow,
            SeatResigned,
            RoundScored,
            RoundVoided,
            TableEnded,
            SeedRevealed,
            TableVoided,
        )
    ),
    project=_project,
    revision=6,
)
