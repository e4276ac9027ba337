"""The knowledge that seats have at their tables, for bots that think ahead."""

from typing import NamedTuple

from hoodwink.domain.tables.knowing import Followed, Known, follow
from hoodwink.domain.tables.state import Table
from hoodwink.service.application.errors import HistoryChanged
from hoodwink.service.application.streams.cache import Cache
from hoodwink.service.application.streams.history import BEGINNING, Position, position_of
from hoodwink.service.application.streams.tables import Tables


class _Reached(NamedTuple):
    """How far the events of a table were followed for a seat."""

    position: Position
    followed: Followed


_START = _Reached(BEGINNING, Followed())


class SeatKnowledge:
    """Follows tables as their seats see them (G-19). Safe to share between threads."""

    def __init__(self, tables: Tables, *, cached: int = 1_000) -> None:
        """Remembers what up to `cached` seats know."""
        self._tables = tables
        self._cache: Cache[tuple[str, int], _Reached] = Cache(cached)

    def at(self, table: Table, seat: int) -> Known | None:
        """Returns what the seat knows at the table's version, or `None` if the store has come back without it."""
        reached = self._cache.get((table.id, seat)) or _START
        # It cannot be followed backwards. Another thread was faster, or the store came back older.
        if reached.position.version > table.version:
            reached = _START
        try:
            reached = self._follow(reached, table, seat)
        except HistoryChanged:
            reached = self._follow(_START, table, seat)
        self._cache.put((table.id, seat), reached)
        return reached.followed.known if reached.position.version == table.version else None

    def _follow(self, reached: _Reached, table: Table, seat: int) -> _Reached:
        position = reached.position
        # Of the table only id and version: its state has all cards, and the seat knows only its own events.
        events = self._tables.following(table.id, position, count=table.version - position.version)
        if not events:
            return reached
        return _Reached(position_of(events[-1].entry), follow(reached.followed, events, seat))
