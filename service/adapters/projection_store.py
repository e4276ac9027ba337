"""What projections keep, in Redis: rows, indexes and counters, a set of them in every partition.

A table's effects go into the table's own partition, together with the note how far the projection
has come on that table: one script, one slot. Whoever reads merges the partitions.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:<projection>:applied` | hash | stream → version up to which its events are applied |
| `hw:{pNN}:<projection>:rows` | hash | key → row as JSON |
| `hw:{pNN}:<projection>:counters` | hash | counter → number |
| `hw:{pNN}:<projection>:indexes` | set | the names of all indexes |
| `hw:{pNN}:<projection>:index:<name>` | sorted set | keys of rows by their order |
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha1
from heapq import merge
from itertools import islice
from typing import Any, Final, assert_never

import msgspec
from redis.exceptions import NoScriptError

from domain.projections import Add, Effect, Put
from service.adapters.connection import Client
from service.adapters.keys import Keys, named, stream_named
from service.adapters.wire import Argument, Wire
from service.application.ports import StreamId
from service.application.projections import Cursor, Page, Shelf

# KEYS: the kept ones, then every index that an effect names. Effects name an index by its place.
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
    for j = i + 5, i + 3 + 2 * count, 2 do
      local index = tonumber(ARGV[j])
      if index > 0 then
        redis.call('SADD', KEYS[4], ARGV[j + 1])
        redis.call('ZADD', KEYS[index], order, key)
      else redis.call('ZREM', KEYS[-index], key) end
    end
    i = i + 5 + 2 * count
  end
end
redis.call('HSET', KEYS[1], stream, version)
return 1
"""
_APPLY_SHA: Final = sha1(_APPLY.encode(), usedforsecurity=False).hexdigest()

# KEYS: the kept ones, then every index there is; if another came up meanwhile, nothing happens.
_GUARDED: Final = """\
if redis.call('SCARD', KEYS[4]) ~= #KEYS - 4 then return false end
"""
_READ: Final = f"""\
{_GUARDED}
local all = {{}}
for i = 1, 3 do all[i] = redis.call('HGETALL', KEYS[i]) end
for i = 5, #KEYS do all[i - 1] = redis.call('ZRANGE', KEYS[i], 0, -1, 'WITHSCORES') end
return all
"""
_DROP: Final = f"""\
{_GUARDED}
for i = 1, #KEYS do redis.call('DEL', KEYS[i]) end
return 1
"""

_KEPT: Final = ("applied", "rows", "counters", "indexes")

_FIRST_INDEX: Final = len(_KEPT) + 1
"""Where in KEYS the first index stands."""


class RedisProjectionStore:
    """Keeps and reads projections. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._wire = Wire(client)
        self._keys = Keys(partitions)

    def apply(
        self, projection: str, stream: StreamId, *, after: int, version: int, effects: Sequence[Effect]
    ) -> bool:
        """Carries out effects all at once and once only; see `ProjectionStore`."""
        partition = self._keys.partition(stream)
        keys = [self._key(projection, part, partition) for part in _KEPT]
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
        return Page(tuple([row for row in rows if row is not None]), more)  # None: dropped meanwhile

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
        """Forgets everything the projection keeps, a partition at a time."""
        for partition in range(len(self._keys.feeds)):
            self._with_every_index(projection, partition, _DROP)

    def contents(self, projection: str) -> tuple[Shelf, ...]:
        """Returns everything the projection keeps, for each partition as it was at one moment."""
        return tuple(self._shelf(projection, partition) for partition in range(len(self._keys.feeds)))

    def _shelf(self, projection: str, partition: int) -> Shelf:
        names, (applied, rows, counters, *indexes) = self._with_every_index(projection, partition, _READ)
        return Shelf(
            applied={stream_named(name): version for name, version in _pairs(applied, int).items()},
            rows=_pairs(rows, bytes),
            counters=_pairs(counters, int),
            indexes={
                name: _pairs(members, int) for name, members in zip(names, indexes, strict=True) if members
            },
        )

    def _with_every_index(self, projection: str, partition: int, script: str) -> tuple[list[str], Any]:
        """Runs a script over all keys of a partition; returns the names of the indexes and the reply."""
        kept = [self._key(projection, part, partition) for part in _KEPT]
        while True:
            names = sorted(name.decode() for name in self._wire.call(kept[3], "SMEMBERS", kept[3]))
            keys = kept + [self._key(projection, f"index:{name}", partition) for name in names]
            reply = self._wire.call(kept[0], "EVAL", script, len(keys), *keys)
            if reply is not None:
                return names, reply

    def _key(self, projection: str, part: str, partition: int) -> str:
        return self._keys.in_each(f"{projection}:{part}")[partition]


def _arguments(effect: Effect, places: dict[str, int]) -> list[Argument]:
    """Returns the effect as the script reads it; `places` learns where in KEYS each index stands."""
    match effect:
        case Add():
            return ["add", effect.counter, effect.amount]
        case Put():
            row, count = msgspec.json.encode(effect.row), len(effect.indexes) + len(effect.leaves)
            arguments: list[Argument] = ["put", effect.key, row, effect.order, count]
            for index in effect.indexes:
                arguments += (places.setdefault(index, len(places) + _FIRST_INDEX), index)
            for index in effect.leaves:
                arguments += (-places.setdefault(index, len(places) + _FIRST_INDEX), index)
            return arguments
        case _:
            assert_never(effect)


def _behind(reply: list[bytes], partition: int, before: Cursor | None) -> Iterator[tuple[int, str, int]]:
    for key, score in zip(reply[::2], reply[1::2], strict=True):
        position = (int(score), key.decode())
        if before is None or position < (before.order, before.key):
            yield (*position, partition)


def _pairs(flat: list[bytes], kind: Callable[[bytes], Any]) -> dict[str, Any]:
    """Returns names and values that stand in a row as a dictionary in the order of the names."""
    return {name.decode(): kind(value) for name, value in sorted(zip(flat[::2], flat[1::2], strict=True))}
