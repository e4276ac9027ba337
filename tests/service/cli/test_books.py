"""`hoodwink export`, `ledger`, `rebuild` and `audit`, with their own Redis."""

import csv
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.progress import Progress, Task

from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.commands import Resign
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tournaments.life import OpenTournament, Setup, Sitting
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.adapters.process.audit_notes import AuditFolder
from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import IdempotencyKey, Lag, StreamId
from hoodwink.service.application.projecting.projecting import Projector
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.service.cli import hoodwink
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from tests.service.application.world import World

Hoodwink = Callable[..., Result]

NO_SUCH_BOT = "There is no such bot. The policies are: novice, steady, sharp, expert, random."

EVERYTHING = ", ".join(projection.name for projection in PROJECTIONS)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    with EmbeddedRedis(folder=tmp_path_factory.mktemp("books") / "redis") as server:
        yield server


@pytest.fixture(scope="module")
def played(server) -> dict[bytes, bytes]:
    """The content of a Redis with a finished table, one in play, and up-to-date projections."""
    with connect(server.url) as client:
        play(client)
        return {key: client.dump(key) for key in client.scan_iter() if client.pttl(key) < 0}


def play(client: Any) -> World:
    client.flushall()
    world = World(client)
    world.table("bot", "bot", table="over", rounds=2)
    world.table("ada", "bo", table="lively")
    world.settle()
    project(world)
    return world


@pytest.fixture
def world(server, played) -> Iterator[World]:
    """A service with the content of `played`."""
    with connect(server.url) as client, client.pipeline() as pipeline:
        client.flushall()
        for key, content in played.items():
            pipeline.restore(key, 0, content)
        pipeline.execute()
        yield World(client)


def project(world: World) -> None:
    for projection in PROJECTIONS:
        while entries := world.read(projection.name):
            world.service.projectors[projection.name].project(entries)
            world.service.feed.ack(projection.name, entries)


@pytest.fixture
def run(server, world, monkeypatch, tmp_path) -> Hoodwink:
    """Runs a command with this Redis. The world has no projector, which no audit mentions even if the machine is slow."""
    monkeypatch.setattr("hoodwink.service.auditing.PATIENCE_SECONDS", 5_000)
    monkeypatch.setenv("REDIS_URL", server.url)
    monkeypatch.setenv("HOODWINK_DATA", str(tmp_path))
    return lambda *arguments: CliRunner().invoke(hoodwink, [str(argument) for argument in arguments])


def keys(world: World) -> dict[bytes, Any]:
    """Returns every key of every projection with its content."""
    found: dict[bytes, Any] = {}
    for projection in PROJECTIONS:
        for key in world.client.scan_iter(match=f"hw:*:{projection.name}:*"):
            is_hash = world.client.type(key) == b"hash"
            found[key] = world.client.hgetall(key) if is_hash else world.client.dump(key)
    return found


def due_keys(world: World) -> list[bytes]:
    """Returns the keys of all recorded due times."""
    return sorted(key for key in world.client.keys("hw:*:due:*") if not key.endswith(b":versions"))


# ------------------------------------------------------------------------------------- export


def test_an_exported_log_verifies(run, tmp_path):
    file = tmp_path / "over.ndjson"
    assert run("export", "over", "--out", file).exit_code == 0
    assert verify_log(file.read_bytes()).valid
    assert run("verify", file).exit_code == 0


def test_export_prints_the_same_bytes(run, tmp_path):
    file = tmp_path / "over.ndjson"
    run("export", "over", "--out", file)
    for printed in (run("export", "over"), run("export", "over", "--out", "-")):
        assert printed.stdout_bytes == file.read_bytes()


@pytest.mark.parametrize(("table", "why"), [("lively", "not ended"), ("nowhere", "no such table")])
def test_export_refuses_a_table_in_play_and_an_unknown_one(run, table, why):
    result = run("export", table)
    assert (result.exit_code, result.stdout) == (1, "")
    assert why in result.stderr


# ------------------------------------------------------------------------------------- ledger


def test_the_journal_is_written_in_the_order_of_time(run, tmp_path):
    file = tmp_path / "hoodwink.journal"
    assert run("ledger", "export", "--out", file).stdout == f"2 entries are in {file}.\n"
    text = file.read_text()
    assert text.index("round 1") < text.index("round 2")
    assert run("ledger", "export").stdout == run("ledger", "export", "--out", "-").stdout == text


def test_a_single_entry_is_counted_as_one(run, world, tmp_path):
    world.client.flushall()
    world.table("bot", "bot", table="short", rounds=1)
    world.settle()
    project(world)
    file = tmp_path / "hoodwink.journal"
    assert run("ledger", "export", "--out", file).stdout == f"1 entry is in {file}.\n"


def test_a_balance_is_shown_for_each_game_now_or_as_of_an_event(run, world):
    now = run("ledger", "balance", "bot:random").stdout
    assert now.splitlines()[0].split() == ["blindside", "0", "token"]
    last = world.now_at("over").version
    assert run("ledger", "balance", "bot:random", "--as-of", f"over:{last}").stdout == now
    assert run("ledger", "balance", "bot:random", "--as-of", "over:99999").exit_code == 1


def test_a_player_who_never_played_has_a_balance(run, world):
    player = world.service.players.register(name="Ada").player
    assert (
        run("ledger", "balance", f"player:{player.id}").stdout
        == run("ledger", "balance", "bot:steady").stdout
    )


def test_a_statement_is_written_as_csv(run, world, tmp_path):
    rows = list(csv.DictReader(StringIO(run("ledger", "statement", "table:over").stdout)))
    assert {row["account"] for row in rows} == {"bot:random"}
    assert {row["table"] for row in rows} == {"over"}
    file = tmp_path / "statement.csv"
    output = run("ledger", "statement", "table:over", "--out", file).stdout
    assert output == f"{len(rows)} line{'s' * (len(rows) != 1)} are in {file}.\n".replace(
        "1 line are", "1 line is"
    )
    assert file.read_bytes().count(b"\r\n") == len(rows) + 1


@pytest.mark.parametrize(
    ("options", "is_empty"),
    [
        (("--unit", "token"), False),
        (("--unit", "point"), True),
        (("--until", "2020-01-01"), True),
        (("--from", "2020-01-01T10:30"), False),
        (("--from", "2120-01-01"), True),
        (("--as-of", "over:1"), True),
        (("--as-of", "over:1", "--until", "2120-01-01"), True),
    ],
)
def test_a_statement_can_be_limited_to_a_range_an_event_or_a_unit(run, options, is_empty):
    result = run("ledger", "statement", "bot:random", *options)
    assert result.exit_code == 0
    assert (len(result.stdout.splitlines()) == 1) == is_empty


@pytest.mark.parametrize("of", ["tournament:zzzz", "player:zzzz", "table:zzzz", "bot:clever", "bot:steady@1"])
def test_a_statement_of_something_unknown_is_refused(run, of):
    result = run("ledger", "statement", of)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: There is no such ")


@pytest.mark.parametrize("arguments", [("player",), ("euro:x",), ("bot:steady", "--as-of", "x")])
def test_a_malformed_statement_is_refused(run, arguments):
    assert run("ledger", "statement", *arguments).exit_code == 2


@pytest.mark.parametrize(
    ("account", "why"),
    [
        ("player:zzzz", "There is no such player."),
        ("table:zzzz", "There is no such table."),
        ("bot:clever", NO_SUCH_BOT),
        ("bot:steady@1", NO_SUCH_BOT),
    ],
)
def test_an_unknown_account_is_refused_unlike_an_empty_one(run, world, account, why):
    result = run("ledger", "balance", account)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"Error: {why}\n")


# --------------------------------------------------------------------------- rebuild and audit


def test_rebuild_gives_the_same_bytes(run, world):
    play(world.client)  # Redis may store restored content in other bytes
    before = keys(world)
    result = run("rebuild")
    assert (result.exit_code, keys(world)) == (0, before)
    assert result.stdout == f"Rebuilt {EVERYTHING}, due from 2 logs.\n"


def test_one_projection_can_be_rebuilt_alone(run, world):
    for name in ("lobby", "ledger"):
        for key in world.client.scan_iter(match=f"hw:*:{name}:*"):
            world.client.delete(key)
    assert run("rebuild", "ledger").exit_code == 0
    store = world.service.projection_store
    assert any(store.contents("ledger", partition).rows for partition in store.partitions)
    assert not any(store.contents("lobby", partition).rows for partition in store.partitions)


def test_an_unknown_projection_is_refused(run):
    assert run("rebuild", "weather").exit_code == 2


def test_an_audit_without_differences_says_so(run):
    result = run("audit", "--wait", "0")
    assert (result.exit_code, result.stdout) == (
        0,
        f"No differences in logs, records, {EVERYTHING}, ratings, due times.\n",
    )


def test_an_audit_lists_differences_and_a_rebuild_repairs_them(run, world):
    key = next(world.client.scan_iter(match="hw:*:ledger:counters"))
    field = world.client.hkeys(key)[0].decode()
    world.client.hincrby(key, field, 5)
    world.table("cy", "dee", table="unread", start=False)
    result = run("audit", "--wait", "0")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert any(line.startswith("ledger: ") and f"counters, {field}: is " in line for line in lines)
    assert "lobby: applied, table:unread: is 0, should be 3" in lines
    assert any(line.startswith("due: rest, table:unread: is missing, should be clock:") for line in lines)
    assert lines[-1] == "4 differences."
    assert run("rebuild").exit_code == 0
    assert run("audit", "--wait", "0").exit_code == 0


def test_an_audit_recognises_differences_caused_by_lag(run, world, monkeypatch):
    world.table("cy", "dee", table="unread", start=False)
    monkeypatch.setattr(
        "hoodwink.service.auditing.lags", lambda _feed: {"lobby": Lag(3, 0), "ledger": Lag(1, 6_000_000)}
    )
    last = run("audit", "--wait", "0").stdout.splitlines()[-2]
    assert last.startswith("No projector is running: 1 commits are waiting, the oldest for 6000 seconds.")


def test_due_times_alone_can_be_rebuilt(run, world):
    due = due_keys(world)
    assert due
    world.client.delete(*world.client.keys("hw:*:due:*"))
    result = run("audit", "--wait", "0")
    assert "due: rest, table:lively: is missing, should be clock:" in result.stdout
    before = keys(world)
    assert run("rebuild", "due").stdout == "Rebuilt due from 2 logs.\n"
    assert (due_keys(world), keys(world)) == (due, before)
    assert run("audit", "--wait", "0").exit_code == 0


@pytest.fixture
def bars(monkeypatch) -> list[Task]:
    """All bars that the commands show."""
    shown = list[Task]()

    class Recorded(Progress):
        def stop(self) -> None:
            super().stop()
            shown.extend(self.tasks)

    monkeypatch.setattr("hoodwink.service.cli.shared.progress.Progress", Recorded)
    return shown


@pytest.mark.parametrize(
    ("arguments", "titles"),
    [
        (["rebuild", "lobby"], ["lobby"]),
        (
            ["rebuild"],
            ["lobby, ledger, history, statistics", "leaderboards", "tournaments", "seasons", "due"],
        ),
        (["audit", "--wait", "0"], ["events"]),
    ],
)
def test_progress_is_measured_by_events(run, world, bars, arguments, titles):
    assert run(*arguments).exit_code == 0
    assert [bar.description for bar in bars] == titles
    assert [bar.completed for bar in bars] == [bar.total for bar in bars]
    assert bars[0].total == sum(map(world.service.store.version, world.service.store.streams("table")))


def test_progress_excludes_events_that_are_not_read(run, bars):
    assert run("audit", "--wait", "0").exit_code == 0
    assert run("audit", "--wait", "0", "--changed").exit_code == 0
    assert bars[1].total == 0


def forge(world: World, log: str, **fields: str) -> None:
    """Adds an event to a log, `<category>:<id>`, directly in Redis."""
    (stream,) = world.client.scan_iter(match=f"hw:{{p??}}:{log}")
    version = world.client.xlen(stream)
    event = {"type": "table.started", "data": "{}", "at": 1, "by": "host", "cmd": "c", "hash": "f"}
    world.client.xadd(stream, event | fields, id=f"{version + 1}-0")


def test_a_broken_log_is_reported_with_table_version_and_code(run, world):
    version = world.now_at("over").version
    forge(world, "table:over")
    result = run("audit", "--wait", "0")
    assert result.exit_code == 1
    assert (
        f"log: table:over, event {version + 1}: chain_broken: the hash does not follow"
        in result.stdout.splitlines()
    )


def test_an_unreplayable_log_is_left_out_of_a_rebuild(run, world):
    forge(world, "table:over", type="nonsense")
    result = run("rebuild")
    assert result.exit_code == 1
    assert "Table over is left out" in result.stdout
    assert world.service.projection_store.applied("lobby", StreamId("table", "lively"))
    assert "log: table:over, event " in run("audit", "--wait", "0").stdout


def test_a_malformed_entry_is_reported_like_an_unknown_event(run, world):
    version, at = world.now_at("over").version, "1700000000000-0"
    for stream in (StreamId("table", "over"), StreamId("administration", "administration")):
        world.client.xadd(Keys(16).stream(stream), {"a": "b"}, id=at)
    unknown = f"log: table:over, event {version + 1}: unknown_event: there is no event 'malformed entry {at}'"
    for options in (("--quick",), ("--wait", "0", "--processes", "2")):
        result = run("audit", *options)
        assert unknown in result.stdout.splitlines()
        assert "stored: administration:administration, event " in result.stdout
        assert "lively" not in result.stdout
    assert "Table over is left out" in run("rebuild").stdout
    assert world.service.projection_store.applied("lobby", StreamId("table", "lively"))
    for command in (("export", "over"), ("admin", "log")):
        result = run(*command)
        assert (result.exit_code, result.stdout) == (1, "")
        assert f"malformed entry {at}" in result.stderr
        assert isinstance(result.exception, SystemExit)


def test_unreplayable_tournaments_and_ratings_are_reported_as_such(run, world):
    opening = OpenTournament(
        tournament="over",
        organiser="orga",
        setup=Setup(
            name="The Cup", format=Format.SWISS, game="blindside", seats=3, sittings=(Sitting(rounds=1),)
        ),
        server_seed="5eed" * 16,
    )
    world.service.tournaments.open("over", opening, by="organiser", key=IdempotencyKey("open", ""))
    world.do("lively", Resign(0), by="player:0")
    world.service.rater.rate(world.read(RATER))
    for log in ("table:over", "tournament:over", "ratings:blindside"):
        forge(world, log, type="nonsense")
    lines = run("rebuild").stdout.splitlines()
    assert [line for line in lines if "left out" in line] == [
        "Table over is left out, because its log cannot be replayed. `hoodwink audit` says why.",
        "The ratings of blindside are left out, because their log cannot be replayed. `hoodwink audit` says why.",
        "Tournament over is left out, because its log cannot be replayed. `hoodwink audit` says why.",
    ]
    output = run("audit", "--wait", "0").stdout
    for log in ("log: table:over, ", "log: tournament:over, ", "ratings: blindside, "):
        assert log in output


def test_an_interrupted_audit_is_resumed(run, world, notes, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("hoodwink.service.cli.audit.conclude", interrupted)
        first = run("audit")
    assert first.exit_code == 130
    assert "Aborted" not in first.output
    assert first.stderr.splitlines()[-1] == (
        "Interrupted. The next `hoodwink audit` resumes after the logs already verified."
    )
    assert AuditFolder(notes).count() == 2
    result = run("audit", "--wait", "0")
    assert (result.exit_code, AuditFolder(notes).count()) == (0, 0)
    assert "Resuming: 2 logs already verified. Use --restart to verify every log again." in result.stderr
    assert "Resuming" not in run("audit", "--wait", "0").stderr


def interrupted(*_: object, **_named: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("names", [(), ("ledger", "due")])
def test_an_interrupted_rebuild_says_what_to_do(run, monkeypatch, names):
    monkeypatch.setattr(Projector, "catch_up", interrupted)
    result = run("rebuild", *names)
    assert (result.exit_code, result.stdout) == (130, "")
    assert "Aborted" not in result.output
    assert result.stderr.splitlines()[-1] == (
        f"Interrupted. Run `{' '.join(('hoodwink rebuild', *names))}` again; "
        "until then, lists and due times may be incomplete."
    )


def open_in_each_partition(world: World) -> None:
    partitions = Keys(16)
    wanted = dict[int, str]()
    for name in map(str, range(200)):
        wanted.setdefault(partitions.partition(StreamId("table", name)), name)
    for name in wanted.values():
        world.table("ada", "bo", table=name, start=False)
    assert len(wanted) == 16
    world.dispatch()
    project(world)


def damage_each_partition(world: World) -> None:
    for key in world.client.scan_iter(match="hw:*:lobby:rows"):
        world.client.hdel(key, world.client.hkeys(key)[0])


def test_several_processes_find_the_same_differences_as_one(run, world):
    open_in_each_partition(world)
    damage_each_partition(world)
    alone, together = (run("audit", "--wait", "0", "--processes", number) for number in (1, 2))
    assert alone.exit_code == together.exit_code == 1
    assert alone.stdout == together.stdout
    *lines, last = together.stdout.splitlines()
    assert last == "16 differences."
    assert len({line.partition(", rows")[0] for line in lines}) == 16


def test_several_processes_rebuild_the_same_bytes(run, world):
    open_in_each_partition(world)
    store = world.service.projection_store

    def contents() -> list[Any]:
        return [store.contents(name, number) for name in world.service.projectors for number in range(16)]

    expected = contents()
    damage_each_partition(world)
    assert contents() != expected
    assert run("rebuild", "lobby", "--processes", 2).exit_code == 0
    assert contents() == expected


def test_a_single_difference_is_counted_as_one(run, world):
    key = next(world.client.scan_iter(match="hw:*:ledger:counters"))
    world.client.hincrby(key, world.client.hkeys(key)[0].decode(), 5)
    assert run("audit", "--wait", "0").stdout.splitlines()[-1] == "1 difference."


def test_an_audit_can_start_again_from_the_beginning(run, world, notes):
    notes.mkdir()
    (notes / "00.progress").write_text(f"table:over 1 {'0' * 64}\n")
    assert "Resuming" not in run("audit", "--wait", "0", "--restart").stderr
    assert not list(notes.glob("*.progress"))


def test_an_audit_runs_even_if_it_cannot_save_its_progress(run, world, notes, monkeypatch):
    monkeypatch.setenv("HOODWINK_DATA", str(notes / "folder"))
    notes.write_text("a file")
    result = run("audit", "--wait", "0")
    assert result.exit_code == 0
    assert "The progress could not be saved" in result.stderr


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The folder in which an audit saves its progress."""
    return tmp_path / "audit"


# ------------------------------------------------------------------------------- without a service


@pytest.mark.parametrize(
    "arguments",
    [("audit",), ("rebuild",), ("export", "t1"), ("ledger", "export"), ("ledger", "balance", "player:a")],
)
class TestWithoutService:
    def test_a_missing_service_is_reported_in_one_line(self, arguments, monkeypatch, tmp_path):
        monkeypatch.delenv("REDIS_URL", raising=False)
        monkeypatch.setenv("HOODWINK_DATA", str(tmp_path))
        self.check(arguments, "No Hoodwink runs on the data folder")

    def test_an_unreachable_redis_is_reported_in_one_line(self, arguments, monkeypatch, tmp_path):
        monkeypatch.setenv("REDIS_URL", f"unix://{tmp_path}/nowhere.sock")
        self.check(arguments, "No Redis at")

    def test_invalid_settings_are_reported_in_one_line(self, arguments, monkeypatch):
        monkeypatch.setenv("HOODWINK_PARTITIONS", "none")
        self.check(arguments, "HOODWINK_PARTITIONS=none is not valid")

    @staticmethod
    def check(arguments: tuple[str, ...], why: str) -> None:
        result = CliRunner().invoke(hoodwink, arguments)
        assert result.exit_code == 1
        assert why in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1
