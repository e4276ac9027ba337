"""Bots that think ahead keep the rules (G-19)."""

import pytest

from hoodwink.domain.games import GAMES
from tests.domain.laws.laws import replayable
from tests.domain.laws.looking_ahead import looks_ahead_by_the_rules
from tests.domain.laws.playout import play
from tests.seeds import chunks


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.lookahead], ids=lambda game: game.name
)
@pytest.mark.parametrize("seeds", chunks(1_000, 100, first=8))
def test_g_19_looking_ahead_keeps_the_rules(game, seeds):
    for seed in seeds:
        with replayable(game, seed):
            looks_ahead_by_the_rules(play(game, seed, max_rounds=2, max_entries=400))
