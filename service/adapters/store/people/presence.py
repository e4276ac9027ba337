"""The players who now follow a table from their seats, and the bots that are online. They are in no event and no log.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:presence:<table>` | sorted set | ids of players, by the time in ms until which they count as connected |
| `hw:{p00}:presence:bots` | sorted set | ids of bots that follow their own stream, likewise |
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Command, Keyed, Transport
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StreamId

STAYS_MS: Final = 15_000
"""How long a player counts as connected after the last note. API processes note every five seconds, so two may fail."""

LEAVES_MS: Final = 6_000
"""How long a player counts as connected after leaving: a little longer than another process takes to note them again."""

MAX_ONLINE: Final = 200
"""The maximum number of online bots that are listed."""


class RedisPresence:
    """Records and lists connected players. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)
        self._bots = self._keys.at(0, "presence:bots")

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
        return self.connected_each([table], now=now)[table]

    def note_departure(self, table: str, player: str, *, now: int) -> None:
        """Notes that a player's last stream in this process has ended."""
        key = self._key(table)
        # Not removed: the player may be reloading the page, or have a stream in another process, which notes that again.
        # `XX` and `LT`, because a late departure must not bring back a player whose note has expired, or prolong it.
        self._transport.call(key, "ZADD", key, "XX", "LT", now + LEAVES_MS, player)

    def connected_each(self, tables: Collection[str], *, now: int) -> Mapping[str, frozenset[str]]:
        """Returns the connected players of each table."""
        keys = [self._key(table) for table in tables]
        replies = self._transport.call_each([(key, _connected(key, now)) for key in keys])
        return {table: _players(reply) for table, reply in zip(tables, replies, strict=True)}

    def note_bots(self, bots: Collection[str], *, now: int) -> None:
        """Notes that these bots are online."""
        noted = [part for bot in bots for part in (now + STAYS_MS, bot)]
        self._transport.call_each(
            [
                (self._bots, ("ZADD", self._bots, *noted)),
                # Unlike the players of a table, bots come and go without end.
                (self._bots, ("ZREMRANGEBYSCORE", self._bots, "-inf", now)),
            ]
        )

    def online_bots(self, *, now: int) -> list[str]:
        """Returns up to `MAX_ONLINE` of the bots that are online."""
        key = self._bots
        found = self._transport.call(key, "ZRANGEBYSCORE", key, f"({now}", "+inf", "LIMIT", 0, MAX_ONLINE)
        return [bot.decode() for bot in found]

    def is_online(self, bot: str, *, now: int) -> bool:
        until = self._transport.call(self._bots, "ZSCORE", self._bots, bot)
        return until is not None and float(until) > now

    def _key(self, table: str) -> str:
        return self._keys.at(self._keys.partition(StreamId("table", table)), f"presence:{table}")


def _connected(key: str, now: int) -> Command:
    return ("ZRANGEBYSCORE", key, f"({now}", "+inf")


def _players(reply: Sequence[bytes]) -> frozenset[str]:
    return frozenset([player.decode() for player in reply])
