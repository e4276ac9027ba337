"""The whole service under its supervisor, as real processes with an embedded Redis."""

import os
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import psutil
import pytest
import redis
from msgspec.structs import replace

from bench.load import LoadFailed, PlayLoad, run_load
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import CannotStart, isolated_service
from tests.service.processes import await_true

pytestmark = pytest.mark.processes


@pytest.fixture
def settings(tmp_path):
    return Settings(port=0, data=str(tmp_path), api_workers=1)


def status(settings, path="/readyz"):
    connection = HTTPConnection(settings.host, settings.port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


def database(settings):
    return redis.from_url(settings.redis_url)


def test_requests_are_answered_as_soon_as_the_service_is_ready(settings):
    with isolated_service(settings) as running:
        assert status(running) == 200


def test_written_data_survive_a_restart(settings):
    with isolated_service(settings) as running, database(running) as client:
        client.set("kept", "yes")

    with isolated_service(settings) as running, database(running) as client:
        assert client.get("kept") == b"yes"


def test_packages_in_the_current_folder_do_not_shadow_ours(settings, tmp_path, monkeypatch):
    for name in ("bench", "hoodwink"):
        (tmp_path / "project" / name).mkdir(parents=True)
        (tmp_path / "project" / name / "__init__.py").write_text("raise SystemExit('this is not ours')")
    monkeypatch.chdir(tmp_path / "project")

    with isolated_service(settings) as running:
        assert status(running) == 200
    with pytest.raises(LoadFailed, match="Connection refused"):
        run_load(PlayLoad(settings=running, tables=1, warm_up=0.1, seconds=0.1))


def test_data_in_another_number_of_partitions_are_refused(settings):
    with isolated_service(settings):
        pass

    with (
        pytest.raises(CannotStart, match="holds data in 16 partitions, not 8: set HOODWINK_PARTITIONS=16"),
        isolated_service(replace(settings, partitions=8)),
    ):
        pass


def test_data_and_logs_are_private_even_in_an_open_folder(settings):
    logs = settings.data_folder / "logs"
    logs.mkdir(mode=0o755, parents=True)
    (logs / "api.log").touch(0o644)  # of an earlier release
    before = os.umask(0o022)
    try:
        with isolated_service(settings):
            found = [settings.data_folder, *settings.data_folder.rglob("*")]
            assert {"api.log", "api.log.1", "redis.conf", "redis.sock"} <= {path.name for path in found}
            assert [path for path in found if path.stat().st_mode & 0o077] == []
    finally:
        os.umask(before)


def test_a_second_instance_is_refused(settings):
    with (
        isolated_service(settings),
        pytest.raises(CannotStart, match="Another Hoodwink"),
        isolated_service(settings),
    ):
        pass


def test_a_failed_start_raises_its_reason(settings, tmp_path):
    (tmp_path / "file").touch()

    with (
        pytest.raises(CannotStart, match=r"^Cannot write to the data folder"),
        isolated_service(Settings(port=0, data=str(tmp_path / "file"))),
    ):
        pass


def test_ctrl_c_stops_the_service(settings):
    with subprocess.Popen(
        [sys.executable, "-m", "hoodwink.service.cli", "run"],
        env=os.environ | settings.to_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout
        assert running.stdout.readline().startswith("Hoodwink is ready")

        running.send_signal(signal.SIGINT)

        assert running.communicate(timeout=15)[1] == "Stopped.\n"
    assert running.returncode == 0


@pytest.mark.parametrize("part", ["worker", "projector"])
def test_a_single_part_replaces_the_command_and_stops_on_sigterm(settings, part):
    with isolated_service(settings) as running:
        alone = subprocess.Popen(
            [sys.executable, "-m", "hoodwink.service.cli", "run", part],
            env=os.environ | running.to_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        await_true(lambda: "hoodwink.service.cli" not in psutil.Process(alone.pid).cmdline())
        await_true(lambda: handles_term(alone.pid))

        alone.terminate()

        assert alone.wait(15) == 0


def handles_term(pid):
    """Returns whether the process has installed a handler for SIGTERM (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    caught = next(line for line in lines if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) & 1 << (signal.SIGTERM - 1))
