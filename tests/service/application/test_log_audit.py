"""Every stored log is verified; a continued audit verifies none twice."""

from pathlib import Path
from typing import Any

import pytest

from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.state import turn_of
from hoodwink.service.adapters.process.audit_notes import AuditNotes
from hoodwink.service.application.audit.log_audit import BrokenLog
from hoodwink.service.application.ports import StreamId
from tests.service.application.world import World

TABLES = {"over", "open", "people"}


@pytest.fixture
def world():
    """A finished table, an open one and one in play."""
    world = World()
    world.table("bot", "bot", table="over")
    world.table("ada", "bo", table="open", start=False)
    world.table("ada", "bo", table="people")
    world.settle()
    return world


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "audit.progress"


def broken(world: World, file: Path, **named: Any) -> list[BrokenLog]:
    notes = AuditNotes(file, afresh=False)
    found = list(world.service.log_audit(notes).broken(**named))
    notes.close()
    return found


def stream(world: World, table: str) -> bytes:
    (key,) = world.client.keys(f"hw:{{p??}}:table:{table}")
    assert isinstance(key, bytes)
    return key


def forge(world: World, table: str, version: int, **changes: Any) -> None:
    """Changes an event directly in Redis."""
    key = stream(world, table)
    stored = world.client.xrange(key)
    world.client.delete(key)
    for number, (entry_id, fields) in enumerate(stored, start=1):
        changed = {name.encode(): value for name, value in changes.items()} if number == version else {}
        world.client.xadd(key, fields | changed, id=entry_id)


def play_on(world: World) -> None:
    seat = turn_of(world.now_at("people")).owes[0]
    world.do("people", Act(seat, world.choice("people", seat)), by=f"player:{seat}")


def test_valid_logs_are_not_reported(world, file):
    looked_at: list[str] = []
    assert broken(world, file, done=lambda stream: looked_at.append(stream.id)) == []
    assert sorted(looked_at) == sorted(TABLES)


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_broken_chain_is_reported_with_table_and_version(world, file, table):
    forge(world, table, 2, hash="f" * 64)
    (found,) = broken(world, file)
    assert (found.stream.id, found.finding.version, found.finding.code) == (table, 2, "chain_broken")


def test_an_illegal_move_is_reported(world, file):
    forge(world, "over", world.now_at("over").version, type="nonsense")
    (found,) = broken(world, file)
    assert (found.stream.id, found.finding.code) == ("over", "unknown_event")


def test_a_forked_log_is_reported(world, file):
    """The log has the beginning of one history and the end of another."""
    other = World()
    other.clock.now += 5
    other.table("ada", "bo", table="people")
    other.settle()
    play_on(world)
    play_on(other)
    last = other.client.xrevrange(stream(other, "people"), count=1)[0][1]
    forge(
        world,
        "people",
        world.now_at("people").version,
        **{name.decode(): value for name, value in last.items()},
    )
    (found,) = broken(world, file)
    assert (found.stream.id, found.finding.version) == ("people", world.now_at("people").version)


def watch_whole_logs(world: World, monkeypatch: Any, change: Any) -> list[str]:
    """Makes every complete log change during its read; returns the ids of the tables read."""
    read, reads = world.service.store.read, list[str]()

    def read_and_change(stream_: StreamId, *, after: int = 0, count: int | None = None) -> Any:
        records = read(stream_, after=after, count=count)
        if after or count is not None:
            return records
        reads.append(stream_.id)
        return change(records, reads.count(stream_.id))

    monkeypatch.setattr(world.service.store, "read", read_and_change)
    return reads


def test_a_log_changed_during_the_audit_is_not_reported(world, file, monkeypatch):
    reads = watch_whole_logs(
        world, monkeypatch, lambda records, times: records[1:] if times == 1 else records
    )
    assert broken(world, file) == []
    assert set(reads) == TABLES


def test_a_table_that_vanishes_during_the_audit_is_not_reported(world, file, monkeypatch):
    watch_whole_logs(world, monkeypatch, lambda _records, _times: ())
    assert broken(world, file) == []


# ------------------------------------------------------------------------- continued audits


def verified_now(world: World, file: Path, monkeypatch: Any) -> set[str]:
    """Returns the logs read by another audit."""
    with monkeypatch.context() as patch:
        reads = watch_whole_logs(world, patch, lambda records, _times: records)
        broken(world, file)
    return set(reads)


def test_a_verified_log_is_not_verified_again(world, file, monkeypatch):
    assert verified_now(world, file, monkeypatch) == TABLES
    assert verified_now(world, file, monkeypatch) == set()


def test_a_log_with_new_events_is_verified_again(world, file, monkeypatch):
    broken(world, file)
    play_on(world)
    assert verified_now(world, file, monkeypatch) == {"people"}


@pytest.mark.parametrize("forged", [{"hash": "f" * 64}, None], ids=["another event", "no event"])
def test_a_log_with_another_history_is_verified_again(world, file, monkeypatch, forged):
    broken(world, file)
    version = world.now_at("open").version
    if forged is None:
        world.client.xdel(stream(world, "open"), f"{version}-0")
    else:
        forge(world, "open", version, **forged)
    assert verified_now(world, file, monkeypatch) == {"open"}


def test_a_killed_audit_continues_after_the_last_verified_log(world, file, monkeypatch):
    broken(world, file)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:1]) + lines[1][:20])  # killed during the write of the second line
    assert verified_now(world, file, monkeypatch) == TABLES - {lines[0].split()[0]}


def test_a_broken_log_is_reported_again(world, file):
    forge(world, "open", 2, hash="f" * 64)
    assert len(broken(world, file)) == len(broken(world, file)) == 1


def test_a_fresh_audit_ignores_saved_progress(world, file):
    broken(world, file)
    assert AuditNotes(file, afresh=False).count == 3
    assert AuditNotes(file, afresh=True).count == 0
    assert not file.exists()


def test_an_unwritable_folder_does_not_stop_an_audit(world, tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    notes = AuditNotes(tmp_path / "data" / "audit.progress", afresh=False)
    assert list(world.service.log_audit(notes).broken()) == []
    assert notes.fault is not None
    notes.remove()
