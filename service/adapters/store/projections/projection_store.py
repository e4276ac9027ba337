"""The contents of projections in Redis: rows, indexes and counters, in every partition.

A table's effects go into the table's own partition, together with the version up to which they are applied, so one
script and one slot suffice. Readers merge the partitions.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:<projection>:applied` | hash | stream → `<version> <hash>` of the last event applied |
| `hw:{pNN}:<projection>:rows` | hash | key → row as JSON |
| `hw:{pNN}:<projection>:counters` | hash | counter → number |
| `hw:{pNN}:<projection>:indexes` | set | the names of all indexes |
| `hw:{pNN}:<projection>:index:<name>` | sorted set | keys of rows by their order |
| `hw:{pNN}:<projection>:revision` | string | the projection's revision when the first effect was applied |

In earlier releases, `applied` had only the version, and `heads` had `<version> <hash>`, which only counts if the versions are
equal. A partition without a revision has the first one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from heapq import merge
from itertools import islice
from typing import Final, assert_never

import msgspec

from hoodwink.domain.projections import Add, Effect, Put, Remove
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Argument, Transport
from hoodwink.service.adapters.store.archived_logs import ARCHIVED_VERSION
from hoodwink.service.adapters.store.keys import Keys, named
from hoodwink.service.adapters.store.packing import IS_SAME, packed, unpacked
from hoodwink.service.adapters.store.projections.contents import read_snapshot
from hoodwink.service.adapters.store.projections.holds import Hold
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.projections import (
    Cursor,
    Page,
    PartitionHeld,
    Progress,
    ProjectionSnapshot,
)
from hoodwink.service.application.streams.history import Position

# Returns the version and the hash in `applied`, or in `heads`.
_POSITION: Final = """\
local function position(applied, heads, stream)
  local version, head = string.match(redis.call('HGET', applied, stream) or '0', '^(%S+) ?(.*)')
  if head == '' then
    local noted = redis.call('HGET', heads, stream)
    head = noted and string.match(noted, '^' .. version .. ' (.*)') or ''
  end
  return version, head
end
"""

# KEYS: the parts, the table's stream, the hold, the tombstones, then every index in the effects, which refer to it by its number in
# KEYS. The stream is checked, too, because Redis may have come back older than the events from which the effects
# were computed. An unexpected position means that another projector was faster, so nothing is applied twice. Archived events cannot vanish with Redis.
_APPLY: Final = Script(
    IS_SAME
    + ARCHIVED_VERSION
    + _POSITION
    + """\
local stream, version, head = ARGV[1], ARGV[4], ARGV[5]
local held = redis.call('GET', KEYS[8])
if held and string.sub(held, 1, 7) ~= 'replay ' then return 0 end
local applied, known = position(KEYS[1], KEYS[5], stream)
if applied ~= ARGV[2] or not is_same(known, ARGV[3]) then return 0 end
if tonumber(version) > archived_version(KEYS[9], stream) then
  local event = redis.call('XRANGE', KEYS[7], version .. '-0', version .. '-0')[1]
  if not event or not is_same(event[2][12], head) then return 0 end
end
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SET', KEYS[6], ARGV[6]) end
local i = 7
while i <= #ARGV do
  if ARGV[i] == 'add' then
    redis.call('HINCRBY', KEYS[3], ARGV[i + 1], ARGV[i + 2])
    i = i + 3
  elseif ARGV[i] == 'remove' then
    redis.call('HDEL', KEYS[2], ARGV[i + 1])
    for j = i + 3, i + 2 + tonumber(ARGV[i + 2]) do redis.call('ZREM', KEYS[tonumber(ARGV[j])], ARGV[i + 1]) end
    i = i + 3 + tonumber(ARGV[i + 2])
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
redis.call('HSET', KEYS[1], stream, version .. ' ' .. head)
redis.call('HDEL', KEYS[5], stream)
return 1
"""
)

# KEYS: applied, heads, the table's stream, the tombstones. Without a hash (earlier releases), an event of that version suffices.
_PROGRESS: Final = Script(
    IS_SAME
    + ARCHIVED_VERSION
    + _POSITION
    + """\
local version, head = position(KEYS[1], KEYS[2], ARGV[1])
if version == '0' then return {'0', '', 1} end
local event = redis.call('XRANGE', KEYS[3], version .. '-0', version .. '-0')[1]
local is_proven = event and (head == '' or is_same(event[2][12], head))
if not event then is_proven = tonumber(version) <= archived_version(KEYS[4], ARGV[1]) end
return {version, head, is_proven and 1 or 0}
"""
)

_PARTS: Final = ("applied", "rows", "counters", "indexes", "heads", "revision")

_FIRST_INDEX: Final = len(_PARTS) + 4
"""The number in KEYS of the first index."""

_READING_ATTEMPTS: Final = 5
_PATIENCE_SECONDS: Final = 10.0


class RedisProjectionStore:
    """Stores and reads projections. Safe to share between threads and processes."""

    def __init__(self, *, client: Client, partitions: int = 16) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)

    def apply(
        self,
        projection: str,
        stream: StreamId,
        *,
        after: Position,
        reached: Position,
        effects: Sequence[Effect],
        revision: int = 1,
    ) -> bool:
        """Applies effects atomically and only once; see `ProjectionStore`."""
        partition = self._keys.partition(stream)
        keys = [self._key(projection, part, partition) for part in _PARTS]
        keys += [
            self._keys.stream(stream),
            self._key(projection, "held", partition),
            self._keys.archived(stream),
        ]
        arguments: list[Argument] = [
            named(stream),
            after.version,
            packed(after.head),
            reached.version,
            packed(reached.head),
            revision,
        ]
        numbers: dict[str, int] = {}
        for effect in effects:
            arguments.extend(_arguments(effect, numbers))
        keys += [self._key(projection, f"index:{index}", partition) for index in numbers]
        return bool(_APPLY.run(self._transport, keys, *arguments))

    def applied(self, projection: str, stream: StreamId) -> int:
        """Returns the version of the last event of the stream that changed the projection."""
        key = self._key(projection, "applied", self._keys.partition(stream))
        stored = self._transport.call(key, "HGET", key, named(stream)) or b"0"
        return int(stored.partition(b" ")[0])

    def progress(self, projection: str, stream: StreamId) -> Progress:
        """Returns the projection's position in the stream."""
        partition = self._keys.partition(stream)
        keys = [self._key(projection, part, partition) for part in ("applied", "heads")]
        version, head, proven = _PROGRESS.run(
            self._transport,
            [*keys, self._keys.stream(stream), self._keys.archived(stream)],
            named(stream),
        )
        return Progress(Position(int(version), unpacked(head)), bool(proven))

    def partition(self, stream: StreamId) -> int:
        """Returns the number of the partition that holds the rows of the stream."""
        return self._keys.partition(stream)

    @property
    def partitions(self) -> tuple[int, ...]:
        return tuple(range(len(self._keys.feeds)))

    def page(self, projection: str, *indexes: str, before: Cursor | None, count: int) -> Page:
        """Returns up to `count` rows of the indexes, latest first; see `ProjectionReader`."""
        listed = [
            rows
            for index in indexes
            for rows in self._listed(self._keys.in_each(f"{projection}:index:{index}"), before, count)
        ]
        # One more than asked for, which shows whether there is another page.
        latest = list(islice(merge(*listed, reverse=True), count + 1))
        rows = self._rows(projection, [(partition, key) for _, key, partition in latest[:count]])
        more = Cursor(latest[count - 1][0], latest[count - 1][1]) if len(latest) > count else None
        # A row may be removed, or its partition dropped, between the two reads.
        return Page(tuple([row for row in rows if row is not None]), more)

    def _rows(self, projection: str, wanted: Sequence[tuple[int, str]]) -> list[bytes | None]:
        """Returns the rows with these keys, with one command per partition."""
        keys = defaultdict[int, list[str]](list)
        for partition, key in wanted:
            keys[partition].append(key)
        hashes = [self._key(projection, "rows", partition) for partition in keys]
        replies = self._transport.call_each(
            [(rows, ("HMGET", rows, *named)) for rows, named in zip(hashes, keys.values(), strict=True)]
        )
        found = {partition: iter(reply) for partition, reply in zip(keys, replies, strict=True)}
        return [next(found[partition]) for partition, _ in wanted]

    def _listed(
        self, keys: Sequence[str], before: Cursor | None, count: int
    ) -> list[list[tuple[int, str, int]]]:
        """Returns the order and key of enough rows of each partition for a page, latest first."""
        # Redis selects by order alone. Rows with the cursor's own order may be before or after it, so the number of
        # those rows is read in addition.
        top, tied = "+inf", [0] * len(keys)
        if before is not None:
            top = str(before.order)
            tied = self._transport.call_each([(key, ("ZCOUNT", key, top, top)) for key in keys])
        replies = self._transport.call_each(
            [
                (key, ("ZREVRANGEBYSCORE", key, top, "-inf", "WITHSCORES", "LIMIT", 0, count + 1 + same))
                for key, same in zip(keys, tied, strict=True)
            ]
        )
        return [list(_before(reply, partition, before)) for partition, reply in enumerate(replies)]

    def rows(self, projection: str, stream: StreamId, keys: Sequence[str]) -> tuple[bytes | None, ...]:
        """Returns rows put by a stream's events, as JSON; `None` for a missing one."""
        rows = self._key(projection, "rows", self._keys.partition(stream))
        return tuple(self._transport.call(rows, "HMGET", rows, *keys)) if keys else ()

    def counters(self, projection: str, names: Sequence[str]) -> tuple[int, ...]:
        """Returns counters, each summed over all partitions; 0 for one that does not exist."""
        # Summed on reading: a total in one place would be in another slot than the events that change it.
        keys = self._keys.in_each(f"{projection}:counters")
        replies = self._transport.call_each([(key, ("HMGET", key, *names)) for key in keys])
        return tuple(sum(int(value or 0) for value in values) for values in zip(*replies, strict=True))

    @contextmanager
    def rebuilding(
        self, projection: str, partition: int, *, wait_seconds: float = 0.0
    ) -> Iterator[Callable[[], None]]:
        """Drops the contents of a partition, so that the body can fill it again; see `ProjectionStore`."""
        hold = Hold(self._transport, self._keys, projection, partition)
        hold.take("drop", wait_seconds=wait_seconds)
        try:
            hold.drop(_PARTS)
            yield hold.renew_in_time
        except (Exception, KeyboardInterrupt):
            hold.release()  # not `done`: the mark stays, so that another process rebuilds the partition
            raise
        hold.release(done=True)

    def unfinished(self, projection: str) -> tuple[int, ...]:
        """Returns the partitions whose rebuild was interrupted."""
        rebuilding, held = (self._keys.in_each(f"{projection}:{part}") for part in ("rebuilding", "held"))
        found = self._transport.call_each([(key, ("EXISTS", key)) for key in (*rebuilding, *held)])
        began, busy = found[: len(rebuilding)], found[len(rebuilding) :]
        return tuple(partition for partition in self.partitions if began[partition] and not busy[partition])

    def outdated(self, projection: str, revision: int) -> tuple[int, ...]:
        """Returns the partitions filled by another revision, after those that it left empty."""
        applied, revisions = (self._keys.in_each(f"{projection}:{part}") for part in ("applied", "revision"))
        found = self._transport.call_each(
            [*[(key, ("EXISTS", key)) for key in applied], *[(key, ("GET", key)) for key in revisions]]
        )
        filled, stored = found[: len(applied)], found[len(applied) :]
        others = [part for part in self.partitions if filled[part] and int(stored[part] or 1) != revision]
        # An empty partition may have events that only this revision follows. Empty ones come first, because they record no
        # revision: after an interruption, the others still show that this method has to return the empty ones again.
        empty = [part for part in self.partitions if not filled[part]] if others else []
        return (*empty, *others)

    def contents(self, projection: str, partition: int) -> ProjectionSnapshot:
        """Reads a partition in pages while no other process may change it. Retries if the hold expired meanwhile."""
        for attempt in range(1, _READING_ATTEMPTS + 1):
            hold = Hold(self._transport, self._keys, projection, partition)
            hold.take("read", wait_seconds=_PATIENCE_SECONDS)
            try:
                snapshot = read_snapshot(
                    self._transport, lambda part: self._key(projection, part, partition), hold.renew_in_time
                )
                hold.renew()  # proves that the partition was still held when the last page was read
            except PartitionHeld:
                if attempt == _READING_ATTEMPTS:
                    raise
            else:
                return snapshot
            finally:
                hold.release()
        raise AssertionError("the last attempt returns or raises")

    def _key(self, projection: str, part: str, partition: int) -> str:
        return self._keys.at(partition, f"{projection}:{part}")


def _arguments(effect: Effect, numbers: dict[str, int]) -> list[Argument]:
    """Returns an effect as arguments of the script. Adds the number in KEYS of each new index to `numbers`."""
    match effect:
        case Add():
            return ["add", effect.counter, effect.amount]
        case Remove():
            listed = [numbers.setdefault(index, len(numbers) + _FIRST_INDEX) for index in effect.indexes]
            return ["remove", effect.key, len(listed), *listed]
        case Put():
            row, count = msgspec.json.encode(effect.row), len(effect.indexes) + len(effect.leaves)
            arguments: list[Argument] = ["put", effect.key, row, effect.order, count]
            for index in effect.indexes:
                arguments += (numbers.setdefault(index, len(numbers) + _FIRST_INDEX), index)
            for index in effect.leaves:
                arguments += (-numbers.setdefault(index, len(numbers) + _FIRST_INDEX), index)
            return arguments
        case _:
            assert_never(effect)


def _before(reply: list[bytes], partition: int, before: Cursor | None) -> Iterator[tuple[int, str, int]]:
    for key, score in zip(reply[::2], reply[1::2], strict=True):
        position = (int(score), key.decode())
        if before is None or position < (before.order, before.key):
            yield (*position, partition)
