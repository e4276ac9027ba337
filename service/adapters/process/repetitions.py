"""Thins out messages that repeat during a lasting condition, such as an outage of Redis, to growing intervals."""

import threading
import time
from collections.abc import Callable
from typing import Final

FIRST_INTERVAL_S: Final = 5.0
MAX_INTERVAL_S: Final = 600.0
FORGOTTEN_AFTER_S: Final = 30.0
"""Must be longer than the pause between two attempts to reach Redis, after which such a message repeats."""


class Repetitions:
    """Decides which repeated messages are written. Safe to share between threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._seen_at: dict[str, float] = {}
        self._next_at: dict[str, float] = {}
        self._interval: dict[str, float] = {}

    def is_due(self, message: str) -> bool:
        """Returns whether to write a message: the first time, then after 5 s, 10 s, 20 s and so on up to 10 minutes.

        After 30 s without the message, it counts as new.
        """
        with self._lock:
            now, seen_at = self._now(), self._seen_at.get(message)
            self._seen_at[message] = now  # also when it is not written: the condition still lasts
            if seen_at is None or now - seen_at > FORGOTTEN_AFTER_S:
                self._interval[message] = FIRST_INTERVAL_S
            elif now < self._next_at[message]:
                return False
            else:
                self._interval[message] = min(2 * self._interval[message], MAX_INTERVAL_S)
            self._next_at[message] = now + self._interval[message]
            return True
