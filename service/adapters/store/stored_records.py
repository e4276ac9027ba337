"""Reads all stored data in Redis, for the audit."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from redis.exceptions import RedisError

from hoodwink.domain.administration import reason_digest
from hoodwink.service.adapters.redis.connection import Client
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.archived_logs import ArchivedLogs
from hoodwink.service.adapters.store.checksums import is_damaged, is_damaged_time, without_checksum
from hoodwink.service.adapters.store.event_store import stored_entries
from hoodwink.service.adapters.store.feeds.feed_entries import NO_STREAM, feed_entry
from hoodwink.service.adapters.store.import_shelf import RECORDS, RedisImportShelf
from hoodwink.service.adapters.store.installation_secret import KEY as SECRET
from hoodwink.service.adapters.store.keys import PLAYER_RECORDS, Keys, named, stream_named
from hoodwink.service.adapters.store.packing import is_packed_text_damaged, unpacked
from hoodwink.service.adapters.store.people.player_lists import ELEMENTS, PlayerLists, is_list
from hoodwink.service.adapters.store.reasons import KEY as REASONS
from hoodwink.service.application.audit.audited_log import StoredStream, StreamEnd
from hoodwink.service.application.ports import DamagedArchive, FeedEntry, StoreUnavailable, StreamId
from hoodwink.service.application.work.due import CATEGORIES

_PAGE: Final = 500
_HEAD: Final = ":head"
_NOTED: Final = re.compile(rb"([1-9][0-9]*) (\0.{32}|[0-9a-f]{64})", re.DOTALL)

_FIELDS: Final = [b"type", b"data", b"at", b"by", b"cmd", b"hash"]
_FEED_FIELDS: Final = (b"stream", b"first", b"version", b"types", b"due", b"head", b"request")
"""The fields of an event, and of a feed entry, in the order of the append script. Earlier releases wrote fewer."""

_DUE: Final = (
    *[f"due:{kind}" for kind in (*CATEGORIES, "bots")],
    *[f"due:{kind}:versions" for kind in CATEGORIES],
)

_STREAM: Final = re.compile(
    r"hw:\{p\d{2,}\}:(commands:)?((?:table|tournament|series|player|import|ratings|administration):[^:]+)"
)
_INDEX: Final = re.compile(r"(hw:\{p\d{2,}\}:[a-z]+:)index:(.*)", re.DOTALL)
_PARTITION: Final = re.compile(r"hw:\{p(\d{2,})\}:")
_BLOCKS: Final = re.compile(r"hw:\{p\d{2,}\}:blocks:(.+)")
_OF_PLAYER: Final = re.compile(rf"hw:\{{p\d{{2,}}\}}:({'|'.join(PLAYER_RECORDS)}):(.+)")
_OF_TOURNAMENT: Final = re.compile(r"hw:\{p\d{2,}\}:(webhooks|deliveries):(.+)")
_OTHERS: Final = re.compile(
    r"hw:(?:"
    r"\{p\d{2,}\}:(?:feed|quiet|players|names|took_part|newcomers|confirmed|archived|archiving|presence:[^:]+|link:[^:]+|nudged:.+|thought:.+"
    r"|due:(?:work|rest|report|round|result|season)(?::versions)?|due:bots"
    r"|[a-z]+:(?:applied|heads|rows|counters|indexes|revision|held|rebuilding))"
    r"|\{limits\}:.*|\{(?:imports|jobs|pulse|webhooks)\}:.*|celery(?:-jobs|-thinking|-pushes)?:.*"
    r"|arrangement:.*|clocks|pushed|secret(?::[a-z-]+)?|reasons|partitions|rebuilt|vanished)",
    re.DOTALL,
)
"""All other keys than those of streams and indexes. Each is described in the module that writes it."""


class RedisStoredRecords:
    """Reads the stored data page by page. Safe to share between threads."""

    def __init__(self, *, client: Client, partitions: int) -> None:
        self._client = client
        self._transport = Transport(client)
        self._keys = Keys(partitions)
        self._players = PlayerLists(self._transport, self._keys)
        self._shelf = RedisImportShelf(client=client, partitions=partitions)
        self._archived = ArchivedLogs(client=client, partitions=partitions)

    def ends(self, partition: int) -> Iterator[StreamEnd]:
        """Yields the end of each stream of a partition once."""
        keys = self._all_keys(self._keys.at(partition, "*"))
        names = sorted({match[2] for key in keys if (match := _STREAM.fullmatch(key))})
        streams = [stream for stream in map(stream_named, names) if self._keys.partition(stream) == partition]
        # After the scan, so that a stream that is archived meanwhile is not missing.
        archived = dict(self._archived.streams_in(partition))
        for first in range(0, len(streams), _PAGE):
            some = streams[first : first + _PAGE]
            found = self._last_events(some)
            for stream in some:
                tombstone = archived.pop(stream, None)
                if stream in found:
                    yield StreamEnd(stream, *found[stream])
                elif tombstone is None:
                    yield StreamEnd(stream, 0, "")
        for stream, raw in sorted(archived.items(), key=lambda found: found[0].id):
            yield self._archived_end(stream, raw)

    def _last_events(self, streams: Sequence[StreamId]) -> dict[StreamId, tuple[int, str]]:
        """Returns the version and the hash of each stream's last event."""
        lists = [stream for stream in streams if is_list(stream)]
        found = dict(zip(lists, self._players.ends(lists), strict=True))
        others = [stream for stream in streams if stream not in found]
        places = [self._keys.stream(stream) for stream in others]
        last = self._transport.call_each([(key, ("XREVRANGE", key, "+", "-", "COUNT", 1)) for key in places])
        for stream, entries in zip(others, map(stored_entries, last), strict=True):
            for entry in entries:
                # The id of a malformed entry may be a time, and no version.
                found[stream] = (entry.version if entry.hash else 0, entry.hash)
        return found

    def _archived_end(self, stream: StreamId, raw: bytes) -> StreamEnd:
        try:
            tombstone = self._archived.tombstone(stream, raw)
        except DamagedArchive:  # the audit of the logs reports it
            tombstone = None
        version, head = (tombstone.version, tombstone.head) if tombstone else (0, "")
        return StreamEnd(stream, version, head, is_archived=True)

    def find(self, stream: StreamId) -> StoredStream:
        """Returns a stream and the data stored with it. The index may be older than the events."""
        if is_list(stream):
            return self._find_player(stream)
        names, newcomers = self._keys.names(stream), self._keys.newcomers(stream)
        archive, commands, events = (
            self._keys.archived(stream),
            self._keys.commands(stream),
            self._keys.stream(stream),
        )
        # One round trip for all of it, because most streams fit into it. The index first: read after the events, it
        # could name a command that was appended in between.
        (cursor, pairs), name, since, entries, raw = self._transport.call_each(
            [
                (commands, ("HSCAN", commands, 0, "COUNT", _PAGE)),
                (names, ("HEXISTS", names, stream.id)),
                (newcomers, ("ZSCORE", newcomers, stream.id)),
                (events, ("XRANGE", events, "-", "+", "COUNT", _PAGE)),
                (archive, ("HGET", archive, named(stream))),
            ]
        )
        index = dict(_text_pairs(pairs))
        if cursor != b"0":
            index |= dict(self._pairs("HSCAN", commands, cursor))
            entries = [entry for page in self._pages(events) for entry in page]
        elif len(entries) == _PAGE:
            entries += [entry for page in self._pages(events, entries[-1][0]) for entry in page]
        head = index.pop(_HEAD, None)
        tombstone = self._archived.tombstone(stream, raw)
        archived = tombstone.version if tombstone else 0
        return StoredStream(
            entries=tuple(stored_entries(entries)),
            archived=archived,
            is_in_form=_are_in_form(entries, archived + 1),
            commands={command: _versions(record) for command, record in index.items()},
            head=None if head is None else _noted(head),
            is_named=bool(name),
            newcomer_since=None if since is None else int(float(since)),
        )

    def _find_player(self, stream: StreamId) -> StoredStream:
        records, key = self._players.records(stream), self._keys.stream(stream)
        names, newcomers = self._keys.names(stream), self._keys.newcomers(stream)
        length, name, since = self._transport.call_each(
            [
                (key, ("LLEN", key)),
                (names, ("HEXISTS", names, stream.id)),
                (newcomers, ("ZSCORE", newcomers, stream.id)),
            ]
        )
        return StoredStream(
            entries=tuple([entry for entry, _ in records]),
            is_in_form=length == len(records) * ELEMENTS,
            commands={
                entry.cmd: None if is_packed_text_damaged(fingerprint) else (entry.version, entry.version)
                for entry, fingerprint in records
            },
            head=None,
            is_named=bool(name),
            newcomer_since=None if since is None else int(float(since)),
        )

    def forgettable(self, people: Sequence[tuple[StreamId, str]]) -> Sequence[tuple[StreamId, str]]:
        """Returns those players of streams who would be deleted as if they had never taken part in anything."""
        notes = [self._keys.at(self._keys.partition(stream), "took_part") for stream, _ in people]
        newcomers = [self._keys.newcomers(StreamId("player", player)) for _, player in people]
        found = self._transport.call_each(
            [
                *[(key, ("SISMEMBER", key, player)) for key, (_, player) in zip(notes, people, strict=True)],
                *[(key, ("ZSCORE", key, player)) for key, (_, player) in zip(newcomers, people, strict=True)],
            ]
        )
        # Only newcomers can be deleted. Others need no note, and players of earlier releases have none.
        noted, times = found[: len(people)], found[len(people) :]
        each = zip(people, noted, times, strict=True)
        return [one for one, note, at in each if not note and at is not None]

    def pointers(self, partition: int) -> Iterator[FeedEntry | str]:
        """Yields every entry of a partition's feeds, or the location of an unreadable one."""
        for feeds in (self._keys.feeds, self._keys.quiet, self._keys.players):
            for page in self._pages(feeds[partition]):
                yield from (_pointer(feeds[partition], partition, *entry) for entry in page)

    def faults(self) -> Iterator[str]:
        """Yields the location of all other data that are damaged or unknown to the service."""
        keys = list(self._all_keys())
        yield from self._unlisted_indexes(keys)
        for key in keys:
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

    def _unlisted_indexes(self, keys: Sequence[str]) -> Iterator[str]:
        """Yields the indexes that their projection does not list, so that nothing reads them."""
        indexes = [index for key in keys if (index := _INDEX.fullmatch(key))]
        # Many in one round trip, because each table has an index in the ledger, even after it has been archived.
        for first in range(0, len(indexes), _PAGE):
            some = indexes[first : first + _PAGE]
            found = self._transport.call_each(
                [(index[0], ("SISMEMBER", f"{index[1]}indexes", index[2])) for index in some]
            )
            yield from (
                f"key {index[0]}" for index, is_listed in zip(some, found, strict=True) if not is_listed
            )

    def _of_key(self, key: str) -> Iterator[str]:
        """Yields a key that nothing reads, a damaged secret, and the faults of what is stored next to a player."""
        if _INDEX.fullmatch(key):
            return
        if blocks := _BLOCKS.fullmatch(key):
            yield from (f"{key}, {id_}" for id_ in self._damaged(key))
            if not self._is_player(blocks[1]) or key != self._keys.of_player("blocks", blocks[1]):
                yield f"key {key}"
        elif notes := _OF_PLAYER.fullmatch(key):
            yield from (f"{key}, {field}" for field in self._damaged_fields(key))
            if not self._is_player(notes[2]) or key != self._keys.of_player(notes[1], notes[2]):
                yield f"key {key}"
        elif hooks := _OF_TOURNAMENT.fullmatch(key):
            yield from (f"{key}, {field}" for field in self._damaged_fields(key))
            if key != self._keys.of_tournament(hooks[1], hooks[2]):
                yield f"key {key}"
        elif not (_STREAM.fullmatch(key) or _OTHERS.fullmatch(key)) or not self._is_in_partition(key):
            yield f"key {key}"
        elif key.startswith(SECRET) and is_damaged(self._transport.call(key, "GET", key) or b""):
            yield key

    def _damaged_fields(self, key: str) -> Iterator[str]:
        return (field for field, text in self._pairs("HSCAN", key) if is_damaged(text))

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
        """Returns whether a key is in the partition of its stream; other keys in an existing one, or in none."""
        if found := _STREAM.fullmatch(key):
            stream = stream_named(found[2])
            return key in {self._keys.stream(stream), self._keys.commands(stream)}
        partition = _PARTITION.match(key)
        return partition is None or int(partition[1]) < self._keys.count

    def _is_player(self, id_: str) -> bool:
        key = self._keys.stream(StreamId("player", id_))
        return bool(self._transport.call(key, "EXISTS", key))

    def _all_keys(self, pattern: str = "*") -> Iterator[str]:
        try:  # a scan may name a key twice
            for key in set(self._client.scan_iter(match=pattern, count=1000)):
                yield key.decode(errors="backslashreplace")
        except RedisError as error:
            raise StoreUnavailable(str(error)) from error

    def _pairs(self, command: str, key: str, cursor: bytes = b"0") -> Iterator[tuple[str, bytes]]:
        while True:
            cursor, page = self._transport.call(key, command, key, cursor, "COUNT", _PAGE)
            yield from _text_pairs(page)
            if cursor == b"0":
                return

    def _pages(self, key: str, after: bytes = b"") -> Iterator[list[Any]]:
        """Yields the entries of a stream after an id, from the first one by default."""
        size = _PAGE
        while size == _PAGE:
            begin = b"(" + after if after else b"-"
            page = self._transport.call(key, "XRANGE", key, begin, "+", "COUNT", _PAGE)
            yield page
            size = len(page)
            after = page[-1][0] if page else after


def _text_pairs(page: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    names = [name.decode(errors="backslashreplace") for name in page[::2]]
    return zip(names, page[1::2], strict=True)


def _pointer(feed: str, partition: int, entry_id: bytes, fields: Sequence[bytes]) -> FeedEntry | str:
    """Returns an entry of a feed, or its location if it is malformed."""
    entry, names = feed_entry(partition, entry_id, fields), tuple(fields[::2])
    if entry.stream != NO_STREAM and names == _FEED_FIELDS[: len(names)]:
        return entry
    return f"{feed}, entry {entry_id.decode(errors='replace')}"


def _are_in_form(entries: Sequence[Any], first: int) -> bool:
    """Returns whether entries have their versions as ids, beginning with `first`, and the fields of events."""
    ids = [id_ for id_, _ in entries]
    are_versions = ids == [b"%d-0" % version for version in range(first, first + len(ids))]
    return are_versions and all(fields[::2] == _FIELDS for _, fields in entries)


def _noted(head: bytes) -> tuple[int, str]:
    """Returns the version and hash of a stored head. A malformed one matches no event."""
    found = _NOTED.fullmatch(head)
    return (int(found[1]), unpacked(found[2])) if found else (0, head.decode(errors="replace"))


def _versions(record: bytes) -> tuple[int, int] | None:
    first, _, rest = record.partition(b" ")
    last, space, fingerprint = rest.partition(b" ")
    is_right = bool(space) and _is_number(first) and _is_number(last)
    if not is_right or (fingerprint and is_packed_text_damaged(fingerprint)):
        return None
    return int(first), int(last)


def _is_number(text: bytes) -> bool:
    return text.isdigit() and text[:1] != b"0"
