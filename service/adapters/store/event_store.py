"""The event store on Redis streams."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Raw
from redis.exceptions import RedisError

from hoodwink.domain.tables.entries import Entry
from hoodwink.service.adapters.process.request_ids import current_request
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.replication import Wait, Written
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Argument, Keyed, Transport
from hoodwink.service.adapters.store.archived_logs import ArchivedLogs, Tombstone, find_command
from hoodwink.service.adapters.store.checksums import with_checksum, without_checksum
from hoodwink.service.adapters.store.feed_entries import due_text
from hoodwink.service.adapters.store.keys import Keys, named
from hoodwink.service.application.ports import (
    Appended,
    AppendResult,
    Commit,
    Conflict,
    Diverged,
    Duplicate,
    NotReplicated,
    StoreUnavailable,
    StreamId,
)

# Redis would accept ids with gaps, so the script compares the number of events. That alone proves nothing: a store
# that came back older may have grown to the same length with other events. So the script compares the last hash as
# well. The hash is stored with the commands, where reading it costs a third of reading the event. If an earlier
# release stored the last event, only the event has it. A command counts as known only while the stream has its
# events. Redis does not undo a script that fails halfway, so it first reads every key, which fails on a wrong type.
_APPENDING: Final = """\
local stream, commands, feed = KEYS[1], KEYS[2], KEYS[3]
local name, expected, head = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local command, fingerprint, types, due = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local function event(version)
  local id = version .. '-0'
  local found = redis.call('XRANGE', stream, id, id)[1]
  return found and found[2]
end
local noted = redis.call('HMGET', commands, command, ':head')
local known = noted[1]
if known then
  local led_to = event(string.match(known, '^%d+ (%d+) '))
  if led_to and led_to[10] == command then return {'DUPLICATE', known} end
end
local version = redis.call('XLEN', stream)
if version == 0 or version ~= expected or noted[2] ~= ARGV[2] .. ' ' .. head then
  -- The caller compares with archived events. It names the tombstone with which it did, and the version there.
  -- Most appends need no tombstone. A key that may not exist would refuse them all while a cluster moves the slot,
  -- so it is not among KEYS.
  local tombstones = string.match(stream, '^hw:{p%d+}:') .. 'archived'
  local tombstone, archived = redis.call('HGET', tombstones, name) or '', tonumber(ARGV[12])
  if tombstone ~= ARGV[11] then return {'ARCHIVED', tombstone} end
  version = version + archived
  local remembered = expected > archived and event(ARGV[2])
  if expected > archived and not (remembered and remembered[12] == head) then return {'DIVERGED', version} end
  if version ~= expected then
    return {'CONFLICT', version, redis.call('XRANGE', stream, string.format('%d-0', expected + 1), '+')}
  end
end
redis.call('XLEN', feed)
local people = ARGV[10]
if KEYS[5] then redis.call('ZCARD', KEYS[5]) end
if KEYS[4] then redis.call((people == '' or KEYS[5]) and 'HLEN' or 'SCARD', KEYS[4]) end
local first = string.format('%d', version + 1)
for i = 13, #ARGV, 6 do
  version = version + 1
  redis.call('XADD', stream, string.format('%d-0', version),
    'type', ARGV[i], 'data', ARGV[i + 1], 'at', ARGV[i + 2],
    'by', ARGV[i + 3], 'cmd', ARGV[i + 4], 'hash', ARGV[i + 5])
end
if KEYS[5] then redis.call('ZADD', KEYS[5], ARGV[15], people) end
if people ~= '' and not KEYS[5] then
  for id in string.gmatch(people, '%S+') do redis.call('SADD', KEYS[4], id) end
elseif KEYS[4] then
  local id = string.match(name, ':(.*)')
  if ARGV[8] == '' then redis.call('HDEL', KEYS[4], id) else redis.call('HSET', KEYS[4], id, ARGV[8]) end
end
local last = string.format('%d', version)
redis.call('HSET', commands, ':head', last .. ' ' .. ARGV[#ARGV])
if command ~= '' then redis.call('HSET', commands, command, first .. ' ' .. last .. ' ' .. fingerprint) end
redis.call('XADD', feed, '*',
  'stream', name, 'first', first, 'version', last, 'types', types, 'due', due, 'head', ARGV[#ARGV],
  'request', ARGV[9])
return {'APPENDED', version}
"""
_DUPLICATE: Final = "return {'DUPLICATE', known}"
_APPEND: Final = Script(_APPENDING)
# A wait only covers writes on its own connection, and the first append may have used another one. So a repeated
# append writes the same value again, and the wait then covers everything that this server has written before.
_APPEND_OR_REPEAT: Final = Script(
    _APPENDING.replace(_DUPLICATE, f"redis.call('HSET', commands, command, known) {_DUPLICATE}")
)

# Redis serves nobody else while it builds a long reply, and the next page travels while this one is decoded.
_PAGE: Final = 256


class _Moved(NamedTuple):
    """The stream's first events have moved to the archive, or back if there is no tombstone."""

    tombstone: Tombstone | None


class RedisEventStore:
    """Streams of events in Redis. Safe to share between threads and processes."""

    def __init__(
        self,
        *,
        client: Client,
        partitions: int = 16,
        on_loss: Callable[[], None] = lambda: None,
        wait: Wait | None = None,
        check_room: Callable[[], None] = lambda: None,
        archived: ArchivedLogs | None = None,
    ) -> None:
        """Opens no connection yet.

        Args:
            client: provides the connections.
            partitions: their number in this installation.
            on_loss: called whenever an older copy may have replaced the store; see `Transport`.
            wait: the wait for replicas after an append, if any.
            check_room: raises `StorageFull` if nothing may be appended.
            archived: the logs of finished tables and tournaments, if they can be read here.
        """
        self._client = client
        self._transport = Transport(client, on_loss=on_loss)
        self._replicated = Transport(client, on_loss=on_loss, wait=wait) if wait else None
        self._keys = Keys(partitions)
        self._check_room = check_room
        self._archived = archived or ArchivedLogs(client=client, partitions=partitions)

    def append(self, commit: Commit) -> AppendResult:
        """Stores a commit in one round trip; see `EventStore`."""
        result = self._append(commit, None)
        while isinstance(result, _Moved):
            tombstone = result.tombstone
            result = self._append_after(tombstone, commit) if tombstone else self._append(commit, None)
        return result

    def _append_after(self, tombstone: Tombstone, commit: Commit) -> "AppendResult | _Moved":
        """Appends to a stream whose first events are in the archive."""
        log, expected = self._archived.read(tombstone), commit.expected_version
        if commit.key and (known := find_command(log, commit.key.id)):
            self.confirm(commit.stream)
            return known
        if 0 < expected <= tombstone.version and log.entries[expected - 1].hash != commit.expected_head:
            return Diverged(self.version(commit.stream))
        if expected < tombstone.version:
            tail = self.read(commit.stream, after=expected)
            return Conflict(expected + len(tail), tail)
        return self._append(commit, tombstone)

    def _append(self, commit: Commit, tombstone: Tombstone | None) -> "AppendResult | _Moved":
        """Runs the script, which refuses the commit if the stream has another tombstone than the given one."""
        self._check_room()
        keys = (
            *self._keys.touched(commit.stream, quietly=commit.is_quiet),
            *self._keys.of_people(commit.stream, named=commit.name is not None, counted=bool(commit.people)),
        )
        arguments = _arguments(commit, tombstone)
        if self._replicated is None:
            return self._result(commit, _APPEND.run(self._transport, keys, *arguments))
        written: Written = _APPEND_OR_REPEAT.run(self._replicated, keys, *arguments)
        result = self._result(commit, written.reply)
        # The commit stays stored: a retry finds it as a duplicate and waits again.
        if not written.is_replicated and isinstance(result, Appended | Duplicate):
            raise NotReplicated
        return result

    def confirm(self, stream: StreamId) -> None:
        """Waits until enough replicas have all events of the stream; see `EventStore`."""
        self._confirm([self._keys.confirmed[self._keys.partition(stream)]])

    def confirm_all(self) -> None:
        """Waits until enough replicas of every node have everything; see `EventStore`."""
        self._confirm(self._keys.confirmed)

    def _confirm(self, keys: Sequence[str]) -> None:
        # A wait only covers writes on its own connection, so a key is written that exists only for this.
        if self._replicated is not None:
            written = self._replicated.call_each([(key, ("SET", key, "")) for key in keys])
            if not all(reply.is_replicated for reply in written):
                raise NotReplicated

    def read(self, stream: StreamId, *, after: int = 0, count: int | None = None) -> tuple[Entry, ...]:
        """Returns up to `count` events after version `after`, oldest first."""
        entries = self._read_stream(stream, after, count)
        # One page is read at once. Before the next one, the stream may have moved to the archive.
        if _follows(entries, after) and (len(entries) < _PAGE or len(entries) == count):
            return tuple(entries)
        tombstone = self._archived.find(stream)
        return tuple(entries) if tombstone is None else self._read_archived(tombstone, stream, after, count)

    def _read_stream(self, stream: StreamId, after: int, count: int | None) -> list[Entry]:
        key, first = self._keys.stream(stream), _PAGE if count is None else min(count, _PAGE)
        reply = self._transport.call(key, "XRANGE", key, f"{after + 1}-0", "+", "COUNT", first)
        entries = stored_entries(reply)
        if len(entries) == _PAGE:
            self._read_on(entries, key, None if count is None else after + count)
        return entries

    def _read_archived(
        self, tombstone: Tombstone, stream: StreamId, after: int, count: int | None
    ) -> tuple[Entry, ...]:
        """Reads a stream whose first events are in the archive."""
        first: tuple[Entry, ...] = ()
        if after < tombstone.version:
            first = self._archived.read(tombstone).entries[after : None if count is None else after + count]
        if len(first) == count:
            return first
        wanted = None if count is None else count - len(first)
        return (*first, *self._read_stream(stream, max(after, tombstone.version), wanted))

    def read_each(self, positions: Mapping[StreamId, int], *, count: int) -> list[tuple[Entry, ...]]:
        """Returns up to `count` events after each stream's version, for all streams in one round trip."""
        keys = [self._keys.stream(stream) for stream in positions]
        replies = self._transport.call_each(
            [
                (key, ("XRANGE", key, f"{after + 1}-0", "+", "COUNT", count))
                for key, after in zip(keys, positions.values(), strict=True)
            ]
        )
        pages = [tuple(stored_entries(reply)) for reply in replies]
        elsewhere = [
            at
            for at, (page, after) in enumerate(zip(pages, positions.values(), strict=True))
            if not _follows(page, after)
        ]
        streams = list(positions)
        tombstones = self._archived.find_each([streams[at] for at in elsewhere]) if elsewhere else ()
        for at, tombstone in zip(elsewhere, tombstones, strict=True):
            if tombstone is not None:
                pages[at] = self._read_archived(tombstone, streams[at], positions[streams[at]], count)
        return pages

    def read_named(self, streams: Sequence[StreamId]) -> list[tuple[tuple[Entry, ...], str | None]]:
        """Returns all events and the stored name of each stream, in one round trip."""
        commands: list[Keyed] = []
        for stream in streams:
            key, names = self._keys.stream(stream), self._keys.names(stream)
            commands += [(key, ("XRANGE", key, "-", "+")), (names, ("HGET", names, stream.id))]
        replies = self._transport.call_each(commands)
        return [
            (tuple(stored_entries(events)), None if name is None else without_checksum(name.decode()))
            for events, name in zip(replies[::2], replies[1::2], strict=True)
        ]

    def version(self, stream: StreamId) -> int:
        key, archived = self._keys.stream(stream), self._keys.archived(stream)
        length, raw = self._transport.call_each(
            [(key, ("XLEN", key)), (archived, ("HGET", archived, named(stream)))]
        )
        tombstone = self._archived.tombstone(stream, raw)
        return int(length) + (tombstone.version if tombstone else 0)

    def known(self, stream: StreamId, key_id: str) -> Duplicate | None:
        """Returns the commit with that idempotency key, or `None`."""
        key = self._keys.commands(stream)
        archived = self._keys.archived(stream)
        known, raw = self._transport.call_each(
            [(key, ("HGET", key, key_id)), (archived, ("HGET", archived, named(stream)))]
        )
        if known is None:
            tombstone = self._archived.tombstone(stream, raw)
            found = find_command(self._archived.read(tombstone), key_id) if tombstone else None
            if found:
                self.confirm(stream)
            return found
        # The first answer may have been `NotReplicated`, and this one must not promise more.
        self.confirm(stream)
        # The store may have come back without the events of a recorded command, or with others in their place.
        duplicate = _duplicate(known)
        led_to = self.read(stream, after=duplicate.version - 1, count=1)
        return duplicate if led_to and led_to[0].cmd == key_id else None

    def streams(self, category: str) -> Iterator[StreamId]:
        """Yields every stream of a category once, in any order. Streams that began during the call may be missing."""
        in_memory = self.in_memory(category)
        yield from in_memory
        # After the scan, so that a stream that is archived meanwhile is not missing.
        for stream in self._archived.streams():
            if stream.category == category and stream not in in_memory:
                yield stream

    def in_memory(self, category: str) -> set[StreamId]:
        """Returns the streams of a category that have events in Redis."""
        try:  # a scan may name a key twice
            keys = set(self._client.scan_iter(match=self._keys.pattern(category), count=1000))
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error
        return {self._keys.stream_at(key.decode()) for key in keys}

    def _read_on(self, entries: list[Entry], key: str, upto: int | None) -> None:
        def take(reply: list[Any]) -> bool:
            entries.extend(stored_entries(reply))
            return len(reply) == _PAGE

        self._transport.call_ahead(key, _pages(key, entries[-1].version, upto), take)

    def _result(self, commit: Commit, reply: list[Any]) -> "AppendResult | _Moved":
        match reply:
            case [b"APPENDED", version]:
                return Appended(version)
            case [b"CONFLICT", version, tail]:
                return Conflict(version, tuple(stored_entries(tail)))
            case [b"DIVERGED", version]:
                return Diverged(version)
            case [b"DUPLICATE", known]:
                return _duplicate(known)
            case [b"ARCHIVED", raw]:
                return _Moved(self._archived.tombstone(commit.stream, raw))
            case _:
                raise AssertionError(f"the append script answered {reply!r}")


def _follows(entries: Sequence[Entry], after: int) -> bool:
    """Returns whether these are the events right after a version. Otherwise that event is in the archive, or nowhere."""
    return bool(entries) and entries[0].version == after + 1


def _arguments(commit: Commit, tombstone: Tombstone | None) -> list[Argument]:
    entries = commit.entries
    assert entries, "a commit has at least one event"
    arguments: list[Argument] = [
        named(commit.stream),
        commit.expected_version,
        commit.expected_head,
        commit.key.id if commit.key else "",
        with_checksum(commit.key.fingerprint) if commit.key else "",
        " ".join([entry.type for entry in entries]),
        due_text(commit.due),
        with_checksum(commit.name or ""),
        current_request(),
        " ".join(commit.people),
        tombstone.raw if tombstone else "",
        tombstone.version if tombstone else 0,
    ]
    for entry in entries:
        arguments += (entry.type, bytes(entry.data), entry.at, entry.by, entry.cmd, entry.hash)
    return arguments


def _duplicate(known: bytes) -> Duplicate:
    first, last, fingerprint = known.decode().split(" ", 2)
    return Duplicate(version=int(last), fingerprint=without_checksum(fingerprint), first_version=int(first))


def stored_entries(reply: list[Any] | None) -> list[Entry]:
    """Returns the entries of consecutive events of a stream."""
    if not reply:
        return []
    # By place and not by name, because long logs are decoded often; the script writes the fields in this order.
    return [
        Entry(
            version=version,
            type=fields[1].decode(),
            data=Raw(fields[3]),
            at=int(fields[5]),
            by=fields[7].decode(),
            cmd=fields[9].decode(),
            hash=fields[11].decode(),
        )
        for version, (_, fields) in enumerate(reply, start=int(reply[0][0][: -len("-0")]))
    ]


def _pages(key: str, after: int, upto: int | None) -> Iterator[Sequence[Argument]]:
    while upto is None or after < upto:
        last = after + _PAGE if upto is None else min(after + _PAGE, upto)
        yield ("XRANGE", key, f"{after + 1}-0", f"{last}-0")
        after = last
