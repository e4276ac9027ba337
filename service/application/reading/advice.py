"""Hints and reviews, computed in jobs (G-21)."""

import msgspec

from hoodwink.domain.advice import Done, Hint, Review, hint, review
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.proving.log import people_in_log
from hoodwink.domain.tables.state import people_at
from hoodwink.service.application.errors import VersionConflict
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.ports import Clock
from hoodwink.service.application.streams.seat_knowledge import SeatKnowledge
from hoodwink.service.application.streams.tables import Tables


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a seat at a version of a table; a review is of the moves after an earlier version."""

    table: str
    version: int
    seat: int
    after: int = 0


class Adviser:
    """Answers questions, which can take a minute. The caller checks who may ask."""

    def __init__(self, *, tables: Tables, players: Players, clock: Clock) -> None:
        self._tables = tables
        self._players = players
        self._clock = clock

    def hint(self, asked: Question) -> Hint:
        """Raises `VersionConflict` if the table has moved on, and `NotFound` and `RuleViolation`."""
        table = self._tables.load(asked.table).state
        known = SeatKnowledge(self._tables).at(table, asked.seat)
        # The job may have waited, and a hint for another position would mislead.
        if known is None or table.version != asked.version:
            raise VersionConflict("table", table)
        names = self._players.names(people_at(table))
        return hint(table, known, asked.seat, now=self._clock.now_ms(), names=names)

    def review(self, asked: Question, done: Done) -> Review:
        """Raises `NotFound` and `RuleViolation`."""
        entries = self._tables.entries(asked.table)
        return review(
            decoded(entries, decode_event),
            asked.seat,
            self._players.names(people_in_log(entries)),
            done,
            after=asked.after,
        )
