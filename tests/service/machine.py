"""A machine whose clocks are set by the test."""

import pytest

START_MS = 1_750_000_000_000
BOOTED_MS = 5_000_000
MINUTE_MS = 60_000
TEN_MINUTES_MS = 10 * MINUTE_MS
DAY_MS = 24 * 60 * MINUTE_MS


class Machine:
    """The machine's clocks in ms: the wall clock, which can be set, and the time since it was booted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = START_MS
        self.steady = BOOTED_MS
        monkeypatch.setattr("time.time_ns", lambda: self.wall * 1_000_000)
        monkeypatch.setattr("time.clock_gettime_ns", lambda _: self.steady * 1_000_000)

    def wait(self, ms: int) -> None:
        """Lets time pass."""
        self.steady += ms  # first, so no other thread sees only the wall clock advance
        self.wall += ms
