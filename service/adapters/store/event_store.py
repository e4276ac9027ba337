"""The event store on Redis streams."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Raw
from redis.exceptions import RedisError

from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.adapters.process.request_ids import current_request
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.replication import Wait, Written
from hoodwink.service.adapters.redis.transport import Argument, Keyed, Transport
from hoodwink.service.adapters.store.append_scripts import APPEND, APPEND_OR_REPEAT
from hoodwink.service.adapters.store.archived_logs import ArchivedLogs, Tombstone, find_command
from hoodwink.service.adapters.store.checksums import with_checksum
from hoodwink.service.adapters.store.feeds.feed_entries import due_text
from hoodwink.service.adapters.store.keys import Keys, named
from hoodwink.service.adapters.store.packing import (
    packed,
    packed_with_checksum,
    unpacked,
    unpacked_without_checksum,
)
from hoodwink.service.adapters.store.people.player_lists import PlayerLists, is_list
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
    own_command_id,
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
            archived: the logs of finished tables, tournaments and series, if they can be read here.
        """
        self._client = client
        self._transport = Transport(client, on_loss=on_loss)
        self._replicated = Transport(client, on_loss=on_loss, wait=wait) if wait else None
        self._keys = Keys(partitions)
        self._players = PlayerLists(self._transport, self._keys)
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
        written = self._run(commit.stream, keys, _arguments(commit, tombstone))
        result = self._result(commit, written.reply)
        # The commit stays stored: a retry finds it as a duplicate and waits again.
        if not written.is_replicated and isinstance(result, Appended | Duplicate):
            raise NotReplicated
        return result

    def _run(self, stream: StreamId, keys: Sequence[str], arguments: Sequence[Argument]) -> Written:
        def run() -> Written:
            if self._replicated is None:
                return Written(
                    APPEND[is_list(stream)].run(self._transport, keys, *arguments), is_replicated=True
                )
            written: Written = APPEND_OR_REPEAT[is_list(stream)].run(self._replicated, keys, *arguments)
            return written

        return self._players.access([stream], run) if is_list(stream) else run()

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
        if is_list(stream):
            return self._players.read(stream, after=after, count=count)
        entries = self._read_stream(stream, after, count)
        # Each page is read in one step. Before the next one, the stream may have moved to the archive.
        if _follows(entries, after) and (len(entries) < _PAGE or len(entries) == count):
            return tuple(entries)
        tombstone = self._archived.find(stream)
        if tombstone is not None:
            return self._read_archived(tombstone, stream, after, count)
        # Without a tombstone, a log that was not there may have been restored between the two looks.
        return tuple(entries or self._read_stream(stream, after, count))

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
        if after == tombstone.version - 1:
            # Every look at a remembered state reads its last event, which must not cost as much as the whole log.
            first = (self._archived.last_event(tombstone),)
        elif after < tombstone.version:
            first = self._archived.read(tombstone).entries[after : None if count is None else after + count]
        if len(first) == count:
            return first
        wanted = None if count is None else count - len(first)
        return (*first, *self._read_stream(stream, max(after, tombstone.version), wanted))

    def read_each(
        self, positions: Mapping[StreamId, int], *, count: int, archived: bool = True
    ) -> list[tuple[Entry, ...]]:
        """Returns up to `count` events after each stream's version, for all streams in one round trip.

        Without `archived`, it never waits for the archive: if the first of them is not in Redis, it returns none.
        """
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
        if not archived:
            return [() if at in elsewhere else page for at, page in enumerate(pages)]
        tombstones = self._archived.find_each([streams[at] for at in elsewhere]) if elsewhere else ()
        for at, tombstone in zip(elsewhere, tombstones, strict=True):
            if tombstone is not None:
                pages[at] = self._read_archived(tombstone, streams[at], positions[streams[at]], count)
        return pages

    def read_named(self, streams: Sequence[StreamId]) -> list[tuple[tuple[Entry, ...], str | None]]:
        """Returns all events and the stored name of each player, in one round trip."""
        return self._players.read_named(streams)

    def version(self, stream: StreamId) -> int:
        if is_list(stream):
            return len(self._players.read(stream))
        key, archived = self._keys.stream(stream), self._keys.archived(stream)
        find: Keyed = (archived, ("HGET", archived, named(stream)))
        # The stream may move to the archive or back in between. No script, because while a slot moves to another node
        # of a cluster, none can have two keys.
        while True:
            before, length, raw = self._transport.call_each([find, (key, ("XLEN", key)), find])
            if before == raw:
                tombstone = self._archived.tombstone(stream, raw)
                return int(length) + (tombstone.version if tombstone else 0)

    def known(self, stream: StreamId, key_id: str) -> Duplicate | None:
        """Returns the commit with that idempotency key, or `None`."""
        if is_list(stream):
            found = self._players.known(stream, key_id)
            if found:
                self.confirm(stream)
            return found
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

    def streams(self, category: str, partition: int | None = None) -> Iterator[StreamId]:
        """Yields every stream of a category once, in any order. Streams that began during the call may be missing."""
        in_memory = self.in_memory(category, partition)
        yield from in_memory
        # After the scan, so that a stream that is archived meanwhile is not missing.
        for number in range(self._keys.count) if partition is None else (partition,):
            for stream, _ in self._archived.streams_in(number):
                if stream.category == category and stream not in in_memory:
                    yield stream

    def in_memory(self, category: str, partition: int | None = None) -> set[StreamId]:
        """Returns the streams of a category that have events in Redis."""
        try:  # a scan may name a key twice
            keys = set(self._client.scan_iter(match=self._keys.pattern(category, partition), count=1000))
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
        packed(commit.expected_head),
        commit.key.id if commit.key else "",
        packed_with_checksum(commit.key.fingerprint) if commit.key else "",
        " ".join([entry.type for entry in entries]),
        due_text(commit.due),
        with_checksum(commit.name or ""),
        current_request(),
        " ".join(commit.people),
        tombstone.raw if tombstone else "",
        tombstone.version if tombstone else 0,
    ]
    for entry in entries:
        arguments += event_values(entry)
    return arguments


def event_values(entry: Entry) -> tuple[Argument, ...]:
    """Returns the values of the fields of an event, in the order in which scripts store them."""
    return entry.type, bytes(entry.data), entry.at, entry.by, packed(entry.cmd), packed(entry.hash)


def _duplicate(known: bytes) -> Duplicate:
    first, last, fingerprint = known.split(b" ", 2)
    return Duplicate(
        version=int(last), fingerprint=unpacked_without_checksum(fingerprint), first_version=int(first)
    )


def stored_entries(reply: list[Any] | None) -> list[Entry]:
    """Returns the entries of consecutive events of a stream."""
    if not reply:
        return []
    first, _, _ = reply[0][0].partition(b"-")
    return [_entry(version, id_, fields) for version, (id_, fields) in enumerate(reply, start=int(first))]


def _entry(version: int, id_: bytes, fields: Sequence[Any]) -> Entry:
    """Returns an event. A malformed entry is one of an unknown type, which names its id."""
    # By place and not by name, because long logs are decoded often; the script writes the fields in this order.
    try:
        return Entry(
            version=version,
            type=fields[1].decode(),
            data=Raw(fields[3]),
            at=int(fields[5]),
            by=fields[7].decode(),
            cmd=unpacked(fields[9]),
            hash=unpacked(fields[11]),
        )
    # Not raised: all readers of logs cope with unknown events already, and continue with other logs.
    except (IndexError, ValueError):
        return Entry(
            version=version,
            type=f"malformed entry {id_.decode()}",
            data=Raw(),
            at=0,
            by=HOST,
            cmd=own_command_id(version),
            hash="",
        )


def _pages(key: str, after: int, upto: int | None) -> Iterator[Sequence[Argument]]:
    while upto is None or after < upto:
        last = after + _PAGE if upto is None else min(after + _PAGE, upto)
        yield ("XRANGE", key, f"{after + 1}-0", f"{last}-0")
        after = last
