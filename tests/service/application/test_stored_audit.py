"""The audit finds any damage to data derived from events."""

from typing import Any

import pytest

from hoodwink.domain.tables.proving.log import export_log
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.players.bots import Description
from hoodwink.service.application.ports import StreamId
from tests.service.adapters.commits import commit
from tests.service.application.audits import differences as audited
from tests.service.application.world import World

KEYS = Keys(16)
TABLE = StreamId("table", "over")


@pytest.fixture
def world(stored):
    return stored.copy()


@pytest.fixture(scope="module")
def stored():
    """A finished table, one in play, two players and an import."""
    world = World()
    players = world.service.players
    ada, bo = (players.register(name=name).player.id for name in ("Ada", "Bo"))
    world.table("bot", "bot", table="over")
    world.table(ada, bo, table="people")
    world.settle()
    log = export_log("over", world.service.tables.entries("over"), None)
    world.service.imports.add(log)
    players.register(name=None)
    return world


def differences(world: World) -> list[str]:
    return [difference.location for difference in audited(world.service, "records")]


def key_of(world: World, category: str) -> Any:
    return next(iter(world.client.scan_iter(match=KEYS.pattern(category))))


def test_an_intact_store_has_no_differences(world):
    looked_at: list[StreamId] = []
    assert audited(world.service, "records", done=looked_at.append) == []
    assert {stream.category for stream in looked_at} == {"table", "player", "import"}


def test_a_damaged_token_hash_is_found(world):
    key = key_of(world, "player")
    data = world.client.lindex(key, 1)
    world.client.lset(key, 1, data.replace(b'"token_hash":"', b'"token_hash":"f')[:-3] + b'"}')
    (found,) = differences(world)
    assert found.endswith("event 1, hash")


def test_a_command_missing_from_the_index_is_found(world):
    index = KEYS.commands(TABLE)
    (command, *_) = [name for name in world.client.hkeys(index) if name != b":head"]
    world.client.hdel(index, command)
    assert differences(world) == [f"table:over, command {command.decode()}"]


@pytest.mark.parametrize("name", [":head", "command"])
def test_a_damaged_entry_of_the_index_is_found(world, name):
    index = KEYS.commands(TABLE)
    field = next(key for key in world.client.hkeys(index) if (key == b":head") is (name == ":head"))
    world.client.hset(index, field, b"1" + world.client.hget(index, field))
    (found,) = differences(world)
    assert found.startswith("table:over, ")


def test_a_zero_before_a_version_in_the_index_is_found(world):
    index = KEYS.commands(TABLE)
    command = next(key for key in world.client.hkeys(index) if key != b":head")
    world.client.hset(index, command, b"0" + world.client.hget(index, command))
    assert differences(world) == [f"table:over, command {command.decode()}"]


def test_every_page_of_a_long_log_is_read(world):
    # Redis hands over an index of more than 512 commands in pages, too.
    stream, events = StreamId("ratings", "long"), 1_100
    world.service.store.append(commit(0, stream=stream, events=events))
    others = {f"c{version}": f"{version} {version} " for version in range(1, events)}
    world.client.hset(KEYS.commands(stream), mapping=others)
    stored = world.service.stored_records.find(stream)
    assert [entry.version for entry in stored.entries] == list(range(1, events + 1))
    assert stored.commands == {f"c{at}": (at, at) for at in range(1, events)} | {f"c{events}": (1, events)}
    assert stored.is_in_form
    assert stored.head == (events, stored.entries[-1].hash)
    world.client.xdel(KEYS.stream(stream), "1001-0")
    assert not world.service.stored_records.find(stream).is_in_form


def test_a_stray_entry_of_the_index_is_found(world):
    world.client.hset(KEYS.commands(TABLE), ":haad", f"2 {'f' * 64}")
    assert differences(world) == ["table:over, command :haad"]


def test_a_damaged_fingerprint_is_found(world):
    stream = StreamId("table", "people")
    command = world.client.xrange(KEYS.stream(stream))[0][1][b"cmd"]
    record = world.client.hget(KEYS.commands(stream), command)
    world.client.hset(KEYS.commands(stream), command, record + b"abc\x1f00000000")
    assert differences(world) == [f"table:people, command {command.decode()}"]


def test_a_damaged_name_is_found(world):
    key = world.client.keys("*:names")[0].decode()
    player, name = next(iter(world.client.hgetall(key).items()))
    world.client.hset(key, player, name.replace(b"\x1f", b"x\x1f"))
    assert differences(world) == [f"{key}, {player.decode()}"]


def test_a_name_without_player_is_found(world):
    key = KEYS.at(3, "names")
    world.client.hset(key, "nobody", "Eve")
    assert differences(world) == [f"{key}, nobody"]


def test_a_dangling_feed_entry_is_found(world):
    feed = KEYS.feeds[KEYS.partition(TABLE)]
    (entry_id,) = [id_ for id_, fields in world.client.xrange(feed) if fields[b"stream"] == b"table:over"][:1]
    fields = {
        name.decode(): value for name, value in world.client.xrange(feed, entry_id, entry_id)[0][1].items()
    }
    world.client.xadd(feed, fields | {"head": b"f" * 64})
    world.client.xadd(feed, fields | {"version": b"x"})
    first, second = differences(world)
    assert "feed entry" in first + second


def test_a_lost_stream_and_a_foreign_key_are_found(world):
    world.client.rename(KEYS.stream(TABLE), "hw:{p07}:tablf:over")
    found = differences(world)
    assert "table:over" in found
    assert "key hw:{p07}:tablf:over" in found


def test_an_index_without_events_is_found_in_any_partition(world):
    stray = StreamId("table", "ovar")
    own, other = KEYS.commands(stray), KEYS.at(KEYS.partition(stray) - 1, "commands:table:ovar")
    for key, found in ((own, "table:ovar"), (other, f"key {other}")):
        world.client.hset(key, ":head", f"2 {'f' * 64}")
        assert differences(world) == [found]
        world.client.delete(key)


def test_events_with_other_ids_are_found(world):
    key = KEYS.stream(TABLE)
    entries = world.client.xrange(key)
    world.client.delete(key)
    for number, (_, fields) in enumerate(entries, start=1):
        world.client.xadd(key, fields, id=f"{number}-{int(number == len(entries))}")
    assert differences(world) == ["table:over, ids and fields"]


def test_a_due_time_of_another_partition_is_found(world):
    key = KEYS.at(3, "due:rest")
    world.client.zadd(key, {"elsewhere": 5})
    assert f"{key}, elsewhere" in differences(world)


def test_a_participant_scheduled_for_deletion_is_found(world):
    world.client.delete(KEYS.at(KEYS.partition(StreamId("table", "people")), "took_part"))
    assert differences(world) == ["table:people, players who took part"]


def test_a_newcomer_scheduled_for_deletion_too_early_is_found(world):
    key = world.client.keys("*:newcomers")[0]
    world.client.zadd(key, {world.client.zrange(key, 0, 0)[0]: 5})
    (found,) = differences(world)
    assert found.endswith("newcomer since")


def test_many_indexes_are_checked_in_one_round_trip(world, monkeypatch):
    """Each table has an index in the ledger, even after it has been archived."""
    trips, call_each, records = list[int](), Transport.call_each, world.service.stored_records

    def call_and_note(transport: Transport, commands: Any) -> Any:
        trips.append(len(commands))
        return call_each(transport, commands)

    monkeypatch.setattr(Transport, "call_each", call_and_note)
    assert list(records.faults()) == []
    before = len(trips)
    for number in range(20):
        world.client.sadd("hw:{p00}:ledger:indexes", f"table:{number}")
        world.client.zadd(f"hw:{{p00}}:ledger:index:table:{number}", {"row": 1})
    assert list(records.faults()) == []
    assert len(trips) <= 2 * before + 1


@pytest.mark.parametrize("key", ["hw:{p55}:lobby:indexes", "hw:{p55}:table:t1"])
def test_a_key_of_a_nonexistent_partition_is_found(world, key):
    world.client.sadd(key, "phase:playing")
    assert f"key {key}" in differences(world)


def test_a_name_in_another_partition_is_found(world):
    (key, *_) = [key.decode() for key in world.client.keys("*:names")]
    player, name = next(iter(world.client.hgetall(key).items()))
    other = next(each for each in KEYS.in_each("names") if each != key)
    world.client.hdel(key, player)
    world.client.hset(other, player, name)
    assert differences(world) == [f"{other}, {player.decode()}"]


def test_an_unregistered_newcomer_is_found(world):
    key = KEYS.at(3, "newcomers")
    world.client.zadd(key, {"nobody": 5})
    assert differences(world) == [f"{key}, nobody"]


def test_a_remaining_name_of_an_erased_player_is_found(world):
    player = world.service.players.register(name="Cleo").player
    world.service.players.erase(player, None)
    assert differences(world) == []
    key = KEYS.names(StreamId("player", player.id))
    world.client.hset(key, player.id, "Cleo")
    assert differences(world) == [f"player:{player.id}, name"]


def test_a_damaged_import_is_found(world):
    key = key_of(world, "import")
    (last_id, fields) = world.client.xrevrange(key, count=1)[0]
    world.client.xdel(key, last_id)
    world.client.delete(key + b"x")
    data = {**fields, b"data": fields[b"data"].replace(b"e", b"f", 1)}
    entries = world.client.xrange(key)
    world.client.delete(key)
    for id_, kept in entries:
        world.client.xadd(key, kept, id=id_)
    world.client.xadd(key, data, id=last_id)
    (found,) = differences(world)
    assert found.startswith("import:")


@pytest.mark.parametrize("name", ["total", "sizes", "expiry", "addresses", "address:", "player:"])
def test_damaged_import_counts_are_found(world, name):
    (key,) = world.client.keys(f"hw:{{imports}}:{name}*" if name.endswith(":") else f"hw:{{imports}}:{name}")
    match world.client.type(key):
        case b"string":
            world.client.incr(key)
        case b"zset":
            world.client.zadd(key, {"nobody": 1})
        case _:
            (field,) = world.client.hkeys(key)
            world.client.hset(key, field, b"7 8 ")
    assert differences(world)


def test_a_nonexistent_blocked_player_is_found(world):
    player = world.service.players.register(name="Dee").player.id
    key = KEYS.of_player("blocks", player)
    world.client.sadd(key, "nobody")
    assert differences(world) == [f"{key}, nobody"]


def test_a_damaged_entry_of_a_block_list_is_found(world):
    dee, eve = (world.service.players.register(name=name).player.id for name in ("Dee", "Eve"))
    world.service.blocks.add(dee, eve)
    key = KEYS.of_player("blocks", dee)
    (member,) = world.client.smembers(key)
    assert differences(world) == []
    world.client.srem(key, member)
    world.client.sadd(key, b"0" + member)
    assert differences(world) == [f"{key}, 0{eve}"]


def test_a_damaged_description_of_a_bot_is_found(world):
    dee = world.service.players.register(name="Dee").player
    key = KEYS.of_player("bots", dee.id)
    bot = world.service.bots.register(
        dee, "Maia", Description(), key=None, fingerprint="", count=lambda: None
    ).player.id
    assert differences(world) == []
    world.client.hset(key, bot, b"0" + world.client.hget(key, bot))
    assert differences(world) == [f"{key}, {bot}"]


def test_a_deleted_blocked_player_is_no_damage(world):
    dee, eve = (world.service.players.register(name=name).player.id for name in ("Dee", "Eve"))
    world.service.blocks.add(dee, eve)
    world.service.forgetting._newcomers.delete(eve)
    assert differences(world) == []


@pytest.mark.parametrize("key", ["hw:{imports}:expiry", "hw:{p??}:due:rest", "hw:{p??}:newcomers"])
def test_a_damaged_time_without_second_source_is_found(world, key):
    gone = world.service.players.register(name="Gone").player.id
    world.service.forgetting._newcomers.note(gone, world.clock.now + 1)
    keys = world.client.keys(key)
    id_, at, key = next(
        (id_, at, key)
        for key in keys
        for id_, at in world.client.zrange(key, 0, -1, withscores=True)
        if at % 1
    )
    world.client.zadd(key, {id_: at - 10_000})
    assert f"{key.decode()}, {id_.decode()}" in differences(world)


def test_a_damaged_secret_is_found(world):
    secret = world.client.get("hw:secret")
    world.client.set("hw:secret", b"f" + secret[1:] if secret[:1] != b"f" else b"0" + secret[1:])
    assert differences(world) == ["hw:secret"]
