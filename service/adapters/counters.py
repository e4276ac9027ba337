"""Counts what limits bound in the memory of this process; `shared_counts` adds what the other processes count.

A rate is a bucket that leaks: each admission adds one to its level, time lowers it steadily, and nothing is admitted that
would make it overflow. Locks are held for about a microsecond and never while anything waits.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from service.application.errors import LimitReached
from service.application.limits import LASTING_RETRY_SECONDS, Bound, Hold, Limit, Rate

MOST_COUNTED: Final = 10_000
"""The most addresses or players that a counter remembers, each in about 200 bytes; beyond it, it forgets the oldest."""

SETTLE_SECONDS: Final = 1.0
"""How long after the last table of a host was opened the projection is asked, which follows with a short delay."""

_LEVEL_RETRY_SECONDS: Final = 5
_HOST_TRUSTED_SECONDS: Final = 60.0
_FEWEST_UNSEEN: Final = 2


class RateCounter:
    """Counts against one rate, for each address or player.

    Attributes:
        rate: the bound.
        levels: the level of each bucket, and the time at which it was that high.
    """

    def __init__(self, limit: Limit, rate: Rate, *, clock: Callable[[], float], most: int) -> None:
        self._limit = limit
        self.rate = rate
        self._room = rate.count - 1
        self._leak = rate.count / rate.seconds
        self._clock = clock
        self._most = most
        self.levels: dict[str, tuple[float, float]] = {}
        self._unsent: dict[str, int] = {}
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

    def take_back(self, who: str) -> None:
        """Counts one less of those that were admitted: another limit has refused it."""
        with self._lock:
            unsent = self._unsent.get(who, 0)
            # If the other processes have been sent it in this very moment, it stays counted.
            if unsent:
                level, at = self.levels[who]
                self.levels[who] = max(0.0, level - 1.0), at
                self._unsent[who] = unsent - 1

    def take_unsent(self) -> list[tuple[str, int]]:
        """Returns how much was added since the last call, and to what."""
        with self._lock:
            taken, self._unsent = self._unsent, {}
        return [(who, count) for who, count in taken.items() if count]

    def settle(self, who: str, level: float) -> None:
        """Takes over the level that all processes have reached with what `take_unsent` returned."""
        with self._lock:
            if who in self.levels:
                self.levels[who] = level + self._unsent.get(who, 0), self._clock()

    def _begin(self, now: float) -> tuple[float, float]:
        """Returns an empty bucket, after making room for it."""
        if len(self.levels) >= self._most:
            oldest = next(iter(self.levels))
            del self.levels[oldest]
            self._unsent.pop(oldest, None)
        return 0.0, now


class LevelCounter:
    """Counts what there is at the same time, for each address or player."""

    def __init__(self, limit: Limit, most: int) -> None:
        self._limit = limit
        self._most = most
        self._held: dict[str, int] = {}
        self._elsewhere: dict[str, int] = {}
        self._changed: set[str] = set()
        self._lock = Lock()

    def hold(self, who: str) -> Hold:
        """Counts one more until it is released; raises `LimitReached`."""
        with self._lock:
            held = self._held.get(who, 0)
            if held + self._elsewhere.get(who, 0) >= self._most:
                raise LimitReached(self._limit, self._most, _LEVEL_RETRY_SECONDS)
            self._held[who] = held + 1
            self._changed.add(who)
        return _Held(self, who)

    def release(self, who: str) -> None:
        """Counts one less."""
        with self._lock:
            self._held[who] -= 1
            self._changed.add(who)
            if not self._held[who]:
                del self._held[who]
                self._elsewhere.pop(who, None)

    def take_changed(self, *, and_all_others: bool) -> list[tuple[str, int]]:
        """Returns how many there are of those whose number changed since the last call, or of all."""
        with self._lock:
            taken, self._changed = self._changed, set()
            if and_all_others:
                taken |= self._held.keys()
            return [(who, self._held.get(who, 0)) for who in taken]

    def settle(self, who: str, elsewhere: int) -> None:
        """Takes over how many there are in the other processes."""
        with self._lock:
            if who in self._held:
                self._elsewhere[who] = elsewhere

    def forget_elsewhere(self) -> None:
        """Counts only what this process has, until it hears of the others again."""
        with self._lock:
            self._elsewhere = {}


class _Held:
    __slots__ = ("_counter", "_who")

    def __init__(self, counter: LevelCounter, who: str) -> None:
        self._counter: LevelCounter | None = counter
        self._who = who

    def release(self) -> None:
        counter, self._counter = self._counter, None
        if counter is not None:
            counter.release(self._who)


class _Hosting(NamedTuple):
    """What is known of a host: the number of tables when they were counted last, how many were begun since, and when."""

    counted: int
    begun: int
    at: float
    is_due: bool


class HostCounter:
    """Counts the tables or tournaments of hosts: those that a projection had when it was asked, and those begun since.

    Nobody asks the projection while a request waits. Until it was asked for a host the first time, a quarter of the bound
    is admitted, but at least two.
    """

    def __init__(self, limit: Limit, bound: int, *, clock: Callable[[], float], most: int) -> None:
        self._limit = limit
        self._bound = bound
        self._unseen = bound - min(bound, max(_FEWEST_UNSEEN, ceil(bound / 4)))
        self._clock = clock
        self._most = most
        self._hosts: dict[str, _Hosting] = {}
        self._lock = Lock()

    def admit(self, host: str) -> None:
        """Counts one more; raises `LimitReached`."""
        now = self._clock()
        with self._lock:
            known = self._hosts.pop(host, None)
            if known is None:
                known = _Hosting(self._unseen, 0, now, is_due=True)
            elif not known.is_due and now - known.at > _HOST_TRUSTED_SECONDS:
                known = known._replace(counted=max(known.counted, self._unseen))
            if len(self._hosts) >= self._most:
                del self._hosts[next(iter(self._hosts))]
            is_full = known.counted + known.begun >= self._bound
            begun, at = (known.begun, known.at) if is_full else (known.begun + 1, now)
            self._hosts[host] = _Hosting(known.counted, begun, at, is_due=True)
        if is_full:
            raise LimitReached(self._limit, self._bound, LASTING_RETRY_SECONDS)

    def take_back(self, host: str) -> None:
        """Counts one less of those that were begun: another limit has refused it."""
        with self._lock:
            known = self._hosts.get(host)
            if known is not None and known.begun:
                self._hosts[host] = known._replace(begun=known.begun - 1)

    def due(self) -> list[str]:
        """Returns the hosts whose tables have to be counted again."""
        now = self._clock()
        with self._lock:
            return [
                host
                for host, known in self._hosts.items()
                if known.is_due and now - known.at >= SETTLE_SECONDS
            ]

    def settle(self, host: str, counted: int) -> None:
        """Takes over the number of a host's tables; those begun in the last moment may be missing from it."""
        now = self._clock()
        with self._lock:
            known = self._hosts.get(host)
            if known is not None and now - known.at >= SETTLE_SECONDS:
                self._hosts[host] = _Hosting(counted, 0, now, is_due=False)


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
        """Takes the bounds of the limits that are not lifted, and the most addresses or players that each remembers."""
        self.rates = dict[Limit, RateCounter]()
        self.levels = dict[Limit, LevelCounter]()
        self.hosts = dict[Limit, HostCounter]()
        self._bounds = bounds
        for limit, bound in bounds.items():
            if isinstance(bound, Rate):
                self.rates[limit] = RateCounter(limit, bound, clock=clock, most=most)
            elif limit.is_per_host:
                self.hosts[limit] = HostCounter(limit, bound, clock=clock, most=most)
            elif not limit.is_per_tournament:
                self.levels[limit] = LevelCounter(limit, bound)
        self._admitting: Mapping[Limit, RateCounter | HostCounter] = {**self.rates, **self.hosts}

    def admit(self, limit: Limit, who: str) -> None:
        """Counts one more against a rate, or one more table or tournament of a host; raises `LimitReached`."""
        counter = self._admitting.get(limit)
        if counter is not None:
            counter.admit(who)

    def admit_all(self, counted: Sequence[tuple[Limit, str]]) -> None:
        """Counts one more against each of several limits; raises `LimitReached`, and then counts against none of them."""
        for number, (limit, who) in enumerate(counted):
            try:
                self.admit(limit, who)
            except LimitReached:
                self._take_back(counted[:number])
                raise

    def _take_back(self, counted: Sequence[tuple[Limit, str]]) -> None:
        for limit, who in counted:
            counter = self._admitting.get(limit)
            if counter is not None:
                counter.take_back(who)

    def check(self, limit: Limit, count: int) -> None:
        """Raises `LimitReached` if there are as many as a limit allows, by a count that the caller has made."""
        bound = self._bounds.get(limit)
        if isinstance(bound, int) and count >= bound:
            raise LimitReached(limit, bound, LASTING_RETRY_SECONDS)

    def hold(self, limit: Limit, who: str) -> Hold:
        """Counts one more against a level until it is released; raises `LimitReached`."""
        counter = self.levels.get(limit)
        return _UNLIMITED if counter is None else counter.hold(who)
