"""Earlier versions of a long table are replayed from checkpoints in memory."""

from random import Random

import pytest

from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.state import stage_of, turn_of
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.streams import loader, repository
from hoodwink.service.application.streams.loader import _CHECKPOINT_EVERY as EVERY
from tests.service.application.world import World, put_back, service_on

LONG = 3 * EVERY + 20
PART = 60


def play(world, length):
    """Plays `t1` with random actions of people up to a version or slightly beyond."""
    while world.now_at("t1").version < length:
        world.settle()
        table = world.now_at("t1")
        assert stage_of(table) is Stage.IN_PLAY
        seat = turn_of(table).owes[0]
        world.do("t1", Act(seat, world.choice("t1", seat)), by=f"player:{seat}")


@pytest.fixture(scope="module")
def played():
    world = World()
    world.table("ada", "bo", rounds=9)
    play(world, LONG)
    return world


@pytest.fixture
def world(played):
    return played.copy()


def replay(world, version):
    """Returns the table as replayed by a process without cache."""
    return service_on(world.client, world.clock).tables.load_at("t1", version)


def reads_of(service, monkeypatch):
    """Returns a list that receives the number of events of each later read."""
    counts, read = [], service.store.read

    def counted(stream, **given):
        found = read(stream, **given)
        counts.append(len(found))
        return found

    monkeypatch.setattr(service.store, "read", counted)
    return counts


def test_versions_do_not_depend_on_the_order_of_reading(world):
    forward = list(range(1, LONG))
    shuffled = Random(1).sample(forward, len(forward))
    expected = {version: replay(world, version) for version in forward}

    for order in (forward, forward[::-1], shuffled):
        service = service_on(world.client, world.clock)
        service.tables.load("t1")
        assert {version: service.tables.load_at("t1", version) for version in order} == expected


def test_a_version_near_an_earlier_one_reads_few_events(world, monkeypatch):
    service = service_on(world.client, world.clock)
    service.tables.load("t1")
    service.tables.load_at("t1", LONG - 1)
    counts = reads_of(service, monkeypatch)
    for version in (*range(LONG - 1, EVERY, -1), *range(EVERY, LONG)):
        service.tables.load_at("t1", version)

    assert max(counts) <= EVERY


def test_a_checkpoint_of_a_vanished_history_is_not_used(world):
    service = service_on(world.client, world.clock)
    service.tables.load("t1")
    service.tables.load_at("t1", LONG - 1)
    put_back(world.service, "t1", 2 * EVERY - 10)
    play(world, LONG)

    for version in (LONG - 1, LONG - 5, 2 * EVERY, 2 * EVERY - 11, EVERY):
        assert service.tables.load_at("t1", version) == replay(world, version)


def test_a_vanished_version_is_not_found(world):
    service = service_on(world.client, world.clock)
    service.tables.load("t1")
    service.tables.load_at("t1", LONG - 1)
    put_back(world.service, "t1", EVERY + 1)

    assert service.tables.load_at("t1", EVERY + 1) == replay(world, EVERY + 1)
    for version in (EVERY + 2, LONG - 1, 10**15 - 1):
        with pytest.raises(NotFound):
            service.tables.load_at("t1", version)


def test_reading_a_long_table_in_parts_gives_the_same_state(world, monkeypatch):
    whole = service_on(world.client, world.clock).tables.load("t1")
    monkeypatch.setattr(loader, "PART", PART)
    service = service_on(world.client, world.clock)
    counts = reads_of(service, monkeypatch)

    assert service.tables.load("t1") == whole
    assert len(counts) > 3
    assert max(counts) == PART
    assert service.tables.load_at("t1", LONG - 1) == replay(world, LONG - 1)
    assert max(counts) == PART


@pytest.mark.parametrize("length", [LONG, PART - 1, PART, 2 * PART])
def test_a_log_read_in_parts_is_complete(world, monkeypatch, length):
    put_back(world.service, "t1", length)
    whole = world.service.tables.history("t1")
    monkeypatch.setattr(repository, "PART", PART)
    counts = reads_of(world.service, monkeypatch)

    assert world.service.tables.entries("t1") == tuple(recorded.entry for recorded in whole)
    assert (sum(counts), max(counts)) == (length, min(length, PART))


def test_the_last_event_of_a_type_is_searched_from_the_end(world, monkeypatch):
    history = [recorded.entry for recorded in world.service.tables.history("t1")]
    monkeypatch.setattr(repository, "PART", PART)
    counts = reads_of(world.service, monkeypatch)

    def last_of(type_, upto):
        return max((entry.version for entry in history[:upto] if entry.type == type_), default=0)

    for upto in (0, 1, PART, LONG, 10**15):
        for type_ in {entry.type for entry in history}:
            assert world.service.tables.last_version_of("t1", {type_}, upto=upto) == last_of(type_, upto)
    counts.clear()
    world.service.tables.last_version_of("t1", {history[-1].type}, upto=10**15)
    assert counts == [PART]
    tables = world.service.tables
    assert tuple(tables.latest("t1", upto=LONG - 1)) == tables.history("t1", count=LONG - 1)[::-1]
    counts.clear()
    assert next(tables.latest("t1", upto=len(history))).entry == history[-1]
    assert counts == [PART]


@pytest.mark.parametrize("spare", [-1, 0, 1])
def test_only_a_short_table_is_read_at_once(world, monkeypatch, spare):
    whole = service_on(world.client, world.clock).tables.load("t1")
    monkeypatch.setattr(loader, "PART", whole.state.version + spare)
    service = service_on(world.client, world.clock)
    counts = reads_of(service, monkeypatch)

    assert service.tables.load("t1") == whole
    assert len(counts) == (1 if spare == 1 else 2)


def test_many_new_events_are_read_in_parts(world, monkeypatch):
    service = service_on(world.client, world.clock)
    known = service.tables.load("t1").state.version
    monkeypatch.setattr(loader, "PART", 2)
    play(world, known + 4)
    counts = reads_of(service, monkeypatch)

    assert service.tables.load("t1").state == world.now_at("t1")
    assert len(counts) >= 4
    assert max(counts) == 2
    service.tables.load("t1")
    assert counts[-1] == 1


@pytest.mark.parametrize("version", [None, LONG - 1])
def test_a_store_replaced_between_two_parts_is_read_again(world, monkeypatch, version):
    """The table then continues with other events."""
    monkeypatch.setattr(loader, "PART", PART)
    service = service_on(world.client, world.clock)
    read, calls = service.store.read, []

    def read_and_replace(stream, **given):
        calls.append(stream)
        if len(calls) == 3:
            put_back(world.service, "t1", PART + 10)
            play(world, LONG)
        return read(stream, **given)

    monkeypatch.setattr(service.store, "read", read_and_replace)
    tables = service.tables
    loaded = tables.load("t1") if version is None else tables.load_at("t1", version)

    assert loaded == replay(world, version or world.now_at("t1").version)
