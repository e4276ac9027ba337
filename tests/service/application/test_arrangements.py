"""Each arrangement is searched once, and stored for later starts."""

import pytest

from hoodwink.domain.tournaments.life import Sitting
from hoodwink.domain.tournaments.pairing.round_robin import arranging, remembered, shapes
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.adapters.tasks.arrangement_store import RedisArrangementStore
from hoodwink.service.application.jobs.arrangements import Arrangements
from tests.service.databases import new_redis
from tests.tournaments.schedules import hasty_schedules
from tests.tournaments.world import World, setup


@pytest.fixture
def searched(monkeypatch):
    shapes_ = []

    def search(shape):
        shapes_.append(shape)
        return found(shape)

    found = arranging.search
    with hasty_schedules():
        monkeypatch.setattr(arranging, "search", search)
        yield shapes_


@pytest.fixture
def client():
    return new_redis()


@pytest.fixture
def tournament():
    world = World(setup(format=Format.ROUND_ROBIN))
    world.register(bots=7)
    return world.tournament


def test_an_arrangement_is_searched_once_and_shared_by_processes(client, tournament, searched):
    arrangements = Arrangements(RedisArrangementStore(client=client))
    shape = arrangements.recall(tournament)
    assert shape is not None
    arrangements.find(tournament)
    arrangements.find(tournament)
    found = remembered(shape)

    shapes._remembered.clear()  # as in another process
    assert Arrangements(RedisArrangementStore(client=client)).recall(tournament) is None
    assert remembered(shape) == found
    assert searched == [shape]


def test_a_start_without_arrangement_searches_nothing(client, searched):
    world = World(setup(format=Format.ROUND_ROBIN, seats=2, sittings=(Sitting(),)))
    world.register(bots=7)
    arrangements = Arrangements(RedisArrangementStore(client=client))
    arrangements.find(world.tournament)
    assert (arrangements.recall(world.tournament), searched, client.keys("hw:arr*")) == (None, [], [])
