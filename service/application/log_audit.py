"""Verifies every log that is stored: its chain, its decks, and each action by the rules."""

from collections.abc import Callable, Iterator
from typing import Protocol

import msgspec

from domain.tables import Finding, check_entries
from service.application.ports import EventStore, StreamId
from service.application.projections import unheard
from service.application.tables import Tables


class BrokenLog(msgspec.Struct, frozen=True, gc=False):
    """A table whose log does not hold, and what is wrong with it first."""

    table: str
    finding: Finding


class Notes(Protocol):
    """Which logs were verified, for an audit that goes on where another one was broken off."""

    def verified(self, table: str) -> tuple[int, str] | None:
        """Returns version and hash of the last event that was verified, or `None`."""
        ...

    def note(self, table: str, version: int, head: str) -> None:
        """Notes that the log was verified up to there."""
        ...


class LogAudit:
    """Verifies the logs of all tables, whether they have ended or not."""

    def __init__(self, *, store: EventStore, tables: Tables, notes: Notes) -> None:
        self._store = store
        self._tables = tables
        self._notes = notes

    def broken(self, done: Callable[[StreamId], None] = unheard) -> Iterator[BrokenLog]:
        """Yields every log that does not hold, and tells `done` of each stream once it was looked at.

        A log that was verified before is left out, unless it has gone on or came back otherwise.
        """
        for stream in self._store.streams("table"):
            if not self._is_verified(stream):
                # A table may be played, or the store put back, while its log is read: look twice.
                finding = self._finding(stream.id) and self._finding(stream.id)
                if finding is not None:
                    yield BrokenLog(stream.id, finding)
            done(stream)

    def _is_verified(self, stream: StreamId) -> bool:
        noted = self._notes.verified(stream.id)
        if noted is None:
            return False
        version, head = noted
        last = self._store.read(stream, after=version - 1, count=2)
        return len(last) == 1 and last[0].hash == head

    def _finding(self, table: str) -> Finding | None:
        entries = self._tables.entries(table)
        if not entries:  # the store was put back to a time before the table
            return None
        finding = check_entries(table, entries)
        if finding is None:
            self._notes.note(table, len(entries), entries[-1].hash)
        return finding
