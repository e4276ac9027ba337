"""Compares the rating streams with the tables' own logs: each table that counts is in them once, as it ended."""

from collections.abc import Callable, Iterable, Iterator, Mapping
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
from hoodwink.service.application.audit.audit import PATIENCE_SECONDS, Difference, overdue
from hoodwink.service.application.ports import CannotReplay, Clock, EventStore, StreamId
from hoodwink.service.application.projecting.projecting import no_op
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


class _Awaited(NamedTuple):
    """An event that a rating stream must contain in the end."""

    stream: StreamId
    key: str


class RatingAudit:
    """Compares the rated tables with the played ones. Tables that the rater has yet to see are no difference."""

    def __init__(
        self, *, store: EventStore, clock: Clock, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self._store = store
        self._clock = clock
        self._patience_seconds = patience_seconds

    def differences(self, done: Callable[[StreamId], None] = no_op) -> Iterator[Difference]:
        """Yields every difference, and calls `done` with each table once it is read."""
        expected = dict[str, RatingEvents]()
        for table in self._store.streams(TABLE.category):
            expected[table.id] = self._expected(table.id)
            done(table)
        for stream in self._store.streams(RATINGS.category):
            yield from self._wrong(stream, expected)
        yield from self._lost(expected.values())

    def _wrong(self, stream: StreamId, expected: Mapping[str, RatingEvents]) -> Iterator[Difference]:
        """Yields the events of a rating stream that break its chain or that no table's log confirms."""
        head, seen = GENESIS, set[str]()
        for entry in self._store.read(stream):
            location, expected_hash = f"{stream.id}, event {entry.version}", _hash_after(head, entry)
            if entry.hash != expected_hash:
                yield Difference(SOURCE, f"{location}, hash", entry.hash, expected_hash)
            # Continues from the stored hash, so that one wrong event does not make all later ones wrong.
            head = entry.hash
            try:
                event = decode_rating_event(entry.type, entry.data)
            except UnknownEvent:
                yield Difference(SOURCE, location, entry.type, None)
                continue
            wanted = None if _name(event) in seen else self._wanted(event, expected)
            seen.add(_name(event))
            if wanted is None or _comparable(event, entry.type) != _comparable(wanted, entry.type):
                yield Difference(SOURCE, location, _shown(event), wanted and _shown(wanted))

    def _wanted(self, event: RatingEvent, expected: Mapping[str, RatingEvents]) -> RatingEvent | None:
        """Returns the event of that kind from the table's log, if there is one."""
        wanted = _same_kind(event, expected.get(event.table, NOT_RATED))
        # The table may have ended or been voided since its log was read, so the log is read again first.
        return wanted or _same_kind(event, self._expected(event.table))

    def _lost(self, expected: Iterable[RatingEvents]) -> Iterator[Difference]:
        """Yields the tables that should be rated, or voided in the ratings, and are not."""
        awaited = dict[_Awaited, RatingEvent]()
        for rated, voided in expected:
            # A table that was voided before it was rated never enters the ratings.
            if rated is not None and (voided is None or not self._is_missing(_awaited(rated))):
                event = voided or rated
                if self._is_missing(_awaited(event)):
                    awaited[_awaited(event)] = event
        for missing in overdue(awaited, self._is_missing, self._clock, self._patience_seconds):
            location = f"{missing.stream.id}, table {awaited[missing].table}"
            yield Difference(SOURCE, location, None, _shown(awaited[missing]))

    def _expected(self, table: str) -> RatingEvents:
        try:
            entries = self._store.read(StreamId(TABLE.category, table))
            return rating_events(replay(TABLE, Loaded(TABLE.unopened), entries), lambda: entries)
        except CannotReplay:  # the audit of the logs reports it
            return NOT_RATED

    def _is_missing(self, awaited: _Awaited) -> bool:
        return self._store.known(awaited.stream, awaited.key) is None


def _awaited(event: RatingEvent) -> _Awaited:
    return _Awaited(rating_stream(event), rating_key(event).id)


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
