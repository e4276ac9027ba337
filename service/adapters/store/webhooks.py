"""The webhooks of tournaments, in Redis:

| key | type | holds |
|---|---|---|
| `hw:{pNN}:webhooks:<tournament>` | hash | the id of each webhook → the webhook |
| `hw:{pNN}:deliveries:<tournament>` | hash | the id of each webhook → how far its messages have come |
| `hw:{webhooks}:due` | sorted set | `<tournament>:<webhook>` by the time at which it has work, in ms since the epoch |

A `RedisPlayerRecords` of the kind `hooked` has the tournaments of the webhooks that each player has added.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.checksums import with_checksum, without_checksum
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.people.player_records import RedisPlayerRecords
from hoodwink.service.application.webhooks.webhooks import MAX_REST_MS, Progress, Taken, Tracked, Webhook

R = TypeVar("R", Webhook, Progress)

_DUE: Final = "hw:{webhooks}:due"

LEASE_MS: Final = 60_000
"""Time after which a webhook is taken from a thread that has not finished, because its process was killed. An attempt takes at most ten seconds."""

# KEYS: the webhooks, and their progress. ARGV: the maximum, an id, the webhook, its progress.
_PUT: Final = Script("""\
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[4])
return 1
""")

# ARGV: an id, the record that was read, and the one to replace it with, unless another request was faster.
_CHANGE: Final = Script("""\
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
""")

# KEYS: the webhooks, and their progress. ARGV: an id, and the progress. A webhook that was removed meanwhile stays removed.
_NOTE: Final = Script("""\
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return 1
""")

_REMOVE: Final = Script("""\
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
""")

# ARGV: the time, the end of the longest rest that begins then, and the webhooks. One that a thread may have taken is moved by
# a millisecond, so that `_FINISH` notices, and so is one that rests. A later time is that of another attempt, or of its removal.
_WAKE: Final = Script("""\
for place = 3, #ARGV do
  local at = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[place]) or '')
  if at and at <= tonumber(ARGV[2]) then
    redis.call('ZINCRBY', KEYS[1], 1, ARGV[place])
  else
    redis.call('ZADD', KEYS[1], ARGV[1], ARGV[place])
  end
end
return 1
""")

# ARGV: the time, and the webhook. Its lease, which ends at half a millisecond, is left to the thread that has it.
_HURRY = Script("""\
local at = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[2]) or '')
if at and at > tonumber(ARGV[1]) and at % 1 > 0 then
  redis.call('ZINCRBY', KEYS[1], 1, ARGV[2])
else
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
end
return 1
""")

# ARGV: the time, and the end of a lease that begins then.
_TAKE: Final = Script("""\
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1)
if found[1] then redis.call('ZADD', KEYS[1], ARGV[2], found[1]) end
return found[1]
""")

# ARGV: a webhook, the end of its lease, the time of its next work or nothing, the time, and the end of the longest rest that
# begins then. If it was woken, a later time than that is no reason to wait.
_FINISH: Final = Script("""\
local at = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '')
local lease, again, rested = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
if not at or at < lease then return 0 end
if at > lease and (not again or again > rested) then again = tonumber(ARGV[4]) end
if again then
  redis.call('ZADD', KEYS[1], again, ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return 1
""")


class RedisWebhooks:
    """Stores webhooks. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)
        self._added = RedisPlayerRecords("hooked", str, client=client, partitions=partitions)

    def of(self, tournament: str) -> Mapping[str, Tracked]:
        keys = self._keys_of(tournament)
        webhooks, progress = self._transport.call_each([(key, ("HGETALL", key)) for key in keys])
        found = _records(progress, Progress)
        return {
            id_: Tracked(webhook, found[id_])
            for id_, webhook in _records(webhooks, Webhook).items()
            if id_ in found  # it was removed between the two reads
        }

    def ids(self, tournaments: Sequence[str]) -> list[tuple[str, str]]:
        keys = [self._keys.of_tournament("webhooks", tournament) for tournament in tournaments]
        found = self._transport.call_each([(key, ("HKEYS", key)) for key in keys])
        each = zip(tournaments, found, strict=True)
        return [(tournament, id_.decode()) for tournament, ids in each for id_ in ids]

    def put(self, tournament: str, webhook: Webhook, *, most: int) -> bool:
        # The player's own list first: without it, an erasure would not find the webhook.
        self._added.set(webhook.by, webhook.id, tournament)
        progress = Progress(position=webhook.after)
        records = (_encoded(webhook), _encoded(progress))
        is_stored = bool(_PUT.run(self._transport, self._keys_of(tournament), most, webhook.id, *records))
        if not is_stored:
            self.forget_added(webhook.by, webhook.id)
        return is_stored

    def change(self, tournament: str, id_: str, changed: Callable[[Webhook], Webhook]) -> Webhook | None:
        key, _ = self._keys_of(tournament)
        while (stored := self._transport.call(key, "HGET", key, id_)) is not None:
            webhook = changed(_decoded(stored, Webhook))
            if _CHANGE.run(self._transport, [key], id_, stored, _encoded(webhook)):
                return webhook
        return None

    def note(self, tournament: str, id_: str, progress: Progress) -> None:
        _NOTE.run(self._transport, self._keys_of(tournament), id_, _encoded(progress))

    def remove(self, tournament: str, id_: str) -> bool:
        return bool(_REMOVE.run(self._transport, self._keys_of(tournament), id_))

    def added_by(self, player: str) -> Mapping[str, str]:
        return self._added.of(player)

    def forget_added(self, player: str, *ids: str) -> None:
        self._added.remove(player, *ids)

    def _keys_of(self, tournament: str) -> list[str]:
        return [self._keys.of_tournament(kind, tournament) for kind in ("webhooks", "deliveries")]


class RedisWebhookTimes:
    """Stores when webhooks have work. Safe to share between threads and processes."""

    def __init__(self, *, client: Client) -> None:
        self._transport = Transport(client)

    def wake(self, webhooks: Sequence[tuple[str, str]], now: int) -> None:
        _WAKE.run(self._transport, [_DUE], now, now + MAX_REST_MS, *[":".join(each) for each in webhooks])

    def hurry(self, tournament: str, webhook: str, now: int) -> None:
        _HURRY.run(self._transport, [_DUE], now, f"{tournament}:{webhook}")

    def take(self, now: int) -> Taken | None:
        until = now + LEASE_MS + 0.5
        found = _TAKE.run(self._transport, [_DUE], now, str(until))
        if found is None:
            return None
        tournament, _, webhook = found.decode().partition(":")
        return Taken(tournament, webhook, until)

    def finish(self, taken: Taken, *, again_at: int | None, now: int) -> None:
        name = f"{taken.tournament}:{taken.webhook}"
        again = "" if again_at is None else again_at
        _FINISH.run(self._transport, [_DUE], name, str(taken.until), again, now, now + MAX_REST_MS)


def _encoded(record: Webhook | Progress) -> str:
    return with_checksum(msgspec.json.encode(record).decode())


def _decoded(stored: bytes, kind: type[R]) -> R:
    return msgspec.json.decode(without_checksum(stored.decode()), type=kind)


def _records(stored: list[bytes], kind: type[R]) -> dict[str, R]:
    pairs = zip(stored[::2], stored[1::2], strict=True)
    return {id_.decode(): _decoded(text, kind) for id_, text in pairs}
