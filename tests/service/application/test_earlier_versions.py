"""Earlier versions of a long table, which are replayed from checkpoints in memory."""

from random import Random

import pytest

from domain.kernel import Stage
from domain.tables import Act, stage_of, turn_of
from service.application.errors import NotFound
from service.application.repository import _CHECKPOINT_EVERY as EVERY
from tests.service.application.world import World, put_back, service_on

LONG = 3 * EVERY + 20


def play(world, length):
    """Plays `t1` with random actions of people up to a version, or a few beyond it."""
    while world.now_at("t1").version < length:
        world.settle()
        table = world.now_at("t1")
        assert stage_of(table) is Stage.IN_PLAY
        seat = turn_of(table).owes[0]
        world.do("t1", Act(seat, world.choice("t1", seat)), by=f"player:{seat}")


@pytest.fixture
def world():
    world = World()
    world.table("ada", "bo", rounds=9)
    play(world, LONG)
    return world


def replayed(world, version):
    """Returns the table as a process without memory replays it."""
    return service_on(world.client, world.clock).tables.load_at("t1", version)


def reads_of(service, monkeypatch):
    """Returns the list of the numbers of events that the service reads from now on."""
    counts, read = [], service.store.read

    def counted(stream, **given):
        found = read(stream, **given)
        counts.append(len(found))
        return found

    monkeypatch.setattr(service.store, "read", counted)
    return counts


def test_every_version_is_the_same_in_any_order(world):
    forward = list(range(1, LONG))
    shuffled = Random(1).sample(forward, len(forward))
    expected = {version: replayed(world, version) for version in forward}

    for order in (forward, forward[::-1], shuffled):
        service = service_on(world.client, world.clock)
        service.tables.load("t1")
        assert {version: service.tables.load_at("t1", version) for version in order} == expected


def test_a_version_near_one_that_was_asked_for_takes_few_events(world, monkeypatch):
    service = service_on(world.client, world.clock)
    service.tables.load("t1")
    service.tables.load_at("t1", LONG - 1)
    counts = reads_of(service, monkeypatch)
    for version in (*range(LONG - 1, EVERY, -1), *range(EVERY, LONG)):
        service.tables.load_at("t1", version)

    assert max(counts) <= EVERY


def test_a_checkpoint_that_the_store_no_longer_holds_is_not_used(world):
    service = service_on(world.client, world.clock)
    service.tables.load("t1")
    service.tables.load_at("t1", LONG - 1)
    put_back(world.service, "t1", 2 * EVERY - 10)
    play(world, LONG)

    for version in (LONG - 1, LONG - 5, 2 * EVERY, 2 * EVERY - 11, EVERY):
        assert service.tables.load_at("t1", version) == replayed(world, version)


def test_a_version_that_vanished_is_not_found(world):
    service = service_on(world.client, world.clock)
    service.tables.load("t1")
    service.tables.load_at("t1", LONG - 1)
    put_back(world.service, "t1", EVERY + 1)

    assert service.tables.load_at("t1", EVERY + 1) == replayed(world, EVERY + 1)
    for version in (EVERY + 2, LONG - 1, 10**15 - 1):
        with pytest.raises(NotFound):
            service.tables.load_at("t1", version)
