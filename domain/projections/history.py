"""The history of each player: the tables that have ended, with place and score.

A voided table is listed as if it had ended without a result, at the time when it ended (V-2).
A table that shares its deal is listed when its seed is revealed, after the release (D-7).
"""

import msgspec

from hoodwink.domain.projections.effects import Effect, Projection, Put
from hoodwink.domain.tables.deciding.rooms import is_listed
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import Outcome, SeedRevealed, TableEnded, TableVoided
from hoodwink.domain.tables.state import Result, Table


class HistoryRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One table of one player; `place` and `score` are `None` unless the table has a result that counts."""

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


def history_of(player: str, *, unlisted: bool) -> str:
    """Returns the index of a player's listed tables, or of those that only the player may see in the history."""
    return f"unlisted:{player}" if unlisted else f"player:{player}"


WITHOUT_RESULT = Result("no_result", None, None)


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    if table.parent is not None:  # its score includes rounds that others played at its parent
        return ()
    if table.is_embargoed or (isinstance(recorded.event, SeedRevealed) and table.shared is None):  # D-7
        return ()
    assert table.result is not None, "the table has ended"
    result = table.result if table.voided is None else WITHOUT_RESULT
    return tuple(
        Put(
            key=f"{occupant.player}:{table.id}",
            row=_row(table, result, seat, occupant.player),
            order=table.ended_at,
            indexes=(history_of(occupant.player, unlisted=not is_listed(table)),),
        )
        for seat, occupant in enumerate(table.seats)
        if occupant is not None and occupant.policy is None
    )


def _row(table: Table, result: Result, seat: int, player: str) -> HistoryRow:
    return HistoryRow(
        player=player,
        table=table.id,
        game=table.game,
        seat=seat,
        seats=len(table.seats),
        outcome=result.outcome,
        place=result.places[seat] if result.places else None,
        score=result.scores[seat] if result.scores else None,
        resigned=seat in table.resigned,
        ended_at=table.ended_at,
    )


HISTORY = Projection(
    name="history",
    event_types=frozenset({TableEnded.wire, SeedRevealed.wire, TableVoided.wire}),
    project=_project,
    revision=2,
)
