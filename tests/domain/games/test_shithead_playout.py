"""Shithead tables played at random over all seat counts and options."""

from random import Random

import pytest

from domain.games.shithead import GAME
from tests.domain.laws.laws import LIGHT, replayable
from tests.domain.laws.playout import play
from tests.domain.laws.universe import expand, verdict

TABLES = 45


@pytest.mark.parametrize("seed", range(TABLES))
def test_g_5_g_7_g_9_random_tables_keep_the_light_laws_and_accept_all_that_is_listed(seed):
    with replayable(GAME, seed):
        table = play(GAME, seed, most_rounds=2, most_entries=1_000)
        for law in LIGHT:
            law(table)
        chance = Random(seed)
        for entry in table.entries:
            for seat in range(table.seats):
                for action in expand(GAME, GAME.legal_actions(entry.state, seat, 0), chance):
                    assert verdict(GAME, entry.state, seat, action, 0) is None
