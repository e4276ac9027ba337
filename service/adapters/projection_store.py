"""What projections keep, in Redis: rows, indexes and counters, a set of them in every partition.

A table's effects go into the table's own partition, together with the note how far the projection
has come on that table: one script, one slot. Whoever reads merges the partitions.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:<projection>:applied` | hash | stream → version up to which its events are applied |
| `hw:{pNN}:<projection>:rows` | hash | key → row as JSON |
| `hw:{pNN}:<projection>:index:<name>` | sorted set | keys of rows by their order |
| `hw:{pNN}:<projection>:counters` | hash | counter → number |
"""

from collections.abc import Iterator, Sequence
from hashlib import sha1
from heapq import merge
from itertools import islice
from typing import Final, assert_never

import msgspec
from redis.exceptions import NoScriptError, RedisError

from domain.projections import Add, Effect, Put
from service.adapters.connection import Client
from service.adapters.keys import Keys, named
from service.adapters.wire import Argument, Wire
from service.application.ports import StoreUnavailable, StreamId
from service.application.projections import Contents, Cursor, Page

# KEYS: applied, rows, counters, then every index that an effect names. Effects name an index by its place.
_APPLY: Final = """\
local stream, after, version = ARGV[1], ARGV[2], ARGV[3]
if (redis.call('HGET', KEYS[1], stream) or '0') ~= after then return 0 end
local i = 4
while i <= #ARGV do
  if ARGV[i] == 'add' then
    redis.call('HINCRBY', KEYS[3], ARGV[i + 1], ARGV[i + 2])
    i = i + 3
  else
    local key, row, order, count = ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], tonumber(ARGV[i + 4])
    redis.call('HSET', KEYS[2], key, row)
    for j = i + 5, i + 4 + count do
      local index = tonumber(ARGV[j])
      if index > 0 then redis.call('ZADD', KEYS[index], order, key)
      else redis.call('ZREM', KEYS[-index], key) end
    end
    i = i + 5 + count
  end
end
redis.call('HSET', KEYS[1], stream, version)
return 1
"""
_APPLY_SHA: Final = sha1(_APPLY.encode(), usedforsecurity=False).hexdigest()

_FIRST_INDEX: Final = 4
"""Where in KEYS the first index stands."""


class RedisProjectionStore:
    """Keeps and reads projections. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._client = client
        self._wire = Wire(client)
        self._keys = Keys(partitions)

    def apply(
        self, projection: str, stream: StreamId, *, after: int, version: int, effects: Sequence[Effect]
    ) -> bool:
        """Carries out effects all at once and once only; see `ProjectionStore`."""
        partition = self._keys.partition(stream)
        keys = [self._key(projection, part, partition) for part in ("applied", "rows", "counters")]
        arguments: list[Argument] = [named(stream), after, version]
        places: dict[str, int] = {}
        for effect in effects:
            arguments.extend(_arguments(effect, places))
        keys += [self._key(projection, f"index:{index}", partition) for index in places]
        command = (len(keys), *keys, *arguments)
        try:
            reply = self._wire.call(keys[0], "EVALSHA", _APPLY_SHA, *command)
        except NoScriptError:
            reply = self._wire.call(keys[0], "EVAL", _APPLY, *command)
        return bool(reply)

    def applied(self, projection: str, stream: StreamId) -> int:
        """Returns how far the projection has come on the stream."""
        key = self._key(projection, "applied", self._keys.partition(stream))
        return int(self._wire.call(key, "HGET", key, named(stream)) or 0)

    def page(self, projection: str, index: str, *, before: Cursor | None, count: int) -> Page:
        """Returns up to `count` rows of an index, the latest first; see `ProjectionReader`."""
        listed = self._listed(self._keys.in_each(f"{projection}:index:{index}"), before, count)
        latest = list(islice(merge(*listed, reverse=True), count + 1))
        wanted = [(self._key(projection, "rows", partition), key) for _, key, partition in latest[:count]]
        rows = self._wire.call_each([(rows, ("HGET", rows, key)) for rows, key in wanted])
        more = Cursor(latest[count - 1][0], latest[count - 1][1]) if len(latest) > count else None
        return Page(tuple(rows), more)

    def _listed(
        self, keys: Sequence[str], before: Cursor | None, count: int
    ) -> list[list[tuple[int, str, int]]]:
        """Returns for each partition the order and key of enough rows, the latest first."""
        top, tied = "+inf", [0] * len(keys)
        if before is not None:
            top = str(before.order)
            tied = self._wire.call_each([(key, ("ZCOUNT", key, top, top)) for key in keys])
        replies = self._wire.call_each(
            [
                (key, ("ZREVRANGEBYSCORE", key, top, "-inf", "WITHSCORES", "LIMIT", 0, count + 1 + same))
                for key, same in zip(keys, tied, strict=True)
            ]
        )
        return [list(_behind(reply, partition, before)) for partition, reply in enumerate(replies)]

    def row(self, projection: str, stream: StreamId, key: str) -> bytes | None:
        """Returns a row as JSON from the partition of the stream it came from, or `None`."""
        rows = self._key(projection, "rows", self._keys.partition(stream))
        found: bytes | None = self._wire.call(rows, "HGET", rows, key)
        return found

    def counters(self, projection: str, names: Sequence[str]) -> tuple[int, ...]:
        """Returns counters summed over all partitions; 0 for one that was never added to."""
        keys = self._keys.in_each(f"{projection}:counters")
        replies = self._wire.call_each([(key, ("HMGET", key, *names)) for key in keys])
        return tuple(sum(int(value or 0) for value in values) for values in zip(*replies, strict=True))

    def drop(self, projection: str) -> None:
        """Forgets everything the projection keeps."""
        for key in self._kept(projection):
            self._wire.call(key, "DEL", key)

    def contents(self, projection: str) -> Contents:
        """Returns everything the projection keeps, by Redis key and then by field or member."""
        return {key: self._content(key) for key in self._kept(projection)}

    def _kept(self, projection: str) -> list[str]:
        try:
            found = self._client.scan_iter(match=f"hw:{{p*}}:{projection}:*", count=1000)
            return sorted({key.decode() for key in found})
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def _content(self, key: str) -> dict[str, str]:
        command = ("ZRANGE", key, 0, -1, "WITHSCORES") if ":index:" in key else ("HGETALL", key)
        flat = [value.decode() for value in self._wire.call(key, *command)]
        return dict(sorted(zip(flat[::2], flat[1::2], strict=True)))

    def _key(self, projection: str, part: str, partition: int) -> str:
        return self._keys.in_each(f"{projection}:{part}")[partition]


def _arguments(effect: Effect, places: dict[str, int]) -> list[Argument]:
    """Returns the effect as the script reads it; `places` learns where in KEYS each index stands."""
    match effect:
        case Add():
            return ["add", effect.counter, effect.amount]
        case Put():
            joined = [places.setdefault(index, len(places) + _FIRST_INDEX) for index in effect.indexes]
            left = [-places.setdefault(index, len(places) + _FIRST_INDEX) for index in effect.leaves]
            row = msgspec.json.encode(effect.row)
            return ["put", effect.key, row, effect.order, len(joined) + len(left), *joined, *left]
        case _:
            assert_never(effect)


def _behind(reply: list[bytes], partition: int, before: Cursor | None) -> Iterator[tuple[int, str, int]]:
    for key, score in zip(reply[::2], reply[1::2], strict=True):
        position = (int(score), key.decode())
        if before is None or position < (before.order, before.key):
            yield (*position, partition)
