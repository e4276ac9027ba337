"""Limit counts of all processes, in Redis. Processes exchange them in the background; only a new event stream waits for it.

| key | type | holds |
|---|---|---|
| `hw:{limits}:<limit>:<who>` | string | of a rate: the level of the bucket, and the time in ms at which it was that high |
| `hw:{limits}:<limit>:<who>` | hash | of a level: process → how many it has, and the time in ms until which that counts |

A key expires as soon as its bucket is empty, or when no process has renewed its number. Only Redis's clock is used.
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
"""How long a process's numbers count after it has sent them. Several renewals may fail before they expire."""
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
"""Adds to buckets and returns their levels. Arguments: per key the amount to add, and how much leaks per millisecond."""

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
"""Stores a process's numbers and returns those of the others. Arguments: the process, how long its numbers count (ms), and
a number per key."""


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
        """Starts without exchanging anything.

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
        """Adds this process's counts and adopts those of all. Sends nothing if nothing was counted.

        Raises:
            StoreUnavailable: only the counts of this process apply until the next exchange.
        """
        try:
            self._exchange_rates()
            self._exchange_levels()
        except StoreUnavailable:
            # The others' numbers expire in Redis, but not here: streams that ended long ago would refuse new ones.
            for counter in self._counters.levels.values():
                counter.forget_elsewhere()
            raise

    def agree(self, limit: Limit, who: str) -> bool:
        """Stores this process's number, and returns whether all processes together are within the limit.

        If two processes ask at the same moment, the second sees the first. Without the store, each counts alone.
        """
        counter = self._counters.levels.get(limit)
        if counter is None:  # the operator has lifted the limit
            return True
        try:
            with self._lock:
                (elsewhere,) = self._send_levels(limit, [(who, counter.held(who))])
        except StoreUnavailable:  # an outage must not keep watchers out, so each process counts alone
            return True
        return counter.settle(who, elsewhere)

    def _exchange_rates(self) -> None:
        for limit, counter in self._counters.rates.items():
            leak = repr(counter.rate.count / counter.rate.seconds / 1000)
            # If the store fails here, the others never see these counts. Sent again, they might count twice.
            for added in _portions(counter.take_unsent()):
                arguments = [part for _, count in added for part in (f"{count:.3f}", leak)]
                levels = self._run(_RATES, limit, [who for who, _ in added], *arguments)
                for (who, _), level in zip(added, levels, strict=True):
                    counter.settle(who, float(level))

    def _exchange_levels(self) -> None:
        has_to_renew = self._clock() - self._renewed_at >= RENEW_SECONDS
        for limit, counter in self._counters.levels.items():
            with self._lock:
                for changed in _portions(counter.take_changed(and_all_others=has_to_renew)):
                    for (who, _), elsewhere in zip(changed, self._send_levels(limit, changed), strict=True):
                        counter.settle(who, elsewhere)
        if has_to_renew:
            self._renewed_at = self._clock()

    def _send_levels(self, limit: Limit, held: Sequence[tuple[str, int]]) -> list[int]:
        """Stores this process's numbers and returns those of the others."""
        counts = [count for _, count in held]
        found: list[int] = self._run(
            _LEVELS, limit, [who for who, _ in held], self._process, STAYS_MS, *counts
        )
        return found

    def _run(self, script: Script, limit: Limit, who: Sequence[str], *arguments: Argument) -> Any:
        return script.run(self._transport, [f"hw:{{limits}}:{limit}:{each}" for each in who], *arguments)


def _portions(all_of_them: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yields portions small enough that no script blocks Redis for long."""
    for first in range(0, len(all_of_them), _MAX_KEYS):
        yield all_of_them[first : first + _MAX_KEYS]


async def keep_exchanging(made: Callable[[], SharedCounts]) -> NoReturn:
    """Exchanges the counts of this process twice a second, in a thread, until cancelled."""
    is_away = False
    while True:
        await asyncio.sleep(EXCHANGE_SECONDS)
        try:
            await asyncio.to_thread(lambda: made().exchange())
            is_away = False
        except StoreUnavailable as error:
            if not is_away:  # once per outage, or a log would get two lines a second
                log.warning("limits are not shared between processes now", error=str(error))
            is_away = True
        except Exception:
            log.exception("limit counts could not be exchanged")
