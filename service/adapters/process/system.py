"""The clock and the entropy of the machine."""

import secrets
import threading
import time
from collections.abc import Iterable
from functools import partial
from typing import Final

_STEADY: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that nobody can set and that includes suspends. On macOS, the monotonic clock does."""

_NS_PER_MS: Final = 1_000_000
_MAX_AHEAD_MS: Final = 24 * 3_600_000


class SystemClock:
    """A clock that follows the wall clock forward, but continues at its own pace when the wall clock is set back.

    It follows forward immediately. Nobody knows whether that time has really passed, but other processes and
    machines use the same wall clock, and all must agree on the time. Safe to share between threads.
    """

    def __init__(self) -> None:
        self._wall_ns, self._steady_ns = time.time_ns, partial(time.clock_gettime_ns, _STEADY)
        self._forward = threading.Lock()
        self._ahead_ns = self._wall_ns() - self._steady_ns()

    def now_ms(self) -> int:
        """Returns milliseconds since the epoch."""
        # In this order, a thread that is suspended between the two reads measures too small a distance, which
        # changes nothing. In the other order it would measure too large a one and put the clock forward forever.
        wall, steady = self._wall_ns(), self._steady_ns()
        if wall - steady > self._ahead_ns:
            self._put_forward(wall - steady)
        return (steady + self._ahead_ns) // _NS_PER_MS

    def elapsed_ms(self) -> int:
        """Returns milliseconds since the machine was started."""
        return self._steady_ns() // _NS_PER_MS

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    @property
    def ahead_ms(self) -> int:
        """The distance from `elapsed_ms` to `now_ms`. It grows when the wall clock is set forward."""
        return self._ahead_ns // _NS_PER_MS

    def keep_up_with(self, moments_ms: Iterable[int]) -> None:
        """Sets the clock forward to the latest of these moments, if that is later than now.

        Args:
            moments_ms: in ms since the epoch, by other processes' clocks. More than a day ahead is ignored.
        """
        now = self.now_ms()
        # A moment beyond that comes from a clock that was badly wrong, and following it could not be undone.
        latest = max((moment for moment in moments_ms if moment <= now + _MAX_AHEAD_MS), default=now)
        self._put_forward(latest * _NS_PER_MS - self._steady_ns())

    def _put_forward(self, ahead_ns: int) -> None:
        with self._forward:  # without the lock, a slower thread could set the clock back
            self._ahead_ns = max(self._ahead_ns, ahead_ns)


class SystemEntropy:
    """Draws random values from the operating system."""

    def server_seed(self) -> str:
        return secrets.token_hex(32)

    def command_id(self) -> str:
        return secrets.token_urlsafe(12)
