"""The pace of a table: its turn clock, how long its bots wait, and the pause after a round."""

from typing import Final

from domain.kernel import InvalidOptions
from domain.tables.commands import OpenTable
from domain.tables.events import TableStarted
from domain.tables.state import Table, is_person

TURN_SECONDS: Final = 120
"""The turn clock of a table with two or more people, so that one who leaves does not hold up the others."""

BOT_DELAY_MS: Final = 1_000
"""How long a bot waits before its turn at a table with people, on average, so that they can follow the play."""

ROUND_PAUSE_MS: Final = 8_000
"""The longest pause after a round at a table with people, so that they can see its cards and its score."""


def check_pace(command: OpenTable) -> None:
    """Raises `InvalidOptions` for a negative time."""
    for name in ("turn_seconds", "bot_delay", "round_pause"):
        if (getattr(command, name) or 0) < 0:
            raise InvalidOptions(f"`{name}` must not be negative; 0 means none.")


def pace_at_start(table: Table) -> TableStarted:
    """Returns the event that starts the table, with what its opening left open: it depends on how many people sit there."""
    people = sum([is_person(table, seat) for seat in range(len(table.seats))])
    return TableStarted(
        turn_seconds=None if table.turn_seconds is not None else TURN_SECONDS * (people > 1),
        bot_delay=None if table.bot_delay is not None else BOT_DELAY_MS * (people > 0),
        round_pause=None if table.round_pause is not None else ROUND_PAUSE_MS * (people > 0),
    )
