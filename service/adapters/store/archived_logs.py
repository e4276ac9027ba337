"""Logs in the archive, and the tombstones in Redis that say where each is.

| key | type | holds |
|---|---|---|
| `hw:{pNN}:archived` | hash | stream → its tombstone: version and hash of the last archived event, and the place of the frame |
| `hw:{pNN}:archiving` | string | the name of the segment that is being written |

A log is in its stream, in the archive, or in both until the next run. Events after the archived ones are in the stream.
"""

import asyncio
import struct
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Final, NamedTuple

from hoodwink.service.adapters.archive.frames import ArchivedLog
from hoodwink.service.adapters.archive.segments import Place, Segments
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.greenlets import suspend_until
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Argument, Transport
from hoodwink.service.adapters.store.checksums import with_checksum
from hoodwink.service.adapters.store.keys import Keys, named, stream_named
from hoodwink.service.application.ports import DamagedArchive, Duplicate, StreamId, own_command_id
from hoodwink.service.application.streams.cache import Cache

_FORM: Final = struct.Struct(">I32sIIII")

# The version in a tombstone; 0 for a stream that is not in the archive. fakeredis has no `struct`.
ARCHIVED_VERSION: Final = """\
local function archived_version(key, name)
  local found = redis.call('HGET', key, name)
  if not found then return 0 end
  local a, b, c, d = string.byte(found, 1, 4)
  return ((a * 256 + b) * 256 + c) * 256 + d
end
"""

# KEYS: the stream, the commands, the tombstones. ARGV: the stream's name, id and hash of its last event, the tombstone.
_BURY: Final = Script("""\
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[2] or last[2][12] ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
redis.call('UNLINK', KEYS[1], KEYS[2])
return 1
""")

# KEYS: as above. ARGV: the stream's name, its tombstone, the number of commands, each command with its record, and the
# fields of each archived event. A stream accepts no event before one that it has, so later events are added again.
_RESTORE: Final = Script("""\
if redis.call('HGET', KEYS[3], ARGV[1]) ~= ARGV[2] then return 0 end
local later = redis.call('XRANGE', KEYS[1], '-', '+')
redis.call('DEL', KEYS[1])
local first = 4 + 2 * tonumber(ARGV[3])
for i = 4, first - 1, 2 do redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1]) end
local version = 0
for i = first, #ARGV, 6 do
  version = version + 1
  redis.call('XADD', KEYS[1], string.format('%d-0', version),
    'type', ARGV[i], 'data', ARGV[i + 1], 'at', ARGV[i + 2],
    'by', ARGV[i + 3], 'cmd', ARGV[i + 4], 'hash', ARGV[i + 5])
end
for _, event in ipairs(later) do redis.call('XADD', KEYS[1], event[1], unpack(event[2])) end
redis.call('HDEL', KEYS[3], ARGV[1])
return 1
""")

_PAGE: Final = 500


class Tombstone(NamedTuple):
    """What Redis keeps of an archived log.

    Attributes:
        version, head: of the last archived event.
        place: of the frame.
        raw: the tombstone as stored.
    """

    version: int
    head: str
    place: Place
    raw: bytes


class ArchivedLogs:
    """Finds, reads and moves archived logs. Safe to share between threads."""

    def __init__(
        self, *, client: Client, partitions: int, segments: Segments | None = None, cached: int = 32
    ) -> None:
        """Keeps up to `cached` logs in memory. Without segments, no archived log can be read."""
        self._transport = Transport(client)
        self._keys = Keys(partitions)
        self._segments = segments
        self._cache: Cache[bytes, ArchivedLog] = Cache(cached)
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="archive")

    def find(self, stream: StreamId) -> Tombstone | None:
        key = self._keys.archived(stream)
        return self.tombstone(stream, self._transport.call(key, "HGET", key, named(stream)))

    def find_each(self, streams: Sequence[StreamId]) -> list[Tombstone | None]:
        """Returns the tombstone of each stream, in one round trip."""
        keys = [self._keys.archived(stream) for stream in streams]
        stored = self._transport.call_each(
            [(key, ("HGET", key, named(stream))) for key, stream in zip(keys, streams, strict=True)]
        )
        return [self.tombstone(stream, raw) for stream, raw in zip(streams, stored, strict=True)]

    def tombstone(self, stream: StreamId, raw: bytes | None) -> Tombstone | None:
        """Returns the tombstone that is stored in this form, or `None` if there is none; raises `DamagedArchive`."""
        if not raw:
            return None
        try:
            version, head, *place = _FORM.unpack(raw)
        except struct.error as error:
            raise DamagedArchive(f"the tombstone of {named(stream)} is damaged") from error
        return Tombstone(version, head.hex(), Place(self._keys.partition(stream), *place), raw)

    def read(self, tombstone: Tombstone) -> ArchivedLog:
        """Returns an archived log; raises `DamagedArchive`."""
        log = self._cache.get(tombstone.raw)
        if log is None:
            # Reading a file and computing a chain of hashes would keep the event loop from answering others.
            if LoopConnection.current() is None:
                log = self._read(tombstone)
            else:
                loop = asyncio.get_running_loop()
                log = suspend_until(loop.run_in_executor(self._threads, self._read, tombstone))
            self._cache.put(tombstone.raw, log)
        return log

    def _read(self, tombstone: Tombstone) -> ArchivedLog:
        if self._segments is None:
            raise DamagedArchive(f"{tombstone.place.segment} cannot be read here")
        log = self._segments.read(tombstone.place)
        # The head proves every event before it.
        if len(log.entries) != tombstone.version or log.head != tombstone.head:
            raise DamagedArchive(
                f"{tombstone.place.segment}: the frame at byte {tombstone.place.offset} is another log"
            )
        return log

    def streams(self) -> Iterator[tuple[StreamId, bytes]]:
        """Yields every archived stream once, with its tombstone as stored."""
        for partition in range(self._keys.count):
            yield from self.streams_in(partition)

    def streams_in(self, partition: int) -> Iterator[tuple[StreamId, bytes]]:
        """Yields the archived streams of a partition, each once, with their tombstones as stored."""
        key, found, cursor = self._keys.at(partition, "archived"), dict[bytes, bytes](), b"0"
        while True:  # a scan may name a field twice
            cursor, page = self._transport.call(key, "HSCAN", key, cursor, "COUNT", _PAGE)
            found |= zip(page[::2], page[1::2], strict=True)
            if cursor == b"0":
                break
        return ((stream_named(name.decode()), raw) for name, raw in found.items())

    def bury(self, stream: StreamId, place: Place, log: ArchivedLog) -> bool:
        """Puts a tombstone in the place of a stream, if the log holds all of its events; returns whether it did."""
        version = len(log.entries)
        tombstone = _FORM.pack(version, bytes.fromhex(log.head), *place[1:])
        keys = (self._keys.stream(stream), self._keys.commands(stream), self._keys.archived(stream))
        return bool(_BURY.run(self._transport, keys, named(stream), f"{version}-0", log.head, tombstone))

    def restore(self, stream: StreamId, tombstone: Tombstone, log: ArchivedLog) -> bool:
        """Puts a log back into its stream; returns whether the tombstone was still there."""
        keys = (self._keys.stream(stream), self._keys.commands(stream), self._keys.archived(stream))
        records = _records(log)
        arguments: list[Argument] = [named(stream), tombstone.raw, len(records)]
        for item in records.items():
            arguments += item
        for entry in log.entries:
            arguments += (entry.type, bytes(entry.data), entry.at, entry.by, entry.cmd, entry.hash)
        return bool(_RESTORE.run(self._transport, keys, *arguments))


def find_command(log: ArchivedLog, command: str) -> Duplicate | None:
    """Returns the commit of a command in an archived log, or `None`."""
    versions = [entry.version for entry in log.entries if entry.cmd == command]
    if not versions:
        return None
    fingerprint = log.fingerprints.get(command, "")
    return Duplicate(version=versions[-1], fingerprint=fingerprint, first_version=versions[0])


def _records(log: ArchivedLog) -> dict[str, str]:
    """Returns the stream's index of commands, as the append script would have written it."""
    found = {":head": f"{len(log.entries)} {log.head}"}
    for cmd, group in groupby(log.entries, key=lambda entry: entry.cmd):
        first, *others = [entry.version for entry in group]
        if cmd != own_command_id(first):
            found[cmd] = (
                f"{first} {others[-1] if others else first} {with_checksum(log.fingerprints.get(cmd, ''))}"
            )
    return found
