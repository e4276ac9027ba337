"""Failures of Redis: temporary ones, and keys of the wrong type."""

import re
from collections.abc import Sequence
from typing import Final

from redis.exceptions import (
    ClusterDownError,
    ConnectionError,  # noqa: A004
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
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


def is_wrong_type(error: ResponseError) -> bool:
    """Returns whether a key has a value of another type than the command needs."""
    # Redis 6.2 has the code in the middle of what it says about a script.
    return "WRONGTYPE" in str(error)


def with_keys(error: ResponseError, key: str, command: Sequence[str | bytes | int]) -> ResponseError:
    """Returns the error of a command, with its keys if one has a value of the wrong type: Redis does not name it."""
    if not is_wrong_type(error):
        return error
    keys = command[3 : 3 + int(command[2])] if command[0] in {"EVAL", "EVALSHA"} else [key]
    subject = "the key" if len(keys) == 1 else "one of the keys"
    named_keys = ", ".join(map(str, keys))
    return ResponseError(
        f"{subject} {named_keys} has a value of another type than Hoodwink stores there (WRONGTYPE)"
    )
