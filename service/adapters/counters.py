"""Counts what limits bound in the memory of this process; `shared_counts` adds what the other processes count.

A rate is a bucket that leaks: each admission adds one to its level, time lowers it steadily, and nothing is admitted that
would make it overflow. Locks are held for less than a microsecond and never while anything waits.
"""

from collections.abc import Callable, Mapping
from math import ceil
from threading import Lock
from time import monotonic
from typing import Final

from service.application.limits import Bound, Hold, Limit, LimitReached, Rate

MOST_COUNTED: Final = 10_000
"""The most addresses or players that a rate remembers, each in about 250 bytes; beyond it, it forgets the oldest."""

_LEVEL_RETRY_SECONDS: Final = 5


class RateCounter:
    """Counts against one rate, for each address or player."""

    def __init__(self, limit: Limit, rate: Rate, *, clock: Callable[[], float], most: int) -> None:
        self._limit = limit
        self._rate = rate
        self._room = rate.count - 1
        self._leak = rate.count / rate.seconds
        self._clock = clock
        self._most = most
        self.levels: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def admit(self, who: str) -> None:
        """Counts one more; raises `LimitReached`."""
        now = self._clock()
        with self._lock:
            level, at = self.levels.get(who) or self._begin(now)
            level -= (now - at) * self._leak
            if level > self._room:
                raise LimitReached(self._limit, self._rate, ceil((level - self._room) / self._leak))
            self.levels[who] = (level + 1.0 if level > 0.0 else 1.0, now)

    def _begin(self, now: float) -> tuple[float, float]:
        """Returns an empty bucket, after making room for it."""
        if len(self.levels) >= self._most:
            del self.levels[next(iter(self.levels))]
        return 0.0, now


class LevelCounter:
    """Counts what there is at the same time, for each address or player."""

    def __init__(self, limit: Limit, most: int) -> None:
        self._limit = limit
        self._most = most
        self._held: dict[str, int] = {}
        self._lock = Lock()

    def hold(self, who: str) -> Hold:
        """Counts one more until it is released; raises `LimitReached`."""
        with self._lock:
            held = self._held.get(who, 0)
            if held >= self._most:
                raise LimitReached(self._limit, self._most, _LEVEL_RETRY_SECONDS)
            self._held[who] = held + 1
        return _Held(self, who)

    def release(self, who: str) -> None:
        """Counts one less."""
        with self._lock:
            self._held[who] -= 1
            if not self._held[who]:
                del self._held[who]


class _Held:
    __slots__ = ("_counter", "_who")

    def __init__(self, counter: LevelCounter, who: str) -> None:
        self._counter: LevelCounter | None = counter
        self._who = who

    def release(self) -> None:
        counter, self._counter = self._counter, None
        if counter is not None:
            counter.release(self._who)


class _Unlimited:
    """What is counted against no limit."""

    def release(self) -> None:
        """Does nothing."""


_UNLIMITED: Final = _Unlimited()


class Counters:
    """The counters of all limits that have a bound. Safe to share between threads; see `Limits`."""

    def __init__(
        self,
        bounds: Mapping[Limit, Bound],
        *,
        clock: Callable[[], float] = monotonic,
        most: int = MOST_COUNTED,
    ) -> None:
        """Takes the bounds of the limits that are not lifted, and the most addresses or players that a rate remembers."""
        self.rates = {
            limit: RateCounter(limit, bound, clock=clock, most=most)
            for limit, bound in bounds.items()
            if isinstance(bound, Rate)
        }
        self.levels = {
            limit: LevelCounter(limit, bound) for limit, bound in bounds.items() if isinstance(bound, int)
        }

    def admit(self, limit: Limit, who: str) -> None:
        """Counts one more against a rate; raises `LimitReached`."""
        counter = self.rates.get(limit)
        if counter is not None:
            counter.admit(who)

    def hold(self, limit: Limit, who: str) -> Hold:
        """Counts one more against a level until it is released; raises `LimitReached`."""
        counter = self.levels.get(limit)
        return _UNLIMITED if counter is None else counter.hold(who)
