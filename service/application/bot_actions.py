"""What a bot does at a table."""

from random import Random

from domain.bots import interrupt_by
from domain.kernel import Action, Observation, Policy
from domain.tables import Table, plays_of, turn_of


def bot_action(table: Table, seat: int, policy: Policy, *, now: int, chance: Random) -> Action | None:
    """Returns the action that a policy chooses for the seat, from the observation of that seat alone.

    `None` if the seat may not act at this time, or lets the chance of an action out of turn pass.
    """
    plays = plays_of(table, seat, now)
    if not plays:
        return None
    assert table.options is not None, "a table in play was opened"
    observation = Observation(seat, table.options, table.rulebook.view(table.state, seat), plays)
    if seat in turn_of(table).owes:
        return policy(table.rulebook, observation, chance)
    return interrupt_by(policy, table.rulebook, observation, chance)
