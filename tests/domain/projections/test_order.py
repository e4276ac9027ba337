"""Effects of different tables commute, so tables may be projected in any order."""

from functools import cache
from random import Random

import pytest

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.commands import VoidTable
from tests.domain.projections.contents import Contents, effects_of, projected
from tests.domain.tables.sitting import Sitting, playing


@cache  # and no constant, because each test process would play the tables when it collects the tests
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


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.name)
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(1, 10))]
)
def test_tables_may_be_projected_in_any_order(projection, seed):
    chance = Random(seed)
    waiting = [effects for sitting in tables() if (effects := effects_of(projection, sitting))]
    contents = Contents()
    while waiting:
        next_one = chance.choice(waiting)
        for effect in next_one.pop(0):
            contents.apply(effect)
        waiting = [effects for effects in waiting if effects]
    in_order = projected(projection, *tables())
    assert (contents.rows, contents.counters) == (in_order.rows, in_order.counters)
    lists = contents.indexes.keys() | in_order.indexes.keys()
    assert {name: contents.listed(name) for name in lists} == {name: in_order.listed(name) for name in lists}
