"""A figure: what a measurement gave each time it was repeated, and what it is held against."""

import math
import statistics
import time
from collections.abc import Callable, Sequence

import msgspec


class Bar(msgspec.Struct, frozen=True):
    """What a median should reach, or must not exceed if `is_ceiling`."""

    value: float
    is_ceiling: bool = False

    def is_met(self, median: float) -> bool:
        """Tells whether a median does.

        >>> Bar(0.6).is_met(0.7), Bar(40, is_ceiling=True).is_met(41)
        (True, False)
        """
        return median <= self.value if self.is_ceiling else median >= self.value


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the report.

    Attributes:
        samples: one value a repetition.
        note: under what conditions, if the name does not say it.
    """

    name: str
    unit: str
    samples: tuple[float, ...]
    bar: Bar | None = None
    note: str = ""

    @property
    def median(self) -> float:
        """The middle of the samples."""
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
    """How much is measured.

    Attributes:
        repeats: samples a figure.
        seconds: how long one sample lasts, where it is a rate.
        events: how many events a replay has, and how long the longest table is.
        actions: timed one by one in a sample, where it is a latency.
        watchers: streams of events that are followed at once.
        tables: the numbers of tables that are played at once.
    """

    repeats: int
    seconds: float
    events: int
    actions: int
    watchers: int = 200
    tables: tuple[int, ...] = (1, 10, 50)


FULL = Effort(repeats=7, seconds=5.0, events=10_000, actions=200)
QUICK = Effort(repeats=3, seconds=2.0, events=10_000, actions=80)


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the smallest of the values that at least that share of them does not exceed.

    >>> quantile([4, 1, 3, 2], 0.5), quantile([4, 1, 3, 2], 0.99)
    (2, 4)
    """
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def rate(work: Callable[[], int], *, seconds: float) -> float:
    """Returns how much work is done in a second of this process's time; what else runs hardly counts.

    Args:
        work: does some and returns how much; is called until the time is up.
    """
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        done += work()
    return done / spent
