"""`hoodwink audit` and `hoodwink rebuild` continue after a kill, and an audit can be limited to what has changed."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.commands import VoidTable
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.service.adapters.process.audit_notes import AuditNotes
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.projections.projection_store import RedisProjectionStore
from hoodwink.service.adapters.store.projections.rebuilt_parts import RebuiltParts
from hoodwink.service.application.ports import StreamId
from hoodwink.service.bootstrap import Service
from hoodwink.service.cli import hoodwink
from tests.service.application.faults import Killed, killer
from tests.service.application.world import World, service_on

PARTITIONS = 4
KEYS = Keys(PARTITIONS)
TABLES = ("over", "void", "open", "lively")


@pytest.fixture
def world(monkeypatch, tmp_path) -> World:
    """Two finished tables, an open one and one in play, with up-to-date projections; their commands are run by `run`."""
    world = World(data=str(tmp_path), archive=str(tmp_path / "archive"), partitions=PARTITIONS)
    for table in ("over", "void"):
        world.table("bot", "bot", table=table)
        world.settle()
    world.table("ada", "bo", table="open", start=False)
    world.table("ada", "bo", table="lively")
    world.settle()
    project_all(world)

    @contextmanager
    def connected() -> Iterator[Service]:
        yield new_process(world)

    for name in ("audit", "rebuild"):
        monkeypatch.setattr(f"hoodwink.service.cli.{name}.connected_service", connected)
    assert len({KEYS.partition(StreamId("table", table)) for table in TABLES}) > 2
    return world


def new_process(world: World) -> Service:
    settings = world.service.settings
    return service_on(
        world.client, world.clock, data=settings.data, archive=settings.archive, partitions=PARTITIONS
    )


def project_all(world: World) -> None:
    for projection in PROJECTIONS:
        while entries := world.read(projection.name):
            world.service.projectors[projection.name].project(entries)
            world.service.feed.ack(projection.name, entries)


def run(*arguments: str) -> list[str]:
    """Returns the lines that a command prints."""
    result = CliRunner().invoke(hoodwink, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout.splitlines()


def audit(*arguments: str) -> list[str]:
    return run("audit", "--wait", "0", *arguments)


def break_log(world: World, table: str) -> None:
    """Appends an event that nobody knows, directly in Redis."""
    key = KEYS.stream(StreamId("table", table))
    event = {"type": "nonsense", "data": "{}", "at": 1, "by": "host", "cmd": "c", "hash": "f"}
    world.client.xadd(key, event, id=f"{world.client.xlen(key) + 1}-0")


def lose_command(world: World, table: str) -> None:
    index = KEYS.commands(StreamId("table", table))
    world.client.hdel(index, next(name for name in world.client.hkeys(index) if name != b":head"))


def counters_of(world: World, table: str) -> Any:
    partition = KEYS.partition(StreamId("table", table))
    return KEYS.at(partition, "statistics:counters")


def kill_at(monkeypatch: Any, owner: type, name: str, step: int, *, before: bool) -> None:
    """Simulates a kill right before or after the call of a method with this number."""
    method, calls = getattr(owner, name), list[None]()

    def called(*given: Any, **named: Any) -> Any:
        calls.append(None)
        if before and len(calls) == step:
            raise Killed
        result = method(*given, **named)
        if not before and len(calls) == step:
            raise Killed
        return result

    monkeypatch.setattr(owner, name, called)


def let_holds_expire(world: World) -> None:
    for key in world.client.keys("hw:*:held"):
        world.client.delete(key)


def kill_everywhere(
    monkeypatch: Any,
    world: World,
    owner: type,
    method: str,
    command: Callable[[], object],
    steps: Sequence[int] = range(1, 1_000),
) -> Iterator[int]:
    """Kills a command at each of these calls of a method; yields after each kill, with the number of the call."""
    for before in (True, False):
        for step in steps:
            with monkeypatch.context() as patch:
                kill_at(patch, owner, method, step, before=before)
                try:
                    command()
                    break
                except Killed:
                    pass
            let_holds_expire(world)
            yield step


# ---------------------------------------------------------------------------------------- audit


def count_verified(monkeypatch: Any) -> list[str]:
    """Returns a list that will name each log when it is verified."""
    verified, check = list[str](), check_entries

    def counted(model: Any, id_: str, *given: Any) -> Any:
        verified.append(id_)
        return check(model, id_, *given)

    monkeypatch.setattr("hoodwink.service.application.audit.log_audit.check_entries", counted)
    return verified


def test_an_audit_killed_at_any_step_finds_the_same_afterwards(world, monkeypatch):
    # On a slow machine, the audit would find that no projector has handled the commits.
    monkeypatch.setattr("hoodwink.service.cli.audit.unfinished", lambda _service: None)
    break_log(world, "void")
    lose_command(world, "over")
    world.client.hincrby(counters_of(world, "open"), "blindside|tables_opened", 1)
    expected = audit()
    assert len(expected) == 4
    kills = 0
    for _ in kill_everywhere(monkeypatch, world, AuditNotes, "_write", audit):
        assert audit() == expected
        kills += 1
    assert kills > len(TABLES)


def test_a_resumed_audit_verifies_no_log_twice(world, monkeypatch):
    verified = count_verified(monkeypatch)
    with monkeypatch.context() as patch:
        kill_at(patch, AuditNotes, "note", 3, before=False)
        with pytest.raises(Killed):
            audit()
    assert len(verified) == 3
    assert audit()[-1].startswith("No differences in ")
    assert sorted(verified) == sorted(TABLES)


def test_a_resumed_audit_finds_what_has_changed_meanwhile(world, monkeypatch):
    with monkeypatch.context() as patch:
        kill_at(patch, AuditNotes, "complete", PARTITIONS, before=False)
        with pytest.raises(Killed):
            audit()
    break_log(world, "over")
    world.table("ada", "cy", table="new", start=False)
    found = audit()
    assert any(line.startswith("log: table:over, event ") for line in found)
    assert "lobby: applied, table:new: is 0, should be 3" in found
    assert any(line.startswith("due: rest, table:new: is missing") for line in found)


def test_differences_of_an_interrupted_audit_are_found_again(world, monkeypatch):
    lose_command(world, "over")
    with monkeypatch.context() as patch:
        kill_at(patch, AuditNotes, "complete", PARTITIONS - 1, before=False)
        with pytest.raises(Killed):
            audit()
    assert audit()[-1] == "1 difference."


# ------------------------------------------------------------------------------ only what has changed


def test_an_audit_of_changes_without_an_earlier_audit_is_complete(world, monkeypatch):
    verified = count_verified(monkeypatch)
    assert audit("--changed")[-1].startswith("No differences in ")
    assert sorted(verified) == sorted(TABLES)


def test_an_audit_of_changes_verifies_only_changed_logs(world, monkeypatch):
    assert audit()[-1].startswith("No differences in ")
    world.do("void", VoidTable("olga", "A shared screen."), by="admin")
    world.table("ada", "cy", table="new", start=False)
    world.dispatch()
    project_all(world)
    verified = count_verified(monkeypatch)
    for expected in (["new", "void"], []):
        verified.clear()
        last = audit("--changed")[-1]
        assert last.endswith("as far as they have changed since the last audit without differences.")
        assert sorted(verified) == expected


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (lambda world: break_log(world, "over"), "log: table:over, event "),
        (lambda world: world.table("ada", "cy", table="new", start=False), "lobby: applied, table:new: is 0"),
        (lambda world: world.client.delete(KEYS.stream(StreamId("table", "open"))), "stored: table:open"),
    ],
    ids=["appended", "not projected", "lost"],
)
def test_an_audit_of_changes_finds_what_is_wrong_with_them(world, damage, found):
    audit()
    damage(world)
    assert any(line.startswith(found) for line in audit("--changed"))


def test_an_audit_of_changes_finds_wrong_rows_of_changed_tables(world):
    audit()
    world.do("void", VoidTable("olga", "A shared screen."), by="admin")
    world.dispatch()
    project_all(world)
    for table in ("over", "void"):
        partition = KEYS.partition(StreamId("table", table))
        world.client.hset(KEYS.at(partition, "lobby:rows"), table, "{}")
    assert [line.partition(": is ")[0].partition(", ")[2] for line in audit("--changed")[:-1]] == [
        "rows, void"
    ]
    assert audit()[-1] == "2 differences."


def test_an_audit_of_changes_reads_no_archived_log_again(world, monkeypatch):
    audit()
    assert world.service.archiver is not None
    assert world.service.archiver.run(idle_ms=-1, min_logs=1) == 2
    verified = count_verified(monkeypatch)
    assert audit("--changed")[-1].startswith("No differences in logs, archive, ")
    assert verified == []
    world.do("void", VoidTable("olga", "A shared screen."), by="admin")
    world.dispatch()
    project_all(world)
    assert audit("--changed")[-1].startswith("No differences in logs, archive, ")
    assert verified == ["void"]


def test_an_interrupted_audit_of_changes_does_not_shorten_a_complete_one(world, monkeypatch):
    audit()
    world.client.hincrby(counters_of(world, "open"), "blindside|tables_opened", 1)
    with monkeypatch.context() as patch:
        patch.setattr("hoodwink.service.cli.audit.conclude", interrupt)
        audit("--changed")
    assert audit()[-1] == "1 difference."


def interrupt(*_: object, **_named: object) -> None:
    raise KeyboardInterrupt


# -------------------------------------------------------------------------------------- rebuild


def contents(world: World) -> list[Any]:
    store = world.service.projection_store
    return [
        store.contents(projection.name, partition)
        for projection in PROJECTIONS
        for partition in store.partitions
    ]


PARTS = PARTITIONS * (len(PROJECTIONS) + 1)


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param((1, 11, 20), id="some"),  # five groups of projections in four partitions
        pytest.param(range(1, 1_000), id="all", marks=pytest.mark.campaign),
    ],
)
def test_a_rebuild_killed_at_any_part_is_completed(world, monkeypatch, steps):
    expected, done = contents(world), list[int]()
    restart = partial(run, "rebuild", "--restart")
    for _ in kill_everywhere(monkeypatch, world, RebuiltParts, "add", restart, steps):
        done.append(len(RebuiltParts(client=world.client).read()))
        assert run("rebuild") == [f"Rebuilt {NAMES} from 4 logs."]
        assert RebuiltParts(client=world.client).read() == set()
        assert contents(world) == expected
    assert (min(done), max(done)) == (0, PARTS)


def test_a_resumed_rebuild_repeats_no_part(world, monkeypatch):
    with monkeypatch.context() as patch:
        kill_at(patch, RebuiltParts, "add", 3, before=False)
        with pytest.raises(Killed):
            run("rebuild", "lobby")
    rebuilt, rebuilding = list[int](), RedisProjectionStore.rebuilding

    def counted(store: Any, projection: str, partition: int, **named: Any) -> Any:
        rebuilt.append(partition)
        return rebuilding(store, projection, partition, **named)

    monkeypatch.setattr(RedisProjectionStore, "rebuilding", counted)
    run("rebuild", "lobby")
    run("rebuild", "lobby")
    assert rebuilt == [3, 0, 1, 2, 3]


NAMES = ", ".join([*[projection.name for projection in PROJECTIONS], "due"])


@pytest.mark.parametrize("step", [23, pytest.param(1, marks=pytest.mark.campaign)])
def test_a_rebuild_killed_at_any_write_is_completed(world, monkeypatch, step):
    expected, kill = contents(world), killer(monkeypatch)
    for writes in range(0, 10_000, step):
        kill(writes)
        try:
            run("rebuild")
            break
        except Killed:
            kill(1 << 30)
            let_holds_expire(world)
            run("rebuild")
            assert contents(world) == expected, writes
            assert not world.client.keys("hw:*:rebuilding")


def test_a_resumed_rebuild_keeps_what_was_projected_meanwhile(world, monkeypatch):
    with monkeypatch.context() as patch:
        kill_at(patch, RebuiltParts, "add", 10, before=False)
        with pytest.raises(Killed):
            run("rebuild")
    world.table("ada", "cy", table="new", start=False)
    world.dispatch()
    project_all(world)
    expected = contents(world)
    assert run("rebuild") == [f"Rebuilt {NAMES} from 5 logs."]
    assert contents(world) == expected
    assert audit()[-1].startswith("No differences in ")


def test_a_rebuild_can_start_again_from_the_beginning(world, monkeypatch):
    expected = contents(world)
    with monkeypatch.context() as patch:
        kill_at(patch, RebuiltParts, "add", 10, before=False)
        with pytest.raises(Killed):
            run("rebuild")
    for key in world.client.keys("hw:*:lobby:*"):
        world.client.delete(key)
    run("rebuild", "--restart")
    assert contents(world) == expected


def test_a_part_with_a_broken_log_is_rebuilt_again(world):
    break_log(world, "over")
    for _ in range(2):
        assert run("rebuild")[0].startswith("Table over is left out")
