"""Helpers for tests that start processes."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from hoodwink.service.settings import Settings

PATIENCE_SECONDS = 150.0
"""Only failing tests wait this long, so it is enough for a slow and busy machine."""

SERVER = "-server"
"""A part of the command line of `redis-server` and `valkey-server`."""


def service_settings(
    data: Path | str, *, job_slots: int = 1, push_slots: int = 0, api_workers: int = 1, **given: Any
) -> Settings:
    """Returns the settings of a service on a free port, with one API process and without thinkers and pushes.

    Each process costs each start half a second, so tests without jobs leave out the job workers, too.
    """
    return Settings(
        port=0,
        data=str(data),
        job_slots=job_slots,
        push_slots=push_slots,
        api_workers=api_workers,
        thinking_slots=0,
        **given,
    )


def await_true(condition: Callable[[], Any], *, within_s: float = PATIENCE_SECONDS) -> Any:
    """Returns the first true value of the condition; fails on a timeout."""
    deadline, pause = time.monotonic() + within_s, 0.01
    while not (met := condition()):
        assert time.monotonic() < deadline, "the condition did not become true in time"
        time.sleep(pause)
        pause = min(1.5 * pause, 0.1)  # a check may cost as much CPU time as what it waits for
    return met


@contextmanager
def stopped_workers() -> Iterator[None]:
    """Stops the workers of all services of this process during the block, and with them the clocks of tables."""
    workers = [child for child in psutil.Process().children(recursive=True) if _is_worker(child)]
    assert workers
    for worker in workers:
        worker.suspend()
    try:
        yield
    finally:
        for worker in workers:
            worker.resume()


def _is_worker(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):  # another service may be ending
        return any(part.startswith("hoodwink.workers.") for part in process.cmdline())
    return False


def end(process: subprocess.Popen[Any], *, by: signal.Signals = signal.SIGTERM) -> None:
    """Sends a process a signal and waits for it; kills one that does not end, which fails the test."""
    process.send_signal(by)
    try:
        process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()  # a process left behind would be a warning in a later test
        process.wait()
        raise


def is_alive(pid: int) -> bool:
    """Returns whether the process runs. A zombie has ended, it only was not waited for."""
    with suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False
