"""The moves of bots at a table."""

from random import Random

from hoodwink.domain.bots import Choose
from hoodwink.domain.kernel import Action, Observation
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tables.view import plays_of


def bot_action(table: Table, seat: int, choose: Choose, *, now: int, chance: Random) -> Action | None:
    """Returns the action that the policy chooses from the seat's own observation.

    Returns `None` if the seat may not act at this time, or passes on an action out of turn.
    """
    plays = plays_of(table, seat, now)
    if not plays:
        return None
    assert table.options is not None, "a table in play was opened"
    view = table.rulebook.view(table.state, seat)
    return choose(table.rulebook, Observation(seat, table.options, view, plays), chance)
