"""Past balances from counters: the amounts of a balance, added up over spans of time.

Each amount is added to one counter for each length of span. Additions commute, so tables may be projected in any
order. The balance at a given time is the sum of a few whole spans, the longest ones first, and of the entries in the
shortest span around that time, which have to be read. About fifty counters are enough for a history of any length: each
length is a sixteenth of the one before, so at most fifteen spans of each length are needed.
"""

from collections.abc import Iterator
from typing import Final

SPAN_BITS: Final = (38, 34, 30, 26, 22, 18)
"""Lengths of spans as powers of two in ms: 8.7 years, 199 days, 12 days, 19 hours, 70 minutes, 4.4 minutes."""

_MIN_BITS: Final = SPAN_BITS[-1]


def tally_counters(balance: str, at: int) -> tuple[str, ...]:
    """Returns the counters of the spans around a time, in ms. An amount gained then is added to each of them.

    >>> tally_counters("player:ada|coconut", 1_750_000_000_000)[:3]
    ('player:ada|coconut@38.6', 'player:ada|coconut@34.65', 'player:ada|coconut@30.65d')
    """
    return tuple([_counter(balance, bits, at >> bits) for bits in SPAN_BITS])


def span_start(at: int) -> int:
    """Returns the beginning of the shortest span around that time, in ms."""
    return at >> _MIN_BITS << _MIN_BITS


def counters_before(balance: str, at: int) -> tuple[str, ...]:
    """Returns the counters whose sum is the balance before `span_start(at)`.

    >>> counters_before("b", (2 << 38) + (1 << 34) + 7)
    ('b@38.0', 'b@38.1', 'b@34.20')
    """
    return tuple(_counters_before(balance, at))


def _counters_before(balance: str, at: int) -> Iterator[str]:
    first = 0  # the number of the first span of this length within the longer span around the time
    for position, bits in enumerate(SPAN_BITS):
        current = at >> bits
        for number in range(first, current):
            yield _counter(balance, bits, number)
        if position + 1 < len(SPAN_BITS):
            first = current << (bits - SPAN_BITS[position + 1])


def _counter(balance: str, bits: int, number: int) -> str:
    return f"{balance}@{bits}.{number:x}"
