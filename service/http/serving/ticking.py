"""Repeats the checks of a worker about once a second, so that one that fails does not stop the others."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

import structlog

log = structlog.get_logger(__name__)

_TICK_SECONDS: Final = 1.0

Check: TypeAlias = Callable[[], Awaitable[None]]


async def keep_ticking(checks: Sequence[Check], *, seconds: float = _TICK_SECONDS) -> None:
    """Runs the checks one after the other, again and again. A failure is logged once, until the check works again."""
    failing = set[Check]()
    while True:
        await asyncio.sleep(seconds)
        for check in checks:
            try:
                await check()
            # Every error: the checks inspect the connections of strangers, who must not be able to end the guards.
            except Exception:
                if check not in failing:
                    log.exception("a regular check failed", check=check.__name__)
                failing.add(check)
            else:
                failing.discard(check)
