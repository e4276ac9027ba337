"""The whole service under its supervisor, as real processes over an embedded Redis."""

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

from service.settings import Settings
from service.supervisor import CannotStart, service_aside
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


def test_ready_means_that_requests_are_answered(settings):
    with service_aside(settings) as running:
        assert status(running) == 200


def test_what_was_written_is_there_at_the_next_start(settings):
    with service_aside(settings) as running, database(running) as client:
        client.set("kept", "yes")

    with service_aside(settings) as running, database(running) as client:
        assert client.get("kept") == b"yes"


def test_data_in_another_number_of_partitions_are_not_taken_for_none(settings):
    with service_aside(settings):
        pass

    with (
        pytest.raises(CannotStart, match="holds data in 16 partitions, not 8: set HOODWINK_PARTITIONS=16"),
        service_aside(replace(settings, partitions=8)),
    ):
        pass


def test_a_second_instance_is_refused(settings):
    with (
        service_aside(settings),
        pytest.raises(CannotStart, match="another Hoodwink"),
        service_aside(settings),
    ):
        pass


def test_why_it_does_not_start_is_told(settings, tmp_path):
    (tmp_path / "file").touch()

    with (
        pytest.raises(CannotStart, match=r"^cannot write to the data folder"),
        service_aside(Settings(port=0, data=str(tmp_path / "file"))),
    ):
        pass


@pytest.mark.parametrize("part", ["worker", "projector"])
def test_a_part_alone_becomes_that_part_and_ends_when_asked(settings, part):
    with service_aside(settings) as running:
        alone = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "run", part],
            env=os.environ | running.to_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        await_true(lambda: "service.cli" not in psutil.Process(alone.pid).cmdline())
        await_true(lambda: handles_term(alone.pid))

        alone.terminate()

        assert alone.wait(15) == 0


def handles_term(pid):
    """Tells whether the process has come so far as to handle SIGTERM itself (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    caught = next(line for line in lines if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) & 1 << (signal.SIGTERM - 1))
