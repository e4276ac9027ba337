"""Tables played by bots in one process."""

from collections import Counter

import pytest

from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.simulation.tables import BotTable


@pytest.mark.parametrize(
    ("game", "options", "interrupt"),
    [
        ("coconut", {}, "coconut.cards_sneaked"),
        ("shithead", {"out_of_turn_burn": True}, "shithead.pile_burned"),
    ],
)
def test_g_9_simulated_bots_act_out_of_turn(game, options, interrupt):
    types: Counter[str] = Counter()
    for number in range(6):
        table = BotTable(
            game=game, seats=4, options=options, policies=["steady", "random"] * 2, seed=str(number)
        )
        table.play()
        types.update(entry.type for entry in table.entries)
        assert verify_log(table.log()).valid
    assert types[interrupt]
