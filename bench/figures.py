"""A figure: the samples of a measurement, and the target for their median."""

import math
import statistics
import time
from collections.abc import Callable, Sequence

import msgspec


class Bar(msgspec.Struct, frozen=True):
    """The target: a value that the median should reach, or must not exceed if `is_ceiling`."""

    value: float
    is_ceiling: bool = False

    def is_met(self, median: float) -> bool:
        """Returns whether a median meets the bar.

        >>> Bar(0.6).is_met(0.7), Bar(40, is_ceiling=True).is_met(41)
        (True, False)
        """
        return median <= self.value if self.is_ceiling else median >= self.value


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the report.

    Attributes:
        samples: one value for each repetition.
        note: the conditions, if the name does not say them.
    """

    name: str
    unit: str
    samples: tuple[float, ...]
    bar: Bar | None = None
    note: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def spread(self) -> tuple[float, float]:
        """The lowest and the highest sample."""
        return min(self.samples), max(self.samples)

    @property
    def is_met(self) -> bool | None:
        """Whether the median meets the bar, if there is one."""
        return None if self.bar is None else self.bar.is_met(self.median)


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """The amount of work that a run of the benchmarks does.

    Attributes:
        repeats: the number of samples of each figure.
        seconds: the duration of one sample of a rate.
        events: the number of events of a replay, and of the longest table.
        actions: the number of actions that are timed in one sample of a latency.
        watchers: the number of streams of events that are open together.
        crowd: the same for the largest crowd.
        reconnecting: the number of watchers who come at the same time.
        tables: the numbers of tables that are played together.
    """

    repeats: int
    seconds: float
    events: int
    actions: int
    watchers: int = 200
    crowd: int = 5_000
    reconnecting: int = 1_000
    tables: tuple[int, ...] = (1, 10, 50)


FULL = Effort(repeats=7, seconds=5.0, events=10_000, actions=200)
QUICK = Effort(repeats=3, seconds=2.0, events=10_000, actions=80)


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the smallest value that at least this share of the values does not exceed.

    >>> quantile([4, 1, 3, 2], 0.5), quantile([4, 1, 3, 2], 0.99)
    (2, 4)
    """
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def rate(work: Callable[[], int], *, seconds: float) -> float:
    """Returns the amount of work per second of this process's CPU time, which other processes hardly influence.

    Args:
        work: does some work and returns its amount; it is called at least once, until the time is over.
    """
    began = time.process_time()
    done = work()
    while (spent := time.process_time() - began) < seconds:
        done += work()
    return done / spent
