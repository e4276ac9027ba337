"""Compares the rating streams with the tables' own logs: each table that counts is in them once, as it ended."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from hoodwink.domain.ratings import RatedTableVoided, RatingEvent, decode_rating_event
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import (
    GENESIS,
    chain_hash,
    chain_key,
)
from hoodwink.service.application.audit.audited_log import AuditedLog
from hoodwink.service.application.audit.difference import Difference
from hoodwink.service.application.ports import CannotReplay, EventStore, Owners, StreamId
from hoodwink.service.application.projecting.projecting import BATCH_SIZE
from hoodwink.service.application.projecting.rating import (
    NOT_RATED,
    RatingEvents,
    rating_events,
    rating_key,
    rating_stream,
)
from hoodwink.service.application.streams.aggregates import RATINGS, TABLE
from hoodwink.service.application.streams.event_reader import replay
from hoodwink.service.application.streams.history import Loaded

SOURCE = "ratings"


class Unrated(NamedTuple):
    """An event that a rating stream must contain in the end."""

    stream: StreamId
    event: RatingEvent


class RatingAudit:
    """Compares the rated tables with the played ones. Tables that the rater has yet to see are no difference."""

    def __init__(self, *, store: EventStore, owners: Owners, partition_of: Callable[[StreamId], int]) -> None:
        self.store = store
        self.owners = owners
        self.partition_of = partition_of

    def of(self, partition: int, *, is_whole: bool) -> "_Partition":
        """See `Auditor`. A partition includes the ratings of its tables, wherever their rating stream is."""
        return _Partition(self, partition, is_whole=is_whole)

    def is_missing(self, awaited: Unrated) -> bool:
        return self.store.known(awaited.stream, rating_key(awaited.event).id) is None

    def difference(self, awaited: Unrated) -> Difference:
        location = f"{awaited.stream.id}, table {awaited.event.table}"
        return Difference(SOURCE, location, None, _shown(awaited.event))

    def expected(self, table: str) -> RatingEvents:
        """Returns the rating events that follow from the table's log as it is now."""
        try:
            entries = self.store.read(StreamId(TABLE.category, table))
            return rating_events(replay(TABLE, Loaded(TABLE.unopened), entries), lambda: entries, self.owners)
        except CannotReplay:  # the audit of the logs reports it
            return NOT_RATED


class _Partition:
    def __init__(self, audit: RatingAudit, partition: int, *, is_whole: bool) -> None:
        self._audit = audit
        self._partition = partition
        self._is_whole = is_whole
        self._expected: dict[str, RatingEvents] = {}
        self._lost = set[str]()
        self.awaited: list[Unrated] = []

    def add(self, log: AuditedLog) -> tuple[()]:
        """Notes the rating events of a table for `finish`."""
        if log.is_lost:
            self._lost.add(log.stream.id)
        elif log.stream.category == TABLE.category:
            expected = NOT_RATED
            if log.batch is not None:
                expected = rating_events(log.batch, lambda: log.entries, self._audit.owners)
            self._expected[log.stream.id] = expected
            self._await(expected)
        return ()

    def finish(self) -> Iterator[Difference]:
        # All rating streams in each partition: tables of every partition may be in any of them.
        for stream in self._audit.store.streams(RATINGS.category):
            yield from self._wrong(stream)

    def _wrong(self, stream: StreamId) -> Iterator[Difference]:
        """Yields the events of a rating stream that break its chain or that no table's log confirms.

        The chain is audited with the stream's own partition, an event with its table's.
        """
        head, seen = GENESIS, set[str]()
        is_here = self._audit.partition_of(stream) == self._partition
        for entry in self._entries(stream):
            location = f"{stream.id}, event {entry.version}"
            if is_here and entry.hash != (hash_after := _hash_after(head, entry)):
                yield Difference(SOURCE, f"{location}, hash", entry.hash, hash_after)
            # Continues from the stored hash, so that one wrong event does not make all later ones wrong.
            head = entry.hash
            try:
                event = decode_rating_event(entry.type, entry.data)
            except UnknownEvent:
                if is_here:
                    yield Difference(SOURCE, location, entry.type, None)
                continue
            if self._is_audited(event.table):
                wanted = None if _name(event) in seen else self._wanted(event)
                seen.add(_name(event))
                if wanted is None or _comparable(event, entry.type) != _comparable(wanted, entry.type):
                    yield Difference(SOURCE, location, _shown(event), wanted and _shown(wanted))

    def _entries(self, stream: StreamId) -> Iterator[Entry]:
        """Yields all events in batches, because a rating stream grows for years."""
        version = 0
        while batch := self._audit.store.read(stream, after=version, count=BATCH_SIZE):
            yield from batch
            version = batch[-1].version

    def _is_audited(self, table: str) -> bool:
        if table in self._lost:
            return False
        if not self._is_whole:
            return table in self._expected
        return self._audit.partition_of(StreamId(TABLE.category, table)) == self._partition

    def _wanted(self, event: RatingEvent) -> RatingEvent | None:
        """Returns the event of that kind from the table's log, if there is one."""
        wanted = _same_kind(event, self._expected.get(event.table, NOT_RATED))
        # The table may have ended or been voided since its log was read, so the log is read again first.
        return wanted or _same_kind(event, self._audit.expected(event.table))

    def _await(self, expected: RatingEvents) -> None:
        """Notes a table that should be rated, or voided in the ratings, and is not."""
        rated, voided = expected
        # A table that was voided before it was rated never enters the ratings.
        if rated is not None and (voided is None or not self._audit.is_missing(_unrated(rated))):
            event = voided or rated
            if self._audit.is_missing(_unrated(event)):
                self.awaited.append(_unrated(event))


def _unrated(event: RatingEvent) -> Unrated:
    return Unrated(rating_stream(event), event)


def _same_kind(event: RatingEvent, expected: RatingEvents) -> RatingEvent | None:
    return expected.voided if isinstance(event, RatedTableVoided) else expected.rated


def _name(event: RatingEvent) -> str:
    return f"{event.wire} {event.table}"


def _comparable(event: RatingEvent, stored_as: str) -> RatingEvent:
    """Returns the event without fields that cannot be compared."""
    # The versions of bots' policies are those of the day on which the event was written, which the table's log does
    # not have. The first form of the event did not say who took part.
    if isinstance(event, RatedTableVoided):
        return event
    is_today = stored_as == event.wire
    seats = [
        replace(seat, player=seat.player.partition("@")[0], took_part=seat.took_part or not is_today)
        for seat in event.seats
    ]
    return replace(event, seats=tuple(seats))


def _hash_after(head: str, entry: Entry) -> str:
    key = chain_key("")
    return chain_hash(key, head, entry.version, entry.type, entry.at, entry.by, entry.cmd, entry.data)


def _shown(event: RatingEvent) -> str:
    return msgspec.json.encode(event).decode()
