"""Acknowledged commits survive a crash; others are stored completely or not at all."""

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.feeds.feed import RedisFeed
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.packing import packed
from hoodwink.service.application.ports import Appended, Duplicate, StoreUnavailable, StreamId
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from hoodwink.service.supervisor.redis_binary import RedisBinary
from tests.service.adapters.commits import TABLE, commit, record
from tests.service.adapters.servers import BINARIES, SlammingDoor, append_only_file
from tests.service.processes import await_true

WRITERS = [StreamId("table", f"t{number}") for number in range(4)]


@pytest.fixture(params=["everysec", "always"])
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis(folder=tmp_path / "redis", fsync=request.param) as server:
        yield server


def write_until_killed(server: EmbeddedRedis, stream: StreamId, acknowledged: dict[StreamId, int]) -> None:
    with connect(server.url) as client, suppress(StoreUnavailable):
        store = RedisEventStore(client=client)
        for at in range(1_000_000):
            assert store.append(commit(at, stream=stream)) == Appended(at + 1)
            acknowledged[stream] = at + 1


@pytest.mark.parametrize("server", ["always"], indirect=True)  # `everysec` may, where a disk is slow
def test_a_kill_9_loses_nothing_acknowledged(server):
    acknowledged = dict.fromkeys(WRITERS, 0)
    threads = [
        threading.Thread(target=write_until_killed, args=(server, stream, acknowledged)) for stream in WRITERS
    ]
    for thread in threads:
        thread.start()
    await_true(lambda: min(acknowledged.values()) > 100, within_s=60)
    os.kill(server.pid, signal.SIGKILL)
    for thread in threads:
        thread.join()
    await_true(lambda: not server.is_running())
    server.start()
    with connect(server.url) as client:
        store = RedisEventStore(client=client)
        for stream, version in acknowledged.items():
            assert store.read(stream)[:version] == tuple(map(record, range(1, version + 1)))
            assert_told_apart(store, stream, version)


def has_written(acknowledged: dict[StreamId, int], least: int) -> bool:
    return min(acknowledged.values()) > least


@pytest.mark.parametrize("server", ["always"], indirect=True)  # `everysec` may write two seconds late
def test_a_folder_copied_during_writes_can_be_loaded(server, tmp_path):
    acknowledged = dict.fromkeys(WRITERS, 0)
    threads = [
        threading.Thread(target=write_until_killed, args=(server, stream, acknowledged)) for stream in WRITERS
    ]
    for thread in threads:
        thread.start()
    copied = []
    for number in range(3):
        await_true(partial(has_written, acknowledged, 100 * (number + 1)), within_s=60)
        before = dict(acknowledged)
        shutil.copytree(
            tmp_path / "redis",
            tmp_path / f"copy{number}",
            ignore=shutil.ignore_patterns("*.sock", "lock"),
        )
        copied.append((tmp_path / f"copy{number}", before))
    server.stop()
    for thread in threads:
        thread.join()
    for folder, before in copied:
        with EmbeddedRedis(folder=folder) as restored, connect(restored.url) as client:
            store = RedisEventStore(client=client)
            for stream, version in before.items():
                stored = store.read(stream)
                assert len(stored) >= version
                assert stored == tuple(map(record, range(1, len(stored) + 1)))


def assert_told_apart(store: RedisEventStore, stream: StreamId, acknowledged: int) -> None:
    """Sends the commit at the moment of the kill again, which shows whether it was stored."""
    stored = store.version(stream)
    answer = store.append(commit(acknowledged, stream=stream))
    if stored == acknowledged:
        assert answer == Appended(acknowledged + 1)
    else:
        assert answer == Duplicate(acknowledged + 1, f"asked for {acknowledged + 1}", acknowledged + 1)
    assert store.version(stream) == acknowledged + 1


def test_a_store_continues_when_its_server_is_back(server):
    with connect(server.url) as client:
        store = RedisEventStore(client=client)
        store.append(commit(0))
        server.stop()
        with pytest.raises(StoreUnavailable):
            store.append(commit(1))
        with pytest.raises(StoreUnavailable):
            store.read(TABLE)
        server.start()
        assert store.append(commit(1)) == Appended(2)


def test_a_restart_between_two_calls_is_not_noticed(server):
    with connect(server.url) as client:
        store, feed = RedisEventStore(client=client), RedisFeed(client=client)
        asked: dict[str, Any] = {"group": "bots", "consumer": "one", "partitions": feed.partitions}
        store.append(commit(0))
        feed.ack("bots", feed.read(**asked, count=10, block_ms=0))
        server.stop()
        server.start()
        assert store.append(commit(1)) == Appended(2)
        assert [entry.version for entry in feed.read(**asked, count=10, block_ms=0)] == [2]


@pytest.mark.parametrize("distance", [800, pytest.param(211, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("binary", BINARIES, ids=lambda binary: str(binary.version[0]))
def test_a_file_truncated_anywhere_contains_only_whole_commits(tmp_path, binary, distance):
    """The log of the script's writes is cut at every possible position of a crash."""
    origin = tmp_path / "redis"
    with EmbeddedRedis(folder=origin, binary=binary) as server, connect(server.url) as client:
        store = RedisEventStore(client=client)
        store.append(commit(0))
        file = append_only_file(origin)
        before = file.stat().st_size
        store.append(commit(1, events=4))
        after = file.stat().st_size
    for number, cut in enumerate(range(before, after + 1, distance)):
        version = version_of_copy(tmp_path / f"cut{number}", origin, cut, binary)
        assert version == (1 if cut < after else 5)
    assert version_of_copy(tmp_path / "whole", origin, after, binary) == 5


def version_of_copy(folder: Path, origin: Path, size: int, binary: RedisBinary) -> int:
    """Returns the version after a start from a copy cut to a size.

    Checks that all keys agree, and that later commits survive another start.
    """
    shutil.copytree(origin, folder, ignore=shutil.ignore_patterns("*.sock", "lock"))
    os.truncate(append_only_file(folder), size)
    stream, commands, feed = Keys(16).touched(TABLE)
    server = EmbeddedRedis(folder=folder, binary=binary)
    with server, connect(server.url) as client:
        store: Any = RedisEventStore(client=client)
        version = int(store.version(TABLE))
        pointers: Any = client.xrange(feed)
        assert [int(fields[b"version"]) for _, fields in pointers] == [1, 5][: len(pointers)]
        noted: Any = client.hgetall(commands)
        assert noted.pop(b":head") == b"%d %b" % (version, packed(record(version).hash))
        assert len(noted) == len(pointers) == (1 if version == 1 else 2)
        assert client.xlen(stream) == version
        assert store.append(commit(version, events=2)) == Appended(version + 2)
        stored = store.read(TABLE)
    with server, connect(server.url) as client:
        assert RedisEventStore(client=client).read(TABLE) == stored
    return version


@pytest.fixture
def door(tmp_path: Path, embedded_redis: EmbeddedRedis) -> Iterator[SlammingDoor]:
    """A proxy in front of a server that has one event and has loaded the script."""
    with connect(embedded_redis.url) as client:
        client.flushall()
        RedisEventStore(client=client).append(commit(0))
    door = SlammingDoor(tmp_path / "door", embedded_redis.url.removeprefix("unix://"))
    yield door
    door.close()


def test_a_lost_reply_repeats_no_command(door):
    with connect(f"unix://{door.path}") as client:
        store = RedisEventStore(client=client)
        door.dislikes = b"EVALSHA"
        with pytest.raises(StoreUnavailable):
            store.append(commit(1))
        assert door.passed == 1
        door.dislikes = None
        assert store.version(TABLE) == 2
        assert store.append(commit(1)) == Duplicate(2, "asked for 2", 2)


def test_entries_of_a_lost_reply_come_with_the_next_read(door):
    with connect(f"unix://{door.path}") as client:
        store, feed = RedisEventStore(client=client), RedisFeed(client=client)
        asked: dict[str, Any] = {"group": "bots", "consumer": "one", "partitions": feed.partitions}
        feed.ack("bots", feed.read(**asked, count=10, block_ms=0))
        store.append(commit(1))
        door.dislikes = b"$1\r\n>\r\n"  # the argument that requests new entries
        with pytest.raises(StoreUnavailable):
            feed.read(**asked, count=10, block_ms=0)
        assert door.passed == 1
        door.dislikes = None
        assert [entry.version for entry in feed.read(**asked, count=10, block_ms=0)] == [2]
