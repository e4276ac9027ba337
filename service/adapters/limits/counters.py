"""In-process limit counters. `shared_counts` adds the counts of the other processes.

A rate is a leaky bucket: each admission adds one to its level, time lowers it steadily, and nothing is admitted
that would make it overflow. Locks are held for about a microsecond and never during a wait.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from threading import Lock
from time import monotonic
from typing import Final

from hoodwink.service.application.errors import LimitReached
from hoodwink.service.application.limits import LASTING_RETRY_SECONDS, Bound, Hold, Limit, Rate

MAX_COUNTED: Final = 10_000
"""Addresses or players that a counter remembers, each in about 200 bytes. Beyond that it forgets the oldest."""

_LEVEL_RETRY_SECONDS: Final = 5


class RateCounter:
    """Counts against one rate, per address or player.

    Attributes:
        rate: the limit.
        levels: the last level of each bucket, and its time.
    """

    def __init__(self, limit: Limit, rate: Rate, *, clock: Callable[[], float], max_counted: int) -> None:
        self._limit = limit
        self.rate = rate
        self._room = rate.count - 1
        self._leak = rate.count / rate.seconds
        self._clock = clock
        self._max_counted = max_counted
        self.levels: dict[str, tuple[float, float]] = {}
        self._unsent: dict[str, float] = {}
        self._lock = Lock()

    def admit(self, who: str) -> None:
        """Counts one more; raises `LimitReached`."""
        now = self._clock()
        with self._lock:
            level, at = self.levels.get(who) or self._begin(now)
            level -= (now - at) * self._leak
            if level > self._room:
                raise LimitReached(self._limit, self.rate, ceil((level - self._room) / self._leak))
            self.levels[who] = (level + 1.0 if level > 0.0 else 1.0, now)
            self._unsent[who] = self._unsent.get(who, 0) + 1

    def check(self, who: str) -> None:
        """Raises `LimitReached` if the bucket is full."""
        # Without the lock: the tuple is replaced as a whole, and a budget may be overdrawn by one read anyway.
        level, at = self.levels.get(who, (0.0, 0.0))
        excess = level - (self._clock() - at) * self._leak - self.rate.count
        if excess >= 0.0:
            raise LimitReached(self._limit, self.rate, max(1, ceil(excess / self._leak)))

    def draw(self, who: str, amount: float) -> None:
        """Adds an amount, even beyond the limit."""
        now = self._clock()
        with self._lock:
            level, at = self.levels.get(who) or self._begin(now)
            self.levels[who] = max(0.0, level - (now - at) * self._leak) + amount, now
            self._unsent[who] = self._unsent.get(who, 0) + amount

    def take_back(self, who: str) -> None:
        """Undoes an admission that another limit has refused."""
        with self._lock:
            unsent = self._unsent.get(who, 0)
            # An admission that has just been sent to the other processes stays counted.
            if unsent:
                level, at = self.levels[who]
                self.levels[who] = max(0.0, level - 1.0), at
                self._unsent[who] = unsent - 1

    def take_unsent(self) -> list[tuple[str, float]]:
        """Returns the amounts added since the last call, by address or player."""
        with self._lock:
            taken, self._unsent = self._unsent, {}
        return [(who, count) for who, count in taken.items() if count]

    def settle(self, who: str, level: float) -> None:
        """Adopts the level that all processes have reached together, including the result of `take_unsent`."""
        with self._lock:
            if who in self.levels:
                # Plus the admissions during the exchange, which the other processes have not seen yet.
                self.levels[who] = level + self._unsent.get(who, 0), self._clock()

    def _begin(self, now: float) -> tuple[float, float]:
        """Returns an empty bucket, after making room for it."""
        if len(self.levels) >= self._max_counted:
            # Or a flood from ever new addresses would fill the memory.
            oldest = next(iter(self.levels))
            del self.levels[oldest]
            self._unsent.pop(oldest, None)
        return 0.0, now


class LevelCounter:
    """Counts simultaneous uses, per address or player."""

    def __init__(self, limit: Limit, bound: int) -> None:
        self._limit = limit
        self._bound = bound
        self._held: dict[str, int] = {}
        self._elsewhere: dict[str, int] = {}
        self._changed: set[str] = set()
        self._lock = Lock()

    def hold(self, who: str) -> Hold:
        """Counts one more until it is released; raises `LimitReached`."""
        with self._lock:
            held = self._held.get(who, 0)
            if held + self._elsewhere.get(who, 0) >= self._bound:
                raise LimitReached(self._limit, self._bound, _LEVEL_RETRY_SECONDS)
            self._held[who] = held + 1
            self._changed.add(who)
        return _Held(self, who)

    def release(self, who: str) -> None:
        with self._lock:
            self._held[who] -= 1
            self._changed.add(who)  # even at 0, which removes this process's number from Redis
            if not self._held[who]:
                del self._held[who]

    def take_changed(self, *, and_all_others: bool) -> list[tuple[str, int]]:
        """Returns the numbers that changed since the last call, or all of them, by address or player."""
        with self._lock:
            taken, self._changed = self._changed, set()
            if and_all_others:
                taken |= self._held.keys()
            return [(who, self._held.get(who, 0)) for who in taken]

    def held(self, who: str) -> int:
        """Returns the number in this process."""
        with self._lock:
            return self._held.get(who, 0)

    def settle(self, who: str, elsewhere: int) -> bool:
        """Adopts the number in the other processes; returns whether all together are within the limit."""
        with self._lock:
            # Without a use here, nothing would renew or remove the number of the others.
            if who in self._held:
                self._elsewhere[who] = elsewhere
            else:
                self._elsewhere.pop(who, None)
            return self._held.get(who, 0) + elsewhere <= self._bound

    def forget_elsewhere(self) -> None:
        """Counts only this process until the next exchange with the others."""
        with self._lock:
            self._elsewhere = {}


class _Held:
    __slots__ = ("_counter", "_who")

    def __init__(self, counter: LevelCounter, who: str) -> None:
        self._counter: LevelCounter | None = counter
        self._who = who

    def release(self) -> None:
        # Only the first call counts, because a stream is released when it gives way and again when it ends.
        counter, self._counter = self._counter, None
        if counter is not None:
            counter.release(self._who)


class _Unlimited:
    """A hold without a limit."""

    def release(self) -> None:
        """Does nothing."""


_UNLIMITED: Final = _Unlimited()


class Counters:
    """The counters of all limits in force. Safe to share between threads; see `Limits`."""

    def __init__(
        self,
        bounds: Mapping[Limit, Bound],
        *,
        clock: Callable[[], float] = monotonic,
        max_counted: int = MAX_COUNTED,
    ) -> None:
        """Takes the bounds of the limits in force, and how many addresses or players each counter remembers."""
        self.rates = dict[Limit, RateCounter]()
        self.levels = dict[Limit, LevelCounter]()
        self._bounds = bounds
        for limit, bound in bounds.items():
            if isinstance(bound, Rate):
                self.rates[limit] = RateCounter(limit, bound, clock=clock, max_counted=max_counted)
            elif not limit.is_lasting:
                self.levels[limit] = LevelCounter(limit, bound)

    def admit(self, limit: Limit, who: str) -> None:
        """Counts one more against a rate; raises `LimitReached`."""
        counter = self.rates.get(limit)
        if counter is not None:
            counter.admit(who)

    def check_budget(self, limit: Limit, who: str) -> None:
        """Raises `LimitReached` if the budget of a rate has been spent."""
        counter = self.rates.get(limit)
        if counter is not None:
            counter.check(who)

    def draw(self, limit: Limit, who: str, amount: float) -> None:
        """Draws on the budget of a rate, which may be overdrawn."""
        counter = self.rates.get(limit)
        if counter is not None:
            counter.draw(who, amount)

    def admit_all(self, counted: Sequence[tuple[Limit, str]]) -> None:
        """Counts one more against each of several limits; raises `LimitReached` and then counts against none of them."""
        for number, (limit, who) in enumerate(counted):
            try:
                self.admit(limit, who)
            except LimitReached:
                self._take_back(counted[:number])
                raise

    def _take_back(self, counted: Sequence[tuple[Limit, str]]) -> None:
        for limit, who in counted:
            counter = self.rates.get(limit)
            if counter is not None:
                counter.take_back(who)

    def check(self, limit: Limit, count: int) -> None:
        """Raises `LimitReached` if the caller's own count has reached a limit."""
        bound = self._bounds.get(limit)
        if isinstance(bound, int) and count >= bound:
            raise LimitReached(limit, bound, LASTING_RETRY_SECONDS)

    def hold(self, limit: Limit, who: str) -> Hold:
        """Counts one more against a level until it is released; raises `LimitReached`."""
        counter = self.levels.get(limit)
        return _UNLIMITED if counter is None else counter.hold(who)
