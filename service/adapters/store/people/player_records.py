"""Records of each player, in Redis, as a hash per player; see `Keys`."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.checksums import with_checksum, without_checksum
from hoodwink.service.adapters.store.keys import Keys

V = TypeVar("V")

# ARGV: the maximum, an id, and its record. One script, or two requests at the same time could exceed the maximum.
_PUT: Final = Script("""\
local count = redis.call('HLEN', KEYS[1])
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 and count >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
return 1
""")

_UPDATE: Final = Script("""\
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
return 1
""")


class RedisPlayerRecords(Generic[V]):
    """Stores records of players: texts as they are, others as JSON, both with a checksum.

    Safe to share between threads and processes.
    """

    def __init__(self, kind: str, records: type[V], *, client: Client, partitions: int) -> None:
        """Takes the kind, which is part of the keys, and the type of the records."""
        self._kind = kind
        self._decoded: Callable[[str], V] = (
            records if records is str else msgspec.json.Decoder(records).decode
        )
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def put(self, player: str, id_: str, record: V, *, most: int) -> bool:
        return bool(_PUT.run(self._transport, [self.key(player)], most, id_, _encoded(record)))

    def update(self, player: str, id_: str, record: V) -> None:
        _UPDATE.run(self._transport, [self.key(player)], id_, _encoded(record))

    def set(self, player: str, id_: str, record: V) -> None:
        key = self.key(player)
        self._transport.call(key, "HSET", key, id_, _encoded(record))

    def of(self, player: str) -> dict[str, V]:
        key = self.key(player)
        stored = self._transport.call(key, "HGETALL", key)
        return {id_.decode(): self._record(text) for id_, text in zip(stored[::2], stored[1::2], strict=True)}

    def find_each(self, ids: Sequence[tuple[str, str]]) -> list[V | None]:
        asked = [(key := self.key(player), ("HGET", key, id_)) for player, id_ in ids]
        return [None if text is None else self._record(text) for text in self._transport.call_each(asked)]

    def remove(self, player: str, *ids: str) -> int:
        key = self.key(player)
        return int(self._transport.call(key, "HDEL", key, *ids)) if ids else 0

    def erase(self, player: str) -> None:
        key = self.key(player)
        self._transport.call(key, "DEL", key)

    def key(self, player: str) -> str:
        return self._keys.of_player(self._kind, player)

    def _record(self, stored: bytes) -> V:
        return self._decoded(without_checksum(stored.decode()))


def _encoded(record: object) -> str:
    return with_checksum(record if isinstance(record, str) else msgspec.json.encode(record).decode())
