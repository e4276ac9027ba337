"""Verifies every stored log: its hash chain, its shuffles, and each action by the rules."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final, Protocol

import msgspec

from hoodwink.domain.kernel import Event
from hoodwink.domain.series.events import TournamentCounted
from hoodwink.domain.tables.codec import UnknownEvent, encode_event
from hoodwink.domain.tables.entries import Entry, Recorded, decoded
from hoodwink.domain.tables.proving import verify
from hoodwink.domain.tables.proving.proof import Finding, Model, OnProgress, check_entries, ignore_progress
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life.events import TableReported, TableVoided
from hoodwink.service.application.audit.audited_log import AuditedLog, Claim, StoredStream
from hoodwink.service.application.ports import CannotReplay, DamagedArchive, EventStore, StreamId
from hoodwink.service.application.streams.aggregates import AGGREGATES, SERIES, TABLE, TOURNAMENT
from hoodwink.service.application.streams.event_reader import FOLLOWED, AppliedEvent, Batch, replay
from hoodwink.service.application.streams.history import Loaded, Position

_MODELS: Final[Mapping[str, Model[Any, Any]]] = MappingProxyType(
    {TABLE.category: verify.TABLE, TOURNAMENT.category: life.TOURNAMENT}
)
"""The verified kinds of logs, by category."""

_LOST: Final = "damaged_archive"


class BrokenLog(msgspec.Struct, frozen=True, gc=False):
    """A log that does not verify, and its first fault."""

    stream: StreamId
    finding: Finding


class Notes(Protocol):
    """A record of the verified logs of a partition, so that an interrupted audit can be continued.

    Attributes:
        is_complete: whether an earlier audit has found no difference in the whole partition, so that only logs that
            have changed since need to be audited.
    """

    @property
    def is_complete(self) -> bool: ...

    def is_verified(self, stream: StreamId, version: int, head: str) -> bool:
        """Returns whether the log was verified up to that event."""
        ...

    def note(self, stream: StreamId, version: int, head: str) -> None:
        """Records that the log was verified up to that event."""
        ...


class LogAudit:
    """Verifies the logs of tables and tournaments, whether they have ended or not, and the results in series."""

    def __init__(self, *, store: EventStore, notes: Notes, on_progress: OnProgress = ignore_progress) -> None:
        """Takes what the audit reads and writes.

        Args:
            store: holds the logs.
            notes: the record of verified logs, which are read but not verified again.
            on_progress: called while a log is verified, with the number of events since the last call.
        """
        self._store = store
        self._notes = notes
        self._on_progress = on_progress

    def look_at(self, stream: StreamId, stored: StoredStream | None) -> tuple[AuditedLog, BrokenLog | None]:
        """Returns the log of a stream, which may have been read already, with its first fault."""
        if stream.category == SERIES.category:
            # Twice, as below: the series or the tournament may have grown while it was read.
            finding = self._wrong_season(stream) and self._wrong_season(stream)
            log = AuditedLog(stream, stored=stored, is_lost=finding is not None and finding.code == _LOST)
            return log, None if finding is None else BrokenLog(stream, finding)
        if stream.category not in _MODELS:
            return AuditedLog(stream, stored=stored), None
        # Of a log whose beginning is archived, Redis has only the rest, which cannot be replayed alone.
        whole = stored.entries if stored and not stored.archived else None
        log, finding = self._look(stream, whole)
        if finding is not None:
            # A stream may grow, or a backup may be restored, while it is read page by page. So a fault counts only if
            # a second reading finds one, too.
            log, finding = self._look(stream)
        return log._replace(stored=stored), None if finding is None else BrokenLog(stream, finding)

    def _look(
        self, stream: StreamId, entries: Sequence[Entry] | None = None
    ) -> tuple[AuditedLog, Finding | None]:
        try:
            entries = entries or self._store.read(stream)
        except DamagedArchive as error:
            return AuditedLog(stream, is_lost=True), _lost(error)
        if not entries:  # a backup from before its beginning was restored
            return AuditedLog(stream), None
        if self._notes.is_verified(stream, len(entries), entries[-1].hash):
            log, finding = AuditedLog(stream, entries, _replayed(stream, entries)), None
        else:
            log, finding = self._verified(stream, entries)
        return _with_reports(log) if finding is None else log, finding

    def _verified(self, stream: StreamId, entries: Sequence[Entry]) -> tuple[AuditedLog, Finding | None]:
        model, events = _MODELS[stream.category], list[AppliedEvent]()
        state: Any = model.unopened

        def follow(after: Any, recorded: Recorded) -> None:
            nonlocal state
            state = after
            if recorded.event.wire in FOLLOWED:
                events.append(AppliedEvent(after, recorded))

        finding = check_entries(model, stream.id, entries, self._on_progress, follow)
        if finding is not None:
            return AuditedLog(stream, entries, _replayed(stream, entries)), finding
        # The states of the verification serve the other audits, which need not replay the log again.
        log = AuditedLog(
            stream, entries, Batch(Loaded(state, entries[-1].hash, entries[-1].at), tuple(events))
        )
        finding = self._wrong_void(stream, entries)
        if finding is None:
            self._notes.note(stream, len(entries), entries[-1].hash)
        return log, finding

    def _wrong_void(self, stream: StreamId, entries: Sequence[Entry]) -> Finding | None:
        """Returns the first void of a tournament that its table's own log contradicts.

        A void that the tournament does not have yet is not wrong. If it is lost, the audit of due work reports it.
        """
        for entry in entries if stream.category == TOURNAMENT.category else ():
            event = TOURNAMENT.decode(entry.type, entry.data) if entry.type == TableVoided.wire else None
            if isinstance(event, TableVoided):
                table = life.table_id(stream.id, round_=event.round, board=event.board, deal=event.deal)
                if not _is_confirmed(self._store, table, event):
                    return _contradicted(table, entry.version)
        return None

    def _wrong_season(self, stream: StreamId) -> Finding | None:
        """Returns the first result in a series that the tournament's own log contradicts (S-7)."""
        try:
            for recorded in decoded(self._store.read(stream), SERIES.decode):
                event = recorded.event
                if isinstance(event, TournamentCounted) and not self._is_counted(event):
                    detail = f"the log of tournament {event.tournament} contradicts it"
                    return Finding(
                        code="wrong_report", detail=detail, version=recorded.entry.version, line=None
                    )
        except UnknownEvent as error:
            return Finding(code="unknown_event", detail=str(error), version=None, line=None)
        except DamagedArchive as error:
            return _lost(error)
        return None

    def _is_counted(self, event: TournamentCounted) -> bool:
        tournament = StreamId(TOURNAMENT.category, event.tournament)
        try:
            entries = self._store.read(tournament, count=event.version)
            loaded = replay(TOURNAMENT, Loaded(TOURNAMENT.unopened), entries).after
        except DamagedArchive:  # the audit of the tournament's own log reports it
            return True
        except CannotReplay:
            return False
        is_there = loaded.position == Position(event.version, event.head)
        return is_there and life.placings_of(loaded.state) == event.placings


def wrong_claim(store: EventStore, claim: Claim) -> BrokenLog | None:
    """Returns the fault of a tournament's log if a result in it is not that of the table's own log."""
    events = store.read(claim.tournament, after=claim.version - 1, count=1)
    for recorded in decoded(events, TOURNAMENT.decode):
        if not _is_confirmed(store, claim.table, recorded.event):
            return BrokenLog(claim.tournament, _contradicted(claim.table, claim.version))
    return None


def _is_confirmed(store: EventStore, table_id: str, event: Event) -> bool:
    # A result is compared with the table at the time of the report, before any void.
    count = event.version if isinstance(event, TableReported) else None
    try:
        entries = store.read(StreamId(TABLE.category, table_id), count=count)
        loaded = replay(TABLE, Loaded(TABLE.unopened), entries).after
    except DamagedArchive:  # the audit of the table's own log reports it
        return True
    except CannotReplay:
        return False
    return _agrees(loaded, entries, event)


def _with_reports(log: AuditedLog) -> AuditedLog:
    """Returns the log with what is compared between tournaments and their tables."""
    if log.stream.category == TOURNAMENT.category:
        claims = [_claim_of(log.stream, entry) for entry in log.entries if entry.type == TableReported.wire]
        return log._replace(claims=tuple(claims))
    if log.batch is None:
        return log
    table = log.batch.after
    if table.state.tournament is None or table.state.result is None:
        return log
    report = life.reported(life.report_of(table.state, table.head, log.entries))
    return log._replace(end=_digest(encode_event(report)))


def _claim_of(tournament: StreamId, entry: Entry) -> Claim:
    event = TOURNAMENT.decode(entry.type, entry.data)
    assert isinstance(event, TableReported), "the type is in the entry"
    return Claim(tournament, entry.version, event.table, _digest(entry.data))


def _digest(event: bytes | memoryview) -> bytes:
    return blake2b(event, digest_size=16).digest()


def _lost(error: DamagedArchive) -> Finding:
    return Finding(code=_LOST, detail=str(error), version=None, line=None)


def _contradicted(table: str, version: int) -> Finding:
    detail = f"the log of table {table} contradicts it"
    return Finding(code="wrong_report", detail=detail, version=version, line=None)


def _agrees(table: Loaded[Table], entries: Sequence[Entry], event: Event) -> bool:
    """Returns whether the table's own log agrees with the event of its tournament."""
    if isinstance(event, TableReported):
        is_there = table.position == Position(event.version, event.head)
        return is_there and life.reported(life.report_of(table.state, table.head, entries)) == event
    voided = table.state.voided
    return isinstance(event, TableVoided) and voided is not None and voided.reason == event.reason


def _replayed(stream: StreamId, entries: Sequence[Entry]) -> Batch | None:
    aggregate = AGGREGATES[stream.category]
    try:
        return replay(aggregate, Loaded(aggregate.unopened), entries)
    except CannotReplay:
        return None
