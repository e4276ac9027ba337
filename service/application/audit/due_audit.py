"""Compares the recorded due times with the tables and tournaments, and corrects them."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import SeedRevealed, TableVoided
from hoodwink.domain.tables.pace import (
    IMMEDIATELY,
    bot_chances,
    is_played_by_people,
)
from hoodwink.domain.tables.state import Phase, Table
from hoodwink.domain.tournaments import life
from hoodwink.service.application.audit.audit import PATIENCE_SECONDS, Difference, overdue
from hoodwink.service.application.ports import CannotReplay, Clock, EventStore, StreamId
from hoodwink.service.application.projecting.projecting import no_op
from hoodwink.service.application.streams.aggregates import AGGREGATES, TABLE
from hoodwink.service.application.streams.event_reader import replay
from hoodwink.service.application.streams.history import Loaded
from hoodwink.service.application.work.due import (
    CATEGORIES,
    Due,
    DueKind,
    DueTimes,
    IdleTimes,
    due_time,
)
from hoodwink.service.application.work.table_worker import due_at, has_person

DUE = "due"

_LAST_TYPES = {SeedRevealed.wire, TableVoided.wire}
"""The types of the last event of an ended table."""


class DueRecord(msgspec.Struct, frozen=True, gc=False):
    """The record of a stream; both fields are `None` if there is none.

    Attributes:
        at: when it is due, in ms since the epoch; `None` if nothing is.
        version: of the event that caused this record; 0 if the stored version is not a number.
    """

    at: int | None = None
    version: int | None = None


class DueRecords(DueTimes, Protocol):
    """The recorded due times. Every call may raise `StoreUnavailable`."""

    def ids(self, kind: DueKind) -> Iterator[str]:
        """Yields the ids of all streams with a record; some may come twice."""
        ...

    def find(self, kind: DueKind, id_: str) -> DueRecord: ...


class DueAudit:
    """Compares the due times with the streams. Due times that are yet to be recorded are no difference."""

    def __init__(
        self,
        *,
        store: EventStore,
        records: DueRecords,
        clock: Clock,
        idle_times: IdleTimes,
        report_due_at: Callable[[Table], int | None],
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._store = store
        self._records = records
        self._clock = clock
        self._idle_times = idle_times
        self._report_due_at = report_due_at
        self._patience_seconds = patience_seconds

    def differences(self, done: Callable[[StreamId], None] = no_op) -> Iterator[Difference]:
        """Yields every difference, and calls `done` with each stream once it is compared."""
        wrong = [(stream, found) for stream in self._streams(done) for found in self._wrong(stream).items()]
        for stream, (kind, live) in overdue(
            wrong, lambda it: it[1] in self._wrong(it[0]).items(), self._clock, self._patience_seconds
        ):
            loaded = self._loaded(stream)
            wanted = None if loaded is None else self._wanted(kind, loaded.state)
            yield Difference(DUE, f"{kind}, {stream.category}:{stream.id}", _shown(live), wanted)

    def rebuild(self, done: Callable[[StreamId], None] = no_op) -> None:
        """Corrects the records of all streams. If another process records a later version meanwhile, it stays."""
        for stream in self._streams(done):
            for kind in self._wrong(stream):
                if (loaded := self._loaded(stream)) is not None:
                    state = loaded.state
                    is_for_bots = kind == "work" and not is_played_by_people(state)
                    due = Due(state.version, loaded.head, self._due_at(kind, state), is_for_bots)
                    self._records.record(kind, {stream.id: due})

    def _streams(self, done: Callable[[StreamId], None]) -> Iterator[StreamId]:
        streams = dict.fromkeys(
            stream for category in set(CATEGORIES.values()) for stream in self._store.streams(category)
        )
        for kind, category in CATEGORIES.items():
            streams |= dict.fromkeys(StreamId(category, id_) for id_ in self._records.ids(kind))
        for stream in streams:
            yield stream
            done(stream)

    def _wrong(self, stream: StreamId) -> dict[DueKind, DueRecord]:
        # The records first: a stream that is read after them contains their events. The other way round, a new
        # record could belong to an event that was not read, and would count as wrong.
        records = {
            kind: self._records.find(kind, stream.id)
            for kind, category in CATEGORIES.items()
            if category == stream.category
        }
        loaded = self._loaded(stream)
        if loaded is None:
            return {}
        state = loaded.state
        return {
            kind: record
            for kind, record in records.items()
            if not (_has_right_version(kind, state.version, record) and self._is_right(kind, record, state))
        }

    def _is_right(self, kind: DueKind, record: DueRecord, state: Any) -> bool:
        now = self._clock.now_ms()
        match kind:
            case "round":
                return _is_due_at(record, life.work_due(state).at, now)
            case "work":
                # A bot that passes on an action out of turn leaves no trace except a later due time.
                asked = [-1, *[at for at, _ in bot_chances(state) if at <= now]]
                return any(_is_due_at(record, work_due(state, asked_until=at).at, now) for at in asked)
            case "report":
                # While the table is in play, an unnecessary time only causes one check too many.
                wanted = self._report_due_at(state)
                if wanted is None:
                    return record.at is None or state.phase is Phase.PLAYING
                return record.at is not None and record.at <= max(now, wanted)
            case "rest":
                return self._is_right_rest(record, state, now)

    def _is_right_rest(self, record: DueRecord, table: Table, now: int) -> bool:
        if table.phase is Phase.ENDED or not table.version:
            return record.at is None
        if table.phase is Phase.OPEN:
            return record.at is not None and record.at <= now + self._idle_times.open
        # Recorded at the start and not updated by actions, so it may be too early. Tables without people may keep it.
        return not has_person(table) or (
            record.at is not None and record.at <= now + self._idle_times.playing
        )

    def _wanted(self, kind: DueKind, state: Any) -> str | None:
        if kind in {"work", "round"} and _work_at(kind, state) == IMMEDIATELY:
            return "work"
        at = self._due_at(kind, state)
        return None if at is None else f"clock:{at}"

    def _due_at(self, kind: DueKind, state: Any) -> int | None:
        now = self._clock.now_ms()
        match kind:
            case "round":
                return due_time(_work_at(kind, state), now)
            case "report":
                return self._report_due_at(state)
            case "work" | "rest":
                return due_at(kind, state, now=now, idle_times=self._idle_times)

    def _loaded(self, stream: StreamId) -> Loaded[Any] | None:
        """Returns the latest state, or `None` if its log cannot be replayed, which the audit of the logs reports."""
        # Most tables have ended. Replaying them all would take too long, and only their last event matters here.
        aggregate = AGGREGATES[stream.category]
        try:
            version = self._store.version(stream)
            last = self._store.read(stream, after=version - 1, count=1) if version else ()
            is_ended = stream.category == TABLE.category and last and last[0].type in _LAST_TYPES
            if is_ended:
                return replay(TABLE, self._about_to_end(stream, version - 1), last).after
            return replay(aggregate, Loaded(aggregate.unopened), self._store.read(stream)).after
        except CannotReplay:
            return None

    def _about_to_end(self, stream: StreamId, version: int) -> Loaded[Table]:
        """Returns a table that has only the fields that matter here, before its last event."""
        opened = replay(TABLE, Loaded(TABLE.unopened), self._store.read(stream, count=1)).after
        return Loaded(replace(opened.state, version=version, phase=Phase.ENDED))


def _work_at(kind: DueKind, state: Any) -> int | None:
    return (life.work_due(state) if kind == "round" else work_due(state)).at


def _is_due_at(record: DueRecord, at: int | None, now: int) -> bool:
    if at == IMMEDIATELY:  # it has been due since it was recorded, at any earlier time
        return record.at is not None and record.at <= now
    return record.at == at


def _has_right_version(kind: DueKind, version: int, record: DueRecord) -> bool:
    """Returns whether the recorded version can be right."""
    # If nothing is due, the version only decides whether a repeated feed entry is too old to be recorded. A wrong
    # one is harmless: the visit that such an entry causes finds nothing to do and records that.
    if record.at is None:
        return record.version is None or record.version > 0
    # These kinds are recorded by every commit, the others only by some.
    if kind in {"work", "round"}:
        return record.version == version
    return record.version is not None and 0 < record.version <= version


def _shown(record: DueRecord) -> str | None:
    if record.version == 0:
        return "damaged"
    if record.at is None:
        return None
    return f"clock:{record.at} of version {'unknown' if record.version is None else record.version}"
