"""What a balance was at any time, from counters alone: the amounts of a balance, added up by spans of time.

Each amount is added to one counter for each length of span; additions commute, so tables may be projected in any
order. All that happened before a moment is then the sum of a few whole spans, the longest ones first, and of what
happened in the last, shortest span, whose entries have to be read. However long the history is, that is some two
hundred counters: the time before the moment, written in base 64, has that many smaller digits at most.
"""

from collections.abc import Iterator
from typing import Final

SPAN_BITS: Final = (36, 30, 24, 18)
"""Lengths of spans as powers of two in ms: 2.2 years, 12 days, 4.7 hours, 4.4 minutes."""

_SHORTEST: Final = SPAN_BITS[-1]


def tally_counters(balance: str, at: int) -> tuple[str, ...]:
    """Returns the counters that an amount belongs to which the balance gained at that time, in ms.

    >>> tally_counters("player:ada|coconut", 5 << 36)
    ('player:ada|coconut@36.5', 'player:ada|coconut@30.140', 'player:ada|coconut@24.5000', 'player:ada|coconut@18.140000')
    """
    return tuple([_counter(balance, bits, at >> bits) for bits in SPAN_BITS])


def span_start(at: int) -> int:
    """Returns when the shortest span began in which that time lies, in ms."""
    return at >> _SHORTEST << _SHORTEST


def counters_before(balance: str, at: int) -> tuple[str, ...]:
    """Returns the counters that add up to all that the balance gained before `span_start(at)`.

    >>> counters_before("b", (2 << 36) + (1 << 30))
    ('b@36.0', 'b@36.1', 'b@30.80')
    """
    return tuple(_counters_before(balance, at))


def _counters_before(balance: str, at: int) -> Iterator[str]:
    begun = 0  # the number of the first span within the longer one that the time lies in
    for place, bits in enumerate(SPAN_BITS):
        number = at >> bits
        for passed in range(begun, number):
            yield _counter(balance, bits, passed)
        if place + 1 < len(SPAN_BITS):
            begun = number << (bits - SPAN_BITS[place + 1])


def _counter(balance: str, bits: int, number: int) -> str:
    return f"{balance}@{bits}.{number:x}"
