"""Counts against limits that all processes share, in Redis. Processes exchange it in the background; only an event stream
waits until it is counted.

| key | type | holds |
|---|---|---|
| `hw:{limits}:<limit>:<who>` | string | of a rate: the level of the bucket, and the time in ms at which it was that high |
| `hw:{limits}:<limit>:<who>` | hash | of a level: process → how many it has, and the time in ms until which that counts |

A key expires as soon as its bucket is empty, or when no process has renewed its number. Only Redis' clock is used.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from time import monotonic
from typing import Any, Final, NoReturn, TypeVar

import structlog

from hoodwink.service.adapters.limits.counters import Counters
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Argument, Transport
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.ports import StoreUnavailable

T = TypeVar("T")

log = structlog.get_logger(__name__)

EXCHANGE_SECONDS: Final = 0.5
STAYS_MS: Final = 15_000
"""How long a process' numbers count after it has sent them; several times as long as `RENEW_SECONDS`."""
RENEW_SECONDS: Final = 5.0
_MAX_KEYS: Final = 500

_NOW: Final = "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)"

_RATES: Final = Script(
    _NOW
    + """
local levels = {}
for number, key in ipairs(KEYS) do
  local level, leak = 0, tonumber(ARGV[2 * number])
  local stored = redis.call('GET', key)
  if stored then
    local before, at = string.match(stored, '^(%S+) (%S+)$')
    level = math.max(0, before - math.max(0, now - at) * leak)
  end
  level = level + ARGV[2 * number - 1]
  redis.call('SET', key, string.format('%.3f %.0f', level, now), 'PX', math.ceil(level / leak))
  levels[number] = string.format('%.3f', level)
end
return levels
"""
)
"""Adds to buckets and returns their levels. Arguments: for each key what to add, and how much leaks in a millisecond."""

_LEVELS: Final = Script(
    _NOW
    + """
local process, stays = ARGV[1], tonumber(ARGV[2])
local elsewhere = {}
for number, key in ipairs(KEYS) do
  if ARGV[number + 2] == '0' then
    redis.call('HDEL', key, process)
  else
    redis.call('HSET', key, process, ARGV[number + 2] .. ' ' .. string.format('%.0f', now + stays))
    redis.call('PEXPIRE', key, stays)
  end
  local found, others = redis.call('HGETALL', key), 0
  for at = 1, #found, 2 do
    local held, till = string.match(found[at + 1], '^(%S+) (%S+)$')
    if tonumber(till) <= now then
      redis.call('HDEL', key, found[at])
    elseif found[at] ~= process then
      others = others + held
    end
  end
  elsewhere[number] = others
end
return elsewhere
"""
)
"""Stores how many a process has and returns how many the others have. Arguments: the process, how long that counts, and
for each key its number."""


class SharedCounts:
    """Exchanges the counts of this process with those of the others. Safe to share between threads."""

    def __init__(
        self,
        counters: Counters,
        *,
        client: Client,
        process: str,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Takes what it exchanges.

        Args:
            counters: of this process.
            client: of the Redis that all processes share.
            process: a name that no other process has.
            clock: of this process, in seconds.
        """
        self._counters = counters
        self._transport = Transport(client)
        self._process = process
        self._clock = clock
        self._renewed_at = clock()
        self._lock = Lock()  # a number that was read first must not be stored last

    def exchange(self) -> None:
        """Adds what this process has counted and takes over what all have; asks nothing if nothing was counted.

        Raises:
            StoreUnavailable: from now on the counts of this process alone apply, until the next exchange.
        """
        try:
            self._exchange_rates()
            self._exchange_levels()
        except StoreUnavailable:
            for counter in self._counters.levels.values():
                counter.forget_elsewhere()
            raise

    def agree(self, limit: Limit, who: str) -> bool:
        """Stores how many this process has and returns whether all processes together are within the bound of a level.

        Where two processes come at the same moment, the second one sees the first. Without the store this process counts
        alone.
        """
        counter = self._counters.levels.get(limit)
        if counter is None:
            return True
        try:
            with self._lock:
                (elsewhere,) = self._send_levels(limit, [(who, counter.held(who))])
        except StoreUnavailable:
            return True
        return counter.settle(who, elsewhere)

    def _exchange_rates(self) -> None:
        for limit, counter in self._counters.rates.items():
            leak = repr(counter.rate.count / counter.rate.seconds / 1000)
            for added in _portions(counter.take_unsent()):
                arguments = [part for _, count in added for part in (f"{count:.3f}", leak)]
                levels = self._run(_RATES, limit, [who for who, _ in added], *arguments)
                for (who, _), level in zip(added, levels, strict=True):
                    counter.settle(who, float(level))

    def _exchange_levels(self) -> None:
        renews = self._clock() - self._renewed_at >= RENEW_SECONDS
        for limit, counter in self._counters.levels.items():
            with self._lock:
                for changed in _portions(counter.take_changed(and_all_others=renews)):
                    for (who, _), elsewhere in zip(changed, self._send_levels(limit, changed), strict=True):
                        counter.settle(who, elsewhere)
        if renews:
            self._renewed_at = self._clock()

    def _send_levels(self, limit: Limit, held: Sequence[tuple[str, int]]) -> list[int]:
        """Stores how many this process has, and returns how many the others have."""
        counts = [count for _, count in held]
        found: list[int] = self._run(
            _LEVELS, limit, [who for who, _ in held], self._process, STAYS_MS, *counts
        )
        return found

    def _run(self, script: Script, limit: Limit, who: Sequence[str], *arguments: Argument) -> Any:
        return script.run(self._transport, [f"hw:{{limits}}:{limit}:{each}" for each in who], *arguments)


def _portions(all_of_them: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yields few enough at a time that a script does not hold up the store."""
    for first in range(0, len(all_of_them), _MAX_KEYS):
        yield all_of_them[first : first + _MAX_KEYS]


async def keep_exchanging(made: Callable[[], SharedCounts]) -> NoReturn:
    """Exchanges the counts of this process a few times a second, in a thread, until cancelled."""
    is_away = False
    while True:
        await asyncio.sleep(EXCHANGE_SECONDS)
        try:
            await asyncio.to_thread(lambda: made().exchange())
            is_away = False
        except StoreUnavailable as error:
            if not is_away:
                log.warning("limits are counted by each process alone", error=str(error))
            is_away = True
        except Exception:
            log.exception("the counts of limits could not be exchanged")
