"""The players who now follow a table from their seats, in Redis. It is in no event and no log.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:presence:<table>` | sorted set | ids of players, by the time in ms until which they count as connected |
"""

from collections.abc import Collection, Mapping
from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Keyed, Transport
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StreamId

STAYS_MS: Final = 15_000
"""How long a player counts as connected after the last note. API processes note every five seconds, so two may fail."""


class RedisPresence:
    """Records and lists connected players. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def note(self, players: Mapping[str, Collection[str]], *, now: int) -> None:
        """Notes that these players, by table, are connected. The notes expire by themselves."""
        commands: list[Keyed] = []
        # Each player has a time of their own. The key's expiry alone would keep players who left while others stay.
        for table, connected in players.items():
            key, until = self._key(table), now + STAYS_MS
            noted = [part for player in connected for part in (until, player)]
            commands += [(key, ("ZADD", key, *noted)), (key, ("PEXPIRE", key, STAYS_MS))]
        self._transport.call_each(commands)

    def connected(self, table: str, *, now: int) -> frozenset[str]:
        key = self._key(table)
        return frozenset(
            player.decode() for player in self._transport.call(key, "ZRANGEBYSCORE", key, f"({now}", "+inf")
        )

    def _key(self, table: str) -> str:
        return self._keys.at(self._keys.partition(StreamId("table", table)), f"presence:{table}")
