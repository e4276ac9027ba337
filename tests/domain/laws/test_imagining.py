"""What a seat knows, and the deals that it imagines (G-19)."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec import structs

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game
from tests.domain.laws.cards import map_cards
from tests.domain.laws.even import MAX_MARKS, is_even
from tests.domain.laws.imagining import (
    imagines_from_knowledge_alone,
    imagines_what_it_saw,
    knowledge_of,
)
from tests.domain.laws.laws import replayable
from tests.domain.laws.playout import Play, play
from tests.seeds import chunks

TABLES = chunks(2_000, 100, first=5)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def short_table(game: Game[Any], seed: int) -> Play:
    return play(game, seed, max_rounds=2, max_entries=500)


@every_game
@pytest.mark.parametrize("seeds", TABLES)
def test_g_19_an_imagined_deal_agrees_with_all_that_the_seat_saw(game, seeds):
    for seed in seeds:
        with replayable(game, seed):
            imagines_what_it_saw(short_table(game, seed))


@every_game
@pytest.mark.parametrize("seeds", TABLES)
def test_g_19_equal_knowledge_leads_to_equal_deals(game, seeds):
    for seed in seeds:
        with replayable(game, seed):
            imagines_from_knowledge_alone(short_table(game, seed))


@pytest.mark.parametrize(
    "name", ["coconut", "shithead", "double_blind"]
)  # elsewhere too many cards stay unseen
@pytest.mark.parametrize("seeds", chunks(400, 50, first=4))
def test_g_19_all_deals_that_cannot_be_ruled_out_are_equally_likely(name, seeds):
    game = GAMES[name]
    for seed in seeds:
        with replayable(game, seed):
            table = play(game, seed, max_rounds=1, max_entries=400)
            few = [
                known
                for viewer in range(table.seats)
                for known in knowledge_of(table, viewer)
                if 1 < len(known.marks) <= MAX_MARKS
            ]
            for known in Random(seed).sample(few, min(3, len(few))):
                assert is_even(game, known, Random(seed)), known


def is_found(game: Game[Any], broken: Game[Any]) -> bool:
    """Returns whether the law finds the change in one of a few tables played by the unchanged game."""
    for seed in range(6):
        table = play(game, seed, max_rounds=1, max_entries=120)
        try:
            imagines_what_it_saw(replace(table, game=broken))
        except AssertionError:
            return True
    return False


@every_game
def test_a_deal_with_other_cards_is_found(game):
    def imagine(known: Any, chance: Random) -> Any:
        exchanged = {"9H": "4D", "4D": "9H"}
        return map_cards(game.imagine(known, chance), lambda face: exchanged.get(face, face))

    assert is_found(game, replace(game, imagine=imagine))


@every_game
@pytest.mark.parametrize("field", ["limits", "among"])
def test_knowledge_of_something_that_is_not_so_is_found(game, field):
    def learn(known: Any, event: Any) -> Any:
        known, event = game.learn(known, event)
        if not known.marks:
            return known, event
        wrong = {
            "limits": (frozenset(known.unseen[::2]), known.marks[:3]),
            "among": (known.unseen[0], known.marks[:1]),
        }
        return structs.replace(known, **{field: (wrong[field],)}), event

    assert is_found(game, replace(game, learn=learn))
