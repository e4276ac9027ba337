"""Limits background work to a share of one core's time."""

import threading
import time
from typing import Final

_MIN_SLEEP_SECONDS: Final = 0.05


class Stopped(Exception):
    """Raised in the middle of a round when the process has to end."""


class Pace:
    """Limits the calling thread to a share of one core's time; raises `Stopped`."""

    def __init__(self, stopping: threading.Event, share: float) -> None:
        self._stopping = stopping
        self._share = share
        self._used = time.thread_time()

    def __call__(self, _done: object = None) -> None:
        # Thread time, because the other threads of the projector must not count against this one.
        used = time.thread_time() - self._used
        rest = used / self._share - used
        if rest < _MIN_SLEEP_SECONDS:
            return
        if self._stopping.wait(rest):
            raise Stopped
        self._used = time.thread_time()
