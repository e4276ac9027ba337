"""A service of one's own, for a demonstration, a measurement or a test."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from service.adapters.parentage import end_with
from service.settings import Settings, variables
from service.supervisor.checks import CannotStart
from service.supervisor.instance import find_instance

_PATIENCE_SECONDS = 15


@contextmanager
def service_aside(settings: Settings) -> Iterator[Settings]:
    """Runs the whole service in other processes while the block lasts, and gives the settings in force.

    Port 0 and a data folder of its own keep it out of every other's way. On Linux it also ends with
    the thread that called this.

    Raises:
        CannotStart: it did not get ready.
    """
    with tempfile.TemporaryFile("w+") as complaints:
        process = _start(settings, complaints.fileno())
        try:
            if not _is_ready(process):
                complaints.seek(0)
                raise CannotStart(complaints.read().removeprefix("Error: ").strip())
            yield _in_force(settings)
        finally:
            _end(process)


def _start(settings: Settings, complaints: int) -> subprocess.Popen[str]:
    ours = {variable.name for variable in variables()}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.Popen(
        [sys.executable, "-m", "service.cli", "run"],
        env=inherited | settings.to_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=complaints,
        text=True,
        process_group=0,
        preexec_fn=partial(end_with, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - it only makes system calls
    )


def _is_ready(process: subprocess.Popen[str]) -> bool:
    """Waits for the first line, which tells the address; there is none if the service cannot run."""
    assert process.stdout
    return bool(process.stdout.readline())


def _in_force(settings: Settings) -> Settings:
    instance = find_instance(settings.data_folder)
    assert instance
    assert instance.settings
    return instance.settings


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stdout
    process.stdout.close()
