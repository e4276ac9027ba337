"""An outage is nobody's fault: it moves what was running when it began."""

from typing import Final

MIN_GAP_MS: Final = 3_000
"""The shortest time without service that moves deadlines."""


def put_off(began: int, *, since: int, until: int) -> int:
    """Returns when something that began at `began` counts as begun, in ms, if the service was away for a time.

    It is as much later as it was running meanwhile: what began during the outage begins at its end.

    >>> [put_off(began, since=100, until=110) for began in (50, 100, 104, 110, 120)]
    [60, 110, 110, 110, 120]
    """
    return began + max(0, until - max(since, began))
