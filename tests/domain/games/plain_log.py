"""Tables that bots played by chance, as what anybody can read in their exported logs."""

import json
from random import Random
from typing import Any

import msgspec

from domain.bots import POLICIES
from domain.bots.random_options import random_options
from domain.games import GAMES
from service.application.simulation import Simulation

Log = list[tuple[str, dict[str, Any]]]


def played_log(game: str, seed: int, **options: Any) -> Log:
    """Returns type and data of every event of a table whose seats, bots and options follow from the seed."""
    name = f"{game}.{seed}"
    chance, rulebook = Random(name), GAMES[game]
    seats = chance.randint(*rulebook.seats)
    drawn = msgspec.to_builtins(random_options(rulebook, seats, chance))
    policies = chance.choices(POLICIES, k=seats)
    table = Simulation(game=game, seats=seats, options=drawn | options, policies=policies, seed=name)
    table.play()
    lines = [json.loads(line) for line in table.log().splitlines()[1:]]
    return [(line["type"], line["data"]) for line in lines]


def told(log: Log, kind: str) -> list[dict[str, Any]]:
    """Returns the data of every event of a type."""
    return [data for type_, data in log if type_ == kind]
