"""Helpers for tests that start processes."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psutil


def await_true(condition: Callable[[], Any], *, within_s: float = 20) -> Any:
    """Returns the first true value of the condition; fails on a timeout."""
    deadline = time.monotonic() + within_s
    while not (met := condition()):
        assert time.monotonic() < deadline, "the condition did not become true in time"
        time.sleep(0.01)
    return met


def is_alive(pid: int) -> bool:
    """Returns whether the process runs. A zombie has ended, it only was not waited for."""
    with suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False
