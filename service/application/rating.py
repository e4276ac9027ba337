"""Enters every table that counts into its game's rating stream, once and for good (R-3)."""

from collections.abc import Sequence
from typing import Final, NamedTuple, assert_never

import structlog

from domain.bots import VERSIONS
from domain.ratings import RatedTableVoided, RatingEvent, TableRated, rated_seats
from domain.tables import GENESIS, Entry, Table, asker, seal
from domain.tables.events import TableEnded, TableVoided
from service.application.aggregates import RATINGS, TABLE
from service.application.chronicle import CannotReplay, Chapter, Chronicle
from service.application.dispatch import entries_of, latest_entries
from service.application.history import Loaded
from service.application.ports import (
    Appended,
    Clock,
    Commit,
    Conflict,
    Diverged,
    Duplicate,
    EventStore,
    FeedEntry,
    IdempotencyKey,
    StreamId,
)

RATER: Final = "ratings"
"""The group that the rater follows the feed as."""

_CONCERNING: Final = frozenset({TableEnded.wire, TableVoided.wire})

log = structlog.get_logger(__name__)


class Rater:
    """Follows the feed of tables as one reader. The same entry twice, or late, changes nothing."""

    def __init__(self, *, store: EventStore, chronicle: Chronicle, clock: Clock) -> None:
        self._store = store
        self._chronicle = chronicle
        self._clock = clock
        self._ends: dict[StreamId, Entry] = {}

    def note(self, entries: Sequence[FeedEntry]) -> None:
        """Enters the tables that ended, and takes out the voided; one whose log cannot be replayed is left out, as by projections."""
        tables = [
            entry for entry in entries_of(TABLE.category, entries) if not _CONCERNING.isdisjoint(entry.types)
        ]
        for entry in latest_entries(tables).values():
            try:
                self._enter(entry)
            except CannotReplay as error:
                log.warning("table not rated, see `hoodwink audit`", table=entry.stream.id, reason=str(error))

    def _enter(self, entry: FeedEntry) -> None:
        """Enters what the table's log says by now, for entries may come late and in any order.

        It is looked at once more afterwards: while one process is about to rate a table, another may have seen it
        voided, and have found nothing to take out.
        """
        seen = -1
        while (version := self._chronicle.version(entry.stream)) != seen:
            self._enter_told(self._told(entry, version))
            seen = version

    def _enter_told(self, told: Chapter) -> None:
        rated, voided = rating_events(told)
        if rated is None:
            return
        if voided is None:
            self._append(rated)
        elif self._store.known(rating_stream(rated), key_of(rated).id):
            self._append(voided)

    def _told(self, entry: FeedEntry, version: int) -> Chapter:
        unopened = Loaded(TABLE.unopened)
        if version == entry.version:  # as the history asks, too, so it is read once
            return self._chronicle.up_to(entry, unopened)
        return self._chronicle.between(entry.stream, unopened, version)

    def _append(self, event: RatingEvent) -> None:
        stream, key = rating_stream(event), key_of(event)
        while True:
            end = self._ends.get(stream) or self._end_of(stream)
            commit = self._commit(stream, event, key, end)
            answer = self._store.append(commit)
            match answer:
                case Appended():
                    self._ends[stream] = commit.entries[-1]
                    return
                case Duplicate():
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
            server_seed="",  # it is no secret, so the chain needs none
            head=head,
            version=version,
            at=max(self._clock.now_ms(), at),
            by=asker.RATER,
            cmd=key.id,
        )
        return Commit(
            stream=stream,
            expected_version=version,
            expected_head=head,
            entries=(recorded.entry,),
            key=key,
        )


class RatingEvents(NamedTuple):
    """What a table's log means to its game's rating stream.

    Attributes:
        rated: that it counts; `None` where it does not, for then it was never entered.
        voided: that it counts no longer, if it was voided.
    """

    rated: TableRated | None
    voided: RatedTableVoided | None


NOT_RATED: Final = RatingEvents(None, None)


def rating_events(told: Chapter) -> RatingEvents:
    """Returns what follows from a table's log, told from its beginning."""
    table: Table = told.known.state
    seats = rated_seats(table, versions=VERSIONS)
    if not seats:
        return NOT_RATED
    versions = {moment.recorded.event.wire: moment.recorded.entry.version for moment in told.moments}
    rated = TableRated(table.game, table.id, versions[TableEnded.wire], seats)
    if table.voided is None:
        return RatingEvents(rated, None)
    return RatingEvents(rated, RatedTableVoided(table.game, table.id, versions[TableVoided.wire]))


def key_of(event: RatingEvent) -> IdempotencyKey:
    """Returns what an event is stored under once: the event of the table's own log, which is there once."""
    return IdempotencyKey(id=f"{event.table}:{event.version}", fingerprint="")


def rating_stream(event: RatingEvent) -> StreamId:
    """Returns the stream that an event belongs to: that of its game."""
    return StreamId(RATINGS.category, event.game)
