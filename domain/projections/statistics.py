"""Statistics: counts of tables, rounds and actions of each game. The actions of a round count when it has ended.

The rounds of a voided table no longer count as scored; all other counts stay (V-1).
"""

from typing import TypeAlias, assert_never, get_args

from domain.kernel import Stage
from domain.projections.effects import Add, Effect, Projection
from domain.tables import Recorded, Table
from domain.tables.events import RoundScored, RoundVoided, TableEnded, TableOpened, TableStarted, TableVoided

Counted: TypeAlias = TableOpened | TableStarted | RoundScored | RoundVoided | TableEnded | TableVoided

COUNTERS = (
    "tables_opened",
    "tables_started",
    "rounds_scored",
    "rounds_voided",
    "actions",
    "tables_ended",
    "tables_voided",
)


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    if table.parent is not None:  # the rounds of its parent would be counted twice
        return ()
    event = recorded.event
    assert isinstance(event, Counted), "it follows nothing else"
    match event:
        case TableOpened():
            counted = {"tables_opened": 1}
        case TableStarted():
            counted = {"tables_started": 1}
        case RoundScored():
            counted = {"rounds_scored": 1, "actions": table.round_actions}
        case RoundVoided():
            counted = {"rounds_voided": 1, "actions": table.round_actions}
        case TableVoided():
            counted = {"tables_voided": 1, "rounds_scored": -table.rounds_scored}
        case TableEnded():
            is_cut_short = table.rulebook.stage(table.state) is Stage.IN_PLAY
            counted = {"tables_ended": 1, "actions": table.round_actions if is_cut_short else 0}
        case _:
            assert_never(event)
    return tuple(Add(f"{table.game}|{counter}", amount) for counter, amount in counted.items())


STATISTICS = Projection(
    name="statistics",
    event_types=frozenset(kind.wire for kind in get_args(Counted)),
    project=_project,
)
