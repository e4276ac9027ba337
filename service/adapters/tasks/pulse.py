"""The heartbeats of the API, and the gaps between them, in Redis.

| key | type | holds |
|---|---|---|
| `hw:{pulse}:last` | string | the time of the latest heartbeat of any API process, in ms since the epoch |
| `hw:{pulse}:gaps` | list | the latest outages, oldest first: `<last heartbeat before> <first heartbeat after>` |
"""

import asyncio
from collections.abc import Callable
from typing import Final, NoReturn

import structlog

from hoodwink.domain.kernel import MIN_GAP_MS
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.streams.outages import Outages, Pulse

log = structlog.get_logger(__name__)

_LAST: Final = "hw:{pulse}:last"
_GAPS: Final = "hw:{pulse}:gaps"
_MAX_GAPS: Final = 20
BEAT_SECONDS: Final = 1.0

# KEYS: last, gaps. ARGV: now, the minimum length of an outage, the number of outages kept. One script, so that of
# several processes that come back together only one records the outage, and each outage starts at the last
# heartbeat. `last` never goes back, or a process whose clock is slightly slow would cause outages.
_BEAT: Final = Script("""\
local last, now = tonumber(redis.call('GET', KEYS[1]) or ''), tonumber(ARGV[1])
if last and now - last >= tonumber(ARGV[2]) then
  redis.call('RPUSH', KEYS[2], redis.call('GET', KEYS[1]) .. ' ' .. ARGV[1])
  redis.call('LTRIM', KEYS[2], -ARGV[3], -1)
end
if not last or now > last then redis.call('SET', KEYS[1], ARGV[1]) end
return {redis.call('GET', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1)}
""")


class RedisHeart:
    """Notes heartbeats. Safe to share between threads and processes."""

    def __init__(self, *, client: Client) -> None:
        self._transport = Transport(client)

    def beat(self, now: int) -> Pulse:
        """Records a heartbeat, and an outage if the last heartbeat is too long ago."""
        return _pulse(*_BEAT.run(self._transport, (_LAST, _GAPS), now, MIN_GAP_MS, _MAX_GAPS))

    def read(self) -> Pulse:
        """Returns the pulse without a heartbeat."""
        return _pulse(
            *self._transport.call_each([(_LAST, ("GET", _LAST)), (_GAPS, ("LRANGE", _GAPS, 0, -1))])
        )


def _pulse(last: bytes | None, gaps: list[bytes]) -> Pulse:
    pairs = [gap.split() for gap in gaps]
    # A damaged gap is left out, because gaps move deadlines at tables.
    whole = [pair for pair in pairs if len(pair) == 2 and all(part.isdigit() for part in pair)]
    return Pulse(
        int(last) if last and last.isdigit() else None,
        tuple((int(since), int(until)) for since, until in whole),
    )


async def keep_beating(made: Callable[[], Outages]) -> NoReturn:
    """Records a heartbeat of this process every second, in a thread, until cancelled."""
    is_away = False
    while True:
        try:
            await asyncio.to_thread(lambda: made().beat())
            is_away = False
        except StoreUnavailable as error:
            if not is_away:  # once per outage, or a log would get a line every second
                log.warning("the heartbeat could not be recorded", error=str(error))
            is_away = True
        except Exception:
            log.exception("the heartbeat could not be recorded")
        await asyncio.sleep(BEAT_SECONDS)
