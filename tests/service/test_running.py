"""The whole service under its supervisor, as real processes with an embedded Redis."""

import os
import signal
import subprocess
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from msgspec.structs import replace

from bench.load import LoadFailed, PlayLoad, run_load
from hoodwink.service.adapters.process.interpreter import python_module
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import CannotStart, isolated_service
from tests.service.processes import service_settings
from tests.service.scraping import free_port

pytestmark = pytest.mark.processes


SHADOWS = ("bench", "hoodwink")


@pytest.fixture
def settings(tmp_path):
    return service_settings(tmp_path, job_slots=0)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A whole service, shared by tests that do not stop it.

    It starts in a folder with other packages of our names, and its data folder is open and has a log of an earlier release.
    """
    folder = tmp_path_factory.mktemp("running")
    for name in SHADOWS:
        (folder / "project" / name).mkdir(parents=True)
        (folder / "project" / name / "__init__.py").write_text("raise SystemExit('this is not ours')")
    logs = folder / "data" / "logs"
    logs.mkdir(mode=0o755, parents=True)
    (logs / "api.log").touch(0o644)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder / "project")
        before = os.umask(0o022)
        try:
            with isolated_service(service_settings(folder / "data", job_slots=0)) as effective:
                yield effective
        finally:
            os.umask(before)


def status(settings, path="/readyz"):
    connection = HTTPConnection(settings.host, settings.port, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


def test_requests_are_answered_as_soon_as_the_service_is_ready(running):
    assert status(running) == 200


def test_packages_in_the_current_folder_do_not_shadow_ours(running):
    assert {path.name for path in Path.cwd().iterdir()} == set(SHADOWS)
    with pytest.raises(LoadFailed, match="Connection refused"):
        run_load(PlayLoad(settings=replace(running, port=free_port()), tables=1, warm_up=0.1, seconds=0.1))


def test_data_and_logs_are_private_even_in_an_open_folder(running):
    found = [running.data_folder, *running.data_folder.rglob("*")]
    assert {"api.log", "api.log.1", "redis.conf", "redis.sock"} <= {path.name for path in found}
    assert [path for path in found if is_open(path)] == []


def is_open(path):
    """Returns whether other users have a right to a file; not for one that is gone, such as a draft."""
    with suppress(FileNotFoundError):
        return bool(path.stat().st_mode & 0o077)
    return False


def test_a_second_instance_is_refused(running):
    with (
        pytest.raises(CannotStart, match="Another Hoodwink"),
        isolated_service(replace(running, port=0, redis_url=None)),
    ):
        pass


def test_a_failed_start_raises_its_reason(settings, tmp_path):
    (tmp_path / "file").touch()

    with (
        pytest.raises(CannotStart, match=r"^Cannot write to the data folder"),
        isolated_service(Settings(port=0, data=str(tmp_path / "file"))),
    ):
        pass


def test_ctrl_c_stops_the_service_whose_data_keep_their_partitions(settings):
    with subprocess.Popen(
        [*python_module("hoodwink.service.cli"), "run"],
        env=os.environ | settings.to_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout
        assert running.stdout.readline().startswith("Hoodwink is ready")

        running.send_signal(signal.SIGINT)

        assert running.communicate(timeout=60)[1] == "Stopped.\n"
    assert running.returncode == 0
    with (
        pytest.raises(CannotStart, match="holds data in 16 partitions, not 8: set HOODWINK_PARTITIONS=16"),
        isolated_service(replace(settings, partitions=8)),
    ):
        pass
