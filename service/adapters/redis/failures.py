"""Temporary failures of Redis."""

import re
from typing import Final

from redis.exceptions import (
    ClusterDownError,
    ConnectionError,  # noqa: A004
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    TimeoutError,  # noqa: A004
    TryAgainError,
)

UNAVAILABLE: Final = (
    ClusterDownError,
    ConnectionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    TimeoutError,
    TryAgainError,
)

_REFUSED: Final = re.compile(r"(?:BUSY|MISCONF|NOREPLICAS|OOM|READONLY|UNKILLABLE)\b")


def may_pass(error: Exception) -> bool:
    """Returns whether an error is temporary, and not the fault of the command."""
    return isinstance(error, UNAVAILABLE) or _REFUSED.match(str(error)) is not None
