"""Events are applied exactly once, in any order of delivery, with repeated entries and killed processes."""

import dataclasses
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.projections import LEADERBOARDS, LEDGER, LOBBY, PROJECTIONS, Projection
from hoodwink.domain.tables import commands
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.adapters.store.feeds.feed import RedisFeed
from hoodwink.service.adapters.store.projections.projection_store import RedisProjectionStore
from hoodwink.service.application.ports import Commit, FeedEntry, StreamId
from hoodwink.service.application.projecting import projecting
from hoodwink.service.application.projecting.projecting import (
    GROUPS,
    RESULTS,
    Projector,
    grouped_by_category,
    lags,
    rebuild,
)
from hoodwink.service.application.projecting.projections import ProjectionSnapshot
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.service.application.streams.event_reader import EventReader
from hoodwink.service.bootstrap import Service
from tests.service.application.faults import Killed
from tests.service.application.world import Recorder, World, service_on
from tests.service.databases import copied, new_redis

RATED = (
    ("blindside", "ada", "bo"),
    ("coconut", "bo", "cy"),
    ("blindside", "bo", "cy"),
    ("blindside", "ada", "cy"),
)
"""Game and players of tables that end immediately by resignation, and are rated."""


@cache
def played() -> list[Commit]:
    """Returns the commits of tables of several kinds in order of appending."""
    client = new_redis()
    recorder = Recorder(client)
    world = World(client, given={"store": recorder})
    world.table("bot", "bot", "bot", table="blind", rounds=2)
    world.table("ada", "bo", table="people", game="coconut")
    world.table("ada", "bot", table="resigned", rounds=3)
    world.table("bo", "cy", table="open", start=False)
    world.settle()
    for _ in range(3):
        if 0 in owing(world):
            world.do("people", commands.Act(0, world.choice("people", 0)), by="player:0")
    world.do("resigned", commands.Resign(0), by="player:0")
    world.do("people", commands.AbandonTable(), by="worker")
    world.settle()
    world.table("ada", "bot", "bot", table="void", rounds=2)
    world.do("void", commands.Resign(0), by="player:0")
    world.settle()
    for table in ("void", "blind"):
        world.do(table, commands.VoidTable("olga", "Somebody saw a card."), by="admin")
    for number, (game, *players) in enumerate(RATED):
        table = world.table(*players, table=f"rated{number}", game=game)
        world.do(table, commands.Resign(1), by="player:1")
    world.service.rater.rate(world.read(RATER))
    world.do("rated0", commands.VoidTable("olga", "It was a joke."), by="admin")
    world.service.rater.rate(world.read(RATER))
    return recorder.commits


def owing(world: World) -> tuple[int, ...]:
    table = world.now_at("people")
    return tuple(table.rulebook.turn(table.state).owes)


def streams_of(projection: Projection) -> set[StreamId]:
    """Returns the streams followed by a projection."""
    return {commit.stream for commit in played() if commit.stream.category == projection.category}


FILLED = tuple(projection for projection in PROJECTIONS if projection.category in {"table", "ratings"})
every_projection = pytest.mark.parametrize("projection", FILLED, ids=lambda projection: projection.name)
some_writes = pytest.mark.parametrize("step", [23, pytest.param(1, marks=pytest.mark.campaign)])
"""Writes from one kill to the next; batches repeat the same few writes for each stream."""

every_projection_of_tables = pytest.mark.parametrize(
    "projection",
    [projection for projection in FILLED if projection.category == "table"],
    ids=lambda projection: projection.name,
)
TABLES = ("blind", "people", "resigned", "open", "void", *(f"rated{number}" for number in range(len(RATED))))


@pytest.fixture
def client():
    return stored()


def stored() -> Any:
    """Returns a Redis with all these commits appended."""
    return copied(_stored())


@cache
def _stored() -> Any:
    client = new_redis()
    store = service_on(client).store
    for commit in played():
        store.append(commit)
    return client


def projector_of(client: Any, projection: Projection, clock: Any = None) -> Projector:
    """Returns a projector of a new process with an empty cache."""
    service = service_on(client, clock)
    event_reader = EventReader(service.store, rollbacks=service.rollbacks)
    return Projector(
        projection=projection,
        event_reader=event_reader,
        target=service.projection_store,
        clock=service.clock,
        gather=gather,
    )


def contents(client: Any, projection: Projection) -> tuple[ProjectionSnapshot, ...]:
    store = RedisProjectionStore(client=client)
    return tuple(store.contents(projection.name, partition) for partition in store.partitions)


def forget(client: Any, projection: Projection) -> None:
    for key in client.keys(f"hw:*:{projection.name}:*"):
        client.delete(key)


def entries(client: Any, projection: Projection, *, count: int = 1_000) -> list[FeedEntry]:
    """Returns the feed entries for a new reader."""
    feed = RedisFeed(client=client)
    asked: dict[str, Any] = {"consumer": "one", "partitions": feed.partitions, "block_ms": 0}
    return feed.read(group=projection.name, count=count, **asked)


@pytest.fixture(scope="module")
def expected() -> dict[str, tuple[ProjectionSnapshot, ...]]:
    """The correct contents of each projection after these tables."""
    client = stored()
    for projection in PROJECTIONS:
        projector_of(client, projection).project(entries(client, projection))
    return {projection.name: contents(client, projection) for projection in PROJECTIONS}


# --------------------------------------------------------------------------- redelivery and order


def test_the_world_has_events_to_project(expected):
    assert {stream.id for stream in streams_of(LOBBY)} == set(TABLES)
    assert {stream.id for stream in streams_of(LEADERBOARDS)} == {"blindside", "coconut"}
    for projection in FILLED:
        assert any(snapshot.rows or snapshot.counters for snapshot in expected[projection.name])


@every_projection
def test_redelivered_entries_change_nothing(client, projection, expected):
    projector = projector_of(client, projection)
    delivered = entries(client, projection)
    projector.project(delivered)
    for entry in delivered:
        projector.project([entry])
        projector_of(client, projection).project([entry])
    assert contents(client, projection) == expected[projection.name]


@every_projection
def test_entries_can_be_projected_one_by_one(client, projection, expected):
    projector = projector_of(client, projection)
    for entry in entries(client, projection):
        projector.project([entry])
    assert contents(client, projection) == expected[projection.name]


@every_projection
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(2, 6))]
)
def test_entries_can_come_in_any_order_and_repeatedly(client, projection, expected, seed):
    delivered = entries(client, projection) * 2
    Random(seed).shuffle(delivered)
    projector = projector_of(client, projection)
    while delivered:
        count = Random(seed).randint(1, 9)
        projector.project(delivered[:count])
        del delivered[:count]
    assert contents(client, projection) == expected[projection.name]


@every_projection
@pytest.mark.parametrize("together", [1, 2])
def test_streams_beyond_one_round_trip_are_all_projected(client, projection, expected, together, monkeypatch):
    monkeypatch.setattr(projecting, "STREAMS_PER_ROUND_TRIP", together)
    projector_of(client, projection).project(entries(client, projection))
    assert contents(client, projection) == expected[projection.name]


def test_projections_in_several_threads_share_their_reads(client, expected):
    projectors = service_on(client).projectors
    delivered = {projection.name: entries(client, projection) for projection in FILLED}
    with ThreadPoolExecutor(len(FILLED)) as threads:
        for name, entries_of_name in delivered.items():
            threads.submit(projectors[name].project, entries_of_name)
    for projection in FILLED:
        assert contents(client, projection) == expected[projection.name]


@every_projection
def test_two_projectors_share_the_work_without_doubling_it(client, projection, expected):
    one, other = projector_of(client, projection), projector_of(client, projection)
    delivered = entries(client, projection)
    for number, entry in enumerate(delivered):
        (one, other)[number % 2].project([entry])
    other.project(delivered)
    assert contents(client, projection) == expected[projection.name]


@every_projection
def test_an_overtaken_projector_starts_again(client, projection, expected, monkeypatch):
    projector, faster = projector_of(client, projection), projector_of(client, projection)
    delivered = entries(client, projection)
    apply, overtaken = projector.target.apply, list[bool]()

    def apply_late(*given: Any, **named: Any) -> bool:
        if not overtaken:
            overtaken.append(True)
            with ThreadPoolExecutor(
                1
            ) as thread:  # in another thread, like another process: calls in one thread cannot be nested
                thread.submit(faster.project, delivered).result()
        return apply(*given, **named)

    monkeypatch.setattr(projector.target, "apply", apply_late)
    projector.project(delivered)
    assert overtaken
    assert contents(client, projection) == expected[projection.name]


@every_projection
def test_a_rolled_back_log_with_new_events_is_read_again(client, projection):
    projector = projector_of(client, projection)
    projector.project(entries(client, projection))
    client.flushdb()
    for commit in played():
        if commit.stream.id == "blind":  # another history with the id of a known table
            service_on(client).store.append(replace(commit, stream=StreamId("table", "resigned")))
    delivered = entries(client, projection)
    projector.project(delivered)
    after = contents(client, projection)
    forget(client, projection)
    projector_of(client, projection).project(delivered)
    assert contents(client, projection) == after


def test_player_and_unknown_streams_are_not_projected(client):
    stranger = FeedEntry(0, "1-0", StreamId("player", "ada"), 1, 1, ("table.round_scored",), NOTHING_DUE)
    projector_of(client, LEDGER).project([stranger])
    assert not any(snapshot.applied for snapshot in contents(client, LEDGER))


# -------------------------------------------------------------------- killed between any two writes


def follow(client: Any, projection: Projection) -> bool:
    """Runs a projector from its start until the feed is empty; returns whether it was not killed."""
    feed, projector = RedisFeed(client=client), projector_of(client, projection)
    asked: dict[str, Any] = {"group": projection.name, "consumer": "one", "partitions": feed.partitions}
    try:
        while found := feed.read(**asked, count=4, block_ms=0):
            projector.project(found)
            feed.ack(projection.name, found)
    except Killed:
        return False
    return True


@every_projection
@some_writes
def test_a_projector_killed_between_any_two_writes_leaves_no_trace(projection, step, expected, kill, client):
    for writes in range(0, 10_000, step):
        kill(1 << 30)
        forget(client, projection)
        service_on(client).feed.keep(set(GROUPS) - {projection.name})
        kill(writes)
        if follow(client, projection):
            break
        kill(1 << 30)
        assert follow(client, projection)
        assert contents(client, projection) == expected[projection.name], writes
        assert service_on(client).feed.lag(projection.name).entries == 0
    assert writes > 20


@every_projection
def test_a_repeatedly_killed_projector_catches_up(projection, expected, kill, client):
    chance = Random(projection.name)
    deaths = 0
    while True:
        kill(chance.randint(0, 6 + deaths))  # at some point it lives long enough for a whole batch
        if follow(client, projection):
            break
        deaths += 1
    kill(1 << 30)
    assert deaths > 3
    assert contents(client, projection) == expected[projection.name]


# ---------------------------------------------------------------------------------------- rebuild


@every_projection
def test_v_3_a_rebuilt_projection_is_identical(client, projection, expected):
    projector = projector_of(client, projection)
    projector.project(entries(client, projection))
    before = dump(client, projection)
    done: list[StreamId] = []
    rebuild([projector_of(client, projection)], done.append)
    assert dump(client, projection) == before
    assert contents(client, projection) == expected[projection.name]
    assert set(done) == streams_of(projection)


def test_v_3_projections_rebuilt_together_read_each_log_once(client, expected, monkeypatch):
    service = service_on(client)
    read, reads = service.store.read, Counter[StreamId]()

    def counted(stream: StreamId, **asked: Any) -> Any:
        reads[stream] += 1
        return read(stream, **asked)

    monkeypatch.setattr(service.store, "read", counted)
    for those in grouped_by_category(service.projectors.values()):
        assert rebuild(those) == ()
    for projection in FILLED:
        assert contents(client, projection) == expected[projection.name]
    assert reads == dict.fromkeys((stream for projection in FILLED for stream in streams_of(projection)), 1)


def dump(client: Any, projection: Projection) -> dict[bytes, Any]:
    """Returns every key of a projection with its value."""
    reading = {b"hash": client.hgetall, b"set": client.smembers, b"string": client.get}
    return {
        key: reading.get(client.type(key), lambda key: client.zrange(key, 0, -1, withscores=True))(key)
        for key in client.keys(f"hw:*:{projection.name}:*")
    }


@every_projection
def test_a_rebuild_repairs_damage(client, projection, expected):
    projector_of(client, projection).project(entries(client, projection))
    for key in client.keys(f"hw:*:{projection.name}:counters"):
        client.hincrby(key, "nonsense", 7)
    for key in client.keys(f"hw:*:{projection.name}:rows"):
        client.hset(key, "nonsense", "{}")
    assert contents(client, projection) != expected[projection.name]
    rebuild([projector_of(client, projection)])
    assert contents(client, projection) == expected[projection.name]


@every_projection
def test_projecting_during_a_rebuild_is_safe(client, projection, expected):
    live = projector_of(client, projection)
    delivered = entries(client, projection)
    live.project(delivered)
    rebuild([projector_of(client, projection)], lambda _: live.project(delivered))
    live.project(delivered)
    assert contents(client, projection) == expected[projection.name]


@every_projection
@pytest.mark.parametrize("revision", [None, 99], ids=["earlier", "later"])
def test_a_partition_filled_by_another_release_is_rebuilt_automatically(
    client, projection, expected, revision, capsys
):
    kept = replace_revision(projection, revision or 1)
    projector_of(client, kept).project(entries(client, projection))
    spoil(client, projection)
    changed = replace_revision(projection, 2)
    projector_of(client, changed).project([])
    assert contents(client, projection) == expected[projection.name]
    assert "another release filled it" in capsys.readouterr().out
    spoil(client, projection)
    projector_of(client, changed).project([])
    assert contents(client, projection) != expected[projection.name], "it is rebuilt once"
    assert capsys.readouterr().out == ""


def replace_revision(projection: Projection, revision: int) -> Projection:
    return dataclasses.replace(projection, revision=revision)


def spoil(client: Any, projection: Projection) -> None:
    for key in client.keys(f"hw:*:{projection.name}:applied"):
        client.hset(key.replace(b"applied", b"rows"), "nonsense", "{}")


@every_projection
def test_a_partition_without_revision_counts_as_the_first(client, projection, expected):
    projector_of(client, projection).project(entries(client, projection))
    spoil(client, projection)
    client.delete(*client.keys(f"hw:*:{projection.name}:revision"))
    projector_of(client, replace_revision(projection, 1)).project([])
    assert contents(client, projection) != expected[projection.name]
    projector_of(client, replace_revision(projection, 2)).project([])
    assert contents(client, projection) == expected[projection.name]


@every_projection
def test_a_new_installation_rebuilds_nothing(client, projection, capsys):
    changed = replace_revision(projection, 7)
    projector_of(client, changed).project([])
    projector_of(client, changed).project(entries(client, projection))
    projector_of(client, changed).project([])
    assert capsys.readouterr().out == ""


def let_holds_expire(client: Any) -> None:
    for key in client.keys("hw:*:held"):
        client.delete(key)


@every_projection
@pytest.mark.parametrize(
    "mend",
    [lambda projector: rebuild([projector]), lambda projector: projector.project([])],
    ids=["rebuilds again", "projects on"],
)
@some_writes
def test_a_rebuild_killed_at_any_write_is_completed_by_another_projector(
    projection, expected, kill, mend, step
):
    client = stored()
    projector_of(client, projection).project(entries(client, projection))
    for writes in range(0, 10_000, step):
        kill(writes)
        try:
            rebuild([projector_of(client, projection)])
            break
        except Killed:
            kill(1 << 30)
            let_holds_expire(client)
            mend(projector_of(client, projection))
            assert contents(client, projection) == expected[projection.name], writes
    kill(1 << 30)
    assert contents(client, projection) == expected[projection.name]


# ------------------------------------------------------------------------------------------- lag


def test_every_feed_reader_has_a_lag(client):
    entered = sum(not commit.is_quiet for commit in played())
    service: Service = service_on(client)
    assert set(lags(service.feed)) == set(GROUPS)
    feed, projector = RedisFeed(client=client), projector_of(client, LEDGER)
    assert lags(feed)[RESULTS].entries == entered
    asked: dict[str, Any] = {"group": RESULTS, "consumer": "one", "partitions": feed.partitions}
    found = feed.read(**asked, count=1_000, block_ms=0)
    projector.project(found)
    assert lags(feed)[RESULTS].entries == entered
    feed.ack(RESULTS, found)
    assert (lags(feed)[RESULTS].entries, lags(feed)["lobby"].entries) == (0, entered)


def test_an_unreplayable_log_does_not_block_others(capsys):
    world = World()
    for table in ("broken", "whole"):
        world.table("ada", "bo", table=table, start=False)
    (key,) = world.client.keys("hw:{p??}:table:broken")
    world.client.delete(key)
    for version in (1, 2, 3):
        nonsense = {"type": "nonsense", "data": "{}", "at": 1, "by": "host", "cmd": "c", "hash": "f"}
        world.client.xadd(key, nonsense, id=f"{version}-0")
    projector_of(world.client, LOBBY).project(world.read("lobby"))

    kept = {stream.id for snapshot in contents(world.client, LOBBY) for stream in snapshot.applied}
    assert kept == {"whole"}
    assert "stream=table:broken" in capsys.readouterr().out
