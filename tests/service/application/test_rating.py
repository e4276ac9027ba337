"""Each table enters its game's rating stream once, despite repeated entries and killed processes (R-3)."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from hoodwink.domain.projections import LEADERBOARDS, snapshot_key
from hoodwink.domain.ratings import RatedTableVoided, TableRated
from hoodwink.domain.tables.commands import (
    AbandonTable,
    Resign,
    VoidTable,
)
from hoodwink.domain.tables.events import TableVoided
from hoodwink.service.application.ports import Commit, FeedEntry, StreamId
from hoodwink.service.application.projecting.projecting import rebuild
from hoodwink.service.application.projecting.projections import ProjectionSnapshot
from hoodwink.service.application.projecting.rating import RATER, Rater
from tests.service.application.faults import Killed
from tests.service.application.world import Recorder, StandingClock, World, service_on
from tests.service.databases import new_redis

PARTIES = (
    ("blindside", "ada", "bo"),
    ("coconut", "bo", "cy"),
    ("blindside", "bo", "cy", "dan"),
    ("blindside", "ada", "bot", "cy"),
    ("coconut", "ada", "cy"),
    ("blindside", "dan", "ada"),
    ("blindside", "ada", "bot", "bot"),
    ("blindside", "dan", "cy"),
)
"""Game and players; at all but the seventh at least two different ones are rated."""

VOIDED = ("t0", "t2")
UNRATED = "t6"
some_deliveries = pytest.mark.parametrize("deliveries", [15, pytest.param(100, marks=pytest.mark.campaign)])
LEADERBOARD = LEADERBOARDS.name


def played(*abandoned: str) -> list[Commit]:
    """Returns the commits of ended tables, some without result, two voided."""
    client = new_redis()
    recorder = Recorder(client)
    world = World(client, given={"store": recorder})
    for number, (game, *players) in enumerate(PARTIES):
        table = world.table(*players, table=f"t{number}", game=game)
        if table in abandoned:
            world.do(table, AbandonTable(), by="worker")
            continue
        people = [seat for seat, player in enumerate(players) if player != "bot"]
        for seat in people if "bot" in players else people[1:]:
            world.do(table, Resign(seat), by=f"player:{seat}")
    world.settle()
    for table in VOIDED:
        if table not in abandoned:
            world.do(table, VoidTable("olga", "The wrong people sat down."), by="admin")
    return recorder.commits


COMMITS = played()


def stored(commits: list[Commit] = COMMITS) -> Any:
    """Returns a Redis with all these commits appended."""
    client = new_redis()
    store = service_on(client).store
    for commit in commits:
        store.append(commit)
    return client


def entries(client: Any, group: str = RATER) -> list[FeedEntry]:
    """Returns the feed entries for a new reader."""
    feed = service_on(client).feed
    return feed.read(group=group, consumer="one", partitions=feed.partitions, count=1_000, block_ms=0)


def new_rater(client: Any) -> Rater:
    """Returns a rater of a new process with an empty cache."""
    return service_on(client, StandingClock()).rater


def streams(client: Any) -> dict[str, list[Any]]:
    """Returns the events of every rating stream."""
    store = service_on(client).store
    kinds: dict[str, Any] = {kind.wire: kind for kind in (TableRated, RatedTableVoided)}
    return {
        stream.id: [msgspec.json.decode(entry.data, type=kinds[entry.type]) for entry in store.read(stream)]
        for stream in store.streams("ratings")
    }


def contents(client: Any) -> tuple[ProjectionSnapshot, ...]:
    store = service_on(client).projection_store
    return tuple(store.contents(LEADERBOARD, partition) for partition in store.partitions)


def rows(client: Any) -> list[tuple[dict[str, bytes], dict[str, dict[str, int]]]]:
    """Returns everything in leaderboards and rating histories."""
    ladder = snapshot_key("blindside")  # contains the version of the stream, which a void raises
    return [
        (
            {key: row for key, row in snapshot.rows.items() if key != ladder},
            {name: members for name, members in snapshot.indexes.items() if members},
        )
        for snapshot in contents(client)
    ]


def forget(client: Any, *patterns: str) -> None:
    for pattern in patterns:
        for key in client.keys(pattern):
            client.delete(key)


def check(found: dict[str, list[Any]]) -> None:
    """Asserts that each table was rated once, and that voided tables were voided after their rating or never rated."""
    for game, events in found.items():
        kinds = Counter((event.wire, event.table) for event in events)
        assert set(kinds.values()) == {1}
        voided = [event.table for event in events if isinstance(event, RatedTableVoided)]
        rated = [event.table for event in events if isinstance(event, TableRated)]
        names = {f"t{number}" for number, (played, *_) in enumerate(PARTIES) if played == game}
        assert names - {UNRATED, *VOIDED} <= set(rated) <= names - {UNRATED}
        assert set(voided) == set(rated) & set(VOIDED)
        for table in voided:
            assert kinds[TableRated.wire, table]
            order = [event.table for event in events]
            assert order.index(table) < len(order) - 1 - order[::-1].index(table)


def test_r_3_a_rating_stream_contains_seats_and_places_of_tables():
    client = new_redis()
    world = World(client)
    table = world.table("ada", "bo", "cy")
    world.do(table, Resign(1), by="player:1")
    world.service.rater.rate(world.read(RATER))
    assert streams(client) == {}
    world.do(table, Resign(0), by="player:0")
    ended = world.now_at(table).version - 1
    world.service.rater.rate(world.read(RATER))
    world.do(table, VoidTable("olga", "The wrong people sat down."), by="admin")
    world.service.rater.rate(world.read(RATER))
    (rated, voided) = streams(client)["blindside"]
    assert [(seat.player, seat.place) for seat in rated.seats] == [("ada", 2), ("bo", 3), ("cy", 1)]
    assert [seat.took_part for seat in rated.seats] == [False, False, False]
    assert (rated.table, rated.version) == (table, ended)
    assert voided == RatedTableVoided("blindside", table, ended + 2)


def test_r_1_a_table_voided_before_rating_is_not_entered():
    client = stored()
    new_rater(client).rate(entries(client))
    tables = {event.table for events in streams(client).values() for event in events}
    assert tables.isdisjoint(VOIDED)
    assert UNRATED not in tables


VOIDS = [commit for commit in COMMITS if commit.entries[0].type == TableVoided.wire]


def delivered_at_random(client: Any, kill: Any, seed: int) -> None:
    """Delivers the feed in any order and repeatedly to raters, kills some of them, and voids tables."""
    chance, waiting = Random(seed), entries(client)
    again, voids = list(waiting), list(VOIDS)
    waiting += chance.sample(waiting, len(waiting) // 2)
    chance.shuffle(waiting)
    rater = new_rater(client)
    while waiting or voids:
        if voids and chance.random() < 0.2:
            service_on(client).store.append(voids.pop())
            found = entries(client)
            again += found
            waiting = chance.sample(waiting + found, len(waiting) + len(found))
        kill(chance.choice([0, 1, 2, 5, 1 << 30]))
        try:
            rater.rate(waiting[: chance.randint(1, 9)])
        except Killed:
            rater = new_rater(client)
        kill(1 << 30)
        del waiting[: chance.randint(1, 9)]
    new_rater(client).rate(again)


@some_deliveries
def test_r_3_each_table_is_rated_once_in_shuffled_deliveries_with_kills(kill, deliveries):
    rated = Counter[str]()
    for seed in range(deliveries):
        client = stored([commit for commit in COMMITS if commit not in VOIDS])
        delivered_at_random(client, kill, seed)
        found = streams(client)
        check(found)
        rated.update({event.table for events in found.values() for event in events})
    assert all(0 < rated[table] < deliveries for table in VOIDED), (
        "some were rated before they were voided, not all"
    )


@some_deliveries
def test_r_3_one_stream_gives_the_same_bytes_in_shuffled_deliveries_with_kills(kill, deliveries):
    client = stored()
    before_voids = [entry for entry in entries(client) if TableVoided.wire not in entry.types]
    store = service_on(client).store
    delivered_in_order(client, before_voids)
    feed = entries(client, LEADERBOARD)
    assert {stream.id for stream in store.streams("ratings")} == {"blindside", "coconut"}
    expected: tuple[ProjectionSnapshot, ...] | None = None
    for seed in range(deliveries):
        chance, waiting = Random(seed), feed * 2
        chance.shuffle(waiting)
        forget(client, f"hw:*:{LEADERBOARD}:*")
        projector = service_on(client).projectors[LEADERBOARD]
        while waiting:
            count = chance.randint(1, 9)
            kill(chance.choice([0, 1, 2, 1 << 30]))
            try:
                projector.project(waiting[:count])
            except Killed:
                projector = service_on(client).projectors[LEADERBOARD]
            del waiting[:count]
        kill(1 << 30)
        service_on(client).projectors[LEADERBOARD].project(feed)
        expected = expected or contents(client)
        assert contents(client) == expected


def delivered_in_order(client: Any, ends: list[FeedEntry]) -> None:
    """Rates the tables before any void, and then delivers all other events."""
    rater = new_rater(client)
    versions = {entry.stream: entry.version for entry in ends}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rater._event_reader, "version", versions.__getitem__)
        rater.rate(ends)
    rater.rate(ends)


@pytest.mark.parametrize("victim", VOIDED)
def test_v_2_a_void_leaves_ratings_as_if_without_result(victim):
    others = [table for table in VOIDED if table != victim]
    with_void = [commit for commit in COMMITS if not is_void_of(commit, others)]
    without = [commit for commit in played(victim) if not is_void_of(commit, others)]
    found = []
    for commits in (with_void, without):
        client = stored(commits)
        delivered_in_order(client, in_order_of_tables(entries(client)))
        entered = {event.table for events in streams(client).values() for event in events}
        assert (victim in entered) is (commits is with_void)
        service_on(client).projectors[LEADERBOARD].project(entries(client, LEADERBOARD))
        found.append(rows(client))
    assert found[0] == found[1]
    assert any(snapshot for snapshot, _ in found[0])


def is_void_of(commit: Commit, tables: list[str]) -> bool:
    return commit.stream.id in tables and commit.entries[0].type == TableVoided.wire


def in_order_of_tables(delivered: list[FeedEntry]) -> list[FeedEntry]:
    """Returns the ends of the tables in the same order for all worlds."""
    ends = [entry for entry in delivered if "table.ended" in entry.types]
    return sorted(ends, key=lambda entry: entry.stream.id)


def test_r_3_two_raters_together_rate_a_table_once(monkeypatch):
    client = stored()
    rater, faster = new_rater(client), new_rater(client)
    delivered = entries(client)
    append, overtaken = rater._store.append, list[bool]()

    def append_late(commit: Commit) -> Any:
        if not overtaken:
            overtaken.append(True)
            faster.rate(delivered)
        return append(commit)

    monkeypatch.setattr(rater._store, "append", append_late)
    rater.rate(delivered)
    assert overtaken
    check(streams(client))


def test_v_2_a_table_voided_during_rating_is_removed_again(monkeypatch):
    client = new_redis()
    world = World(client)
    table = world.table("ada", "bo")
    world.do(table, Resign(1), by="player:1")
    one, other = world.service.rater, new_rater(client)
    append, voided = one._store.append, list[bool]()

    def append_late(commit: Commit) -> Any:
        if not voided:
            voided.append(True)
            world.do(table, VoidTable("olga", "The wrong people sat down."), by="admin")
            other.rate(world.read(RATER))
        return append(commit)

    monkeypatch.setattr(one._store, "append", append_late)
    one.rate(world.read(RATER) or entries(client))
    assert voided
    assert [event.wire for event in streams(client)["blindside"]] == [TableRated.wire, RatedTableVoided.wire]


def test_an_unreplayable_table_does_not_block_ratings(capsys):
    client = stored()
    delivered = entries(client)
    (key,) = client.keys("hw:{p??}:table:t5")
    client.delete(key)
    for version in range(1, 9):
        nonsense = {"type": "nonsense", "data": "{}", "at": 1, "by": "host", "cmd": "c", "hash": "f"}
        client.xadd(key, nonsense, id=f"{version}-0")
    new_rater(client).rate(delivered)
    assert {event.table for event in streams(client)["blindside"]} == {"t3", "t7"}
    assert "table=t5" in capsys.readouterr().out


def test_a_rolled_back_rating_stream_continues_from_its_end():
    world = World()
    rater, store, stream = world.service.rater, world.service.store, StreamId("ratings", "blindside")
    leaderboards = world.service.projectors[LEADERBOARD]
    for table in ("t1", "t2"):
        world.table("ada", "bo", table=table)
        world.do(table, Resign(1), by="player:1")
        rater.rate(world.read(RATER))
    leaderboards.project(world.read(LEADERBOARD))
    key, commands = store._keys.stream(stream), store._keys.commands(stream)
    ((_, fields), _) = world.client.xrange(key)
    world.client.delete(key, commands)
    world.client.xadd(key, fields, id="1-0")
    world.table("ada", "bo", table="t3")
    world.do("t3", Resign(1), by="player:1")
    rater.rate(world.read(RATER))
    assert [event.table for event in streams(world.client)["blindside"]] == ["t1", "t3"]
    leaderboards.project(world.read(LEADERBOARD))
    after = contents(world.client)
    forget(world.client, f"hw:*:{LEADERBOARD}:*")
    rebuild([service_on(world.client).projectors[LEADERBOARD]])
    assert contents(world.client) == after
    assert {"t1", "t3"} == {key for snapshot in after for key in snapshot.rows if ":" not in key}
