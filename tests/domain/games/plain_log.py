"""The exported logs of tables played at random by bots, as plain data."""

import json
from random import Random
from typing import Any

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.service.simulation.random_options import random_options
from hoodwink.service.simulation.tables import BotTable
from tests.domain.laws.playout import play

Log = list[tuple[str, dict[str, Any]]]


def played_log(game: str, seed: int, **options: Any) -> Log:
    """Returns type and data of every event of a table whose seats, bots and options follow from the seed."""
    name = f"{game}.{seed}"
    chance, rulebook = Random(name), GAMES[game]
    seats = chance.randint(*rulebook.seats)
    drawn = msgspec.to_builtins(random_options(rulebook, seats, chance))
    policies = chance.choices(("random", "steady"), k=seats)
    table = BotTable(game=game, seats=seats, options=drawn | options, policies=policies, seed=name)
    table.play()
    lines = [json.loads(line) for line in table.log().splitlines()[1:]]
    return [(line["type"], line["data"]) for line in lines]


def eager_log(game: str, seed: int) -> Log:
    """Returns the events of a random table at which seats act out of turn too, as bots never do (G-9)."""
    table = play(GAMES[game], seed)
    options = msgspec.to_builtins(table.options)
    log: Log = [("table.opened", {"seats": table.seats, "options": options})]
    for entry in table.entries:
        kind = entry.event.wire if entry.event else "table.round_voided"
        data = json.loads(msgspec.json.encode(entry.event)) if entry.event else {}
        log.append((kind, {"at": entry.now, **data}))
    return log


def data_of(log: Log, kind: str) -> list[dict[str, Any]]:
    """Returns the data of every event of a type."""
    return [data for type_, data in log if type_ == kind]
