"""`hoodwink repair`: a damaged end of the append-only file, with each Redis on this machine."""

import os
import pty
import subprocess
import sys
from functools import partial

import pytest
from click.testing import CliRunner

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.cli import hoodwink
from hoodwink.service.supervisor import lock_folder
from hoodwink.service.supervisor.embedded_redis import CannotStartRedis, EmbeddedRedis
from tests.service.adapters.commits import TABLE, commit
from tests.service.adapters.servers import BINARIES, append_only_file
from tests.service.processes import service_settings

GARBAGE = b"garbage\xff\x00" * 5


@pytest.fixture(params=BINARIES, ids=lambda binary: str(binary.version[0]))
def server(request, tmp_path, monkeypatch):
    """A stopped server with two commits; the command finds the same program."""
    monkeypatch.setattr("hoodwink.service.supervisor.embedded_redis.find_redis", lambda **_: request.param)
    server = EmbeddedRedis(folder=tmp_path / "redis", binary=request.param)
    with server, connect(server.url) as client:
        for at in range(2):
            RedisEventStore(client=client).append(commit(at))
    return server


@pytest.fixture
def file(server, tmp_path):
    return append_only_file(tmp_path / "redis")


@pytest.fixture
def repair(tmp_path):
    runner = CliRunner(env={"HOODWINK_DATA": str(tmp_path), "REDIS_URL": None})
    return lambda *arguments, **given: runner.invoke(hoodwink, ["repair", *arguments], **given)


def version(server):
    with server, connect(server.url) as client:
        return RedisEventStore(client=client).version(TABLE)


def kept(file):
    return [path.read_bytes() for path in file.parent.glob(f"{file.name}.cut-*")]


@pytest.mark.parametrize("garbage", [GARBAGE, bytes(4096)], ids=["garbage", "zeros"])
def test_repair_states_the_loss_and_cuts_off_only_that(server, file, repair, garbage):
    intact = file.read_bytes()
    file.write_bytes(intact + garbage)
    with pytest.raises(CannotStartRedis, match="Bad file format"):
        server.start()

    result = repair(input="y\n")

    assert result.exit_code == 0, result.output
    assert f"the last {len(garbage)} of {len(intact + garbage)} bytes cannot be read" in result.output
    assert (file.read_bytes(), kept(file)) == (intact, [garbage])
    assert version(server) == 2


def test_declining_a_repair_leaves_the_file_unchanged(server, file, repair):
    with file.open("ab") as damaged:
        damaged.write(GARBAGE)
    before = file.read_bytes()

    for answer in ("n\n", "\n", ""):
        assert repair(input=answer).exit_code == 1
    assert (file.read_bytes(), kept(file)) == (before, [])


def test_repair_warns_before_losing_stored_events(server, file, repair):
    content = file.read_bytes()
    middle = content.index(b"*1\r\n$5\r\nMULTI")
    file.write_bytes(content[:middle] + b"?" + content[middle + 1 :])

    result = repair("--yes")

    assert result.exit_code == 0, result.output
    assert "stored events will be missing" in result.output
    assert file.read_bytes() + kept(file)[0] == content[:middle] + b"?" + content[middle + 1 :]
    assert version(server) == 0


def test_an_unfinished_write_is_cut_off_without_asking(server, file):
    content = file.read_bytes()
    file.write_bytes(content[:-7])
    server.prepare()

    said = server.repair(["Unexpected end of file reading the append only file"])

    assert said.startswith("Cut ")
    assert version(server) == 1
    assert kept(file)[0].startswith(b"*1\r\n$5\r\nMULTI")
    assert server.repair(["Unexpected end of file reading the append only file"]) is None


def test_greater_damage_is_not_cut_off_without_asking(server, file):
    content = file.read_bytes()
    length = content.index(b"$4\r\nXADD") + 1
    file.write_bytes(content[:length] + b"400000" + content[length + 1 :])  # an argument longer than the file
    server.prepare()

    assert server.repair(["Unexpected end of file reading the append only file"]) is None


def test_an_end_that_cannot_be_backed_up_is_not_cut_off(server, file, monkeypatch):
    with file.open("ab") as damaged:
        damaged.write(GARBAGE)
    before = file.read_bytes()
    server.prepare()
    damage = server.damage()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hoodwink.service.supervisor.append_only_file.shutil.copyfileobj", fail)
    with pytest.raises(
        CannotStartRedis, match=r"Cannot copy the end that would be cut off to .* No space left"
    ):
        server.cut_off(damage)
    assert (file.read_bytes(), kept(file)) == (before, [])


def test_an_end_that_the_tool_does_not_cut_off_is_not_copied(server, file, monkeypatch):
    with file.open("ab") as damaged:
        damaged.write(GARBAGE)
    before = file.read_bytes()
    server.prepare()
    damage = server.damage()

    monkeypatch.setattr(
        "hoodwink.service.supervisor.append_only_file._check", lambda *_, **__: "Cannot truncate.\n"
    )
    with pytest.raises(CannotStartRedis, match="refused: Cannot truncate"):
        server.cut_off(damage)
    assert (file.read_bytes(), kept(file)) == (before, [])


def test_undamaged_data_are_left_alone(server, file, repair):
    before = file.read_bytes()
    assert repair().output == "The append-only file is not damaged.\n"
    assert (file.read_bytes(), kept(file)) == (before, [])


def test_data_in_use_are_left_alone(tmp_path, repair):
    lock = lock_folder(tmp_path)
    try:
        assert "Another Hoodwink" in repair("--yes").output
    finally:
        os.close(lock)


def test_repair_creates_no_folder(tmp_path):
    missing = tmp_path / "missing"
    result = CliRunner(env={"HOODWINK_DATA": str(missing)}).invoke(hoodwink, ["repair"])
    assert (result.exit_code, missing.exists()) == (1, False)
    assert "There is no data folder" in result.output


@pytest.mark.processes
class TestRun:
    """`hoodwink run` on damaged data."""

    @pytest.fixture
    def run(self, tmp_path, server):
        settings = service_settings(tmp_path, job_slots=0)
        return partial(
            subprocess.Popen,
            [sys.executable, "-m", "hoodwink.service.cli", "run"],
            env=os.environ | settings.to_environment(),
            stdout=subprocess.PIPE,
            text=True,
        )

    @pytest.mark.parametrize("server", BINARIES[:1], indirect=True, ids=["found"])
    def test_without_a_terminal_the_error_and_advice_are_shown(self, run, file):
        with file.open("ab") as damaged:
            damaged.write(GARBAGE)

        _, failure = run(stdin=subprocess.DEVNULL, stderr=subprocess.PIPE).communicate(timeout=60)

        (line,) = [line for line in failure.splitlines() if line.startswith("Error: ")]
        assert f"The last {len(GARBAGE)} of " in line
        assert "Redis says: Bad file format reading the append only file" in line
        assert "`hoodwink repair`" in line
        assert f"redis-check-aof --fix {file.parent}" in line

    @pytest.mark.parametrize("server", BINARIES[:1], indirect=True, ids=["found"])
    def test_at_a_terminal_the_start_offers_repair_and_continues(self, run, file):
        with file.open("ab") as damaged:
            damaged.write(GARBAGE)
        ours, theirs = pty.openpty()

        with run(stdin=theirs, stderr=theirs) as running:
            os.write(ours, b"y\n")
            assert running.stdout.readline().startswith("Hoodwink is ready")
            running.terminate()
            assert running.wait(60) == 0
        os.close(theirs)
        os.close(ours)
        assert kept(file) == [GARBAGE]

    @pytest.mark.parametrize("server", BINARIES[:1], indirect=True, ids=["found"])
    def test_an_unfinished_write_is_cut_off_and_the_service_starts(self, run, file, tmp_path):
        file.write_bytes(file.read_bytes()[:-7])

        with run(stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
            assert running.stdout.readline().startswith("Hoodwink is ready")
            running.terminate()
            warnings = running.stderr.read()
        assert "warning supervisor Cut " in warnings
