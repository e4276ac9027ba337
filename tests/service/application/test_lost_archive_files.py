"""A file of the archive that is lost or damaged makes its own logs unreadable, and nothing else."""

from pathlib import Path
from shutil import copytree

import pytest

from hoodwink.domain.tables.commands import Resign
from hoodwink.service.application.ports import DamagedArchive, StreamId
from hoodwink.service.application.projecting.projecting import grouped_by_category, rebuild
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.service.auditing import audit_all
from hoodwink.workers.scrubber import NoNotes
from tests.service.application.test_archive import archive, faults, finish, fresh
from tests.service.application.world import World

TABLE = StreamId("table", "t0")


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The least number of archived tables for which there is a dictionary."""
    world = World(archive=str(tmp_path_factory.mktemp("archive")), partitions=1)
    finish(world, "t", 32)
    assert archive(world) == 32
    return world


@pytest.fixture
def world(archived: World, tmp_path: Path) -> World:
    copytree(archived.service.settings.archive, tmp_path, dirs_exist_ok=True)
    return archived.copy(archive=str(tmp_path), partitions=1)


def file_of(world: World, pattern: str) -> Path:
    (found,) = Path(world.service.settings.archive).rglob(pattern)
    return found


def test_a_damaged_segment_keeps_no_later_log_in_redis(world):
    segment = file_of(world, "*.segment")
    segment.write_bytes(b"H" + segment.read_bytes()[1:])
    finish(world, "later", 1)
    assert archive(fresh(world)) == 1
    assert fresh(world).service.tables.load("later0").state.version


def test_a_header_with_any_other_byte_is_damaged(world):
    segment = file_of(world, "*.segment")
    whole, name = segment.read_bytes(), "/".join(segment.parts[-2:])
    size = whole.index(b"}") + 2
    assert size > 100
    for at in range(size):
        segment.write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
        segments = fresh(world).service.segments
        assert segments is not None
        with pytest.raises(DamagedArchive, match=f"{name} is damaged in its header"):
            segments.index(name)


@pytest.mark.parametrize("count", [1, 32])
def test_a_lost_dictionary_keeps_no_later_log_in_redis(world, count):
    file_of(world, "*.dictionary").unlink()
    finish(world, "later", count)
    # By the process that has the dictionary in memory, so that it could still use it.
    assert archive(world) == count
    assert fresh(world).service.tables.load("later0").state.version


def test_a_dictionary_that_is_lost_meanwhile_keeps_its_logs_in_redis(world, monkeypatch):
    finish(world, "later", 1)
    segments = world.service.segments
    write = segments.write

    def write_and_lose(*given):
        write(*given)
        file_of(world, "*.dictionary").unlink()

    monkeypatch.setattr(segments, "write", write_and_lose)
    assert archive(world) == 0
    assert fresh(world).service.tables.load("later0").state.version


def test_a_lost_dictionary_is_named_once(world):
    finish(world, "later", 1)
    archive(world)
    dictionary = file_of(world, "*.dictionary")
    whole, name = dictionary.read_bytes(), "/".join(dictionary.parts[-2:])
    dictionary.write_bytes(whole[:-1])
    assert faults(world, thoroughly=False) == [f"{name} is damaged"]
    dictionary.unlink()
    assert faults(world, thoroughly=False) == [f"{name} is missing"]
    assert faults(fresh(world), thoroughly=True) == [f"{name} is missing"]
    with pytest.raises(DamagedArchive, match=f"^{name} is missing$"):
        fresh(world).service.store.read(TABLE)


def test_the_name_of_a_lost_segment_is_not_used_again(world):
    segment = file_of(world, "*.segment")
    copy = segment.rename(segment.with_suffix(".copy"))
    for name, service in (("other", fresh(world)), ("mine", world)):
        finish(world, name, 1)
        assert archive(service) == 1
        assert not segment.exists()
    copy.rename(segment)
    for table in ("t0", "other0", "mine0"):
        assert fresh(world).service.tables.load(table).state.version
    assert faults(fresh(world), thoroughly=True) == []


def test_an_audit_with_a_lost_segment_reports_no_other_difference(tmp_path):
    world = World(archive=str(tmp_path), partitions=1)
    world.table("ada", "bo", table="rated", rounds=1)
    world.do("rated", Resign(0), by="player:0")
    world.settle()
    while entries := world.read(RATER):
        world.service.rater.rate(entries)
        world.service.feed.ack(RATER, entries)
    for projectors in grouped_by_category(world.service.projectors.values()):
        rebuild(projectors)
    assert audit_all(world.service, NoNotes(), patience_seconds=0) == []
    assert archive(world) == 1
    file_of(world, "*.segment").unlink()
    found = audit_all(fresh(world).service, NoNotes(), patience_seconds=0)
    assert [finding.audit for finding in found] == ["logs", "archive"]
