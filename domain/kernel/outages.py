"""Outages of the service move running deadlines, because no player is to blame for them."""

from typing import Final

MIN_GAP_MS: Final = 3_000
"""The shortest outage that moves deadlines."""


def postponed(began: int, *, since: int, until: int) -> int:
    """Returns the start of a period, in ms, postponed by the part of an outage that fell into it.

    A period that began during the outage then begins at its end.

    >>> [postponed(began, since=100, until=110) for began in (50, 100, 104, 110, 120)]
    [60, 110, 110, 110, 120]
    """
    return began + max(0, until - max(since, began))
