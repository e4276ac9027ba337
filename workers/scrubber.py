"""Audits everything in the background, slowly, so that damage is found before somebody needs what is damaged."""

import threading
import time
from collections.abc import Callable
from typing import Final

import structlog

from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.auditing import stages, unfinished
from hoodwink.service.bootstrap import Service

log = structlog.get_logger(__name__)

CPU_SHARE: Final = 0.01
"""The part of one core's time that the scrubber takes."""

PAUSE_SECONDS: Final = 600.0
"""Between the end of one round and the beginning of the next."""

_MIN_SLEEP_SECONDS: Final = 0.05


class Stopped(Exception):
    """Raised in the middle of a round when the process is to end."""


class Pace:
    """Keeps the thread that calls it to a share of one core's time; raises `Stopped`."""

    def __init__(self, stopping: threading.Event, share: float = CPU_SHARE) -> None:
        self._stopping = stopping
        self._share = share
        self._used = time.thread_time()

    def __call__(self, _done: object = None) -> None:
        used = time.thread_time() - self._used
        rest = used / self._share - used
        if rest < _MIN_SLEEP_SECONDS:
            return
        if self._stopping.wait(rest):
            raise Stopped
        self._used = time.thread_time()


class Unnoted:
    """Remembers no verified log: what was intact in the last round may be damaged by now."""

    def verified(self, _name: str) -> tuple[int, str] | None:
        return None

    def note(self, name: str, version: int, head: str) -> None:
        """Notes nothing."""


def scrub_periodically(service: Service, stopping: threading.Event) -> None:
    """Audits everything again and again, logs each difference, and reports their number as a metric."""
    # The metrics' folder must be chosen before.
    from hoodwink.service.monitoring.processes import note_scrubbing  # noqa: PLC0415

    while not stopping.wait(PAUSE_SECONDS):
        try:
            found = scrub(service, Pace(stopping))
        except Stopped:
            return
        except StoreUnavailable as error:
            log.warning("scrubbing was interrupted", error=str(error))
        except Exception:
            log.exception("scrubbing failed")
        else:
            if found is not None:
                note_scrubbing(found)


def scrub(service: Service, pace: Callable[[object], None]) -> int | None:
    """Audits everything once and logs each difference.

    Returns:
        Their number, or `None` if the projector is behind, so that only the next round can tell.
    """
    found = [
        (stage, finding)
        for stage in stages(service, Unnoted(), checked=pace)
        for finding in stage.findings(pace)
    ]
    is_behind = bool(found) and unfinished(service) is not None
    certain = [(stage, finding) for stage, finding in found if not (is_behind and stage.awaits_projector)]
    for stage, finding in certain:
        log.error("what is stored is damaged, see `hoodwink audit`", audit=stage.name, finding=finding)
    return len(certain) if certain or not is_behind else None
