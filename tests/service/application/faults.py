"""Simulated kills of processes at chosen moments."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from hoodwink.service.adapters.redis.transport import Keyed, Transport

_WRITES = {"EVAL", "EVALSHA", "XACK", "XREADGROUP", "XGROUP"}


class Killed(BaseException):
    """Simulates a kill."""


def killer(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Returns a function that simulates a kill of this process after a number of further writes to Redis."""
    exchange, left = Transport._exchange, [0]

    def count_writes(transport: Transport, commands: Sequence[Keyed]) -> Any:
        replies = exchange(transport, commands)
        left[0] -= sum(command[0] in _WRITES for _, command in commands)
        if left[0] < 0:
            left[0] = 1 << 30
            raise Killed
        return replies

    monkeypatch.setattr(Transport, "_exchange", count_writes)

    def after(writes: int) -> None:
        left[0] = writes

    after(1 << 30)
    return after
