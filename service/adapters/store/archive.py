"""Moves logs from their streams to the archive and back.

A log is moved in steps: its segment is noted, written, synced and read back; then one script puts a tombstone in the
place of the stream. If the process is killed in between, the next run completes the noted segment.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from typing import Final

import structlog

from hoodwink.service.adapters.archive.frames import Contents, contents
from hoodwink.service.adapters.archive.segments import Place, Segments, number_of, places
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Argument, Transport
from hoodwink.service.adapters.store.archived_logs import ArchivedLogs, Tombstone, tombstone_of
from hoodwink.service.adapters.store.due_times import due_keys
from hoodwink.service.adapters.store.event_store import RedisEventStore, event_values, stored_entries
from hoodwink.service.adapters.store.keys import Keys, named, stream_named
from hoodwink.service.adapters.store.packing import (
    IS_SAME,
    packed,
    packed_with_checksum,
    unpacked_without_checksum,
)
from hoodwink.service.application.ports import (
    DamagedArchive,
    StreamId,
    WholeLog,
    own_command_id,
)
from hoodwink.service.application.streams.parts import rest
from hoodwink.service.application.work.due import CATEGORIES

log = structlog.get_logger(__name__)

# KEYS: the stream, the commands, the tombstones, the versions of its due times, and the times. ARGV: the stream's name,
# id and hash of its last event, the tombstone, the stream's id, and the number of the first key of times.
_BURY: Final = Script(
    IS_SAME
    + """\
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[2] or not is_same(last[2][12], ARGV[3]) then return 0 end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
redis.call('UNLINK', KEYS[1], KEYS[2])
local first = tonumber(ARGV[6])
for i = first, #KEYS do
  if redis.call('ZSCORE', KEYS[i], ARGV[5]) then return 1 end
end
for i = 4, first - 1 do redis.call('HDEL', KEYS[i], ARGV[5]) end
return 1
"""
)

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


class RedisArchive:
    """Moves the logs of one installation. Safe to share between threads and processes."""

    def __init__(
        self,
        *,
        client: Client,
        partitions: int,
        store: RedisEventStore,
        archived: ArchivedLogs,
        segments: Segments,
    ) -> None:
        self._transport = Transport(client)
        self._keys = Keys(partitions)
        self._store = store
        self._archived = archived
        self._segments = segments
        self._numbers: dict[tuple[int, int], int] = {}

    def partition(self, stream: StreamId) -> int:
        return self._keys.partition(stream)

    def idle(self, category: str, before_ms: int) -> Iterator[StreamId]:
        """Yields the streams in Redis whose last event is older; see `Archive`."""
        streams = list(self._store.in_memory(category))
        for first in range(0, len(streams), _PAGE):
            some = streams[first : first + _PAGE]
            keys = [self._keys.stream(stream) for stream in some]
            replies = self._transport.call_each(
                [(key, ("XREVRANGE", key, "+", "-", "COUNT", 1)) for key in keys]
            )
            for stream, last in zip(some, map(stored_entries, replies), strict=True):
                if last and last[0].at < before_ms:
                    yield stream

    def whole(self, stream: StreamId) -> WholeLog:
        """Returns a log, wherever it is, with the fingerprints of its commands; see `Archive`."""
        # The events first: a command that is appended afterwards keeps the log from being moved.
        entries, key = self._store.read(stream), self._keys.commands(stream)
        stored = self._transport.call(key, "HGETALL", key)
        tombstone = self._archived.find(stream)
        fingerprints = dict(self._archived.read(tombstone).fingerprints) if tombstone else {}
        for command, record in zip(stored[::2], stored[1::2], strict=True):
            if command != b":head":
                fingerprint = unpacked_without_checksum(record.split(b" ", 2)[2])
                fingerprints |= {command.decode(): fingerprint} if fingerprint else {}
        return WholeLog(entries, fingerprints)

    def move(self, partition: int, month: int, logs: Mapping[StreamId, WholeLog]) -> int:
        """Writes the logs to a segment and puts tombstones in the place of their streams; see `Archive`."""
        intact = dict[str, Contents]()
        for stream, whole in logs.items():
            with suppress(DamagedArchive):  # a damaged log stays where it is
                intact[named(stream)] = contents(whole)
            rest()
        if not intact:
            return 0
        name, note = self._next_name(partition, month), self._keys.at(partition, "archiving")
        self._transport.call(note, "SET", note, name)
        # If the name is taken, an object store wrote the segment but its reply was lost. Either way, it is read back.
        with suppress(FileExistsError):
            self._segments.write(name, intact)
        return self._complete(name, note)

    def _next_name(self, partition: int, month: int) -> str:
        """Returns a free name. A tombstone's segment is never free: if its file is lost, a backup may bring it back."""
        if (partition, month) not in self._numbers:  # once, because it takes all tombstones of the partition
            self._numbers[partition, month] = max(self._numbers_in_tombstones(partition, month), default=0)
        name = self._segments.next_name(partition, month, after=self._numbers[partition, month])
        self._numbers[partition, month] = number_of(name)
        return name

    def _numbers_in_tombstones(self, partition: int, month: int) -> Iterator[int]:
        for stream, raw in self._archived.streams_in(partition):
            with suppress(DamagedArchive):
                tombstone = self._archived.tombstone(stream, raw)
                if tombstone is not None and tombstone.place.month == month:
                    yield tombstone.place.number

    def complete(self, partition: int) -> int:
        """Completes a move that was interrupted; see `Archive`."""
        note = self._keys.at(partition, "archiving")
        name = self._transport.call(note, "GET", note)
        return 0 if name is None else self._complete(name.decode(), note)

    def _complete(self, name: str, note: str) -> int:
        moved = 0
        try:
            if self._segments.keep(name):
                # A dictionary in memory would hide that its file is lost, and nobody could read the logs later.
                self._segments.check_dictionary(name)
                for entry, place in places(name, self._segments.index(name)):
                    # Read back from the disk: only what can be read there may leave Redis.
                    whole = self._segments.read(place)
                    moved += self._bury(stream_named(entry.stream), tombstone_of(place, whole))
                    rest()
        except DamagedArchive as error:  # its logs stay in Redis, and the next run writes them again
            log.error("a segment cannot be read back", segment=name, error=str(error))  # noqa: TRY400
        self._transport.call(note, "DEL", note)
        return moved

    def _bury(self, stream: StreamId, tombstone: Tombstone) -> bool:
        """Puts a tombstone in the place of a stream, if it stands for all of its events; returns whether it did."""
        keys = [self._keys.stream(stream), self._keys.commands(stream), self._keys.archived(stream)]
        kinds = [kind for kind, category in CATEGORIES.items() if category == stream.category]
        due = [due_keys(self._keys, kind, stream) for kind in kinds]
        keys += [versions for versions, *_ in due]
        first = len(keys) + 1  # Lua counts from 1
        keys += [key for _, *times in due for key in times]
        last = f"{tombstone.version}-0", packed(tombstone.head), tombstone.raw
        return bool(_BURY.run(self._transport, keys, named(stream), *last, stream.id, first))

    def count(self) -> int:
        keys = self._keys.in_each("archived")
        return sum(self._transport.call_each([(key, ("HLEN", key)) for key in keys]))

    def size(self) -> tuple[int, int]:
        """Returns the number of segments and their bytes, without dictionaries."""
        partitions = map(self._segments.sizes, range(self._keys.count))
        sizes = [size for partition in partitions for size in partition.values()]
        return len(sizes), sum(sizes)

    def faults(
        self, partition: int, done: Callable[[StreamId], object] = lambda _: None, *, thoroughly: bool
    ) -> Iterator[str]:
        """Yields a line for each damaged file of a partition and each tombstone without its frame.

        Args:
            partition: its number.
            done: called with each archived stream once it is checked.
            thoroughly: whether to read each frame, too, and not only the indexes and dictionaries of the segments.
        """
        indexes, intact, reported = dict[str, Mapping[str, Place] | None](), set[str](), set[str]()
        for stream, raw in self._archived.streams_in(partition):
            try:
                tombstone = self._archived.tombstone(stream, raw)
                assert tombstone is not None, "every archived stream has a tombstone"
                name = tombstone.place.segment
                if name not in indexes:
                    indexes[name] = None  # a damaged segment is reported once
                    self._check_dictionary(name, intact)
                    indexes[name] = {
                        entry.stream: place for entry, place in places(name, self._segments.index(name))
                    }
                index = indexes[name]
                if index is not None and index.get(named(stream)) != tombstone.place:
                    yield f"{name}: {named(stream)} is not where its tombstone says"
                elif index is not None and thoroughly:
                    self._archived.read(tombstone)
            except DamagedArchive as error:
                if (line := str(error)) not in reported:  # many segments have the same dictionary
                    reported.add(line)
                    yield line
            done(stream)

    def _check_dictionary(self, name: str, intact: set[str]) -> None:
        """Raises `DamagedArchive` if the dictionary of a segment is not intact; adds it to those that are known to be."""
        digest = self._segments.dictionary(name)
        if digest not in intact:
            self._segments.check_dictionary(name)
            intact.add(digest)

    def restore(self, stream: StreamId) -> bool:
        """Puts an archived log back into its stream; returns whether there was one."""
        tombstone = self._archived.find(stream)
        if tombstone is None:
            return False
        whole = self._archived.read(tombstone)
        keys = (self._keys.stream(stream), self._keys.commands(stream), self._keys.archived(stream))
        records = _records(whole)
        arguments: list[Argument] = [named(stream), tombstone.raw, len(records)]
        for item in records.items():
            arguments += item
        for entry in whole.entries:
            arguments += event_values(entry)
        return bool(_RESTORE.run(self._transport, keys, *arguments))


def _records(whole: WholeLog) -> dict[str, bytes]:
    """Returns the stream's index of commands, as the append script would have written it."""
    found = {":head": b"%d %b" % (len(whole.entries), packed(whole.head))}
    for cmd, group in groupby(whole.entries, key=lambda entry: entry.cmd):
        first, *others = [entry.version for entry in group]
        if cmd != own_command_id(first):
            fingerprint = packed_with_checksum(whole.fingerprints.get(cmd, ""))
            found[cmd] = b"%d %d %b" % (first, others[-1] if others else first, fingerprint)
    return found
