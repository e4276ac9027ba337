"""Each player's subscriptions to pushes, in Redis: a `RedisPlayerRecords` by the id of the subscription, and next to it

| key | type | holds |
|---|---|---|
| `hw:pushed` | set | the players who may have subscriptions |
| `hw:{limits}:pushes:<tables or tournaments>:<player>` | string | pushes to the player about these within an hour; it expires |
| `hw:{limits}:call:<digest of player and table>` | string | why the table last called the player; it expires |
"""

from collections.abc import Collection
from hashlib import blake2b
from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.people.player_records import RedisPlayerRecords
from hoodwink.service.application.players.pushes import Subscription

SUBSCRIBERS: Final = "hw:pushed"

_HOUR_SECONDS: Final = 3_600
_CALL_SECONDS: Final = 7 * 86_400


class RedisSubscriptions:
    """Stores subscriptions. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._transport = Transport(client)
        self._records = RedisPlayerRecords("pushes", Subscription, client=client, partitions=partitions)

    def of(self, player: str) -> tuple[Subscription, ...]:
        return tuple(sorted(self._records.of(player).values(), key=lambda each: (each.created_at, each.id)))

    def add(self, player: str, subscription: Subscription, *, remove: Collection[str]) -> None:
        self._transport.call(SUBSCRIBERS, "SADD", SUBSCRIBERS, player)
        self._records.set(player, subscription.id, subscription)
        self.remove(player, remove)

    def remove(self, player: str, ids: Collection[str]) -> int:
        return self._records.remove(player, *ids)

    def erase(self, player: str) -> None:
        self._transport.call(SUBSCRIBERS, "SREM", SUBSCRIBERS, player)
        self._records.erase(player)

    def players(self) -> frozenset[str]:
        members = self._transport.call(SUBSCRIBERS, "SMEMBERS", SUBSCRIBERS)
        return frozenset(member.decode() for member in members)

    def count(self, player: str, about: str, *, per_hour: int) -> bool:
        key = f"hw:{{limits}}:pushes:{about}:{player}"
        # The key appears together with its expiry, so that a kill in between cannot leave one that stays.
        self._transport.call(key, "SET", key, 0, "EX", _HOUR_SECONDS, "NX")
        return int(self._transport.call(key, "INCR", key)) <= per_hour

    def note_call(self, player: str, table: str, call: str) -> bool:
        # A digest, because keys with the id of a table belong to the table's partition.
        key = f"hw:{{limits}}:call:{blake2b(f'{player}:{table}'.encode(), digest_size=16).hexdigest()}"
        before: bytes | None = self._transport.call(key, "GET", key)
        self._transport.call(key, "SET", key, call, "EX", _CALL_SECONDS)
        return before is None or before.decode() != call
