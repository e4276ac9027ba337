"""The options of tables that are not played with random ones."""

from functools import cache
from random import Random
from typing import Any

import msgspec

from hoodwink.domain.kernel import Game, GameOptions
from hoodwink.service.simulation.random_options import random_options


@cache
def default_options(game: Game[Any], seats: int) -> GameOptions:
    """Returns the defaults or, if they do not allow that many seats, the options nearest to them."""
    defaults = msgspec.to_builtins(game.options()).items()
    drawn = [random_options(game, seats, Random(f"{seats}.{number}")) for number in range(200)]
    return max(drawn, key=lambda options: len(defaults & msgspec.to_builtins(options).items()))
