"""The audit finds tables that were rated wrongly, twice or not at all."""

from typing import Any

import msgspec
import pytest

from hoodwink.domain.ratings import RatedTableVoided, TableRated
from hoodwink.domain.tables.commands import Resign, VoidTable
from hoodwink.domain.tables.proving.log import (
    GENESIS,
    chain_hash,
    chain_key,
)
from hoodwink.service.adapters.store.packing import unpacked
from hoodwink.service.application.audit.difference import Difference
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.rating import RATER
from tests.service.application.audits import differences as audited
from tests.service.application.world import World

BLINDSIDE = StreamId("ratings", "blindside")


@pytest.fixture
def world():
    """Three rated tables, one of them voided, one that does not count, and one in play."""
    world = World()
    for number, party in enumerate(
        (("ada", "bo"), ("ada", "bot", "cy"), ("bo", "cy"), ("ada", "bot", "bot"))
    ):
        table = world.table(*party, table=f"t{number}")
        for seat in [0, 2] if "bot" in party[:2] and "cy" in party else [0]:
            world.do(table, Resign(seat), by=f"player:{seat}")
    world.settle()
    rate(world)
    world.do("t2", VoidTable("olga", "The wrong people sat down."), by="admin")
    rate(world)
    world.table("ada", "cy", table="lively")
    return world


def rate(world: World) -> None:
    world.service.rater.rate(world.read(RATER))


def audit(world: World) -> list[Difference]:
    return audited(world.service, "ratings")


def records(world: World) -> list[dict[str, Any]]:
    """Returns the stored events of the rating stream."""
    key = world.service.store._keys.stream(BLINDSIDE)
    return [
        {name.decode(): unpacked(value) for name, value in fields.items()}
        for _, fields in world.client.xrange(key)
    ]


def rewrite_ratings(world: World, events: list[dict[str, Any]]) -> None:
    """Rewrites the rating stream with a valid hash chain."""
    key, head = world.service.store._keys.stream(BLINDSIDE), GENESIS
    world.client.delete(key)
    for version, event in enumerate(events, start=1):
        head = chain_hash(
            chain_key(""),
            head,
            version,
            event["type"],
            int(event["at"]),
            event["by"],
            event["cmd"],
            event["data"].encode(),
        )
        world.client.xadd(key, event | {"hash": head}, id=f"{version}-0")


def test_correct_ratings_have_no_differences(world):
    looked_at: list[StreamId] = []
    assert audited(world.service, "ratings", done=looked_at.append) == []
    assert sorted(stream.id for stream in looked_at if stream.category == "table") == [
        "lively",
        "t0",
        "t1",
        "t2",
        "t3",
    ]
    assert [entry["type"] for entry in records(world)] == [TableRated.wire] * 3 + [RatedTableVoided.wire]


def test_an_altered_place_is_found_despite_a_valid_chain(world):
    events = records(world)
    data = msgspec.json.decode(events[0]["data"])
    data["seats"][0]["place"] = 1
    rewrite_ratings(world, [events[0] | {"data": msgspec.json.encode(data).decode()}, *events[1:]])
    (found,) = audit(world)
    assert found.location == "blindside, event 1"
    assert '"place":1' in found.live
    assert found.live != found.replayed


def test_a_rated_player_who_took_no_part_is_found(world):
    events = records(world)
    assert '"took_part":false' in events[1]["data"]
    rewrite_ratings(
        world, [events[0], events[1] | {"data": events[1]["data"].replace("false", "true")}, *events[2:]]
    )
    (found,) = audit(world)
    assert found.location == "blindside, event 2"


def test_an_altered_event_breaks_the_chain(world):
    key = world.service.store._keys.stream(BLINDSIDE)
    events = records(world)
    world.client.delete(key)
    for version, event in enumerate(events, start=1):
        world.client.xadd(key, event | ({"at": "1"} if version == 2 else {}), id=f"{version}-0")
    (found,) = audit(world)
    assert found.location == "blindside, event 2, hash"


def test_a_table_rated_twice_is_found(world):
    events = records(world)
    rewrite_ratings(world, [*events, events[1]])
    (found,) = audit(world)
    assert (found.location, found.replayed) == ("blindside, event 5", None)


def test_uncountable_tables_and_unknown_events_are_found(world):
    events = records(world)
    stranger = events[0] | {"data": events[0]["data"].replace("t0", "t3")}
    rewrite_ratings(world, [*events, stranger, events[0] | {"type": "ratings.table_lost"}])
    found = sorted(audit(world), key=lambda difference: difference.location)
    assert [difference.location for difference in found] == ["blindside, event 5", "blindside, event 6"]
    assert found[1].live == "ratings.table_lost"


def test_a_voided_table_still_rated_is_found(world):
    events = records(world)
    rewrite_ratings(world, events[:-1])
    world.client.hdel(world.service.store._keys.commands(BLINDSIDE), events[-1]["cmd"])
    (found,) = audit(world)
    assert (found.location, found.live) == ("blindside, table t2", None)


def test_a_new_policy_version_keeps_old_ratings_valid(world, monkeypatch):
    monkeypatch.setattr("hoodwink.service.application.projecting.rating.VERSIONS", {"random": 2, "steady": 2})
    assert "random@2" in records(world)[1]["data"]
    assert audit(world) == []


def test_pending_ratings_are_no_difference(world):
    world.do("lively", Resign(0), by="player:0")
    assert [difference.location for difference in audit(world)] == ["blindside, table lively"]
    rate(world)
    assert audit(world) == []


def test_an_unreplayable_log_is_left_to_the_log_audit(world):
    (key,) = world.client.keys("hw:{p??}:table:lively")
    nonsense = {"type": "nonsense", "data": "{}", "at": 1, "by": "host", "cmd": "c", "hash": "f"}
    world.client.xadd(key, nonsense, id=f"{world.now_at('lively').version + 1}-0")
    assert audit(world) == []
