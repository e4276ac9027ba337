"""The lobby: a row for every table, listed by phase."""

import msgspec

from domain.projections.effects import Effect, Projection, Put, other_phase_indexes, phase_indexes
from domain.tables import Parent, Phase, Recorded, Result, Table, Voided, is_listed
from domain.tables.events import (
    HostChanged,
    RoundScored,
    RoundVoided,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    TableEnded,
    TableOpened,
    TableStarted,
    TableVoided,
)


class LobbySeat(msgspec.Struct, frozen=True, gc=False):
    """The player in a seat; `policy` is `None` for a person."""

    player: str
    name: str
    policy: str | None


class LobbyRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One table.

    Attributes:
        parent: the table and version that this table is a fork of, or `None`.
        round: the last round that ended, scored or void; 0 before that.
        result: the result at the end of the table, even if it was voided later.
        voided: who took the result back, and why; `None` if nobody did.
        changed_at: in ms since the epoch.
    """

    id: str
    game: str
    phase: Phase
    host: str
    seats: tuple[LobbySeat | None, ...]
    turn_seconds: int | None
    parent: Parent | None
    round: int
    result: Result | None
    voided: Voided | None
    changed_at: int


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    row = LobbyRow(
        id=table.id,
        game=table.game,
        phase=table.phase,
        host=table.host,
        seats=tuple(
            LobbySeat(occupant.player, occupant.name, occupant.policy) if occupant else None
            for occupant in table.seats
        ),
        turn_seconds=table.turn_seconds,
        parent=table.parent,
        round=table.round,
        result=table.result,
        voided=table.voided,
        changed_at=recorded.entry.at,
    )
    # A row that no list names is kept all the same: histories ask it whether the table was voided.
    indexes = phase_indexes(table.phase, table.game) if _is_shown(table) else ()
    return (
        Put(
            key=table.id,
            row=row,
            order=recorded.entry.at,
            indexes=indexes,
            leaves=other_phase_indexes(table.phase, Phase, table.game),
        ),
    )


def _is_shown(table: Table) -> bool:
    """Returns whether the lobby lists the table: anybody may watch it, or at least sit down."""
    return is_listed(table) or (not table.private and table.phase is Phase.OPEN)


LOBBY = Projection(
    name="lobby",
    event_types=frozenset(
        kind.wire
        for kind in (
            TableOpened,
            SeatTaken,
            SeatLeft,
            HostChanged,
            TableStarted,
            SeatResigned,
            RoundScored,
            RoundVoided,
            TableEnded,
            TableVoided,
        )
    ),
    project=_project,
    revision=2,
)
