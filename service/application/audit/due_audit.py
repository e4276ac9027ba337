"""Compares the recorded due times with the tables and tournaments, and corrects them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from hoodwink.domain import series
from hoodwink.domain.due_times import IMMEDIATELY
from hoodwink.domain.tables.due import asking_times, work_due
from hoodwink.domain.tables.events import SeedRevealed, TableVoided
from hoodwink.domain.tables.pace import is_played_by_people
from hoodwink.domain.tables.state import Phase, Table
from hoodwink.domain.tournaments import life
from hoodwink.service.application.audit.audited_log import AuditedLog
from hoodwink.service.application.audit.difference import Difference
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

_CATEGORIES: Final = frozenset(CATEGORIES.values())
"""The categories of streams with due times."""

_EACH_COMMIT: Final = frozenset({"work", "round", "season"})
"""The kinds that every commit records; the others are recorded only by some."""

_TOGETHER: Final = 50
"""Streams whose records are read in one round trip."""

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

    def ids(self, kind: DueKind, partition: int) -> Iterator[str]:
        """Yields the ids of all streams of a partition with a record; some may come twice."""
        ...

    def find_each(self, wanted: Sequence[tuple[DueKind, str]]) -> list[DueRecord]:
        """Returns the records of streams by their ids, each of one kind."""
        ...


class WrongDue(NamedTuple):
    """A record that is wrong, and may still be corrected by the projector."""

    stream: StreamId
    kind: DueKind
    record: DueRecord


class DueAudit:
    """Compares the due times with the streams. Due times that are yet to be recorded are no difference."""

    def __init__(
        self,
        *,
        store: EventStore,
        records: DueRecords,
        clock: Clock,
        idle_times: IdleTimes,
        reports_due_at: Mapping[DueKind, Callable[[Any], int | None]],
        partitions: Collection[int],
    ) -> None:
        """`reports_due_at` returns when a state has to be reported, for each kind of report."""
        self._store = store
        self._records = records
        self._clock = clock
        self._idle_times = idle_times
        self._reports_due_at = reports_due_at
        self._partitions = partitions

    def of(self, partition: int, *, is_whole: bool) -> "_Partition":
        """See `Auditor`."""
        return _Partition(self, partition, is_whole=is_whole)

    def is_missing(self, awaited: WrongDue) -> bool:
        """Returns whether the record is still wrong in the same way."""
        return awaited in self.wrong(awaited.stream)

    def difference(self, awaited: WrongDue) -> Difference:
        stream, kind, live = awaited
        loaded = self._loaded(stream)
        wanted = None if loaded is None else self._wanted(kind, loaded.state)
        return Difference(DUE, f"{kind}, {stream.category}:{stream.id}", _shown(live), wanted)

    def rebuild(
        self, done: Callable[[StreamId], None] = no_op, *, partitions: Collection[int] | None = None
    ) -> None:
        """Corrects the records of all or some partitions. A later version that another process records meanwhile stays."""
        for partition in self._partitions if partitions is None else partitions:
            for stream in self._with_due_times(partition):
                for _, kind, _ in self.wrong(stream):
                    if (loaded := self._loaded(stream)) is not None:
                        state = loaded.state
                        is_for_bots = kind == "work" and not is_played_by_people(state)
                        due = Due(state.version, loaded.head, self._due_at(kind, state), is_for_bots)
                        self._records.record({kind: {stream.id: due}})
                done(stream)

    def _with_due_times(self, partition: int) -> set[StreamId]:
        listed = (self._store.streams(category, partition) for category in _CATEGORIES)
        return self.recorded(partition).union(*listed)

    def recorded(self, partition: int) -> set[StreamId]:
        """Returns all streams of a partition with a record."""
        return {
            StreamId(category, id_)
            for kind, category in CATEGORIES.items()
            for id_ in self._records.ids(kind, partition)
        }

    def wrong(self, stream: StreamId) -> list[WrongDue]:
        """Returns the wrong records of a stream."""
        return self.wrong_of_each([(stream, None)])

    def wrong_of_each(self, streams: Sequence[tuple[StreamId, Loaded[Any] | None]]) -> list[WrongDue]:
        """Returns the wrong records of streams, whose states are read unless they are given."""
        # The records first: a stream that is read after them contains their events. The other way round, a new
        # record could belong to an event that was not read, and would count as wrong.
        wanted = [(kind, stream.id) for stream, _ in streams for kind in _kinds_of(stream)]
        records = iter(self._records.find_each(wanted))
        found = list[WrongDue]()
        for stream, known in streams:
            each = {kind: next(records) for kind in _kinds_of(stream)}
            loaded = known or self._loaded(stream)
            if loaded is not None:
                found += self._wrong_of(stream, loaded.state, each)
        return found

    def _wrong_of(
        self, stream: StreamId, state: Any, records: Mapping[DueKind, DueRecord]
    ) -> Iterator[WrongDue]:
        for kind, record in records.items():
            if not (_has_right_version(kind, state.version, record) and self._is_right(kind, record, state)):
                yield WrongDue(stream, kind, record)

    def _is_right(self, kind: DueKind, record: DueRecord, state: Any) -> bool:
        now = self._clock.now_ms()
        match kind:
            case "round" | "season":
                return _is_due_at(record, _work_at(kind, state), now)
            case "work":
                # A bot that was asked, and passes or still thinks, leaves no trace except a later due time.
                asked = [-1, *[at for at in asking_times(state) if at <= now]]
                return any(_is_due_at(record, work_due(state, asked_until=at).at, now) for at in asked)
            case "report":
                # While the table is in play, an unnecessary time only causes one check too many.
                wanted = self._reports_due_at[kind](state)
                if wanted is None:
                    return record.at is None or state.phase is Phase.PLAYING
                return record.at is not None and record.at <= max(now, wanted)
            case "result":
                wanted = self._reports_due_at[kind](state)
                if wanted is None:
                    return record.at is None
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
        if kind in _EACH_COMMIT and _work_at(kind, state) == IMMEDIATELY:
            return "work"
        at = self._due_at(kind, state)
        return None if at is None else f"clock:{at}"

    def _due_at(self, kind: DueKind, state: Any) -> int | None:
        now = self._clock.now_ms()
        match kind:
            case "round" | "season":
                return due_time(_work_at(kind, state), now)
            case "report" | "result":
                return self._reports_due_at[kind](state)
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


class _Partition:
    def __init__(self, audit: DueAudit, partition: int, *, is_whole: bool) -> None:
        self._audit = audit
        # All records of the partition whose streams were not added yet.
        self._recorded = audit.recorded(partition) if is_whole else set[StreamId]()
        self._waiting: list[tuple[StreamId, Loaded[Any] | None]] = []
        self.awaited: list[WrongDue] = []

    def add(self, log: AuditedLog) -> tuple[()]:
        if log.stream.category in _CATEGORIES:
            self._recorded.discard(log.stream)
            self._waiting.append((log.stream, log.batch.after if log.batch else None))
            if len(self._waiting) >= _TOGETHER:
                self._compare()
        return ()

    def finish(self) -> tuple[()]:
        self._compare()
        for stream in self._recorded:
            self.awaited += self._audit.wrong(stream)
        return ()

    def _compare(self) -> None:
        # Records that are newer than the log seem wrong here, but not when they are read again with the log.
        self.awaited += self._audit.wrong_of_each(self._waiting)
        self._waiting.clear()


def _kinds_of(stream: StreamId) -> list[DueKind]:
    return [kind for kind, category in CATEGORIES.items() if category == stream.category]


def _work_at(kind: DueKind, state: Any) -> int | None:
    match kind:
        case "round":
            return life.work_due(state).at
        case "season":
            return series.work_due(state).at
        case _:
            return work_due(state).at


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
    if kind in _EACH_COMMIT:
        return record.version == version
    return record.version is not None and 0 < record.version <= version


def _shown(record: DueRecord) -> str | None:
    if record.version == 0:
        return "damaged"
    if record.at is None:
        return None
    return f"clock:{record.at} of version {'unknown' if record.version is None else record.version}"
