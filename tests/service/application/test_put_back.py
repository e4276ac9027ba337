"""Projections after Redis was rolled back to an older state than the caches."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from hoodwink.domain.projections import LEDGER, LOBBY, PROJECTIONS, Projection
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.state import Phase, turn_of
from hoodwink.service.adapters.redis.gathering import gather
from hoodwink.service.adapters.store.feeds.feed import RedisFeed
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.projections.holds import Hold
from hoodwink.service.application.ports import FeedEntry, StreamId
from hoodwink.service.application.projecting.projecting import GROUPS, Projector, rebuild
from hoodwink.service.application.projecting.projections import ProjectionSnapshot
from hoodwink.service.application.streams.event_reader import EventReader
from tests.service.application.faults import Killed
from tests.service.application.test_projections import (
    contents,
    every_projection_of_tables,
    let_holds_expire,
    projector_of,
)
from tests.service.application.world import EventfulClock, StandingClock, World, service_on
from tests.service.databases import new_redis

Snapshot = dict[bytes, bytes]


def snapshot(client: Any) -> Snapshot:
    return {key: client.dump(key) for key in client.keys("*")}


def entries(client: Any, projection: Projection) -> list[FeedEntry]:
    """Returns all entries for a reader that never acknowledges any."""
    feed, found = RedisFeed(client=client), list[FeedEntry]()
    asked: dict[str, Any] = {"consumer": "one", "partitions": feed.partitions, "block_ms": 0}
    while more := feed.read(group=projection.name, count=1_000, **asked):
        found += more
    return found


def put_back(client: Any, earlier: Snapshot) -> None:
    client.flushdb()
    for key, value in earlier.items():
        client.restore(key, 0, value)


def play(client: Any, rounds: int, *, chance: int, table: str = "t1") -> None:
    """Plays up to `rounds` rounds at a table, with new services without cache."""
    world = World(client)
    world.clock.now += 1_000 * chance
    world._chance = Random(chance)
    world.settle()
    until = world.now_at(table).rounds_scored + rounds
    while (now := world.now_at(table)).phase is not Phase.ENDED and now.rounds_scored < until:
        seat = turn_of(now).owes[0]
        world.do(table, commands.Act(seat, world.choice(table, seat)), by=f"player:{seat}")
        world.settle()


@pytest.fixture
def client():
    """A Redis with a table after one of four rounds."""
    client = new_redis()
    World(client).table("ada", "bo", rounds=4)
    play(client, 1, chance=1)
    return client


def right(client: Any, projection: Projection) -> Any:
    """Returns the contents of the projection built from the current streams."""
    copy = new_redis()
    put_back(copy, snapshot(client))
    for key in copy.keys(f"hw:*:{projection.name}:*"):
        copy.delete(key)
    service_on(copy).feed.keep(set(GROUPS) - {projection.name})
    for entry in entries(copy, projection):
        projector_of(copy, projection).project([entry])
    return contents(copy, projection)


def before_applying(projector: Projector, happens: Callable[[], None], monkeypatch: Any) -> None:
    """Calls a function right before the projector applies the events it read."""
    apply, happened = projector.target.apply, list[bool]()

    def apply_late(*given: Any, **named: Any) -> bool:
        if not happened:
            happened.append(True)
            happens()
        return apply(*given, **named)

    monkeypatch.setattr(projector.target, "apply", apply_late)


@every_projection_of_tables
def test_vanished_events_are_not_applied(client, projection, monkeypatch):
    earlier = snapshot(client)
    play(client, 3, chance=2)
    projector = projector_of(client, projection)
    before_applying(projector, lambda: put_back(client, earlier), monkeypatch)
    projector.project(entries(client, projection))
    assert contents(client, projection) == right(client, projection)


@every_projection_of_tables
def test_vanished_events_read_for_others_are_not_applied(client, projection, monkeypatch):
    """The projectors of a process share a batch per entry; the store may be rolled back between two of them."""
    earlier = snapshot(client)
    play(client, 3, chance=2)
    delivered = entries(client, projection)
    others = [followed for followed in PROJECTIONS if followed.name != projection.name]
    projector = projector_of(client, projection)
    for other in others:
        reader = Projector(
            projection=other,
            event_reader=projector.event_reader,
            target=projector.target,
            clock=StandingClock(),
            gather=gather,
        )
        reader.project(delivered)
    put_back(client, earlier)
    projector.project(delivered)
    assert contents(client, projection) == right(client, projection)


def seat_player(client: Any, player: str) -> Any:
    """Seats a player in the second seat of another table."""
    world = World(client)
    world.do("t2", commands.TakeSeat(player=player, policy=None, seat=1), by="player:1")
    return world


@pytest.fixture
def waiting(client):
    """The same Redis with another table, whose second seat is free."""
    World(client).table("ada", "bo", table="t2", start=False, rounds=1)
    World(client).do("t2", commands.LeaveSeat(1), by="player:1")
    return client


@every_projection_of_tables
def test_a_projector_caching_another_history_starts_again(waiting, projection):
    client, earlier = waiting, snapshot(waiting)
    projector = projector_of(client, projection)
    seat_player(client, "zed")
    projector.project(entries(client, projection))
    put_back(client, earlier)
    seat_player(client, "cy").do("t2", commands.StartTable(), by="host")
    projector_of(client, projection).project(entries(client, projection))  # another process is faster
    play(client, 1, chance=3, table="t2")
    projector.project(entries(client, projection))
    assert contents(client, projection) == right(client, projection)


# ------------------------------------------------------------------------------- reports


class Reports(list[tuple[str, int, int]]):
    """The reported rollbacks: the table, and the first and last vanished version."""

    def notice(self, stream: StreamId, *, first: int, last: int) -> None:
        self.append((stream.id, first, last))


@pytest.fixture
def reports() -> Reports:
    return Reports()


def projectors(client: Any, reports: Reports) -> list[Projector]:
    """Returns the projectors of one process."""
    service = service_on(client)
    event_reader = EventReader(service.store, rollbacks=reports)
    return [
        Projector(
            projection=projection,
            event_reader=event_reader,
            target=service.projection_store,
            clock=service.clock,
            gather=gather,
        )
        for projection in PROJECTIONS
    ]


def project(client: Any, projectors: list[Projector]) -> None:
    for projector, projection in zip(projectors, PROJECTIONS, strict=True):
        projector.project(entries(client, projection))


def applied(client: Any) -> int:
    """Returns the version reached by the projections."""
    return service_on(client).projection_store.applied("lobby", StreamId("table", "t1"))


def test_a_process_reports_vanished_events_once(client, reports):
    process = projectors(client, reports)
    project(client, process)
    earlier, stayed = snapshot(client), World(client).now_at("t1").version
    play(client, 1, chance=2)
    project(client, process)
    vanished = applied(client)
    put_back(client, earlier)
    project(client, process)
    assert reports == []  # the table was not read
    play(client, 2, chance=5)
    project(client, process)
    assert reports == [("t1", stayed + 1, vanished)]


def test_vanished_events_are_reported_even_if_the_table_grew_longer(client, reports):
    process = projectors(client, reports)
    earlier, stayed = snapshot(client), World(client).now_at("t1").version
    play(client, 1, chance=2)
    project(client, process)
    vanished = applied(client)
    put_back(client, earlier)
    play(client, 3, chance=5)
    rebuild([process[0]])
    assert reports == [("t1", stayed + 1, vanished)]


def test_nothing_is_reported_without_vanished_events(client, reports):
    process = projectors(client, reports)
    project(client, process)
    for _ in range(2):
        play(client, 1, chance=2)
        project(client, process)
        rebuild([process[0]])
    assert reports == []


# ---------------------------------------------------------------------------- marks of another history


def restore_streams_only(client: Any, projection: Projection) -> None:
    """Rolls back the streams but not the projection, and appends other events."""
    earlier = snapshot(client)
    play(client, 3, chance=2)
    projector_of(client, projection).project(entries(client, projection))
    kept = {key: value for key, value in snapshot(client).items() if f":{projection.name}:".encode() in key}
    put_back(client, {key: value for key, value in earlier.items() if key not in kept} | kept)
    play(client, 3, chance=3)


@every_projection_of_tables
def test_a_partition_with_a_projection_of_another_history_is_rebuilt(client, projection):
    World(client).table("ada", "bo", table=neighbour_of("t1"), start=False)
    restore_streams_only(client, projection)
    assert contents(client, projection) != right(client, projection)
    projector_of(client, projection).project(entries(client, projection))
    assert contents(client, projection) == right(client, projection)


def neighbour_of(table: str) -> str:
    """Returns the id of another table in the same partition."""
    keys = Keys(16)
    there = keys.partition(StreamId("table", table))
    return next(name for name in map(str, range(1_000)) if keys.partition(StreamId("table", name)) == there)


@every_projection_of_tables
def test_a_vanished_table_is_removed_from_the_partition(client, projection):
    play(client, 3, chance=2)
    neighbour = neighbour_of("t1")
    World(client).table("ada", "bo", table=neighbour, start=False)
    projector_of(client, projection).project(entries(client, projection))
    client.delete(*client.keys("hw:*:table:t1"))
    World(client).table("ada", "cy", rounds=1)  # another table with the same id
    play(client, 1, chance=3)
    projector_of(client, projection).project(entries(client, projection))
    assert contents(client, projection) == right(client, projection)
    assert World(client).now_at(neighbour).version == 3


@every_projection_of_tables
def test_two_projectors_can_rebuild_a_partition_together(client, projection, monkeypatch):
    restore_streams_only(client, projection)
    one, other = projector_of(client, projection), projector_of(client, projection)
    delivered = entries(client, projection)
    read, met = one.event_reader.read, list[bool]()

    def read_late(*given: Any, **named: Any) -> Any:
        if not met:
            met.append(True)
            other.project(delivered)
        return read(*given, **named)

    monkeypatch.setattr(one.event_reader, "read", read_late)
    one.project(delivered)
    assert met
    assert contents(client, projection) == right(client, projection)
    assert client.keys("hw:*:rebuilding") == client.keys("hw:*:held") == []


@every_projection_of_tables
def test_a_projector_killed_during_a_rebuild_leaves_no_trace(projection, kill, client):
    restore_streams_only(client, projection)
    earlier, expected = snapshot(client), right(client, projection)
    delivered = entries(client, projection)
    for writes in range(1_000):
        kill(1 << 30)
        put_back(client, earlier)
        kill(writes)
        try:
            projector_of(client, projection).project(delivered)
            break
        except Killed:
            kill(1 << 30)
            let_holds_expire(client)
            projector_of(client, projection).project(delivered)
            assert contents(client, projection) == expected, writes
    kill(1 << 30)
    assert writes > 5


def test_only_the_projection_of_a_rebuilt_partition_waits(client):
    service, looks = service_on(client), list[int]()
    store = service.projection_store
    hold = Hold(store._transport, store._keys, "lobby", store.partition(StreamId("table", "t1")))
    hold.take("read", wait_seconds=0)

    def look() -> None:
        looks.append(len(looks))
        assert not any(partition.applied for partition in state(client, LOBBY))
        if len(looks) == 3:
            hold.release()

    clock = EventfulClock(look)
    projector_of(client, LEDGER, clock).project(entries(client, LEDGER))
    assert not looks
    projector_of(client, LOBBY, clock).project(entries(client, LOBBY))
    assert len(looks) == 3
    assert contents(client, LOBBY) == right(client, LOBBY)


def state(client: Any, projection: Projection) -> list[ProjectionSnapshot]:
    """Returns the contents of a projection without locks."""
    copy = new_redis()
    put_back(copy, {key: value for key, value in snapshot(client).items() if not key.endswith(b":held")})
    return list(contents(copy, projection))
