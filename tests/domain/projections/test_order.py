"""Effects of different tables commute, so the order of delivery between tables is free."""

from random import Random

import pytest

from domain.projections import PROJECTIONS
from domain.tables import VoidTable
from tests.domain.projections.shelf import Shelf, effects_of, shelved
from tests.domain.tables.sitting import Sitting, playing


def tables() -> list[Sitting]:
    games = ("blindside", "coconut", "blindside", "double_blind")
    sittings = [
        playing("ada", "bo", "bot", game=game, table=f"t{number}") for number, game in enumerate(games)
    ]
    for sitting in sittings[:3]:
        sitting.play_out()
    for sitting in sittings[1:3]:
        sitting.do(VoidTable("olga", "A shared screen."), by="admin")
    return sittings


TABLES = tables()


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.name)
@pytest.mark.parametrize("seed", range(10))
def test_tables_may_be_projected_in_any_order(projection, seed):
    chance = Random(seed)
    waiting = [effects for sitting in TABLES if (effects := effects_of(projection, sitting))]
    shelf = Shelf()
    while waiting:
        next_one = chance.choice(waiting)
        for effect in next_one.pop(0):
            shelf.carry_out(effect)
        waiting = [effects for effects in waiting if effects]
    in_order = shelved(projection, *TABLES)
    assert (shelf.rows, shelf.counters) == (in_order.rows, in_order.counters)
    lists = shelf.indexes.keys() | in_order.indexes.keys()
    assert {name: shelf.listed(name) for name in lists} == {name: in_order.listed(name) for name in lists}
