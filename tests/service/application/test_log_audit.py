"""Every stored log is verified; a continued audit verifies none twice."""

from pathlib import Path
from typing import Any

import pytest

from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.domain.tables.state import turn_of
from hoodwink.service.adapters.process.audit_notes import AuditFolder, AuditNotes
from hoodwink.service.application.audit.log_audit import BrokenLog
from hoodwink.service.application.ports import StreamId
from tests.service.application.audits import differences as audited
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
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "audit"


def broken(world: World, folder: Path, **named: Any) -> list[BrokenLog]:
    return audited(world.service, "logs", folder=folder, **named)


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


def test_valid_logs_are_not_reported(world, folder):
    looked_at: list[str] = []
    assert broken(world, folder, done=lambda stream: looked_at.append(stream.id)) == []
    assert sorted(looked_at) == sorted(TABLES)


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_broken_chain_is_reported_with_table_and_version(world, folder, table):
    forge(world, table, 2, hash="f" * 64)
    (found,) = broken(world, folder)
    assert (found.stream.id, found.finding.version, found.finding.code) == (table, 2, "chain_broken")


def test_an_illegal_move_is_reported(world, folder):
    forge(world, "over", world.now_at("over").version, type="nonsense")
    (found,) = broken(world, folder)
    assert (found.stream.id, found.finding.code) == ("over", "unknown_event")


def test_a_forked_log_is_reported(world, folder):
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
    (found,) = broken(world, folder)
    assert (found.stream.id, found.finding.version) == ("people", world.now_at("people").version)


def watch_whole_logs(world: World, monkeypatch: Any, change: Any) -> list[str]:
    """Makes every complete log change during its read; returns the ids of the tables read."""
    find, read, reads = world.service.stored_records.find, world.service.store.read, list[str]()

    def changed(stream_: StreamId, entries: Any) -> Any:
        reads.append(stream_.id)
        return change(entries, reads.count(stream_.id))

    def find_and_change(stream_: StreamId) -> Any:
        stored = find(stream_)
        return stored._replace(entries=changed(stream_, stored.entries))

    monkeypatch.setattr(world.service.stored_records, "find", find_and_change)
    monkeypatch.setattr(world.service.store, "read", lambda stream_: changed(stream_, read(stream_)))
    return reads


def test_a_log_changed_during_the_audit_is_not_reported(world, folder, monkeypatch):
    reads = watch_whole_logs(
        world, monkeypatch, lambda records, times: records[1:] if times == 1 else records
    )
    assert broken(world, folder) == []
    assert set(reads) == TABLES


def test_a_table_that_vanishes_during_the_audit_is_not_reported(world, folder, monkeypatch):
    watch_whole_logs(world, monkeypatch, lambda _records, _times: ())
    assert broken(world, folder) == []


# ------------------------------------------------------------------------- continued audits


def verified_now(world: World, folder: Path, monkeypatch: Any) -> set[str]:
    """Returns the logs that another audit verifies."""
    verified = list[str]()
    with monkeypatch.context() as patch:

        def check(model: Any, id_: str, *given: Any) -> Any:
            verified.append(id_)
            return check_entries(model, id_, *given)

        patch.setattr("hoodwink.service.application.audit.log_audit.check_entries", check)
        broken(world, folder)
    return set(verified)


def test_a_verified_log_is_not_verified_again(world, folder, monkeypatch):
    assert verified_now(world, folder, monkeypatch) == TABLES
    assert verified_now(world, folder, monkeypatch) == set()


def test_a_log_with_new_events_is_verified_again(world, folder, monkeypatch):
    broken(world, folder)
    play_on(world)
    assert verified_now(world, folder, monkeypatch) == {"people"}


@pytest.mark.parametrize("forged", [{"hash": "f" * 64}, None], ids=["another event", "no event"])
def test_a_log_with_another_history_is_verified_again(world, folder, monkeypatch, forged):
    broken(world, folder)
    version = world.now_at("open").version
    if forged is None:
        world.client.xdel(stream(world, "open"), f"{version}-0")
    else:
        forge(world, "open", version, **forged)
    assert verified_now(world, folder, monkeypatch) == {"open"}


def test_a_killed_audit_continues_after_the_last_verified_log(world, folder, monkeypatch):
    broken(world, folder)
    (table, *_) = TABLES
    (file,) = (file for file in folder.glob("*.progress") if f"table:{table} " in file.read_text())
    file.write_text(file.read_text().partition(f"table:{table} ")[0] + f"table:{table} 2 123")
    assert verified_now(world, folder, monkeypatch) == {table}
    assert verified_now(world, folder, monkeypatch) == set()


def test_a_broken_log_is_reported_again(world, folder):
    forge(world, "open", 2, hash="f" * 64)
    assert len(broken(world, folder)) == len(broken(world, folder)) == 1


def test_progress_can_be_forgotten(world, folder):
    broken(world, folder)
    assert AuditFolder(folder).count() == 3
    AuditFolder(folder).forget_progress()
    assert AuditFolder(folder).count() == 0
    assert list(folder.iterdir()) == []


def test_an_unwritable_folder_does_not_stop_an_audit(world, tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    folder = tmp_path / "data" / "audit"
    assert audited(world.service, "logs", folder=folder) == []
    notes = AuditNotes(folder, 0)
    notes.complete()
    assert notes.fault is not None
