"""Differences between stored data and the logs, and the wait for data that the projector has yet to store."""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

import msgspec

from hoodwink.service.application.ports import Clock

PATIENCE_SECONDS = 10.0
"""Time without any progress after which missing data count as lost."""

_CHECK_EVERY_SECONDS = 0.05

T = TypeVar("T")


class Difference(msgspec.Struct, frozen=True, gc=False):
    """Stored contents that differ from the logs.

    Attributes:
        source: the audited part: a projection, `ratings`, `due` or `stored`.
        location: the part and the key, such as `partition 7, rows, t1:12`.
        live: the stored value, or `None`.
        replayed: the correct value, or `None`.
    """

    source: str
    location: str
    live: Any
    replayed: Any


def overdue(
    awaited: Collection[T], is_missing: Callable[[T], bool], clock: Clock, patience_seconds: float
) -> list[T]:
    """Returns the items that are missing and seem to be lost.

    Args:
        awaited: items that may still arrive.
        is_missing: returns whether an item has not arrived yet.
        patience_seconds: time without any arrival after which the rest counts as lost.
    """
    patience_ms = 1_000 * patience_seconds
    deadline = clock.elapsed_ms() + patience_ms
    missing = [item for item in awaited if is_missing(item)]
    while missing and clock.elapsed_ms() < deadline:
        clock.wait(_CHECK_EVERY_SECONDS)
        still_missing = [item for item in missing if is_missing(item)]
        # Any arrival extends the wait, because the service may be working off a long backlog.
        if len(still_missing) < len(missing):
            deadline = clock.elapsed_ms() + patience_ms
        missing = still_missing
    return missing
