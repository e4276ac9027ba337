"""The failures of Redis that may pass by themselves."""

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

# Redis 6.2 wraps what stopped a script in a sentence of its own.
_REFUSED: Final = re.compile(r"(?:^|-)(?:BUSY|MISCONF|NOREPLICAS|OOM|READONLY|UNKILLABLE)\b")


def may_pass(error: Exception) -> bool:
    """Returns whether an error says that the server cannot answer now, and not that the command is wrong."""
    return isinstance(error, UNAVAILABLE) or _REFUSED.search(str(error)) is not None
