"""What tests ask of the processes they start."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psutil


def await_true(condition: Callable[[], Any], *, within_s: float = 20) -> Any:
    """Returns what the condition is as soon as it holds; fails if that takes too long."""
    deadline = time.monotonic() + within_s
    while not (met := condition()):
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.01)
    return met


def is_alive(pid: int) -> bool:
    """Tells whether the process runs. One that has ended and that nobody waited for is still listed."""
    with suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False
