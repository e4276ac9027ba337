"""Tables and tournaments that hosts have just opened, in Redis. All processes see them before the projections do.

| key | type | holds |
|---|---|---|
| `hw:{limits}:<limit>:<host>` | sorted set | ids that the host opened, by the time in ms until which they are kept |
"""

from collections.abc import Collection
from typing import Any, Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.application.commands.hosted_tables import Claimed
from hoodwink.service.application.limits import Limit

# One script, because two requests of a host that count and then claim in two steps would both take the last place.
# The time is Redis's own, so that processes whose clocks differ agree on which claims are still kept.
_CLAIM: Final = Script("""\
local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)
local claimed, bound, stays = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local is_counted, unseen = {}, {}
for i = 4, #ARGV do is_counted[ARGV[i]] = true end
if is_counted[claimed] or redis.call('ZSCORE', KEYS[1], claimed) then return {0, unseen} end
for _, begun in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if not is_counted[begun] then unseen[#unseen + 1] = begun end
end
if #ARGV - 3 + #unseen >= bound then return {-1, unseen} end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + stays), claimed)
redis.call('PEXPIRE', KEYS[1], stays)
return {1, unseen}
""")


class RedisClaims:
    """Stores claims. Safe to share between threads and processes."""

    def __init__(self, *, client: Client) -> None:
        self._transport = Transport(client)

    def claim(
        self, limit: Limit, host: str, what: str, *, counted: Collection[str], bound: int, stays_ms: int
    ) -> Claimed:
        """Claims one more unless there are too many; see `Claims`."""
        # The projections and the claims overlap, so the script gets the listed ids and counts each only once.
        reply: list[Any] = _CLAIM.run(self._transport, [_key(limit, host)], what, bound, stays_ms, *counted)
        return Claimed(is_new=reply[0] == 1, is_full=reply[0] < 0, unseen=tuple(map(bytes.decode, reply[1])))

    def drop(self, limit: Limit, host: str, *what: str) -> None:
        """Withdraws claims; see `Claims`."""
        if what:
            key = _key(limit, host)
            self._transport.call(key, "ZREM", key, *what)


def _key(limit: Limit, host: str) -> str:
    return f"hw:{{limits}}:{limit}:{host}"
