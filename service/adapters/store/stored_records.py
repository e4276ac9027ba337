"""Reads all stored data in Redis, for the audit."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from redis.exceptions import RedisError

from hoodwink.domain.administration import reason_digest
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.archived_logs import ArchivedLogs
from hoodwink.service.adapters.store.checksums import is_damaged, is_damaged_time, without_checksum
from hoodwink.service.adapters.store.event_store import stored_entries
from hoodwink.service.adapters.store.feed_entries import feed_entry
from hoodwink.service.adapters.store.import_shelf import RECORDS, RedisImportShelf
from hoodwink.service.adapters.store.installation_secret import KEY as SECRET
from hoodwink.service.adapters.store.keys import Keys, stream_named
from hoodwink.service.adapters.store.reasons import KEY as REASONS
from hoodwink.service.application.audit.stored_audit import StoredStream
from hoodwink.service.application.ports import FeedEntry, StoreUnavailable, StreamId
from hoodwink.service.application.work.due import CATEGORIES

_PAGE: Final = 500
_HEAD: Final = ":head"
_RECORD: Final = re.compile(r"([1-9][0-9]*) ([1-9][0-9]*) (.*)", re.DOTALL)
_NOTED: Final = re.compile(r"([1-9][0-9]*) ([0-9a-f]{64})")

_FIELDS: Final = (b"type", b"data", b"at", b"by", b"cmd", b"hash")
_FEED_FIELDS: Final = (b"stream", b"first", b"version", b"types", b"due", b"head", b"request")
"""The fields of an event, and of a feed entry, in the order of the append script. Earlier releases wrote fewer."""

_DUE: Final = (
    *[f"due:{kind}" for kind in (*CATEGORIES, "bots")],
    *[f"due:{kind}:versions" for kind in CATEGORIES],
)

_STREAM: Final = re.compile(
    r"hw:\{p\d{2,}\}:(commands:)?((?:table|tournament|player|import|ratings|administration):[^:]+)"
)
_INDEX: Final = re.compile(r"(hw:\{p\d{2,}\}:[a-z]+:)index:(.*)", re.DOTALL)
_PARTITION: Final = re.compile(r"hw:\{p(\d{2,})\}:")
_BLOCKS: Final = re.compile(r"hw:\{p\d{2,}\}:blocks:(.+)")
_OTHERS: Final = re.compile(
    r"hw:(?:"
    r"\{p\d{2,}\}:(?:feed|quiet|players|names|took_part|newcomers|confirmed|archived|archiving|presence:[^:]+"
    r"|due:(?:work|rest|report|round)(?::versions)?|due:bots"
    r"|[a-z]+:(?:applied|heads|rows|counters|indexes|revision|held|rebuilding))"
    r"|\{limits\}:.*|\{(?:imports|jobs|pulse)\}:.*|celery(?:-jobs)?:.*"
    r"|arrangement:.*|clocks|secret(?::[a-z-]+)?|reasons|partitions|vanished)",
    re.DOTALL,
)
"""All other keys than those of streams and indexes. Each is described in the module that writes it."""


class RedisStoredRecords:
    """Reads the stored data page by page. Safe to share between threads."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._client = client
        self._transport = Transport(client)
        self._keys = Keys(partitions)
        self._shelf = RedisImportShelf(client=client, partitions=partitions)
        self._archived = ArchivedLogs(client=client, partitions=partitions)

    def streams(self) -> Iterator[StreamId]:
        """Yields each stream with events or an index of commands once."""
        found = {stream[2] for key in self._all_keys() if (stream := _STREAM.fullmatch(key))}
        return map(stream_named, found)

    def find(self, stream: StreamId) -> StoredStream:
        """Returns a stream and the data stored with it. The index may be older than the events."""
        names, newcomers = self._keys.names(stream), self._keys.newcomers(stream)
        # The index first: read after the events, it could name a command that was appended in between.
        index = dict(self._pairs("HSCAN", self._keys.commands(stream)))
        head = index.pop(_HEAD, None)
        name, since = self._transport.call_each(
            [(names, ("HEXISTS", names, stream.id)), (newcomers, ("ZSCORE", newcomers, stream.id))]
        )
        entries = [entry for page in self._pages(self._keys.stream(stream)) for entry in page]
        tombstone = self._archived.find(stream)
        archived = tombstone.version if tombstone else 0
        return StoredStream(
            entries=tuple(stored_entries(entries)),
            archived=archived,
            is_in_form=all(
                id_ == f"{n}-0".encode() and tuple(fields[::2]) == _FIELDS
                for n, (id_, fields) in enumerate(entries, start=archived + 1)
            ),
            commands={command: _versions(record) for command, record in index.items()},
            head=None if head is None else _noted(head),
            is_named=bool(name),
            newcomer_since=None if since is None else int(float(since)),
        )

    def forgettable(self, stream: StreamId, players: Sequence[str]) -> Sequence[str]:
        """Returns the stream's players who would be deleted as if they had never taken part in anything."""
        key = self._keys.at(self._keys.partition(stream), "took_part")
        noted = self._transport.call_each([(key, ("SISMEMBER", key, player)) for player in players])
        # Only newcomers can be deleted. Others need no note, and players of earlier releases have none.
        missing = [player for player, is_noted in zip(players, noted, strict=True) if not is_noted]
        newcomers = [self._keys.newcomers(StreamId("player", player)) for player in missing]
        times = self._transport.call_each(
            [(key, ("ZSCORE", key, player)) for key, player in zip(newcomers, missing, strict=True)]
        )
        return [player for player, at in zip(missing, times, strict=True) if at is not None]

    def pointers(self) -> Iterator[FeedEntry | str]:
        """Yields every entry of every feed, or the location of an unreadable one."""
        for feeds in (self._keys.feeds, self._keys.quiet, self._keys.players):
            for partition, feed in enumerate(feeds):
                for page in self._pages(feed):
                    yield from (_pointer(feed, partition, *entry) for entry in page)

    def faults(self) -> Iterator[str]:
        """Yields the location of all other data that are damaged or unknown to the service."""
        for key in self._all_keys():
            yield from self._of_key(key)
        yield from self._of_people()
        yield from self._misplaced()
        damaged = [id_ for id_, record in self._pairs("HSCAN", RECORDS) if is_damaged(record)]
        yield from (f"{RECORDS}, {id_}" for id_ in damaged)
        # The shelf decodes the records, which would raise on a damaged one.
        if not damaged:
            yield from self._shelf.faults()
        for digest, stored in self._pairs("HSCAN", REASONS):
            salt, _, text = stored.decode(errors="replace").partition(" ")
            # An erased reason is empty. The hash itself is the checksum of all others.
            if stored and reason_digest(salt, text) != digest:
                yield f"{REASONS}, {digest}"

    def _of_key(self, key: str) -> Iterator[str]:
        """Yields a key that nothing reads, a damaged secret, and the faults of a block list."""
        if index := _INDEX.fullmatch(key):
            if not self._transport.call(key, "SISMEMBER", f"{index[1]}indexes", index[2]):
                yield f"key {key}"
        elif blocks := _BLOCKS.fullmatch(key):
            yield from (f"{key}, {id_}" for id_ in self._damaged(key))
            if not self._is_player(blocks[1]) or key != self._keys.blocks(StreamId("player", blocks[1])):
                yield f"key {key}"
        elif not (_STREAM.fullmatch(key) or _OTHERS.fullmatch(key)) or not self._is_in_partition(key):
            yield f"key {key}"
        elif key.startswith(SECRET) and is_damaged(self._transport.call(key, "GET", key) or b""):
            yield key

    def _damaged(self, blocks: str) -> Iterator[str]:
        """Yields damaged members of a block list. A member without a checksum must be a player."""
        for member in self._transport.call(blocks, "SMEMBERS", blocks):
            id_ = without_checksum(member.decode(errors="replace"))
            if is_damaged(member) or (id_.encode() == member and not self._is_player(id_)):
                yield id_

    def _of_people(self) -> Iterator[str]:
        """Yields newcomers who are no players, names without an owner, and damaged names."""
        for key in self._keys.in_each("newcomers"):
            players = [id_ for id_, _ in self._pairs("ZSCAN", key)]
            yield from (f"{key}, {id_}" for id_ in players if not self._is_player(id_))
        for key in self._keys.in_each("names"):
            for id_, name in self._pairs("HSCAN", key):
                if is_damaged(name) or not self._has_owner(id_):
                    yield f"{key}, {id_}"

    def _misplaced(self) -> Iterator[str]:
        """Yields ids with a name or a time in the wrong partition, where nothing looks for them, and damaged times."""
        for name in ("names", "newcomers", *_DUE):
            is_timed = not name.endswith(("names", "versions"))
            for partition, key in enumerate(self._keys.in_each(name)):
                for id_, value in self._pairs("ZSCAN" if is_timed else "HSCAN", key):
                    is_misplaced = self._keys.partition(StreamId("table", id_)) != partition
                    if is_misplaced or (is_timed and is_damaged_time(value)):
                        yield f"{key}, {id_}"

    def _has_owner(self, id_: str) -> bool:
        # The names in an import are stored like a player's, under the import's id.
        keys = [self._keys.stream(StreamId(category, id_)) for category in ("player", "import")]
        return any(self._transport.call_each([(key, ("EXISTS", key)) for key in keys]))

    def _is_in_partition(self, key: str) -> bool:
        """Returns whether a key is in an existing partition, or belongs to none."""
        partition = _PARTITION.match(key)
        return partition is None or int(partition[1]) < self._keys.count

    def _is_player(self, id_: str) -> bool:
        key = self._keys.stream(StreamId("player", id_))
        return bool(self._transport.call(key, "EXISTS", key))

    def _all_keys(self) -> Iterator[str]:
        try:  # a scan may name a key twice
            for key in set(self._client.scan_iter(count=1000)):
                yield key.decode(errors="backslashreplace")
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def _pairs(self, command: str, key: str) -> Iterator[tuple[str, bytes]]:
        cursor = b"0"
        while True:
            cursor, page = self._transport.call(key, command, key, cursor, "COUNT", _PAGE)
            for name, value in zip(page[::2], page[1::2], strict=True):
                yield name.decode(errors="backslashreplace"), value
            if cursor == b"0":
                return

    def _pages(self, key: str) -> Iterator[list[Any]]:
        after = "-"
        while page := self._transport.call(key, "XRANGE", key, after, "+", "COUNT", _PAGE):
            yield page
            after = f"({page[-1][0].decode()}"


def _pointer(feed: str, partition: int, entry_id: bytes, fields: Sequence[bytes]) -> FeedEntry | str:
    """Returns an entry of a feed, or its location if it is malformed."""
    names = tuple(fields[::2])
    if names == _FEED_FIELDS[: len(names)]:
        with suppress(ValueError):
            return feed_entry(partition, entry_id, fields)
    return f"{feed}, entry {entry_id.decode(errors='replace')}"


def _noted(head: bytes) -> tuple[int, str]:
    """Returns the version and hash of a stored head. A malformed one matches no event."""
    found = _NOTED.fullmatch(head.decode(errors="replace"))
    return (int(found[1]), found[2]) if found else (0, head.decode(errors="replace"))


def _versions(record: bytes) -> tuple[int, int] | None:
    found = _RECORD.fullmatch(record.decode(errors="replace"))
    if found is None or is_damaged(found[3].encode()):
        return None
    return int(found[1]), int(found[2])
