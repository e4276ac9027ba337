"""Every game, by random play over seeds, seat counts and options, keeps the laws."""

from typing import Any

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game
from tests.domain.laws.laws import (
    LIGHT,
    accepts_exactly_what_it_lists,
    ends,
    replayable,
    voids_at_any_time,
)
from tests.domain.laws.options import default_options
from tests.domain.laws.playout import Play, play
from tests.domain.laws.secrecy import keeps_secrets
from tests.seeds import chunks

TABLES = chunks(2_000, 100, first=10)
MAX_ENTRIES = 1_500  # a table set to play for longer is left there
JUDGED_TABLES = chunks(40, 3, first=3)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def short_table(game: Game[Any], seed: int) -> Play:
    """Returns a table cut after two rounds or a thousand events."""
    return play(game, seed, max_rounds=2, max_entries=1_000)


@every_game
@pytest.mark.parametrize("seeds", TABLES)
def test_g_2_g_3_g_5_g_6_g_7_g_9_g_12_g_15_tables_keep_the_laws(game, seeds):
    for seed in seeds:
        with replayable(game, seed):
            table = play(game, seed, max_entries=MAX_ENTRIES)
            for law in LIGHT:
                law(table)


@every_game
def test_g_15_tables_with_the_default_options_come_to_an_end(game):
    fewest, most = game.seats
    for seed in range(2 * (most - fewest + 1)):
        with replayable(game, seed):
            ends(play(game, seed, options=default_options(game, fewest + seed % (most - fewest + 1))))


@every_game
@pytest.mark.parametrize("seeds", JUDGED_TABLES)
def test_g_2_g_5_g_10_exactly_the_legal_actions_are_accepted(game, seeds):
    for seed in seeds:
        with replayable(game, seed):
            accepts_exactly_what_it_lists(short_table(game, seed))


@every_game
@pytest.mark.parametrize("seeds", JUDGED_TABLES)
def test_g_15_a_round_can_be_stopped_at_any_version(game, seeds):
    for seed in seeds:
        with replayable(game, seed):
            voids_at_any_time(short_table(game, seed))


@every_game
@pytest.mark.parametrize("seeds", JUDGED_TABLES)
def test_g_1_g_2_g_3_g_10_nothing_hidden_reaches_anybody(game, seeds):
    for seed in seeds:
        with replayable(game, seed):
            keeps_secrets(short_table(game, seed))
