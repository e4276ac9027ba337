"""Finds and kills the parts of a service in other processes, and waits for effects."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import psutil

from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import find_instance
from tests.service.plain_client import ServiceError
from tests.service.processes import PATIENCE_SECONDS, SERVER, is_alive

EVERY_PART = ("celery", "hoodwink.workers.projector", SERVER, "hoodwink.service.http.server")
"""A word of the command line of each part."""


def until(condition: Callable[[], Any], *, doing: Callable[[], object] = lambda: None) -> Any:
    """Returns the first true value of the condition; calls `doing` between checks."""
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while True:
        with suppress(StoreUnavailable, ServiceError):
            if met := condition():
                return met
        assert time.monotonic() < give_up_at, "the condition did not become true in time"
        doing()
        time.sleep(0.05)


def await_stable(settings: Settings, words: Sequence[str]) -> None:
    """Waits until the parts have run long enough not to count as exiting early."""
    until(lambda: all(age(settings, word) > 2.5 for word in words))


def age(settings: Settings, word: str) -> float:
    part = process_of(settings, word)
    with suppress(psutil.NoSuchProcess):
        return time.time() - part.create_time() if part else 0
    return 0


def kill(settings: Settings, words: Sequence[str]) -> None:
    """Kills parts with SIGKILL, one after the other."""
    for word in words:
        part: psutil.Process = until(partial(process_of, settings, word))
        with suppress(psutil.NoSuchProcess):
            part.kill()
        until(lambda: not is_alive(part.pid))  # noqa: B023 - called before `part` changes


def process_of(settings: Settings, word: str) -> psutil.Process | None:
    instance = find_instance(settings.data_folder)
    assert instance is not None
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(instance.process).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if word in " ".join(process.cmdline()):
                    return process
    return None
