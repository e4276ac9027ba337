"""What was played of each game, counted. The actions of a round count when it is over."""

from domain.kernel import Stage
from domain.projections.effects import Add, Effect, Projection
from domain.tables import Recorded, Table
from domain.tables.events import RoundScored, RoundVoided, TableEnded, TableOpened, TableStarted

COUNTERS = ("tables_opened", "tables_started", "rounds_scored", "rounds_voided", "actions", "tables_ended")


def _project(table: Table, recorded: Recorded) -> tuple[Effect, ...]:
    match recorded.event:
        case TableOpened():
            counted = {"tables_opened": 1}
        case TableStarted():
            counted = {"tables_started": 1}
        case RoundScored():
            counted = {"rounds_scored": 1, "actions": table.round_actions}
        case RoundVoided():
            counted = {"rounds_voided": 1, "actions": table.round_actions}
        case _:
            is_cut_short = table.rulebook.stage(table.state) is Stage.IN_PLAY
            counted = {"tables_ended": 1, "actions": table.round_actions if is_cut_short else 0}
    return tuple(Add(f"{table.game}|{counter}", amount) for counter, amount in counted.items())


STATISTICS = Projection(
    name="statistics",
    wires=frozenset(kind.wire for kind in (TableOpened, TableStarted, RoundScored, RoundVoided, TableEnded)),
    project=_project,
)
