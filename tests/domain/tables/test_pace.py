"""The pace of a table: what its opening says, and what follows from who sits there at the start."""

from typing import Any

import pytest

from domain.kernel import InvalidOptions
from domain.tables import StartTable
from domain.tables.events import TableStarted
from domain.tables.pace import BOT_DELAY_MS, ROUND_PAUSE_MS, TURN_SECONDS
from tests.domain.tables.sitting import Sitting

UNDECIDED: dict[str, Any] = {"turn_seconds": None, "bot_delay": None, "round_pause": None}


@pytest.mark.parametrize(
    ("players", "decided"),
    [
        (("bot", "bot"), (0, 0, 0)),
        (("ada", "bot"), (0, BOT_DELAY_MS, ROUND_PAUSE_MS)),
        (("ada", "bo"), (TURN_SECONDS, BOT_DELAY_MS, ROUND_PAUSE_MS)),
    ],
)
def test_what_the_opening_leaves_open_follows_from_the_people_at_the_table(players, decided):
    sitting = Sitting(seats=len(players), **UNDECIDED).sit(*players)
    assert sitting.do(StartTable(), by="host") == (TableStarted(*decided),)
    table = sitting.table
    assert (table.turn_seconds, table.bot_delay, table.round_pause) == decided


def test_what_the_opening_says_stays():
    sitting = Sitting(seats=2, turn_seconds=0, bot_delay=5, round_pause=None).sit("ada", "bo")
    assert sitting.do(StartTable(), by="host") == (TableStarted(None, None, ROUND_PAUSE_MS),)
    table = sitting.table
    assert (table.turn_seconds, table.bot_delay, table.round_pause) == (0, 5, ROUND_PAUSE_MS)


@pytest.mark.parametrize("name", list(UNDECIDED))
def test_a_negative_time_is_refused(name):
    with pytest.raises(InvalidOptions, match=name):
        Sitting(**{**UNDECIDED, name: -1})
