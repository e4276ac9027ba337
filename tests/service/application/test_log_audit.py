"""Every stored log is verified, and none twice when an audit is continued."""

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
    """A table that is over, one that is open, and one in play."""
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
    """Changes an event, as anybody with access to Redis can."""
    key = stream(world, table)
    stored = world.client.xrange(key)
    world.client.delete(key)
    for number, (entry_id, fields) in enumerate(stored, start=1):
        changed = {name.encode(): value for name, value in changes.items()} if number == version else {}
        world.client.xadd(key, fields | changed, id=entry_id)


def play_on(world: World) -> None:
    seat = turn_of(world.now_at("people")).owes[0]
    world.do("people", Act(seat, world.choice("people", seat)), by=f"player:{seat}")


def test_logs_that_hold_are_not_named(world, file):
    looked_at: list[str] = []
    assert broken(world, file, done=lambda stream: looked_at.append(stream.id)) == []
    assert sorted(looked_at) == sorted(TABLES)


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_log_whose_chain_is_broken_is_named_with_table_and_version(world, file, table):
    forge(world, table, 2, hash="f" * 64)
    (found,) = broken(world, file)
    assert (found.stream.id, found.finding.version, found.finding.code) == (table, 2, "chain_broken")


def test_a_move_that_no_rule_allows_is_named(world, file):
    forge(world, "over", world.now_at("over").version, type="nonsense")
    (found,) = broken(world, file)
    assert (found.stream.id, found.finding.code) == ("over", "unknown_event")


def test_a_log_that_forks_is_named(world, file):
    """A log with the beginning of one history of a table and the end of another."""
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
    """Makes every complete log of a table change while it is read; returns the ids of the tables that were read."""
    read, reads = world.service.store.read, list[str]()

    def watched(stream_: StreamId, *, after: int = 0, count: int | None = None) -> Any:
        records = read(stream_, after=after, count=count)
        if after or count is not None:
            return records
        reads.append(stream_.id)
        return change(records, reads.count(stream_.id))

    monkeypatch.setattr(world.service.store, "read", watched)
    return reads


def test_a_log_that_breaks_only_while_it_is_read_is_not_named(world, file, monkeypatch):
    reads = watch_whole_logs(
        world, monkeypatch, lambda records, times: records[1:] if times == 1 else records
    )
    assert broken(world, file) == []
    assert set(reads) == TABLES


def test_a_table_that_vanishes_meanwhile_is_not_named(world, file, monkeypatch):
    watch_whole_logs(world, monkeypatch, lambda _records, _times: ())
    assert broken(world, file) == []


# ------------------------------------------------------------------------- where it was broken off


def verified_now(world: World, file: Path, monkeypatch: Any) -> set[str]:
    """Returns the logs that another audit reads."""
    with monkeypatch.context() as patch:
        reads = watch_whole_logs(world, patch, lambda records, _times: records)
        broken(world, file)
    return set(reads)


def test_what_was_verified_is_not_verified_again(world, file, monkeypatch):
    assert verified_now(world, file, monkeypatch) == TABLES
    assert verified_now(world, file, monkeypatch) == set()


def test_a_log_that_went_on_is_verified_again(world, file, monkeypatch):
    broken(world, file)
    play_on(world)
    assert verified_now(world, file, monkeypatch) == {"people"}


@pytest.mark.parametrize("forged", [{"hash": "f" * 64}, None], ids=["another event", "no event"])
def test_a_log_that_came_back_otherwise_is_verified_again(world, file, monkeypatch, forged):
    broken(world, file)
    version = world.now_at("open").version
    if forged is None:
        world.client.xdel(stream(world, "open"), f"{version}-0")
    else:
        forge(world, "open", version, **forged)
    assert verified_now(world, file, monkeypatch) == {"open"}


def test_an_audit_that_was_killed_continues_after_the_last_verified_log(world, file, monkeypatch):
    broken(world, file)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:1]) + lines[1][:20])  # killed while it wrote the second line
    assert verified_now(world, file, monkeypatch) == TABLES - {lines[0].split()[0]}


def test_a_broken_log_is_named_again(world, file):
    forge(world, "open", 2, hash="f" * 64)
    assert len(broken(world, file)) == len(broken(world, file)) == 1


def test_afresh_forgets_what_was_noted(world, file):
    broken(world, file)
    assert AuditNotes(file, afresh=False).count == 3
    assert AuditNotes(file, afresh=True).count == 0
    assert not file.exists()


def test_a_folder_that_cannot_be_written_hinders_no_audit(world, tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    notes = AuditNotes(tmp_path / "data" / "audit.progress", afresh=False)
    assert list(world.service.log_audit(notes).broken()) == []
    assert notes.fault is not None
    notes.remove()
