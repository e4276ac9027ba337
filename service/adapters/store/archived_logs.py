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
from typing import Final, NamedTuple

from hoodwink.domain.tables.entries import Entry
from hoodwink.service.adapters.archive.segments import Place, Segments
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.greenlets import suspend_until
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import Keys, named, stream_named
from hoodwink.service.application.ports import DamagedArchive, Duplicate, StreamId, WholeLog
from hoodwink.service.application.streams.cache import Cache

_FORM: Final = struct.Struct(">I32sIIII")

# The version in a tombstone; 0 for a stream that is not in the archive. It runs on fakeredis, too, which has no `struct`.
ARCHIVED_VERSION: Final = """\
local function archived_version(key, name)
  local found = redis.call('HGET', key, name)
  if not found then return 0 end
  local a, b, c, d = string.byte(found, 1, 4)
  return ((a * 256 + b) * 256 + c) * 256 + d
end
"""

_PAGE: Final = 500

_LAST_EVENTS: Final = 10_000
"""As many as a process remembers tables, because it compares each with its last event whenever it is asked for."""


class Tombstone(NamedTuple):
    """The data that Redis keeps of an archived log.

    Attributes:
        version, head: of the last archived event.
        place: of the frame.
        raw: the tombstone as stored.
    """

    version: int
    head: str
    place: Place
    raw: bytes


def tombstone_of(place: Place, log: WholeLog) -> Tombstone:
    """Returns the tombstone for a log that is in this frame."""
    version, head = len(log.entries), log.head
    return Tombstone(version, head, place, _FORM.pack(version, bytes.fromhex(head), *place[1:]))


class ArchivedLogs:
    """Finds and reads archived logs. Safe to share between threads."""

    def __init__(
        self, *, client: Client, partitions: int, segments: Segments | None = None, cached: int = 32
    ) -> None:
        """Keeps up to `cached` logs in memory, and the last events of more. Without segments, no archived log can be read."""
        self._transport = Transport(client)
        self._keys = Keys(partitions)
        self._segments = segments
        self._cache: Cache[bytes, WholeLog] = Cache(cached)
        self._last_events: Cache[bytes, Entry] = Cache(_LAST_EVENTS)
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

    def read(self, tombstone: Tombstone) -> WholeLog:
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
            self._last_events.put(tombstone.raw, log.entries[-1])
        return log

    def last_event(self, tombstone: Tombstone) -> Entry:
        """Returns the last event of an archived log; raises `DamagedArchive`."""
        return self._last_events.get(tombstone.raw) or self.read(tombstone).entries[-1]

    def _read(self, tombstone: Tombstone) -> WholeLog:
        if self._segments is None:
            raise DamagedArchive(f"{tombstone.place.segment} cannot be read here")
        log = self._segments.read(tombstone.place)
        # The head proves every event before it.
        if len(log.entries) != tombstone.version or log.head != tombstone.head:
            raise DamagedArchive(
                f"{tombstone.place.segment}: the frame at byte {tombstone.place.offset} is another log"
            )
        return log

    def streams_in(self, partition: int) -> Iterator[tuple[StreamId, bytes]]:
        """Yields the archived streams of a partition, each once, with their tombstones as stored."""
        key, found, cursor = self._keys.at(partition, "archived"), dict[bytes, bytes](), b"0"
        while True:  # a scan may name a field twice
            cursor, page = self._transport.call(key, "HSCAN", key, cursor, "COUNT", _PAGE)
            found |= zip(page[::2], page[1::2], strict=True)
            if cursor == b"0":
                break
        return ((stream_named(name.decode()), raw) for name, raw in found.items())


def find_command(log: WholeLog, command: str) -> Duplicate | None:
    """Returns the commit of a command in an archived log, or `None`."""
    versions = [entry.version for entry in log.entries if entry.cmd == command]
    if not versions:
        return None
    fingerprint = log.fingerprints.get(command, "")
    return Duplicate(version=versions[-1], fingerprint=fingerprint, first_version=versions[0])
