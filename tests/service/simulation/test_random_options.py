"""Random options of any options record."""

from dataclasses import replace
from random import Random
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Game, GameOptions, InvalidOptions
from hoodwink.service.simulation.random_options import random_options


class Odd(GameOptions, frozen=True):
    pace: Annotated[float, Meta(ge=0)] = 1.0


class Numbers(GameOptions, frozen=True):
    even: Annotated[int, Meta(ge=2, le=8, multiple_of=2)] = 2


def game_with(options: type[GameOptions]) -> Game[Any]:
    return replace(GAMES["blindside"], options=options, check_options=lambda options, seats: None)


def test_numbers_keep_their_bounds_and_their_step():
    drawn = {
        msgspec.to_builtins(random_options(game_with(Numbers), 2, Random(seed)))["even"]
        for seed in range(200)
    }

    assert drawn == {2, 4, 6, 8}


def test_the_same_seed_draws_the_same_options():
    game = GAMES["shithead"]

    assert random_options(game, 4, Random(7)) == random_options(game, 4, Random(7))


def test_a_game_without_valid_options_raises():
    def refuse(options: GameOptions, seats: int) -> None:
        raise InvalidOptions("There are never enough cards.")

    with pytest.raises(AssertionError, match="no options of blindside suit 3 seats"):
        random_options(replace(GAMES["blindside"], check_options=refuse), 3, Random(1))


def test_an_option_of_unknown_type_raises():
    with pytest.raises(AssertionError, match="no random value for"):
        for seed in range(20):
            random_options(game_with(Odd), 2, Random(seed))
