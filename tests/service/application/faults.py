"""Processes that are killed at a chosen moment."""

from collections.abc import Callable
from typing import Any

import pytest

from service.adapters import wire

_WRITES = {"EVAL", "EVALSHA", "XACK", "XREADGROUP", "XGROUP"}


class Killed(BaseException):
    """What a killed process feels."""


def killer(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Returns what ends this process, as it were, right after so many more writes have reached Redis."""
    single, each = wire._exchange, wire._exchange_each
    left = [0]

    def count(*commands: Any) -> None:
        for command in commands:
            left[0] -= command[0] in _WRITES
        if left[0] < 0:
            left[0] = 1 << 30
            raise Killed

    def exchange(line: Any, command: Any, *rest: Any) -> Any:
        reply = single(line, command, *rest)
        count(command)
        return reply

    def exchange_each(commands: Any) -> Any:
        replies = each(commands)
        count(*[command for _, command in commands])
        return replies

    monkeypatch.setattr(wire, "_exchange", exchange)
    monkeypatch.setattr(wire, "_exchange_each", exchange_each)

    def after(writes: int) -> None:
        left[0] = writes

    after(1 << 30)
    return after
