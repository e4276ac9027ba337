"""Compares data derived from events with the events: the index of commands, the feeds, names and notes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, Protocol

from hoodwink.domain.players import PlayerErased
from hoodwink.domain.tables.codec import UnknownEvent, decode_event
from hoodwink.domain.tables.entries import Entry, decoded
from hoodwink.domain.tables.events import TableOpened
from hoodwink.domain.tables.proving import verify
from hoodwink.domain.tables.proving.log import GENESIS, chain_hash
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.service.application.audit.audit import Difference
from hoodwink.service.application.commands.imports import IMPORT
from hoodwink.service.application.players.administration import STREAM as ADMINISTRATION
from hoodwink.service.application.players.stored_players import CATEGORY as PLAYER
from hoodwink.service.application.ports import DamagedArchive, EventStore, FeedEntry, StreamId, own_command_id
from hoodwink.service.application.projecting.projecting import no_op
from hoodwink.service.application.streams.aggregates import AGGREGATES, people_in

SOURCE: Final = "stored"

_DELETABLE: Final = frozenset({PLAYER, IMPORT.category})
"""The categories of streams that may be deleted while feed entries still point to them."""


class StoredStream(NamedTuple):
    """A stream and the data stored with it.

    Attributes:
        entries: the events, oldest first.
        archived: the version of the last event in the archive; the entries follow on it.
        is_in_form: whether each event has its version as its id, and the right fields.
        commands: the first and last version of each command by its id; `None` for one whose record is damaged.
        head: the recorded version and hash of the last event; `None` if an earlier release recorded none.
        is_named: whether a name is stored for it.
        newcomer_since: the time since which a player counts as a newcomer, in ms, or `None`.
    """

    entries: tuple[Entry, ...]
    is_in_form: bool
    commands: Mapping[str, tuple[int, int] | None]
    head: tuple[int, str] | None
    is_named: bool = False
    newcomer_since: int | None = None
    archived: int = 0


class StoredRecords(Protocol):
    """All stored data in its raw form. Every call may raise `StoreUnavailable`."""

    def streams(self) -> Iterator[StreamId]:
        """Yields each stream with events or an index of commands once."""
        ...

    def find(self, stream: StreamId) -> StoredStream: ...

    def forgettable(self, stream: StreamId, players: Sequence[str]) -> Sequence[str]:
        """Returns those of a stream's players who would be deleted as if they had never played."""
        ...

    def pointers(self) -> Iterator[FeedEntry | str]:
        """Yields every entry of every feed, or the location of one that cannot be read."""
        ...

    def faults(self) -> Iterator[str]:
        """Yields the locations of all other data that is damaged, or that no part of the service has stored."""
        ...


class StoredAudit:
    """Compares all data derived from events with the events."""

    def __init__(self, *, store: EventStore, records: StoredRecords) -> None:
        self._store = store
        self._records = records

    def differences(self, done: Callable[[StreamId], None] = no_op) -> Iterator[Difference]:
        """Yields every difference, and calls `done` with each stream once it is compared."""
        for stream in self._records.streams():
            yield from _confirmed(lambda stream=stream: self._of_stream(stream))  # type: ignore[misc]
            done(stream)
        yield from _confirmed(self._of_feeds)
        yield from _confirmed(
            lambda: [_difference(place, "damaged") for place in dict.fromkeys(self._records.faults())]
        )

    def _of_stream(self, stream: StreamId) -> list[Difference]:
        stored = self._records.find(stream)
        if not stored.entries:
            return [_difference(_named(stream), "missing", "events")] if stored.commands else []
        found = [*_of_index(stream, stored), *_of_chain(stream, stored.entries)]
        if stream.category == PLAYER:
            found += _of_player(stream, stored)
        elif forgettable := self._records.forgettable(stream, _people_in(stream, stored.entries)):
            found.append(_difference(f"{_named(stream)}, players who took part", forgettable, ()))
        return found

    def _of_feeds(self) -> list[Difference]:
        found = []
        for pointer in self._records.pointers():
            if isinstance(pointer, str):
                found.append(_difference(pointer, "damaged"))
            elif not self._is_right(pointer):
                location = f"partition {pointer.partition}, feed entry {pointer.entry_id}"
                found.append(_difference(location, f"{_named(pointer.stream)} {pointer.version}"))
        return found

    def _is_right(self, pointer: FeedEntry) -> bool:
        first, last = pointer.first_version, pointer.version
        try:
            commit = (
                self._store.read(pointer.stream, after=first - 1, count=last - first + 1)
                if 0 < first <= last
                else ()
            )
        except DamagedArchive:  # the audit of the logs reports it
            return True
        # Pointers stay in a feed until it is trimmed, and their stream may be deleted before that.
        if not commit and pointer.stream.category in _DELETABLE:
            return True
        types = tuple([entry.type for entry in commit])
        return bool(commit) and types == pointer.types and pointer.head in {"", commit[-1].hash}


def _confirmed(find: Callable[[], Sequence[Difference]]) -> list[Difference]:
    """Returns the differences that a second look finds, too, because data may change while it is read."""
    found = find()
    if not found:
        return []
    again = find()
    return [difference for difference in found if difference in again]


def _of_index(stream: StreamId, stored: StoredStream) -> Iterator[Difference]:
    """Yields differences between the events and the index of commands, the recorded head and the ids of events."""
    if not stored.is_in_form:
        yield _difference(f"{_named(stream)}, ids and fields", "others", "1-0, 2-0, …")
    expected = _commands_of(stored.entries)
    last = stored.archived + len(stored.entries)
    known = stored.head[0] if stored.head else last
    # Imported events name the commands of their own service, but the index has the steps of the import.
    is_imported = stream.category == IMPORT.category
    for command in () if is_imported else sorted(expected.keys() | stored.commands.keys()):
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
    groups = [(cmd, list(group)) for cmd, group in groupby(entries, key=lambda entry: entry.cmd)]
    versions = {cmd: (group[0].version, group[-1].version) for cmd, group in groups}
    return {cmd: (first, last) for cmd, (first, last) in versions.items() if cmd != own_command_id(first)}


def _of_chain(stream: StreamId, entries: Sequence[Entry]) -> Iterator[Difference]:
    """Yields the first break in the chain of a log that no other audit verifies."""
    if stream.category == IMPORT.category:
        opened = next(iter(decoded(entries[:1], decode_event))).event
        table = opened.table if isinstance(opened, TableOpened) else ""
        if (finding := check_entries(verify.TABLE, table, entries)) is not None:
            yield _difference(f"{_named(stream)}, event {finding.version}", finding.detail)
    elif stream.category in {PLAYER, ADMINISTRATION.category}:
        head = GENESIS
        for entry in entries:
            head = chain_hash(
                b"", head, entry.version, entry.type, entry.at, entry.by, entry.cmd, bytes(entry.data)
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
    try:
        return people_in(tuple(decoded(entries, aggregate.decode))) if aggregate else ()
    except UnknownEvent:  # the audit of the logs reports it
        return ()


def _named(stream: StreamId) -> str:
    return f"{stream.category}:{stream.id}"


def _difference(location: str, live: object, wanted: object = None) -> Difference:
    return Difference(SOURCE, location, live, wanted)
