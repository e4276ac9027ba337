"""The audit reports wrong and missing due times."""

import pytest

from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.state import turn_of
from hoodwink.service.application.audit.difference import Difference
from hoodwink.service.application.audit.due_audit import DueRecord
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.work.due import Due, DueKind
from tests.service.application.audits import differences as audited
from tests.service.application.world import HOUR_MS, NOW, EventfulClock, World, service_on


@pytest.fixture
def world(played):
    return played.copy()


@pytest.fixture(scope="module")
def played():
    """Tables of all kinds with correct due times."""
    world = World()
    world.table("bot", "bot", table="over")
    world.settle()
    world.table("ada", "bo", table="open", start=False)
    world.table("ada", "bo", table="people")
    world.table("ada", "bo", table="hurried", turn_seconds=30)
    world.table("ada", "bot", table="mixed", turn_seconds=30)
    world.settle()
    world.table("bot", "bot", table="bots")
    world.dispatch()
    return world


def differences(world: World) -> list[Difference]:
    return audited(world.service, "due times")


def forge(world: World, kind: DueKind, table: str, version: int, at: int | None) -> None:
    """Overwrites a record."""
    versions, *times = world.service.due_times._keys_of(kind, table)
    for key in times:
        world.client.zrem(key, table)
    world.client.hdel(versions, table)
    if at is not None:
        world.client.zadd(times[0], {table: at})
        world.client.hset(versions, table, version)


def test_correct_due_times_have_no_differences(world):
    assert differences(world) == []
    assert world.service.due_times.find("work", "hurried").at == NOW + 30_000


def test_a_missing_due_time_is_reported(world):
    forge(world, "work", "bots", 1, None)
    forge(world, "work", "hurried", 1, None)
    forge(world, "rest", "people", 1, None)
    assert sorted(differences(world), key=lambda difference: difference.location) == [
        Difference("due", "rest, table:people", None, f"clock:{NOW + 24 * HOUR_MS}"),
        Difference("due", "work, table:bots", None, "work"),
        Difference("due", "work, table:hurried", None, f"clock:{NOW + 30_000}"),
    ]


def test_a_wrong_clock_is_reported(world):
    forge(world, "work", "hurried", 2, NOW + 29_999)
    (found,) = differences(world)
    assert (found.live, found.replayed) == (f"clock:{NOW + 29_999} of version 2", f"clock:{NOW + 30_000}")


def test_postponed_work_is_reported(world):
    forge(world, "work", "bots", 2, NOW + 1)
    (found,) = differences(world)
    assert (found.location, found.replayed) == ("work, table:bots", "work")


def test_a_forever_postponed_abandonment_is_reported(world):
    forge(world, "rest", "people", 2, NOW + 25 * HOUR_MS)
    assert [difference.location for difference in differences(world)] == ["rest, table:people"]


@pytest.mark.parametrize("at", [None, NOW + 25 * HOUR_MS], ids=["missing", "too late"])
def test_g_17_a_table_that_would_never_expire_is_reported(world, at):
    forge(world, "rest", "open", 1, at)
    assert [(difference.location, difference.replayed) for difference in differences(world)] == [
        ("rest, table:open", f"clock:{NOW + 24 * HOUR_MS}")
    ]


def test_work_at_an_open_table_is_reported(world):
    forge(world, "work", "open", 1, NOW)
    assert [difference.location for difference in differences(world)] == ["work, table:open"]


@pytest.mark.parametrize("kind", ["work", "rest"])
@pytest.mark.parametrize("table", ["over", "nowhere"])
def test_a_superfluous_due_time_is_reported(world, kind, table):
    forge(world, kind, table, 1, NOW)
    assert [(difference.location, difference.replayed) for difference in differences(world)] == [
        (f"{kind}, table:{table}", None)
    ]


def test_a_version_beyond_the_table_is_reported(world):
    times = world.service.due_times
    forge(world, "work", "bots", 99, NOW)
    assert [difference.live for difference in differences(world)] == [f"clock:{NOW} of version 99"]
    assert times.find("work", "bots") == DueRecord(NOW, 99)


def test_an_earlier_version_is_reported_while_there_is_work(world):
    at = world.service.due_times.find("work", "hurried").at
    forge(world, "work", "hurried", 1, at)
    assert [difference.live for difference in differences(world)] == [f"clock:{at} of version 1"]


def test_a_damaged_version_is_reported_and_replaced(world):
    versions, *_ = world.service.due_times._keys_of("work", "over")
    world.client.hset(versions, "over", "1x")
    assert [difference.live for difference in differences(world)] == ["damaged"]
    world.service.due_audit().rebuild()
    assert differences(world) == []
    assert world.service.due_times.find("work", "over").version == world.now_at("over").version


def test_an_earlier_version_without_due_work_is_accepted():
    world = World()
    entries = []
    world.table("bot", "bot", table="over")
    world.table("ada", "bot", table="people")
    while noted := world.dispatch():
        entries += noted
        world.work()
    for key in world.client.keys("hw:*:due:*:versions"):
        world.client.hset(key, mapping=dict.fromkeys(world.client.hkeys(key), 1))
    assert differences(world) == []
    world.dispatch(entries[:-1])
    world.settle()
    world.clock.now += 48 * HOUR_MS
    world.dispatcher.tick()
    world.settle()
    assert differences(world) == []
    assert world.is_valid("over")


def test_half_a_record_is_reported(world):
    for key in world.client.keys("hw:*:due:work:versions"):
        world.client.delete(key)
    assert {difference.location for difference in differences(world)} == {
        "work, table:bots",
        "work, table:hurried",
        "work, table:mixed",
    }


def test_a_due_time_recorded_during_the_audit_is_no_difference(world):
    world.table("bot", "bot", table="late")
    assert [difference.location for difference in differences(world)] == ["work, table:late"]
    service = service_on(world.client, EventfulClock(world.dispatch))
    assert audited(service, "due times", patience_seconds=60) == []


def test_play_during_the_audit_of_due_times_is_no_difference(world):
    def play_on(_: object) -> None:
        for table in ("people", "hurried", "mixed"):
            now = world.now_at(table)
            for seat in turn_of(now).owes[:1]:
                world.do(table, Act(seat, world.choice(table, seat)), by=f"player:{seat}")
        world.settle()

    assert audited(world.service, "due times", done=play_on) == []


def test_an_unreplayable_log_is_left_to_the_log_audit(world):
    (stream,) = world.client.keys("hw:{p??}:table:bots")
    world.client.xadd(
        stream, {"type": "nonsense", "data": "{}", "at": 1, "by": "worker", "cmd": "c", "hash": "f"}, id="5-0"
    )
    assert differences(world) == []
    world.service.due_audit().rebuild()


# ------------------------------------------------------------------------------------- rebuilt


def dump(world: World) -> dict[bytes, object]:
    client = world.client
    read = {b"hash": client.hgetall, b"zset": lambda key: client.zrange(key, 0, -1, withscores=True)}
    return {key: read[client.type(key)](key) for key in client.keys("hw:*:due:*")}


def test_lost_due_times_are_recorded_again(world):
    looked_at: list[StreamId] = []
    for key in world.client.keys("hw:*:due:*"):
        world.client.delete(key)
    world.service.due_audit().rebuild(looked_at.append)
    assert differences(world) == []
    assert {stream.id for stream in looked_at} == {"over", "open", "people", "hurried", "mixed", "bots"}
    world.dispatcher.tick()
    world.work()
    assert world.is_valid("bots")


def test_wrong_due_times_are_corrected_at_any_version(world):
    for table in ("over", "open", "people", "hurried", "mixed", "bots", "nowhere"):
        forge(world, "work", table, 99, NOW + 7)
        forge(world, "rest", table, 99, NOW + 7)
    world.service.due_audit().rebuild()
    assert differences(world) == []
    assert world.service.due_times.backlogs(NOW)["bots"].recorded == 1


def test_correct_due_times_are_unchanged(world):
    before = dump(world)
    world.service.due_audit().rebuild()
    assert dump(world) == before


def test_due_times_recorded_during_the_repair_are_kept(world, monkeypatch):
    times = world.service.due_times
    record, noted = times.record, list[DueRecord]()

    def play_and_record(due):
        if "hurried" in due.get("work", {}) and not noted:  # it is about to be corrected
            world.clock.now += 1_000
            (seat, *_) = turn_of(world.now_at("hurried")).owes
            world.do("hurried", Act(seat, world.choice("hurried", seat)), by=f"player:{seat}")
            due_again = Due(world.now_at("hurried").version, "", NOW + 31_000)
            noted.append(DueRecord(due_again.at, due_again.version))
            record({"work": {"hurried": due_again}})
        record(due)

    forge(world, "work", "hurried", 1, None)
    monkeypatch.setattr(times, "record", play_and_record)
    world.service.due_audit().rebuild()
    assert [times.find("work", "hurried")] == noted
