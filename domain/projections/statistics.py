"""Statistics: counts of tables, rounds and actions of each game. The actions of a round count when it has ended.

The rounds of a voided table no longer count as scored; all other counts stay (V-1). For the operator, there are also
counts of the tables in each phase now, including forks.
"""

from typing import TypeAlias, assert_never, get_args

from hoodwink.domain.kernel import Stage
from hoodwink.domain.projections.effects import Add, Effect, Projection
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import (
    RoundScored,
    RoundVoided,
    SeedRevealed,
    TableEnded,
    TableOpened,
    TableStarted,
    TableVoided,
)
from hoodwink.domain.tables.state import Phase, Table

Counted: TypeAlias = (
    TableOpened | TableStarted | RoundScored | RoundVoided | TableEnded | SeedRevealed | TableVoided
)

COUNTERS = (
    "tables_opened",
    "tables_started",
    "rounds_scored",
    "rounds_voided",
    "actions",
    "tables_ended",
    "tables_voided",
)


def phase_counter(game: str, phase: Phase) -> str:
    return f"{game}|{phase}"


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    event = recorded.event
    assert isinstance(event, Counted), "it follows nothing else"
    # Forks are excluded, because the rounds of their parents would be counted twice.
    counted = _moved(table, event) | (_counted(table, event) if table.parent is None else {})
    return tuple(Add(f"{table.game}|{counter}", amount) for counter, amount in counted.items())


def _moved(table: Table, event: Counted) -> dict[str, int]:
    """Returns the changes in the numbers of tables that are open, in play and ended."""
    match event:
        case TableOpened():
            return {Phase.OPEN: 1}
        case TableStarted():
            return {Phase.OPEN: -1, Phase.PLAYING: 1}
        case TableEnded():
            return {Phase.PLAYING if table.started_at else Phase.OPEN: -1, Phase.ENDED: 1}
        case RoundScored() | RoundVoided() | SeedRevealed() | TableVoided():
            return {}
        case _:
            assert_never(event)


def _counted(table: Table, event: Counted) -> dict[str, int]:
    match event:
        case TableOpened():
            return {"tables_opened": 1}
        case TableStarted():
            return {"tables_started": 1}
        case RoundScored() | RoundVoided() | TableEnded() if table.is_embargoed:
            return {}
        case SeedRevealed():
            return {} if table.shared is None else _whole(table)
        case RoundScored():
            return {"rounds_scored": 1, "actions": table.round_actions}
        case RoundVoided():
            return {"rounds_voided": 1, "actions": table.round_actions}
        case TableVoided():
            return {"tables_voided": 1, "rounds_scored": -table.rounds_scored}
        case TableEnded():
            is_cut_short = table.rulebook.stage(table.state) is Stage.IN_PLAY
            return {"tables_ended": 1, "actions": table.round_actions if is_cut_short else 0}
        case _:
            assert_never(event)


def _whole(table: Table) -> dict[str, int]:
    """Returns the counts of an ended table after its start, which were put off until its deal was released (D-7)."""
    is_cut_short = table.rulebook.stage(table.state) in {Stage.IN_PLAY, Stage.TO_SCORE}
    return {
        "rounds_scored": table.rounds_scored,
        "rounds_voided": table.round - table.rounds_scored - is_cut_short,
        "actions": table.earlier_actions + table.round_actions,
        "tables_ended": 1,
    }


STATISTICS = Projection(
    name="statistics",
    event_types=frozenset(kind.wire for kind in get_args(Counted)),
    project=_project,
    revision=3,
)
