"""Holds what is on record as due against the tables themselves, and sets it right."""

from collections.abc import Callable, Iterator
from typing import Protocol, get_args

import msgspec
from msgspec.structs import replace

from domain.tables import UNOPENED, Phase, Table, work_due
from domain.tables.events import SeedRevealed, TableVoided
from service.application.attendance import due_at, has_person
from service.application.audit import PATIENCE_SECONDS, Difference, overdue
from service.application.chronicle import CannotReplay, chapter
from service.application.dispatch import Due, DueKind, DueTimes, due_time
from service.application.history import Loaded
from service.application.ports import Clock, EventStore, StreamId
from service.application.projections import unheard

DUE = "due"

_KINDS: tuple[DueKind, ...] = get_args(DueKind)


class DueRecord(msgspec.Struct, frozen=True, gc=False):
    """What is on record of a table; `None` for what is not.

    Attributes:
        at: when it is due, in ms since the epoch.
        version: of the table, after which it was so.
    """

    at: int | None = None
    version: int | None = None


class DueRecords(DueTimes, Protocol):
    """The due times as they are on record. Every call may raise `StoreUnavailable`."""

    def tables(self, kind: DueKind) -> Iterator[str]:
        """Yields every table of which anything is on record; some may come twice."""
        ...

    def find(self, kind: DueKind, table: str) -> DueRecord:
        """Returns what is on record of a table."""
        ...


class DueAudit:
    """Compares the due times with the tables. What is still on its way into them is no difference."""

    def __init__(
        self,
        *,
        store: EventStore,
        records: DueRecords,
        clock: Clock,
        abandon_after_ms: int,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self._store = store
        self._records = records
        self._clock = clock
        self._abandon_after_ms = abandon_after_ms
        self._patience_seconds = patience_seconds

    def differences(self, done: Callable[[StreamId], None] = unheard) -> Iterator[Difference]:
        """Yields every difference, and tells `done` of each table once it was looked at."""
        wrong = [(kind, stream) for stream in self._streams(done) for kind in self._wrong(stream)]
        for kind, stream in overdue(
            wrong, lambda each: each[0] in self._wrong(each[1]), self._patience_seconds
        ):
            live = self._records.find(kind, stream.id)
            wanted = self._wanted(kind, (self._loaded(stream) or Loaded()).table)
            yield Difference(DUE, f"{kind}, table:{stream.id}", _shown(live), wanted)

    def rebuild(self, done: Callable[[StreamId], None] = unheard) -> None:
        """Sets right what is on record of every table. Others may record meanwhile: what is later stays."""
        for stream in self._streams(done):
            for kind in self._wrong(stream):
                if (loaded := self._loaded(stream)) is not None:
                    due = Due(loaded.table.version, loaded.head, self._due_at(kind, loaded.table))
                    self._records.record(kind, {stream.id: due})

    def _streams(self, done: Callable[[StreamId], None]) -> Iterator[StreamId]:
        streams = dict.fromkeys(self._store.streams("table"))
        for kind in _KINDS:
            streams |= dict.fromkeys(StreamId("table", table) for table in self._records.tables(kind))
        for stream in streams:
            yield stream
            done(stream)

    def _wrong(self, stream: StreamId) -> list[DueKind]:
        """Returns the kinds of which something wrong is on record."""
        # The records first: the table that is read behind them must have what they tell of.
        records = {kind: self._records.find(kind, stream.id) for kind in _KINDS}
        loaded = self._loaded(stream)
        if loaded is None:
            return []
        return [
            kind
            for kind, record in records.items()
            if not (_is_of(loaded.table, record) and self._is_right(kind, record, loaded.table))
        ]

    def _is_right(self, kind: DueKind, record: DueRecord, table: Table) -> bool:
        now = self._clock.now_ms()
        if kind == "work":
            due = work_due(table)
            if due == "work":  # it was due at once when it was noted, whenever that was
                return record.at is not None and record.at <= now
            return record.at == due_time(due, now)
        if table.phase is not Phase.PLAYING:
            return record.at is None
        # It is noted at the start and not put off with each action. Without people it may stand there.
        return not has_person(table) or (record.at is not None and record.at <= now + self._abandon_after_ms)

    def _due_at(self, kind: DueKind, table: Table) -> int | None:
        return due_at(kind, table, now=self._clock.now_ms(), abandon_after_ms=self._abandon_after_ms)

    def _wanted(self, kind: DueKind, table: Table) -> str | None:
        if kind == "work":
            return work_due(table) or None
        at = self._due_at(kind, table)
        return None if at is None else f"clock:{at}"

    def _loaded(self, stream: StreamId) -> Loaded | None:
        """Returns the table as it is, or `None` if its log cannot be replayed; the audit of the logs names that.

        One that has ended is not replayed to find that out.
        """
        version = self._store.version(stream)
        last = self._store.read(stream, after=version - 1, count=1) if version else ()
        if last and last[0].type in {SeedRevealed.wire, TableVoided.wire}:
            return Loaded(replace(UNOPENED, version=version, phase=Phase.ENDED), last[0].hash, last[0].at)
        try:
            return chapter(Loaded(), self._store.read(stream)).known
        except CannotReplay:
            return None


def _is_of(table: Table, record: DueRecord) -> bool:
    """Tells whether a record is whole, and of a version that the table has."""
    if record.at is None or record.version is None:
        return record == DueRecord()
    return 0 < record.version <= table.version


def _shown(record: DueRecord) -> str | None:
    if record == DueRecord():
        return None
    at = "no time" if record.at is None else f"clock:{record.at}"
    return f"{at} of version {'unknown' if record.version is None else record.version}"
