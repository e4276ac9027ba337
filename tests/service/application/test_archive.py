"""Archived tables and tournaments: nobody but the operator notices where a log is."""

import asyncio
import json
import os
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import Any

import pytest

from hoodwink.domain.cards import build_pack
from hoodwink.domain.games.blindside import rules
from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.commands import VoidTable
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tables.state import Phase
from hoodwink.service.adapters.archive.folder import Folder
from hoodwink.service.adapters.archive.segments import Place, Segments
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.packing import packed
from hoodwink.service.application.audit.due_audit import DueRecord
from hoodwink.service.application.ports import (
    Commit,
    Conflict,
    DamagedArchive,
    Diverged,
    Duplicate,
    IdempotencyKey,
    StoreUnavailable,
    StreamId,
    WholeLog,
)
from hoodwink.service.application.projecting.projecting import rebuild
from hoodwink.service.application.streams.cache import Cache
from hoodwink.service.application.work.archiver import Archiver
from hoodwink.service.application.work.due import Due
from tests.archive_reader import read_segment
from tests.service.application.audits import differences as audited
from tests.service.application.world import World

KEYS = Keys(1)
TABLE = StreamId("table", "over")
DAY_MS = 86_400_000


@pytest.fixture
def world(tmp_path: Path, played: World) -> World:
    return played.copy(archive=str(tmp_path), partitions=1)


@pytest.fixture(scope="module")
def played() -> World:
    """A finished table of bots, one of people in play, and one that has not started."""
    world = World(partitions=1)
    world.table("bot", "bot", table="over")
    world.table("ada", "bo", table="people")
    world.table("ada", "bo", table="open", start=False)
    world.settle()
    assert world.now_at("over").phase is Phase.ENDED
    return world


def archive(world: World) -> int:
    world.clock.now += 2 * DAY_MS
    return archiver(world).run(idle_ms=DAY_MS, min_logs=1)


def finish(world: World, name: str, count: int) -> None:
    """Lets bots play that many tables to their end."""
    for number in range(count):
        world.table("bot", "bot", table=f"{name}{number}", rounds=1)
    world.settle()


def archiver(world: World) -> Archiver:
    assert world.service.archiver is not None
    return world.service.archiver


def fresh(world: World, archive: str = "") -> World:
    """Returns a service that remembers nothing."""
    return World(world.client, world.clock, archive=archive or world.service.settings.archive, partitions=1)


def test_only_what_has_ended_and_is_old_enough_is_archived(world):
    assert archiver(world).run(idle_ms=DAY_MS, min_logs=1) == 0
    assert archive(world) == 1
    assert archive(world) == 0
    assert {stream.id for stream in world.service.store.streams("table")} == {"over", "people", "open"}
    assert not world.client.exists(KEYS.stream(TABLE), KEYS.commands(TABLE))
    assert world.client.exists(KEYS.stream(StreamId("table", "people")))


def test_a_run_counts_the_logs_that_it_looks_at(world):
    world.clock.now += 2 * DAY_MS
    looked_at = list[StreamId]()

    def begin(total: int) -> Callable[[StreamId], object]:
        assert total == len(list(world.service.store.streams("table")))
        return looked_at.append

    assert archiver(world).run(idle_ms=DAY_MS, min_logs=1, begin=begin) == 1
    assert sorted(stream.id for stream in looked_at) == ["open", "over", "people"]


def test_few_logs_wait_for_more(world):
    world.clock.now += 2 * DAY_MS
    assert archiver(world).run(idle_ms=DAY_MS) == 0


def test_finished_logs_among_many_others_are_archived(world, monkeypatch):
    monkeypatch.setattr("hoodwink.service.application.work.archiver._MAX_LOGS", 3)
    for number in range(4):
        world.table("bot", "bot", table=f"over{number}", rounds=1)
        world.table("ada", "bo", table=f"open{number}", start=False)
    world.settle()
    world.clock.now += 2 * DAY_MS
    idle: Any = archiver(world)._archive
    # Each finished log is followed by others.
    by_number = sorted(idle.idle("table", world.clock.now - DAY_MS), key=lambda stream: stream.id[::-1])
    monkeypatch.setattr(idle, "idle", lambda category, _: by_number if category == "table" else [])
    assert archiver(world).run(idle_ms=DAY_MS, min_logs=2) == 5


def test_everything_reads_the_same_afterwards(world):
    before = world.service.store.read(TABLE)
    state = world.now_at("over")
    archive(world)
    service = fresh(world).service
    assert service.store.read(TABLE) == before
    assert service.store.version(TABLE) == len(before)
    assert service.tables.load("over").state == state
    assert export_log("over", service.tables.entries("over")) == export_log("over", before)
    for after in range(len(before) + 2):
        for some in (1, 2, len(before), 300):
            assert service.store.read(TABLE, after=after, count=some) == before[after : after + some]
            assert service.store.read_each({TABLE: after}, count=some) == [before[after : after + some]]
    for version in range(1, len(before) + 1):
        assert service.tables.load_at("over", version).state.version == version


def test_listing_ended_tables_reads_each_archived_log_once(world, monkeypatch):
    for number in range(19):
        world.table("bot", "bot", table=f"over{number}", rounds=1)
    world.settle()
    archive(world)
    rebuild([world.service.projectors["lobby"]])
    service, reads, read = fresh(world).service, list[Place](), Segments.read

    def read_and_note(segments: Segments, place: Place) -> WholeLog:
        reads.append(place)
        return read(segments, place)

    monkeypatch.setattr(Segments, "read", read_and_note)
    monkeypatch.setattr(service.archived_logs, "_cache", Cache(16))
    for _ in range(2):
        tables, _ = service.my_tables.page("holly", has_ended=True, before=None, count=50)
        assert len(tables) == len(reads) == 20


def test_archived_logs_are_not_read_on_the_event_loop(world, monkeypatch):
    before = world.service.store.read(TABLE)
    archive(world)
    archived, threads, read = fresh(world).service.archived_logs, list[threading.Thread](), Segments.read
    tombstone = archived.find(TABLE)

    def read_and_note(segments: Segments, place: Place) -> WholeLog:
        threads.append(threading.current_thread())
        return read(segments, place)

    async def never() -> Any:
        raise AssertionError

    monkeypatch.setattr(Segments, "read", read_and_note)
    loaded = asyncio.run(LoopConnection(never).run_on_loop(archived.read, tombstone))
    assert loaded.entries == before
    assert len(threads) == 1
    assert threading.current_thread() not in threads


def test_a_repeated_command_is_answered_from_the_archive(world):
    known = world.service.store.known(TABLE, "open over")
    assert known is not None
    first = world.service.store.read(TABLE, count=1)
    archive(world)
    store = fresh(world).service.store
    assert store.known(TABLE, "open over") == known
    assert store.known(TABLE, "another") is None
    again = Commit(stream=TABLE, expected_version=0, entries=first, key=IdempotencyKey("open over", ""))
    assert store.append(again) == known == Duplicate(1, "", 1)


def void(world: World, *, key: str | None = None) -> Any:
    return world.service.tables.execute(
        "over",
        lambda _: (VoidTable("olga", "A shared screen."), Actor("admin")),
        key=IdempotencyKey(key, "why") if key else None,
    )


def test_a_later_command_continues_the_archived_log(world):
    """V-1"""
    archived = world.service.store.read(TABLE)
    archive(world)
    voided = void(fresh(world), key="void")
    assert [recorded.entry.version for recorded in voided.events] == [len(archived) + 1]
    (whole, known) = (fresh(world).service.store.read(TABLE), world.service.store.known(TABLE, "void"))
    assert whole[:-1] == archived
    assert fresh(world).is_valid("over")
    assert known == Duplicate(len(whole), "why", len(whole))
    assert void(fresh(world), key="void").events == voided.events
    assert world.now_at("over").voided is not None  # of the process that remembers the table
    assert archive(world) == 1
    assert not world.client.exists(KEYS.stream(TABLE))
    assert fresh(world).service.store.read(TABLE) == whole
    assert fresh(world).service.store.known(TABLE, "void") == known
    assert audited(world.service, "records") == []


def test_a_writer_who_is_behind_or_wrong_is_refused(world):
    entries = world.service.store.read(TABLE)
    archive(world)
    store, last = fresh(world).service.store, len(entries)

    def append(expected: int, head: str) -> Any:
        key = IdempotencyKey("new", "")
        return store.append(
            Commit(stream=TABLE, expected_version=expected, expected_head=head, entries=entries[:1], key=key)
        )

    assert append(0, "") == Conflict(last, entries)
    assert append(3, entries[2].hash) == Conflict(last, entries[3:])
    assert append(3, "f" * 64) == Diverged(last)
    assert append(last, "f" * 64) == Diverged(last)
    void(fresh(world))
    assert isinstance(append(last, entries[-1].hash), Conflict)
    assert append(last + 1, "f" * 64) == Diverged(last + 1)


def test_a_log_to_which_the_rules_no_longer_lead_is_reported(world, monkeypatch):
    archive(world)
    for card in build_pack():
        monkeypatch.setitem(rules._VALUES, card, 1)
    with pytest.raises(DamagedArchive, match=r"\.segment: the frame at byte \d+ is another log"):
        fresh(world).service.store.read(TABLE)


def due_records(world: World, table: str) -> list[str]:
    """Returns the keys of due times that have a field or an entry of this table."""
    client, found = world.client, list[str]()
    for key in map(bytes.decode, client.keys("hw:*:due:*")):
        known = client.hget if key.endswith(":versions") else client.zscore
        found += [key] if known(key, table) is not None else []
    return found


def test_due_times_keep_nothing_of_an_archived_table(world):
    assert due_records(world, "over")
    archive(world)
    assert due_records(world, "over") == []
    assert due_records(world, "people")
    assert audited(world.service) == []


def test_a_table_whose_report_is_due_is_not_archived(world):
    *_, before_last, last = world.service.store.read(TABLE)
    world.service.due_times.record({"report": {"over": Due(before_last.version, "", world.clock.now)}})
    assert archive(world) == 0
    world.service.due_times.record({"report": {"over": Due(last.version, last.hash, None)}})
    assert archive(world) == 1


def test_late_due_times_of_an_archived_table_schedule_nothing(world):
    archive(world)
    *_, before_last, last = world.service.store.read(TABLE)
    due_times = world.service.due_times
    due_times.record({"work": {"over": Due(last.version, last.hash, None)}})
    due_times.record({"rest": {"over": Due(before_last.version, "", world.clock.now + DAY_MS)}})
    assert due_records(world, "over") == []


def test_a_table_that_is_archived_before_its_report_is_still_reported(world):
    archive(world)
    *_, before_last, last = world.service.store.read(TABLE)
    due_times = world.service.due_times
    due_times.record({"report": {"over": Due(before_last.version, "", world.clock.now)}})
    assert list(due_times.due_by("report", world.clock.now, count=9)) == ["over"]
    due_times.record({"report": {"over": Due(last.version, last.hash, None)}})
    assert due_records(world, "over") == []


def test_a_due_time_recorded_meanwhile_keeps_its_version(world):
    last = world.service.store.read(TABLE)[-1]
    service = world.service
    assert service.archive is not None
    logs = {TABLE: service.archive.whole(TABLE)}
    service.due_times.record({"report": {"over": Due(last.version, last.hash, 1)}})
    assert service.archive.move(0, 202611, logs) == 1
    assert service.due_times.find("report", "over") == DueRecord(1, last.version)


def test_a_short_program_reads_a_segment(world):
    log = export_log("over", world.service.tables.entries("over"))
    archive(world)
    (segment,) = Path(world.service.settings.archive).rglob("*.segment")
    ((stream, rows),) = read_segment(segment)
    assert stream == "table:over"
    events = [json.loads(line) for line in log.splitlines()[1:]]
    deal = next(number for number, event in enumerate(events) if event["type"] == "blindside.round_dealt")
    assert rows[:deal] == events[:deal]
    assert [(row["at"], row["by"], row["data"] and row["data"]["type"]) for row in rows[deal : deal + 2]] == [
        (events[deal]["at"], "worker", None),
        (events[deal + 1]["at"], events[deal + 1]["by"], "pass_blindside"),
    ]


def rebuild_all(world: World) -> None:
    for category in ("table", "tournament"):
        projectors = world.service.projectors.values()
        assert rebuild([one for one in projectors if one.projection.category == category]) == ()


def test_projections_are_rebuilt_from_the_archive(world):
    def contents() -> list[Any]:
        store = world.service.projection_store
        return [
            store.contents(projection.name, number)
            for projection in PROJECTIONS
            for number in store.partitions
        ]

    rebuild_all(world)
    before = contents()
    archive(world)
    rebuild_all(fresh(world))
    assert contents() == before
    for projection in PROJECTIONS:
        assert audited(world.service, projection.name) == []
    assert audited(world.service, "due times") == []


class Killed(BaseException):
    """The process ends here."""


def killed_at(world: World, step: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Runs the archiver until its given step, a call to Redis or to the folder; returns whether it was killed."""
    steps = count()

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            if next(steps) == step:
                raise Killed
            return function(*arguments, **named)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(Transport, "call_each", counted(Transport.call_each))
        for name in ("put", "read", "size"):
            patch.setattr(Folder, name, counted(getattr(Folder, name)))
        for name in ("fsync", "link"):
            patch.setattr(os, name, counted(getattr(os, name)))
        try:
            archive(world)
        except Killed:
            return True
    return False


def test_a_run_that_is_killed_at_any_step_is_completed_by_the_next(world, monkeypatch):
    before = {stream: world.service.store.read(stream) for stream in world.service.store.streams("table")}
    whole = world.client.dump(KEYS.stream(TABLE)), world.client.dump(KEYS.commands(TABLE))
    for step in range(1_000):
        folder = f"{world.service.settings.archive}/{step}"
        was_killed = killed_at(fresh(world, folder), step, monkeypatch)
        store = fresh(world, folder).service.store
        assert {stream: store.read(stream) for stream in store.streams("table")} == before
        archive(fresh(world, folder))
        assert not world.client.exists(KEYS.stream(TABLE), *KEYS.in_each("archiving"))
        assert store.read(TABLE) == before[TABLE]
        if not was_killed:
            break
        assert restore(fresh(world, folder))
        assert (world.client.dump(KEYS.stream(TABLE)), world.client.dump(KEYS.commands(TABLE))) == whole
    assert step > 20


@pytest.mark.parametrize("is_longer", [True, False])
def test_a_log_that_changes_before_its_burial_stays_whole(world, is_longer):
    logs = {TABLE: world.service.archive.whole(TABLE)}
    if is_longer:
        void(world, key="void")
    else:  # the store came back from an older copy, and the table went on in another way
        rewrite(world, -1, hash=packed("ab" * 32))
    before = world.client.dump(KEYS.stream(TABLE)), world.client.dump(KEYS.commands(TABLE))
    assert world.service.archive.move(0, 202611, logs) == 0
    assert (world.client.dump(KEYS.stream(TABLE)), world.client.dump(KEYS.commands(TABLE))) == before
    assert not world.client.exists(KEYS.archived(TABLE))


def rewrite(world: World, number: int, **values: Any) -> None:
    """Changes an event in Redis."""
    stored = world.client.xrange(KEYS.stream(TABLE))
    stored[number][1].update({name.encode(): value for name, value in values.items()})
    world.client.delete(KEYS.stream(TABLE))
    for id_, fields in stored:
        world.client.xadd(KEYS.stream(TABLE), fields, id=id_)


def test_a_segment_of_a_killed_run_is_synced_before_its_logs_leave_redis(world, monkeypatch):
    link, fsync, synced = os.link, os.fsync, set[int]()

    def link_last(*paths: Any, **named: Any) -> None:
        link(*paths, **named)
        raise Killed

    def note(opened: int) -> None:
        fsync(opened)
        if world.client.exists(KEYS.stream(TABLE)):
            synced.add(os.fstat(opened).st_ino)

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", link_last)
        with pytest.raises(Killed):
            archive(world)
    monkeypatch.setattr(os, "fsync", note)
    assert archive(fresh(world)) == 1
    root = Path(world.service.settings.archive)
    assert synced == {root.stat().st_ino, (root / "p00").stat().st_ino}


def restore(world: World) -> bool:
    assert world.service.archive is not None
    return world.service.archive.restore(TABLE)


def test_a_restored_log_keeps_its_later_events(world):
    archive(world)
    void(fresh(world), key="void")
    whole = world.service.store.read(TABLE)
    assert restore(world)
    assert not restore(world)
    assert [entry_id for entry_id, _ in world.client.xrange(KEYS.stream(TABLE))] == [
        f"{entry.version}-0".encode() for entry in whole
    ]
    store = fresh(world).service.store
    assert store.read(TABLE) == whole
    assert store.known(TABLE, "void") == Duplicate(len(whole), "why", len(whole))
    assert audited(world.service, "records") == []


def test_a_log_is_restored_once_by_two_operators(world, monkeypatch):
    archive(world)
    tombstone = world.service.archived_logs.find(TABLE)
    assert restore(world)
    whole = world.service.store.read(TABLE)
    monkeypatch.setattr(world.service.archived_logs, "find", lambda _: tombstone)  # as the other one saw it
    assert not restore(world)
    assert fresh(world).service.store.read(TABLE) == whole


@pytest.mark.parametrize("is_archived", [True, False])
def test_the_version_of_a_log_that_moves_meanwhile_is_right(world, monkeypatch, is_archived):
    service, call_each = world.service, Transport.call_each
    length, logs = service.store.version(TABLE), {TABLE: service.archive.whole(TABLE)}
    if is_archived:
        archive(world)

    def one_by_one(transport: Transport, commands: Any) -> list[Any]:
        *others, last = commands
        replies = call_each(transport, others)
        monkeypatch.setattr(Transport, "call_each", call_each)
        assert restore(world) if is_archived else service.archive.move(0, 202611, logs)
        return [*replies, *call_each(transport, [last])]

    monkeypatch.setattr(Transport, "call_each", one_by_one)
    assert service.store.version(TABLE) == length


def test_a_log_that_is_restored_meanwhile_is_read_whole(world, monkeypatch):
    store, archived = world.service.store, world.service.archived_logs
    before, find = store.read(TABLE), archived.find
    archive(world)

    def restore_and_find(stream: StreamId) -> Any:
        monkeypatch.setattr(archived, "find", find)
        assert restore(world)
        return find(stream)

    monkeypatch.setattr(archived, "find", restore_and_find)
    assert store.read(TABLE) == before


def faults(world: World, *, thoroughly: bool) -> list[str]:
    archive, partitions = world.service.archive, range(world.service.settings.partitions)
    assert archive is not None
    return [line for number in partitions for line in archive.faults(number, thoroughly=thoroughly)]


def test_a_lost_or_damaged_segment_is_named_and_nothing_else_fails(world):
    archive(world)
    rebuild_all(world)
    (segment,) = Path(world.service.settings.archive).rglob("*.segment")
    name, whole = "/".join(segment.parts[-2:]), segment.read_bytes()
    assert faults(fresh(world), thoroughly=True) == []
    for cut in range(len(whole) - 1, max(len(whole) - 1_025, -1), -1):
        segment.write_bytes(whole[:cut])
        ((found),) = faults(fresh(world), thoroughly=False)
        assert name in found
    segment.write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    ((found),) = faults(fresh(world), thoroughly=True)
    assert name in found
    segment.unlink()
    service = fresh(world).service
    assert faults(fresh(world), thoroughly=False) == [f"{name} is missing"]
    with pytest.raises(DamagedArchive, match=f"{name} is missing"):
        service.tables.load("over")
    (broken,) = audited(service, "logs")
    assert (broken.stream, broken.finding.detail) == (TABLE, f"{name} is missing")
    assert audited(service, "records", "ratings", "due times") == []
    assert service.tables.load("people").state.version
    left_out = rebuild([one for one in service.projectors.values() if one.projection.category == "table"])
    assert left_out == (TABLE,)


def test_a_disk_that_is_full_changes_nothing(world, monkeypatch):
    before = world.service.store.read(TABLE)

    def full(opened: int) -> None:
        if S_ISREG(os.fstat(opened).st_mode):
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(StoreUnavailable, match="No space left"):
            archive(world)
    assert not list(Path(world.service.settings.archive).rglob("*.*"))
    assert world.service.store.read(TABLE) == before
    assert archive(world) == 1


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda data: data[:-1], id="end"),
        pytest.param(lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:], id="frame"),
    ],
)
def test_a_disk_that_returns_other_bytes_than_were_written_loses_nothing(world, monkeypatch, changed):
    before = world.service.store.read(TABLE)
    put = Folder.put
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "put", lambda folder, name, data: put(folder, name, changed(data)))
        assert archive(world) == 0
    assert world.service.store.read(TABLE) == before
    assert archive(world) == 1
    assert fresh(world).service.store.read(TABLE) == before


def test_a_log_that_does_not_verify_stays_where_it_is(world):
    rewrite(world, 4, by="bot:7")
    length = world.client.xlen(KEYS.stream(TABLE))
    assert archive(world) == 0
    assert world.client.xlen(KEYS.stream(TABLE)) == length
    assert not list(Path(world.service.settings.archive).rglob("*.segment"))
