"""Verifies every stored log: its hash chain, its shuffles, and each action by the rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Protocol

import msgspec

from hoodwink.domain.kernel import Event
from hoodwink.domain.tables.entries import Entry, decoded
from hoodwink.domain.tables.proving import verify
from hoodwink.domain.tables.proving.proof import Checked, Finding, Model, check_entries, uncounted
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life.events import TableReported, TableVoided
from hoodwink.service.application.ports import CannotReplay, DamagedArchive, EventStore, StreamId
from hoodwink.service.application.projecting.projecting import no_op
from hoodwink.service.application.streams.aggregates import TABLE, TOURNAMENT
from hoodwink.service.application.streams.event_reader import replay
from hoodwink.service.application.streams.history import Loaded, Position

_MODELS: Final[Mapping[str, Model[Any, Any]]] = MappingProxyType(
    {TABLE.category: verify.TABLE, TOURNAMENT.category: life.TOURNAMENT}
)
"""The verified kinds of logs, by category."""


class BrokenLog(msgspec.Struct, frozen=True, gc=False):
    """A log that does not verify, and its first fault."""

    stream: StreamId
    finding: Finding


class Notes(Protocol):
    """A record of the verified logs, so that an interrupted audit can be continued."""

    def verified(self, name: str) -> tuple[int, str] | None:
        """Returns the version and hash of the last verified event, or `None`."""
        ...

    def note(self, name: str, version: int, head: str) -> None:
        """Records that the log was verified up to that event."""
        ...


class LogAudit:
    """Verifies the logs of all tables and tournaments, whether they have ended or not."""

    def __init__(
        self,
        *,
        store: EventStore,
        streams: Callable[[str], Iterable[StreamId]],
        notes: Notes,
        checked: Checked = uncounted,
    ) -> None:
        """Takes what the audit reads and writes.

        Args:
            store: holds the logs.
            streams: returns the streams of a category to verify.
            notes: the record of verified logs.
            checked: called while a log is verified, with the number of events since the last call.
        """
        self._store = store
        self._streams = streams
        self._notes = notes
        self._checked = checked

    def broken(self, done: Callable[[StreamId], None] = no_op) -> Iterator[BrokenLog]:
        """Yields every log that does not verify, and calls `done` with each stream once it is audited.

        A log that an earlier audit has verified is skipped, unless it has grown or changed since.
        """
        for category in _MODELS:
            for stream in self._streams(category):
                if not self._is_verified(stream):
                    # A stream may grow, or a backup may be restored, while it is read page by page. So a fault
                    # counts only if a second reading finds one, too.
                    finding = self._first_fault(stream) and self._first_fault(stream)
                    if finding is not None:
                        yield BrokenLog(stream, finding)
                done(stream)

    def _first_fault(self, stream: StreamId) -> Finding | None:
        try:
            return self._finding(stream)
        except DamagedArchive as error:
            return Finding(code="damaged_archive", detail=str(error), version=None, line=None)

    def _is_verified(self, stream: StreamId) -> bool:
        noted = self._notes.verified(_name(stream))
        if noted is None:
            return False
        version, head = noted
        # Two events from there on: one shows that the noted event is the same, a second one that the log has grown.
        try:
            last = self._store.read(stream, after=version - 1, count=2)
        except DamagedArchive:
            return False
        return len(last) == 1 and last[0].hash == head

    def _finding(self, stream: StreamId) -> Finding | None:
        entries = self._store.read(stream)
        if not entries:  # a backup from before its beginning was restored
            return None
        model = _MODELS[stream.category]
        finding = check_entries(model, stream.id, entries, self._checked) or self._wrong_report(stream)
        if finding is None:
            self._notes.note(_name(stream), len(entries), entries[-1].hash)
        return finding

    def _wrong_report(self, stream: StreamId) -> Finding | None:
        """Returns the first result or void of a tournament that its table's own log contradicts.

        A void that the tournament does not have yet is not wrong. If it is lost, the audit of due work reports it.
        """
        if stream.category != TOURNAMENT.category:
            return None
        for recorded in decoded(self._store.read(stream), TOURNAMENT.decode):
            table = _table_of(stream.id, recorded.event)
            if table and not self._is_confirmed(table, recorded.event):
                detail = f"the log of table {table} contradicts it"
                return Finding(code="wrong_report", detail=detail, version=recorded.entry.version, line=None)
        return None

    def _is_confirmed(self, table_id: str, event: Event) -> bool:
        # A result is compared with the table at the time of the report, before any void.
        count = event.version if isinstance(event, TableReported) else None
        try:
            entries = self._store.read(StreamId(TABLE.category, table_id), count=count)
            loaded = replay(TABLE, Loaded(TABLE.unopened), entries).after
        except DamagedArchive:  # the audit of the table's own log reports it
            return True
        except CannotReplay:
            return False
        return _agrees(loaded, entries, event)


def _table_of(tournament: str, event: Event) -> str:
    """Returns the table whose result or void a tournament's event reports, or an empty text."""
    if isinstance(event, TableReported):
        return event.table
    if isinstance(event, TableVoided):
        return life.table_id(tournament, round_=event.round, board=event.board, deal=event.deal)
    return ""


def _agrees(table: Loaded[Table], entries: Sequence[Entry], event: Event) -> bool:
    """Returns whether the table's own log agrees with the event of its tournament."""
    if isinstance(event, TableReported):
        is_there = table.position == Position(event.version, event.head)
        return is_there and life.reported(life.report_of(table.state, table.head, entries)) == event
    voided = table.state.voided
    return isinstance(event, TableVoided) and voided is not None and voided.reason == event.reason


def _name(stream: StreamId) -> str:
    """Returns the name of a log in the notes. A table and a tournament may share an id, so one of them needs a prefix."""
    return stream.id if stream.category == TABLE.category else f"{stream.category}:{stream.id}"
