"""Players who may never have taken part in anything, in Redis; see `Keys`."""

from collections.abc import Collection
from typing import Final

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.checksums import time_with_checksum
from hoodwink.service.adapters.store.earliest import earliest
from hoodwink.service.adapters.store.keys import PLAYER_RECORDS, Keys
from hoodwink.service.adapters.store.people.subscriptions import SUBSCRIBERS
from hoodwink.service.application.ports import StreamId

# KEYS: the names, the newcomers, and all that is stored about the player alone. ARGV: the player's id. All or nothing: if only
# the commands were gone, a repeated registration would create another player.
_DELETE: Final = Script("""\
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', unpack(KEYS, 3))
return redis.call('ZREM', KEYS[2], ARGV[1])
""")


class RedisNewcomers:
    """Finds and deletes newcomers. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def due(self, until_ms: int, *, count: int) -> dict[str, int]:
        """Returns up to `count` newcomers recorded for a time until `until_ms`, earliest first: id → that time."""
        return earliest(self._transport, self._keys.in_each("newcomers"), until_ms, count=count)

    def took_part(self, players: Collection[str]) -> set[str]:
        """Returns the players named in any event of a table or tournament."""
        # Every partition is asked, because each records only the players of its own tables.
        asked = [(key, player) for player in players for key in self._keys.in_each("took_part")]
        replies = self._transport.call_each([(key, ("SISMEMBER", key, player)) for key, player in asked])
        return {player for (_, player), is_member in zip(asked, replies, strict=True) if is_member}

    def note(self, player: str, at: int) -> None:
        """Records a newcomer for another time, in ms since the epoch."""
        key = self._keys.newcomers(_stream(player))
        # `XX`, or a player who was deleted or took part meanwhile would become a newcomer again.
        self._transport.call(key, "ZADD", key, "XX", time_with_checksum(at), player)

    def keep(self, player: str) -> None:
        key = self._keys.newcomers(_stream(player))
        self._transport.call(key, "ZREM", key, player)

    def delete(self, player: str) -> None:
        """Deletes all data of a player whom no other stream names."""
        stream = _stream(player)
        keys = (
            self._keys.names(stream),
            self._keys.newcomers(stream),
            self._keys.stream(stream),
            self._keys.commands(stream),
            *[self._keys.of_player(kind, player) for kind in ("blocks", *PLAYER_RECORDS)],
        )
        self._transport.call(SUBSCRIBERS, "SREM", SUBSCRIBERS, player)
        _DELETE.run(self._transport, keys, player)


def _stream(player: str) -> StreamId:
    return StreamId("player", player)
