"""Checking a log keeps a process busy for as long as it takes, so one is checked at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from service.http.messages.problems import HttpCode, unavailable

_ONE: Final = BoundedSemaphore(1)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Lets nobody else in this process check a log meanwhile; raises `Problem` 503 while somebody does."""
    if not _ONE.acquire(blocking=False):
        raise unavailable(HttpCode.BUSY)
    try:
        yield
    finally:
        _ONE.release()
