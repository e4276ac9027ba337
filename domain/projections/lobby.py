"""The lobby: every table in a line, by what it is doing."""

import msgspec

from domain.projections.effects import Effect, Projection, Put, other_phase_indexes, phase_indexes
from domain.tables import Parent, Phase, Recorded, Result, Table, Voided
from domain.tables.events import (
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
    """Who sits there; `policy` is `None` for a person."""

    player: str
    name: str
    policy: str | None


class LobbyRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One table.

    Attributes:
        parent: the moment of another table that this one is a fork of, if it is one.
        round: the last one that ended, scored or void; 0 before that.
        result: as the table ended, whether it was voided later or not.
        voided: by whom and why the result was taken back, if it was.
        changed_at: in ms since the epoch.
    """

    id: str
    game: str
    phase: Phase
    host: str
    seats: tuple[LobbySeat | None, ...]
    turn_seconds: int
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
        seats=tuple(LobbySeat(who.player, who.name, who.policy) if who else None for who in table.seats),
        turn_seconds=table.turn_seconds,
        parent=table.parent,
        round=table.round,
        result=table.result,
        voided=table.voided,
        changed_at=recorded.entry.at,
    )
    return (
        Put(
            key=table.id,
            row=row,
            order=recorded.entry.at,
            indexes=phase_indexes(table.phase, table.game),
            leaves=other_phase_indexes(table.phase, Phase, table.game),
        ),
    )


LOBBY = Projection(
    name="lobby",
    wires=frozenset(
        kind.wire
        for kind in (
            TableOpened,
            SeatTaken,
            SeatLeft,
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
