"""The events of players, in Redis lists. Most players have only one event, and a stream takes 4 kB for its first.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:player:<id>` | list | seven elements per event: the fields as in a stream, and the fingerprint of its request |

Few events have to be searched for an idempotency key, so there is no index of commands. Earlier releases stored both a
stream and an index, which are converted when they are first read.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar, cast

from msgspec import Raw
from redis.exceptions import ResponseError

from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Keyed, Transport
from hoodwink.service.adapters.store.checksums import without_checksum
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.packing import IS_SAME, unpacked, unpacked_without_checksum
from hoodwink.service.application.ports import Duplicate, StreamId

T = TypeVar("T")

ELEMENTS: Final = 7
"""Elements per event."""

# Keys and arguments as in the script for streams. A player's commit has one event and a key, and wakes no worker.
APPEND_TO_LIST: Final = (
    IS_SAME
    + """\
local list, feed = KEYS[1], KEYS[3]
local expected, head, command, fingerprint, known = tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5], nil
local stored = redis.call('LRANGE', list, 0, -1)
local version = #stored / 7
for first = 1, #stored, 7 do
  if is_same(stored[first + 4], command) then
    local at = string.format('%d', (first + 6) / 7)
    known = at .. ' ' .. at .. ' ' .. stored[first + 6]
  end
end
if known then return {'DUPLICATE', known} end
if expected > version or expected > 0 and not is_same(stored[expected * 7 - 1], head) then return {'DIVERGED', version} end
if expected < version then
  local tail = {}
  for at = expected, version - 1 do
    local first = at * 7
    tail[#tail + 1] = {string.format('%d-0', at + 1), {
      'type', stored[first + 1], 'data', stored[first + 2], 'at', stored[first + 3],
      'by', stored[first + 4], 'cmd', stored[first + 5], 'hash', stored[first + 6]}}
  end
  return {'CONFLICT', version, tail}
end
redis.call('XLEN', feed)
if KEYS[5] then redis.call('ZCARD', KEYS[5]) end
if KEYS[4] then redis.call('HLEN', KEYS[4]) end
redis.call('RPUSH', list, ARGV[13], ARGV[14], ARGV[15], ARGV[16], ARGV[17], ARGV[18], fingerprint)
if KEYS[5] then redis.call('ZADD', KEYS[5], ARGV[15], ARGV[10]) end
if KEYS[4] then
  local id = string.match(ARGV[1], ':(.*)')
  if ARGV[8] == '' then redis.call('HDEL', KEYS[4], id) else redis.call('HSET', KEYS[4], id, ARGV[8]) end
end
local last = string.format('%d', version + 1)
redis.call('XADD', feed, '*',
  'stream', ARGV[1], 'first', last, 'version', last, 'types', ARGV[6], 'due', ARGV[7], 'head', ARGV[18],
  'request', ARGV[9])
return {'APPENDED', version + 1}
"""
)

# KEYS: the stream, the commands. Several processes may convert it at the same time.
_CONVERT: Final = Script("""\
if redis.call('TYPE', KEYS[1]).ok ~= 'stream' then return 0 end
local events = redis.call('XRANGE', KEYS[1], '-', '+')
redis.call('DEL', KEYS[1])
for _, event in ipairs(events) do
  local f = event[2]
  local record = redis.call('HGET', KEYS[2], f[10])
  local fingerprint = record and string.match(record, '^%d+ %d+ (.*)') or ''
  redis.call('RPUSH', KEYS[1], f[2], f[4], f[6], f[8], f[10], f[12], fingerprint)
end
redis.call('DEL', KEYS[2])
return 1
""")


def is_list(stream: StreamId) -> bool:
    """Returns whether the events of a stream are in a list."""
    return stream.category == "player"


class PlayerLists:
    """Reads the events of players. Safe to share between threads and processes."""

    def __init__(self, transport: Transport, keys: Keys) -> None:
        self._transport = transport
        self._keys = keys

    def read(self, stream: StreamId, *, after: int = 0, count: int | None = None) -> tuple[Entry, ...]:
        """Returns up to `count` events after a version."""
        key, last = self._keys.stream(stream), -1 if count is None else (after + count) * ELEMENTS - 1
        elements = self._read([stream], [(key, ("LRANGE", key, after * ELEMENTS, last))])[0]
        return tuple(_entries(elements, after))

    def read_named(self, streams: Sequence[StreamId]) -> list[tuple[tuple[Entry, ...], str | None]]:
        """Returns all events and the stored name of each player, in one round trip."""
        commands: list[Keyed] = []
        for stream in streams:
            key, names = self._keys.stream(stream), self._keys.names(stream)
            commands += [(key, ("LRANGE", key, 0, -1)), (names, ("HGET", names, stream.id))]
        replies = self._read(streams, commands)
        return [
            (tuple(_entries(events, 0)), None if name is None else without_checksum(name.decode()))
            for events, name in zip(replies[::2], replies[1::2], strict=True)
        ]

    def ends(self, streams: Sequence[StreamId]) -> list[tuple[int, str]]:
        """Returns the number of each player's events and the last hash, in one round trip."""
        commands: list[Keyed] = []
        for stream in streams:
            key = self._keys.stream(stream)
            commands += [(key, ("LLEN", key)), (key, ("LINDEX", key, -2))]
        replies = self._read(streams, commands)
        return [
            (length // ELEMENTS, "" if head is None else unpacked(head))
            for length, head in zip(replies[::2], replies[1::2], strict=True)
        ]

    def records(self, stream: StreamId) -> list[tuple[Entry, bytes]]:
        """Returns each event with the fingerprint of its request as stored."""
        key = self._keys.stream(stream)
        elements = self._read([stream], [(key, ("LRANGE", key, 0, -1))])[0]
        return list(zip(_entries(elements, 0), elements[ELEMENTS - 1 :: ELEMENTS], strict=False))

    def known(self, stream: StreamId, key_id: str) -> Duplicate | None:
        """Returns the commit with that idempotency key, or `None`."""
        for entry, fingerprint in self.records(stream):
            if entry.cmd == key_id:
                return Duplicate(entry.version, unpacked_without_checksum(fingerprint), entry.version)
        return None

    def access(self, streams: Sequence[StreamId], run: Callable[[], T]) -> T:
        """Returns the result of `run`. If it meets lists of an earlier release, converts them and runs it again."""
        try:
            return run()
        except ResponseError as error:
            if "WRONGTYPE" not in str(error):
                raise
        keys = [(self._keys.stream(stream), self._keys.commands(stream)) for stream in streams]
        _CONVERT.run_each(self._transport, [(both, ()) for both in keys])
        return run()

    def _read(self, streams: Sequence[StreamId], commands: Sequence[Keyed]) -> list[Any]:
        return self.access(streams, lambda: self._transport.call_each(commands))


def _entries(elements: Sequence[bytes], after: int) -> Iterator[Entry]:
    """Yields the events after a version."""
    for at in range(0, len(elements) - ELEMENTS + 1, ELEMENTS):
        type_, data, ms, by, cmd, hash_ = elements[at : at + ELEMENTS - 1]
        yield Entry(
            version=after + 1 + at // ELEMENTS,
            type=type_.decode(),
            data=Raw(data),
            at=int(ms),
            by=cast("Actor", by.decode()),
            cmd=unpacked(cmd),
            hash=unpacked(hash_),
        )
