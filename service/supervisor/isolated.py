"""A complete service with its own port and data folder, for demonstrations, benchmarks and tests."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from hoodwink.service.adapters.process.interpreter import python_module
from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.settings import Settings, variables
from hoodwink.service.supervisor.checks import CannotStart
from hoodwink.service.supervisor.instance import find_instance

_PATIENCE_SECONDS = 15


@contextmanager
def isolated_service(settings: Settings) -> Iterator[Settings]:
    """Runs the whole service in other processes during the block, and yields its effective settings.

    Choose port 0 and a new data folder to keep it separate. On Linux it also ends with the calling thread.

    Raises:
        CannotStart: it did not become ready.
    """
    # A file and not a pipe: nobody reads the errors during the run, and a full pipe would block the service.
    with tempfile.TemporaryFile("w+") as errors:
        process = _start(settings, errors.fileno())
        try:
            if not _is_ready(process):
                errors.seek(0)
                raise CannotStart(errors.read().removeprefix("Error: ").strip())
            yield _effective(settings)
        finally:
            _stop(process)


def _start(settings: Settings, errors: int) -> subprocess.Popen[str]:
    ours = {variable.name for variable in variables()}
    # The caller's own settings, such as `REDIS_URL`, would join this service to a real one.
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.Popen(
        [*python_module("hoodwink.service.cli"), "run"],
        env=inherited | settings.to_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        process_group=0,
        preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - it only makes system calls
    )


def _is_ready(process: subprocess.Popen[str]) -> bool:
    """Waits for the first line, which has the address; returns false if the service ended without one."""
    assert process.stdout
    return bool(process.stdout.readline())


def _effective(settings: Settings) -> Settings:
    instance = find_instance(settings.data_folder)
    assert instance
    assert instance.settings
    return instance.settings


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stdout
    process.stdout.close()
