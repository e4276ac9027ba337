"""Limits the checks of logs in a process to one at a time, because each keeps the process busy."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from service.http.messages.problems import HttpCode, unavailable

_ONE: Final = BoundedSemaphore(1)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Reserves the process for the check of one log; raises `Problem` 503 while another one is being checked."""
    if not _ONE.acquire(blocking=False):
        raise unavailable(HttpCode.BUSY)
    try:
        yield
    finally:
        _ONE.release()
