"""Appends every table that counts to its game's rating stream, once (R-3)."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple, assert_never

import structlog

from hoodwink.domain.bots import VERSIONS
from hoodwink.domain.ratings import RatedTableVoided, RatingEvent, TableRated, rated_seats
from hoodwink.domain.tables import actor
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.events import SeedRevealed, TableEnded, TableVoided
from hoodwink.domain.tables.participation import participation
from hoodwink.domain.tables.proving.log import GENESIS, seal
from hoodwink.domain.tables.state import Table
from hoodwink.service.application.ports import (
    Appended,
    CannotReplay,
    Clock,
    Commit,
    Conflict,
    Diverged,
    Duplicate,
    EventStore,
    FeedEntry,
    IdempotencyKey,
    Owners,
    StreamId,
)
from hoodwink.service.application.streams.aggregates import RATINGS, TABLE
from hoodwink.service.application.streams.event_reader import Batch, EventReader
from hoodwink.service.application.streams.feed import entries_of, latest_entries
from hoodwink.service.application.streams.history import Loaded

RATER: Final = "ratings"
"""The consumer group of the rater."""

_CONCERNING: Final = frozenset({TableEnded.wire, SeedRevealed.wire, TableVoided.wire})
"""A table that shares its deal is rated when its seed is revealed (D-7)."""

log = structlog.get_logger(__name__)


class RatingEvents(NamedTuple):
    """The rating events that follow from a table's log.

    Attributes:
        rated: `None` if the table does not count.
        voided: `None` unless the table was voided.
    """

    rated: TableRated | None
    voided: RatedTableVoided | None


NOT_RATED: Final = RatingEvents(None, None)


class Rater:
    """Follows the feed of tables. A repeated or late entry changes nothing."""

    def __init__(self, *, store: EventStore, event_reader: EventReader, owners: Owners, clock: Clock) -> None:
        """Takes its sources; `owners` returns the owners of those players who are bots."""
        self._store = store
        self._owners = owners
        self._event_reader = event_reader
        self._clock = clock
        self._ends: dict[StreamId, Entry] = {}

    def rate(self, entries: Sequence[FeedEntry]) -> None:
        """Appends the tables that ended or were voided. Leaves out a table whose log cannot be replayed, like projections."""
        tables = [
            entry for entry in entries_of(TABLE.category, entries) if not _CONCERNING.isdisjoint(entry.types)
        ]
        for entry in latest_entries(tables).values():
            try:
                self._enter(entry)
            except CannotReplay as error:
                log.warning("table not rated, see `hoodwink audit`", table=entry.stream.id, reason=str(error))

    def _enter(self, entry: FeedEntry) -> None:
        """Appends the rating events of the table's log as it is now, because entries may come late and in any order.

        Then it looks at the log again: while this process was about to rate the table, another one may have seen it
        voided and found no rating to void.
        """
        seen, unopened = -1, Loaded(TABLE.unopened)
        while (version := self._event_reader.version(entry.stream)) != seen:
            whole_log = self._event_reader.read_to(entry, unopened, version)
            entries = partial(self._store.read, entry.stream, count=version)
            self._append_due(rating_events(whole_log, entries, self._owners))
            seen = version

    def _append_due(self, events: RatingEvents) -> None:
        rated, voided = events
        if rated is None:
            return
        if voided is None:
            self._append(rated)
        elif self._store.known(rating_stream(rated), rating_key(rated).id):
            self._append(voided)  # a table that was voided before it was rated never enters the ratings

    def _append(self, event: RatingEvent) -> None:
        stream, key = rating_stream(event), rating_key(event)
        while True:
            # The end is remembered, because usually only one process rates, and it saves two round trips per table.
            end = self._ends.get(stream) or self._end_of(stream)
            commit = self._commit(stream, event, key, end)
            answer = self._store.append(commit)
            match answer:
                case Appended():
                    self._ends[stream] = commit.entries[-1]
                    return
                case Duplicate():  # another process, or this one before it was killed, has rated it
                    return
                case Conflict() | Diverged():  # another process was faster, or the store went back
                    self._ends.pop(stream, None)
                case _:
                    assert_never(answer)

    def _end_of(self, stream: StreamId) -> Entry | None:
        version = self._store.version(stream)
        return next(iter(self._store.read(stream, after=version - 1, count=1)), None) if version else None

    def _commit(self, stream: StreamId, event: RatingEvent, key: IdempotencyKey, end: Entry | None) -> Commit:
        version, head, at = (end.version, end.hash, end.at) if end else (0, GENESIS, 0)
        (recorded,) = seal(
            events=(event,),
            server_seed="",  # ratings are public, so nothing has to be hidden by the hashes
            head=head,
            version=version,
            # Another machine's clock may have been ahead, and time on a stream must never run backwards.
            at=max(self._clock.now_ms(), at),
            by=actor.RATER,
            cmd=key.id,
        )
        return Commit(
            stream=stream,
            expected_version=version,
            expected_head=head,
            entries=(recorded.entry,),
            key=key,
        )


def rating_events(whole_log: Batch, entries: Callable[[], Iterable[Entry]], owners: Owners) -> RatingEvents:
    """Returns the rating events that follow from the whole log of a table.

    Args:
        whole_log: the events that projections follow, and the table after the last one.
        entries(): returns the whole log; called only for a table that counts.
        owners(players): returns the owners of those players who are bots.
    """
    table: Table = whole_log.after.state
    seats = rated_seats(table, versions=VERSIONS, owners=owners, played=lambda: participation(entries()))
    if not seats:
        return NOT_RATED
    versions = {applied.recorded.event.wire: applied.recorded.entry.version for applied in whole_log.events}
    rated = TableRated(table.game, table.id, versions[TableEnded.wire], seats)
    if table.voided is None:
        return RatingEvents(rated, None)
    return RatingEvents(rated, RatedTableVoided(table.game, table.id, versions[TableVoided.wire]))


def rating_key(event: RatingEvent) -> IdempotencyKey:
    """Returns the key of a rating event. It names the event of the table's own log, so it is appended only once."""
    return IdempotencyKey(id=f"{event.table}:{event.version}", fingerprint="")


def rating_stream(event: RatingEvent) -> StreamId:
    return StreamId(RATINGS.category, event.game)
