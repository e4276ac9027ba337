"""Each process's report about itself: that it was started, and that its loops are alive."""

import time
from collections.abc import Iterable
from math import inf, isinf
from typing import Final

from prometheus_client import Counter, Gauge

STARTS: Final = Counter("hoodwink_process_starts", "Processes started, by part.", ["part"])
STARTED: Final = Gauge(
    "hoodwink_process_started_seconds",
    "When the newest process of a part was started, as a Unix time.",
    ["part"],
    multiprocess_mode="livemax",  # without `max`, one time per process; without `live`, those of ended ones
)
HEARTBEAT: Final = Gauge(
    "hoodwink_heartbeat_seconds",
    "When a loop of the worker or the projector last made progress, as a Unix time.",
    ["part", "loop"],
    multiprocess_mode="livemax",
)

DIFFERENCES: Final = Gauge(
    "hoodwink_scrub_differences",
    "Differences found by the last background audit of all stored data.",
    multiprocess_mode="livemax",
)
SCRUBBED: Final = Gauge(
    "hoodwink_scrubbed_seconds",
    "When that audit ended, as a Unix time.",
    multiprocess_mode="livemax",
)

ARCHIVED: Final = Counter("hoodwink_archived", "Tables, tournaments and series moved to the archive.")
ARCHIVE_FAILURES: Final = Counter(
    "hoodwink_archive_failures", "Runs of the archiver that failed or were interrupted."
)

PATIENCE_SECONDS: Final = 30.0
"""Seconds without progress after which a loop is unhealthy."""


def count_start(part: str) -> None:
    STARTS.labels(part).inc()
    STARTED.labels(part).set_to_current_time()


def note_scrubbing(differences: int) -> None:
    """Records that an audit of all data has just ended, and how many differences it found."""
    DIFFERENCES.set(differences)
    SCRUBBED.set_to_current_time()


class Heartbeats:
    """The latest progress of each loop of a process. Safe to share between threads, one per loop."""

    def __init__(self, part: str, loops: Iterable[str]) -> None:
        # Not the time of the start: a process is not healthy before each of its loops has completed a turn.
        self._at = dict.fromkeys(loops, -inf)
        self._until = dict(self._at)
        self._gauges = {loop: HEARTBEAT.labels(part, loop) for loop in self._at}

    def beat(self, loop: str, busy_seconds: float = 0.0) -> None:
        """Records that a loop has completed a turn or a part of one, and may need that much longer than usual for the next."""
        now = time.monotonic()  # not the gauge's wall clock, which may be set
        self._at[loop], self._until[loop] = now, now + PATIENCE_SECONDS + busy_seconds
        self._gauges[loop].set_to_current_time()

    def fault(self) -> str | None:
        """Returns the loops that are stuck, in one line for people, or `None`."""
        now = time.monotonic()
        silent = {loop: now - at for loop, at in self._at.items() if now > self._until[loop]}
        return "; ".join(_described(loop, seconds) for loop, seconds in silent.items()) or None


def _described(loop: str, seconds: float) -> str:
    if isinf(seconds):
        return f"{loop}: no turn completed yet"
    return f"{loop}: no turn completed for {seconds:.0f} seconds"
