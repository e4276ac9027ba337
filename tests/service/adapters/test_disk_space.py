"""The space left on the disk with the data."""

import os
from types import SimpleNamespace

import pytest

from hoodwink.service.adapters.process.disk_space import LOW_BYTES, MIN_FREE_BYTES, DiskSpace
from hoodwink.service.application.ports import StorageFull, StoreUnavailable, StreamId
from tests.service.application.world import World

MIB = 1024 * 1024


@pytest.fixture
def disk(monkeypatch, tmp_path):
    """A disk whose free space and clock are set by a test."""
    state = SimpleNamespace(free=10 * LOW_BYTES, now=0.0)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=state.free // 4096, f_frsize=4096))
    monkeypatch.setattr("time.monotonic", lambda: state.now)
    state.space = DiskSpace(tmp_path)
    return state


def test_enough_space_logs_nothing(disk):
    disk.space.check()
    assert disk.space.warning is None


def test_little_space_warns_and_too_little_refuses(disk):
    disk.free = LOW_BYTES - 4096
    disk.space.check()
    assert disk.space.warning == "511 MiB are left on the disk with the data. Make room soon."
    disk.now, disk.free = 1.0, MIN_FREE_BYTES - 4096
    with pytest.raises(StorageFull, match="is full"):
        disk.space.check()
    assert "Commands are refused" in str(disk.space.warning)


def test_space_is_checked_again_after_a_second(disk):
    disk.free = 0
    with pytest.raises(StorageFull):
        disk.space.check()
    disk.now, disk.free = 0.9, 10 * LOW_BYTES
    with pytest.raises(StorageFull):
        disk.space.check()
    disk.now = 1.0
    disk.space.check()


def test_the_disk_of_another_redis_is_unknown():
    space = DiskSpace(None)
    space.check()
    assert (space.free, space.warning) == (None, None)


def test_a_full_disk_refuses_every_append_and_nothing_is_lost(monkeypatch):
    world = World()
    world.table("ada", "bo", table="t1", start=False)
    before = world.now_at("t1").version

    def refuse() -> None:
        raise StorageFull

    monkeypatch.setattr(world.service.store, "_check_room", refuse)
    with pytest.raises(StoreUnavailable):
        world.table("ada", "bo", table="t2", start=False)
    assert world.service.store.version(StreamId("table", "t2")) == 0
    assert world.now_at("t1").version == before
