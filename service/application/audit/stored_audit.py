"""Compares data derived from events with the events: the index of commands, the feeds, names and notes."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from hoodwink.domain.players import PlayerErased
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.entries import Entry, decoded
from hoodwink.domain.tables.proving import verify
from hoodwink.domain.tables.proving.log import GENESIS, chain_hash, chain_key
from hoodwink.domain.tables.proving.proof import Refused, checked_entries
from hoodwink.service.application.audit.audited_log import AuditedLog, StoredStream, StreamEnd
from hoodwink.service.application.audit.difference import Difference
from hoodwink.service.application.commands.imports import IMPORT
from hoodwink.service.application.players.administration import STREAM as ADMINISTRATION
from hoodwink.service.application.players.stored_players import CATEGORY as PLAYER
from hoodwink.service.application.ports import DamagedArchive, EventStore, FeedEntry, StreamId, own_command_id
from hoodwink.service.application.streams.aggregates import AGGREGATES, NAMING, SERIES, people_in

SOURCE: Final = "stored"

_TOGETHER: Final = 100
"""Players of streams who are looked up in one round trip."""

_DELETABLE: Final = frozenset({PLAYER, IMPORT.category})
"""The categories of streams that may be deleted while feed entries still point to them."""


_KEYS: Final[Mapping[str, bytes]] = MappingProxyType(
    {PLAYER: b"", ADMINISTRATION.category: b"", SERIES.category: chain_key("")}
)
"""The keys of the chains without a secret, by category."""


class StoredRecords(Protocol):
    """All stored data in its raw form. Every call may raise `StoreUnavailable`."""

    def ends(self, partition: int) -> Iterator[StreamEnd]:
        """Yields the end of each stream of a partition once, including streams that have only an index left.

        A stream that begins meanwhile may be missing.
        """
        ...

    def find(self, stream: StreamId) -> StoredStream: ...

    def forgettable(self, people: Sequence[tuple[StreamId, str]]) -> Sequence[tuple[StreamId, str]]:
        """Returns those of the streams' players who would be deleted as if they had never played."""
        ...

    def pointers(self, partition: int) -> Iterator[FeedEntry | str]:
        """Yields every entry of a partition's feeds, or the location of one that cannot be read."""
        ...

    def faults(self) -> Iterator[str]:
        """Yields the locations of all other data that is damaged, or that no part of the service has stored."""
        ...


class StoredAudit:
    """Compares all data derived from events with the events."""

    def __init__(self, *, store: EventStore, records: StoredRecords) -> None:
        self._store = store
        self._records = records

    def of(self, partition: int, *, is_whole: bool) -> "_Partition":
        """Begins the audit of a partition. Feeds are always audited, because they contain only recent changes."""
        return _Partition(self, partition)

    def of_stream(self, stream: StreamId, stored: StoredStream) -> list[Difference]:
        return _confirmed(
            self._of_stream(stream, stored), lambda: self._of_stream(stream, self._records.find(stream))
        )

    def of_feeds(self, partition: int) -> list[Difference]:
        return _confirmed(self._of_feeds(partition), lambda: self._of_feeds(partition))

    def of_other_data(self) -> list[Difference]:
        """Returns the damage to all data outside streams and feeds, such as names."""
        return _confirmed(self._of_other_data(), self._of_other_data)

    def _of_stream(self, stream: StreamId, stored: StoredStream) -> list[Difference]:
        if not stored.entries:
            has_index = stored.commands or (stored.head and not stored.archived)
            return [_difference(_named(stream), "missing", "events")] if has_index else []
        found = [*_of_index(stream, stored), *_of_chain(stream, self._chained(stream, stored))]
        if stream.category == PLAYER:
            found += _of_player(stream, stored)
        return found

    def _chained(self, stream: StreamId, stored: StoredStream) -> Sequence[Entry]:
        """Returns the events whose chain is checked: all of them, even if the first ones are in the archive."""
        if not stored.archived or stream.category not in _KEYS:
            return stored.entries
        try:
            return self._store.read(stream)
        except DamagedArchive:  # the audit of the logs reports it
            return ()

    def of_people(self, people: Sequence[tuple[StreamId, str]]) -> list[Difference]:
        """Returns the players of streams who would be deleted, although they have taken part."""
        return _confirmed(self._of_people(people), lambda: self._of_people(people))

    def _of_people(self, people: Sequence[tuple[StreamId, str]]) -> list[Difference]:
        by_stream = defaultdict[StreamId, list[str]](list)
        for stream, player in self._records.forgettable(people):
            by_stream[stream].append(player)
        return [
            _difference(f"{_named(stream)}, players who took part", players, ())
            for stream, players in by_stream.items()
        ]

    def _of_feeds(self, partition: int) -> list[Difference]:
        found, by_stream = list[Difference](), defaultdict[StreamId, list[FeedEntry]](list)
        for pointer in self._records.pointers(partition):
            if isinstance(pointer, str):
                found.append(_difference(pointer, "damaged"))
            else:
                by_stream[pointer.stream].append(pointer)
        for stream, pointers in by_stream.items():
            found += self._of_pointers(stream, pointers)
        return found

    def _of_pointers(self, stream: StreamId, pointers: Sequence[FeedEntry]) -> Iterator[Difference]:
        """Yields the feed entries that point to other events of a stream than they say."""
        # All of its events in the feed are read together, because a busy table has hundreds of commits there.
        after = max(0, min(pointer.first_version for pointer in pointers) - 1)
        last = max(pointer.version for pointer in pointers)
        try:
            entries = self._store.read(stream, after=after, count=last - after) if last > after else ()
        except DamagedArchive:  # the audit of the logs reports it
            return
        for pointer in pointers:
            if not _is_right(
                pointer, entries[max(0, pointer.first_version - 1 - after) : pointer.version - after]
            ):
                location = f"partition {pointer.partition}, feed entry {pointer.entry_id}"
                yield _difference(location, f"{_named(stream)} {pointer.version}")

    def _of_other_data(self) -> list[Difference]:
        return [_difference(place, "damaged") for place in dict.fromkeys(self._records.faults())]


class _Partition:
    """The audit of one partition. Nothing is awaited, because an append stores all of its data together."""

    awaited: Final = ()

    def __init__(self, audit: StoredAudit, partition: int) -> None:
        self._audit = audit
        self._partition = partition
        self._people: list[tuple[StreamId, str]] = []

    def add(self, log: AuditedLog) -> list[Difference]:
        if log.stored is None:
            return []
        self._people += [(log.stream, player) for player in _people_in(log.stream, log.stored.entries)]
        found = self._audit.of_stream(log.stream, log.stored)
        return found + self._of_people() if len(self._people) >= _TOGETHER else found

    def finish(self) -> list[Difference]:
        return [*self._of_people(), *self._audit.of_feeds(self._partition)]

    def _of_people(self) -> list[Difference]:
        found = self._audit.of_people(self._people)
        self._people.clear()
        return found


def _confirmed(found: Sequence[Difference], find: Callable[[], Sequence[Difference]]) -> list[Difference]:
    """Returns the differences that a second look finds, too, because data may change while it is read."""
    if not found:
        return []
    again = find()
    return [difference for difference in found if difference in again]


def _is_right(pointer: FeedEntry, commit: Sequence[Entry]) -> bool:
    # Pointers stay in a feed until it is trimmed, and their stream may be deleted before that.
    if not commit and pointer.stream.category in _DELETABLE:
        return True
    types = tuple([entry.type for entry in commit])
    return bool(commit) and types == pointer.types and pointer.head in {"", commit[-1].hash}


def _of_index(stream: StreamId, stored: StoredStream) -> Iterator[Difference]:
    """Yields differences between the events and the index of commands, the recorded head and the ids of events."""
    if not stored.is_in_form:
        yield _difference(f"{_named(stream)}, ids and fields", "others", "1-0, 2-0, …")
    expected = _commands_of(stored.entries)
    last = stored.archived + len(stored.entries)
    known = stored.head[0] if stored.head else last
    # Imported events name the commands of their own service, but the index has the steps of the import.
    is_right = stream.category == IMPORT.category or expected == stored.commands
    for command in () if is_right else sorted(expected.keys() | stored.commands.keys()):
        wanted, found = expected.get(command), stored.commands.get(command)
        is_newer = wanted is not None and wanted[1] > known  # appended since the index was read
        is_damaged = found is None and command in stored.commands
        if is_damaged or (wanted != found and not is_newer):
            yield _difference(f"{_named(stream)}, command {command}", found, wanted)
    if stored.head is not None:
        at = stored.head[0] - stored.archived
        entry = stored.entries[at - 1] if 0 < at <= len(stored.entries) else None
        if entry is None or entry.hash != stored.head[1]:
            yield _difference(f"{_named(stream)}, head", stored.head, last)


def _commands_of(entries: Sequence[Entry]) -> Mapping[str, tuple[int, int]]:
    """Returns the first and last version of each command that the index has, by its id."""
    versions, first, cmd = dict[str, tuple[int, int]](), 0, ""
    for entry in entries:
        if entry.cmd != cmd or not first:
            first, cmd = entry.version, entry.cmd
        versions[cmd] = (first, entry.version)
    return {cmd: span for cmd, span in versions.items() if cmd != own_command_id(span[0])}


def _of_chain(stream: StreamId, entries: Sequence[Entry]) -> Iterator[Difference]:
    """Yields the first break in the chain of a log that no other audit verifies."""
    if stream.category == IMPORT.category:
        try:
            checked_entries(verify.TABLE, entries)
        except Refused as refused:
            yield _difference(f"{_named(stream)}, event {refused.finding.version}", refused.finding.detail)
    elif stream.category in _KEYS:
        head = GENESIS
        for entry in entries:
            head = chain_hash(
                _KEYS[stream.category],
                head,
                entry.version,
                entry.type,
                entry.at,
                entry.by,
                entry.cmd,
                bytes(entry.data),
            )
            if head != entry.hash:
                yield _difference(f"{_named(stream)}, event {entry.version}, hash", entry.hash, head)
                return


def _of_player(stream: StreamId, stored: StoredStream) -> Iterator[Difference]:
    is_erased = any(entry.type == PlayerErased.wire for entry in stored.entries)
    if is_erased and stored.is_named:
        yield _difference(f"{_named(stream)}, name", "there", None)
    registered_at = stored.entries[0].at
    # For an erased player it is another time: that of the deletion.
    if stored.newcomer_since not in {None, registered_at} and not is_erased:
        yield _difference(f"{_named(stream)}, newcomer since", stored.newcomer_since, registered_at)


def _people_in(stream: StreamId, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Returns the players who join with the events of a table or tournament."""
    aggregate = AGGREGATES.get(stream.category)
    if aggregate is None:
        return ()
    # Only these are decoded: most events of a table are moves, in which nobody joins.
    joining = [entry for entry in entries if aggregate.current_wire(entry.type) in NAMING]
    try:
        return people_in(decoded(joining, aggregate.decode))
    except UnknownEvent:  # the audit of the logs reports it
        return ()


def _named(stream: StreamId) -> str:
    return f"{stream.category}:{stream.id}"


def _difference(location: str, live: object, wanted: object = None) -> Difference:
    return Difference(SOURCE, location, live, wanted)
