"""Verifies every log that is stored: its chain, its lots and decks, and each action by the rules."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias

import msgspec

from domain import tables
from domain.kernel import Event
from domain.tables import Entry, Finding, Table, decoded
from domain.tournaments import life
from domain.tournaments.life.events import TableReported, TableVoided
from service.application.aggregates import TABLE, TOURNAMENT
from service.application.chronicle import CannotReplay, chapter
from service.application.history import Loaded, Place
from service.application.ports import EventStore, StreamId
from service.application.projecting import unheard

Check: TypeAlias = Callable[[str, Sequence[Entry]], Finding | None]

_CHECKS: Final[Mapping[str, Check]] = MappingProxyType(
    {TABLE.category: tables.check_entries, TOURNAMENT.category: life.check_entries}
)
"""What holds a log of a category against its rules."""


class BrokenLog(msgspec.Struct, frozen=True, gc=False):
    """A log that does not hold, and what is wrong with it first."""

    stream: StreamId
    finding: Finding


class Notes(Protocol):
    """Which logs were verified, for an audit that goes on where another one was broken off."""

    def verified(self, name: str) -> tuple[int, str] | None:
        """Returns version and hash of the last event that was verified, or `None`."""
        ...

    def note(self, name: str, version: int, head: str) -> None:
        """Notes that the log was verified up to there."""
        ...


class LogAudit:
    """Verifies the logs of all tables and tournaments, whether they have ended or not."""

    def __init__(self, *, store: EventStore, notes: Notes) -> None:
        self._store = store
        self._notes = notes

    def broken(self, done: Callable[[StreamId], None] = unheard) -> Iterator[BrokenLog]:
        """Yields every log that does not hold, and tells `done` of each stream once it was looked at.

        A log that was verified before is left out, unless it has gone on or came back otherwise.
        """
        for category, check in _CHECKS.items():
            for stream in self._store.streams(category):
                if not self._is_verified(stream):
                    # A stream may grow, or the store be put back, while it is read: look twice.
                    finding = self._finding(stream, check) and self._finding(stream, check)
                    if finding is not None:
                        yield BrokenLog(stream, finding)
                done(stream)

    def _is_verified(self, stream: StreamId) -> bool:
        noted = self._notes.verified(_name(stream))
        if noted is None:
            return False
        version, head = noted
        last = self._store.read(stream, after=version - 1, count=2)
        return len(last) == 1 and last[0].hash == head

    def _finding(self, stream: StreamId, check: Check) -> Finding | None:
        entries = self._store.read(stream)
        if not entries:  # the store was put back to a time before it began
            return None
        finding = check(stream.id, entries) or self._wrong_report(stream)
        if finding is None:
            self._notes.note(_name(stream), len(entries), entries[-1].hash)
        return finding

    def _wrong_report(self, stream: StreamId) -> Finding | None:
        """Returns the first result or void of a tournament that its table's own log does not bear out.

        A void that the tournament lacks may be on its way to it, and is due as long as it is.
        """
        if stream.category != TOURNAMENT.category:
            return None
        for one in decoded(self._store.read(stream), TOURNAMENT.decode):
            table = _table_of(stream.id, one.event)
            if table and not self._is_borne_out(table, one.event):
                detail = f"the log of table {table} says otherwise"
                return Finding(code="wrong_report", detail=detail, version=one.entry.version, line=None)
        return None

    def _is_borne_out(self, table_id: str, said: Event) -> bool:
        count = said.version if isinstance(said, TableReported) else None
        entries = self._store.read(StreamId(TABLE.category, table_id), count=count)
        try:
            loaded = chapter(TABLE, Loaded(TABLE.unopened), entries).known
        except CannotReplay:
            return False
        return _says(loaded, said)


def _table_of(tournament: str, said: Event) -> str:
    """Returns the table whose result or void a tournament's event states, or an empty text."""
    if isinstance(said, TableReported):
        return said.table
    if isinstance(said, TableVoided):
        return life.table_id(tournament, round_=said.round, board=said.board, deal=said.deal)
    return ""


def _says(table: Loaded[Table], said: Event) -> bool:
    """Tells whether a table says of itself what its tournament says."""
    if isinstance(said, TableReported):
        is_there = table.place == Place(said.version, said.head)
        return is_there and life.reported(life.report_of(table.state, table.head)) == said
    voided = table.state.voided
    return isinstance(said, TableVoided) and voided is not None and voided.reason == said.reason


def _name(stream: StreamId) -> str:
    """Returns what notes know a log by; ids of tables and tournaments are drawn apart, but nothing forbids two alike."""
    return stream.id if stream.category == TABLE.category else f"{stream.category}:{stream.id}"
