"""For watchers, the standings of a large tournament are computed after each round, not after each table."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from hoodwink.domain.kernel import without_name
from hoodwink.domain.tournaments.life import Finish, OpenRound, StartRound, Tournament
from hoodwink.service.application.players.player_names import PlayerNames
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.streams.history import Loaded
from hoodwink.service.http.serving.streams.standings_channels import Shown, StandingsChannels
from tests.tournaments.world import World, setup

STREAM = StreamId("tournament", "spring")


@pytest.fixture
def world():
    world = World(setup(advance="manual"))
    world.begin(bots=8)
    return world


def play(world: World) -> Iterator[Tournament]:
    """Yields the tournament at its start, after each of its tables, and at its end."""
    yield world.tournament
    world.do(OpenRound(1))
    world.do(StartRound(1))
    world.settle()
    for table, order in list(world.open.items()):
        world.end(table, points=tuple(range(len(order.seats))))
        yield world.tournament
    world.do(Finish("It is late."))
    yield world.tournament


def computed(states: Iterator[Tournament]) -> list[bool]:
    """Returns for each state after the first whether standings are computed."""
    before, found = loaded(next(states)), []
    for state in states:
        now = loaded(state)
        absent: Any = None
        channels = StandingsChannels(partial(_given, now), no_names, absent, absent)
        found.append(STREAM in channels._changes({STREAM: Shown(before, b"{}")}))
        before = now
    return found


def no_names(_: object) -> PlayerNames:
    return PlayerNames({}, without_name)


def _given(now: Loaded[Tournament], _: str) -> Loaded[Tournament]:
    return now


def loaded(state: Tournament) -> Loaded[Tournament]:
    return Loaded(state, f"{state.version}", 0)


def test_standings_of_a_small_tournament_are_computed_after_each_table(world):
    assert computed(play(world)) == [True, True, True]


def test_standings_of_a_large_tournament_are_computed_after_each_round(world, monkeypatch):
    monkeypatch.setattr("hoodwink.service.application.jobs.effort.MAX_LINES", 7)
    assert computed(play(world)) == [False, True, True]
