"""The core time and memory of the processes that are measured."""

import os
import subprocess
import sys
from contextlib import ExitStack
from unittest.mock import Mock

import pytest

from bench.service import Usage, core_seconds_between, usages
from hoodwink.service.settings import Settings

WAIT = (sys.executable, "-S", "-c", "import sys; sys.stdin.read()")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is read")
def test_server_of_the_baseline_is_counted_in_place_of_the_api(monkeypatch):
    monkeypatch.setattr("bench.service.find_instance", lambda _: Mock(process=os.getpid()))
    with ExitStack() as stack:
        *_, baseline = [
            stack.enter_context(subprocess.Popen((*WAIT, role), stdin=subprocess.PIPE))
            for role in ("hoodwink.workers.projector", "hoodwink.service.http.server", "bench.baseline")
        ]
        alone, replaced = usages(Settings()), usages(Settings(), baseline.pid)

    assert {role: usage.processes for role, usage in alone.items()} == {"projector": 1, "api": 2}
    assert {role: usage.processes for role, usage in replaced.items()} == {"projector": 1, "api": 1}
    assert replaced["api"].bytes > 0


def test_core_time_is_that_between_two_readings():
    before = {"api": Usage(1.5, 0, 1)}

    assert core_seconds_between(before, {"api": Usage(4.0, 0, 1), "worker": Usage(9.0, 0, 1)}) == {"api": 2.5}
