"""Each player's ended tables, with place and score."""

import msgspec

from domain.projections.effects import Effect, Projection, Put
from domain.tables import Recorded, Table
from domain.tables.events import Outcome, TableEnded


class HistoryRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One table of one player; `place` and `score` where the table has a result."""

    player: str
    table: str
    game: str
    seat: int
    seats: int
    outcome: Outcome
    place: int | None
    score: int | None
    resigned: bool
    ended_at: int


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    return tuple(
        Put(
            key=f"{occupant.player}:{table.id}",
            row=_row(table, recorded, seat, occupant.player),
            order=recorded.at,
            indexes=(f"player:{occupant.player}",),
        )
        for seat, occupant in enumerate(table.seats)
        if occupant is not None and occupant.policy is None
    )


def _row(table: Table, recorded: Recorded, seat: int, player: str) -> HistoryRow:
    ended = recorded.event
    assert isinstance(ended, TableEnded)
    return HistoryRow(
        player=player,
        table=table.id,
        game=table.game,
        seat=seat,
        seats=len(table.seats),
        outcome=ended.outcome,
        place=ended.places[seat] if ended.places else None,
        score=ended.scores[seat] if ended.scores else None,
        resigned=seat in table.resigned,
        ended_at=recorded.at,
    )


HISTORY = Projection(name="history", wires=frozenset({TableEnded.wire}), project=_project)
