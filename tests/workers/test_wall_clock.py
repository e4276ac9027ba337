"""The whole service on a machine whose wall clock is set back by ten minutes."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hoodwink.service.supervisor import isolated_service
from tests.service.direct import service_on
from tests.service.processes import service_settings
from tests.workers.parts import await_stable, kill, until
from tests.workers.test_processes import answers, open_with_player

COMPILER = shutil.which("cc")
TEN_MINUTES_S = 600

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD needs Linux"),
    pytest.mark.skipif(COMPILER is None, reason="setting the wall clock back needs a C compiler (cc)"),
]


class WallClock:
    """The wall clock of every process started with the patched environment."""

    def __init__(self, folder: Path, environment: pytest.MonkeyPatch) -> None:
        library, self._shift = folder / "wall_clock.so", folder / "shift"
        source = Path(__file__).with_name("wall_clock.c")
        subprocess.run([str(COMPILER), "-shared", "-fPIC", "-o", library, source], check=True)
        self.shift(0)
        environment.setenv("WALL_CLOCK_SHIFT", str(self._shift))
        environment.setenv("LD_PRELOAD", str(library))

    def shift(self, seconds: int) -> None:
        """Sets the clock forward by this many seconds, or back if negative."""
        with self._shift.open("r+b" if self._shift.exists() else "wb") as file:
            file.write(seconds.to_bytes(8, sys.byteorder, signed=True))


@pytest.fixture
def wall_clock(tmp_path, monkeypatch):
    return WallClock(tmp_path, monkeypatch)


@pytest.fixture
def settings(wall_clock, tmp_path):
    """A service in other processes with this wall clock."""
    with isolated_service(service_settings(tmp_path / "data", job_slots=0)) as running:
        yield running


@pytest.fixture
def service(settings):
    with service_on(settings) as service:
        yield service


def test_turn_clocks_expire_on_time_with_old_and_new_processes(wall_clock, settings, service):
    def clocks_run_out(path):
        history = service.tables.history(path.rpartition("/")[2])
        return sum(recorded.event.wire == "table.clock_ran_out" for recorded in history)

    _, table = open_with_player(settings, turn_seconds=2, options={"rounds": 20})
    wall_clock.shift(-TEN_MINUTES_S)
    assert service.client.time()[0] < time.time() - TEN_MINUTES_S / 2
    before = clocks_run_out(table)
    until(lambda: clocks_run_out(table) > before)

    workers = ("celery", "hoodwink.workers.projector")
    await_stable(settings, workers)
    kill(settings, workers)
    until(lambda: answers(service))
    _, table = open_with_player(settings, turn_seconds=2, options={"rounds": 20})
    until(lambda: clocks_run_out(table))
