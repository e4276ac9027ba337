"""The event store, on each kind of Redis."""

import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace
from redis.crc import key_slot
from redis.exceptions import ResponseError

from hoodwink.domain.due_times import WorkDue
from hoodwink.service.adapters.redis.connection import Client, connect
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.packing import packed, unpacked, unpacked_without_checksum
from hoodwink.service.application.ports import (
    Appended,
    Commit,
    Conflict,
    Diverged,
    Duplicate,
    IdempotencyKey,
    StreamId,
)
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.adapters.commits import TABLE, commit, record

KEYS = Keys(16).touched(TABLE)
PAGES = (0, 1, 255, 256, 257, 511, 512, 513, 700)


def raw(client: Client) -> list[Any]:
    """Returns everything stored for the table: events, commands, feed."""
    stream, commands, feed = KEYS
    return [client.xrange(stream), client.hgetall(commands), client.xrange(feed)]


def spell_out(client: Any) -> None:
    """Stores the table in the form of an earlier release, with hex digits instead of bytes."""
    stream, commands, _ = KEYS
    events, noted = client.xrange(stream), client.hgetall(commands)
    client.delete(stream)
    for id_, fields in events:
        client.xadd(stream, {name: unpacked(value) for name, value in fields.items()}, id=id_)
    for command, value in noted.items():
        *versions, text = value.split(b" ", 2 if command != b":head" else 1)
        digits = unpacked_without_checksum if command != b":head" else unpacked
        client.hset(commands, command, b" ".join([*versions, digits(text).encode()]))


# ------------------------------------------------------------------------------------- appending


def test_an_appended_event_round_trips(store):
    odd = record(
        1,
        cmd="k",
        data=Raw(b'\x00\xff{"a":"\xc3\xa9\r\n"}'),
        by="player:ŻÓŁW",
        type="double_blind.caper_scored@2",
    )
    answer = store.append(
        Commit(
            stream=TABLE, expected_version=0, entries=(odd,), key=IdempotencyKey("k", "f"), due=WorkDue(5, 7)
        )
    )
    assert answer == Appended(1)
    assert store.read(TABLE) == (odd,)


def test_versions_and_ids_are_contiguous_over_commits(store, client):
    for at, events in ((0, 1), (1, 5), (6, 2)):
        assert store.append(commit(at, events=events)) == Appended(at + events)
    assert [entry_id for entry_id, _ in client.xrange(KEYS[0])] == [b"%d-0" % n for n in range(1, 9)]
    assert store.version(TABLE) == 8


def test_a_commit_of_a_thousand_events_is_stored_whole(store):
    assert store.append(commit(0, events=1000)) == Appended(1000)
    assert store.read(TABLE) == tuple(record(number) for number in range(1, 1001))


def test_a_commit_without_events_is_refused(store, client):
    with pytest.raises(AssertionError):
        store.append(commit(0, events=0))
    assert raw(client) == [[], {}, []]


def test_events_with_hex_digits_of_an_earlier_release_are_continued(store, client):
    first, second = "a1" * 16, "b2" * 16
    store.append(commit(0, events=2, key=first))
    spell_out(client)
    assert store.read(TABLE) == (record(1, cmd=first), record(2, cmd=first))
    assert store.append(commit(2, key=first)) == Duplicate(2, "asked for 1", first_version=1)
    assert store.append(commit(2, head="f" * 64)) == Diverged(2)
    assert store.append(commit(2, key=second)) == Appended(3)
    assert store.append(commit(2, key="late")) == Conflict(3, (record(3, cmd=second),))


def test_a_wrong_version_stores_nothing_and_returns_the_events_since(store, client):
    store.append(commit(0, events=3))
    before = raw(client)
    assert store.append(commit(1, key="late")) == Conflict(3, (record(2), record(3)))
    assert raw(client) == before


def test_a_version_ahead_of_the_stream_belongs_to_another_history(store, client):
    store.append(commit(0))
    before = raw(client)
    assert store.append(commit(7)) == Diverged(1)
    assert raw(client) == before


@pytest.mark.parametrize("length", [3, 5])
def test_a_different_head_belongs_to_another_history(store, client, length):
    store.append(commit(0, events=length))
    before = raw(client)
    assert store.append(commit(3, head="f" * 64)) == Diverged(length)
    assert raw(client) == before


def test_a_rolled_back_stream_of_equal_length_is_detected(store, client):
    store.append(commit(0, events=5))
    client.delete(*KEYS[:2])
    store.append(commit(0, events=2))
    store.append(commit(2, events=3, key="otherwise", hash="e" * 64))
    assert store.append(commit(5)) == Diverged(5)
    assert store.append(commit(5, head="e" * 64)) == Appended(6)


@pytest.mark.parametrize("refilled", [0, 1, 4])
def test_a_command_is_known_only_while_the_stream_holds_its_events(store, client, refilled):
    store.append(commit(0, events=3, key="first"))
    client.delete(KEYS[0])
    if refilled:
        store.append(commit(0, events=refilled, key="another"))
    assert store.known(TABLE, "first") is None
    assert store.append(commit(refilled, key="first")) == Appended(refilled + 1)
    assert store.known(TABLE, "first") == Duplicate(refilled + 1, f"asked for {refilled + 1}", refilled + 1)


def test_a_repeated_command_returns_its_first_result(store, client):
    first = commit(0, events=2)
    store.append(first)
    store.append(commit(2))
    before = raw(client)
    assert store.append(first) == Duplicate(version=2, fingerprint="asked for 1", first_version=1)
    assert raw(client) == before


def test_a_known_command_is_a_duplicate_even_at_the_right_version(store):
    store.append(commit(0, key="same"))
    assert store.append(commit(1, key="same")) == Duplicate(1, "asked for 1", 1)


def test_a_command_without_a_key_is_not_in_the_index(store, client):
    assert store.append(replace(commit(0), key=None)) == Appended(1)
    assert store.append(replace(commit(1), key=None)) == Appended(2)
    assert client.hkeys(KEYS[1]) == [b":head"]


def test_a_command_id_is_known_only_on_its_stream(store):
    other = StreamId("table", "t2")
    store.append(commit(0, key="same"))
    assert store.append(commit(0, key="same", stream=other)) == Appended(1)


def test_a_fingerprint_can_contain_blanks_or_be_empty(store):
    for at, fingerprint in enumerate(("", " a  b ")):
        key = IdempotencyKey(f"k{at}", fingerprint)
        entry = record(at + 1, cmd=key.id)
        head = record(at).hash if at else ""
        store.append(Commit(stream=TABLE, expected_version=at, expected_head=head, entries=(entry,), key=key))
        assert store.known(TABLE, key.id) == Duplicate(at + 1, fingerprint, at + 1)


def test_a_command_unknown_to_the_stream_is_none(store):
    assert store.known(TABLE, "never") is None


def test_each_commit_leaves_one_pointer(store, client):
    store.append(commit(0, events=2, due=WorkDue(5, 7)))
    store.append(commit(0, key="late"))
    store.append(commit(0, events=2))
    ((_, pointer),) = client.xrange(KEYS[2])
    assert pointer == {
        b"stream": b"table:t1",
        b"first": b"1",
        b"version": b"2",
        b"types": b"blindside.card_kept blindside.card_kept",
        b"due": b"clock:5 report:7",
        b"head": packed(record(2).hash),
        b"request": b"",
    }


@pytest.mark.parametrize("touched", KEYS)
def test_a_key_of_the_wrong_type_stops_the_append_before_writing(store, client, touched):
    client.set(touched, "somebody else's")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        store.append(commit(0))
    assert [client.exists(key) for key in KEYS] == [key == touched for key in KEYS]


def test_an_append_touches_one_slot_only():
    for stream in (TABLE, StreamId("player", "p1"), StreamId("tournament", "ŻÓŁW")):
        keys = (*Keys(16).touched(stream), Keys(16).names(stream))
        assert len({key_slot(key.encode()) for key in keys}) == 1


def test_names_are_stored_per_partition_until_erased(store):
    players = [StreamId("player", f"p{number}") for number in range(20)]

    def append_players(at: int, name: str | None) -> list[tuple[int, str | None]]:
        for player in players:
            store.append(replace(commit(at, stream=player), name=name and name + player.id))
        return [
            (len(entries), name if name is None else name.removesuffix(player.id))
            for player, (entries, name) in zip(players, store.read_named(players), strict=True)
        ]

    assert append_players(0, "Ada ") == [(1, "Ada ")] * 20
    assert append_players(1, None) == [(2, "Ada ")] * 20
    assert append_players(2, "Zoë ") == [(3, "Zoë ")] * 20
    assert append_players(3, "") == [(4, None)] * 20


def test_a_server_without_the_script_loads_it_again(store, client):
    store.append(commit(0))
    client.script_flush()
    assert store.append(commit(1)) == Appended(2)


# --------------------------------------------------------------------------------------- reading


def test_an_unknown_stream_is_empty(store):
    assert store.read(TABLE) == ()
    assert store.version(TABLE) == 0


def test_reading_begins_after_a_version(store):
    store.append(commit(0, events=700))
    for after in PAGES:
        assert store.read(TABLE, after=after) == tuple(map(record, range(after + 1, 701))), after


def test_reading_ends_at_a_count(store):
    store.append(commit(0, events=600))
    for after, count in product((0, 3, 256), PAGES):
        expected = tuple(map(record, range(after + 1, min(600, after + count) + 1)))
        assert store.read(TABLE, after=after, count=count) == expected, (after, count)


def test_reading_leaves_the_connection_clean(store):
    store.append(commit(0, events=512))
    for _ in range(3):
        assert len(store.read(TABLE)) == 512
        assert store.version(TABLE) == 512


def test_the_streams_of_a_category_are_listed_once(store):
    tables = {StreamId("table", f"t{number}") for number in range(50)}
    for stream in tables | {StreamId("player", "t1")}:
        store.append(commit(0, stream=stream))
    found = list(store.streams("table"))
    assert len(found) == 50
    assert set(found) == tables


# ------------------------------------------------------------------------------------ many together


def add_until(store: RedisEventStore, name: str, count: int) -> None:
    """Appends `count` events, and decides each again after a conflict."""
    version = 0
    for number in range(count):
        while True:
            answer = store.append(commit(version, key=f"{name}:{number}"))
            version = answer.version
            if isinstance(answer, Appended):
                break
            assert isinstance(answer, Conflict)


def assert_each_once(store: RedisEventStore, client: Any, names: list[str], count: int) -> None:
    stream, commands, feed = KEYS
    total = len(names) * count
    assert [entry_id for entry_id, _ in client.xrange(stream)] == [b"%d-0" % n for n in range(1, total + 1)]
    asked = {f"{name}:{n}".encode() for name in names for n in range(count)}
    assert set(client.hkeys(commands)) == asked | {b":head"}
    assert [int(pointer[b"version"]) for _, pointer in client.xrange(feed)] == list(range(1, total + 1))


def test_concurrent_threads_neither_lose_nor_repeat_appends(store, client):
    names = [f"thread{number}" for number in range(6)]
    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(lambda name: add_until(store, name, 25), names))
    assert_each_once(store, client, names, 25)


def test_a_commit_sent_concurrently_is_stored_once(store):
    start = threading.Barrier(8)

    def send(_: int) -> object:
        start.wait()
        return store.append(commit(0, key="same"))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(8)))
    assert sorted(type(answer).__name__ for answer in answers) == ["Appended"] + ["Duplicate"] * 7
    assert store.version(TABLE) == 1


def _append_elsewhere(url: str, name: str) -> None:
    add_until(RedisEventStore(client=connect(url)), name, 25)


@pytest.mark.parametrize("at", ["embedded_redis", pytest.param("cluster_ports", marks=pytest.mark.cluster)])
def test_concurrent_processes_neither_lose_nor_repeat_appends(request, at):
    found = request.getfixturevalue(at)
    url = found.url if isinstance(found, EmbeddedRedis) else f"redis://127.0.0.1:{found[1]}"
    with connect(url) as client:
        client.delete(KEYS[0])
        client.delete(KEYS[1])
        client.delete(KEYS[2])
        names = [f"process{number}" for number in range(3)]
        context = multiprocessing.get_context("spawn")
        processes = [context.Process(target=_append_elsewhere, args=(url, name)) for name in names]
        for process in processes:
            process.start()
        for process in processes:
            process.join(60)
        assert [process.exitcode for process in processes] == [0, 0, 0]
        assert_each_once(RedisEventStore(client=client), client, names, 25)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_uses_its_own_connections(embedded_redis):
    with connect(embedded_redis.url) as client:
        client.flushall()
        store = RedisEventStore(client=client)
        store.append(commit(0))  # the parent's connection is open now
        child = multiprocessing.get_context("fork").Process(target=add_until, args=(store, "child", 200))
        child.start()
        add_until(store, "parent", 200)
        child.join(60)
        assert child.exitcode == 0
        assert store.version(TABLE) == 401
