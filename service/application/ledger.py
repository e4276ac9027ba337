"""The books beyond a page at a time: the whole journal, and what an account held at any moment."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from domain.games import GAMES
from domain.projections.ledger import LEDGER, JournalEntry
from service.application.errors import NotFound
from service.application.ports import EventStore, StreamId
from service.application.projections import Cursor, ProjectionReader
from service.application.queries import Balance

_PAGE = 500


class Ledger:
    """Reads the journal. It runs a little behind the tables."""

    def __init__(self, *, reader: ProjectionReader, store: EventStore) -> None:
        self._reader = reader
        self._store = store

    def journal(self) -> Iterator[JournalEntry]:
        """Yields every entry, the latest first."""
        return self._entries("journal", None)

    def balances(self, account: str, *, as_of: str | None = None) -> tuple[Balance, ...]:
        """Returns what an account gained in every game, up to an event or up to now.

        Args:
            account: as in postings, such as `player:<id>`.
            as_of: names the event as `<table>:<version>`; of what happened at other tables in the same
                millisecond, those whose names come first count as earlier.

        Raises:
            NotFound: there is no such event.
        """
        gained: Counter[str] = Counter()
        for entry in self._entries_until(f"account:{account}", as_of):
            gained[entry.game] += sum(one.amount for one in entry.postings if one.account == account)
        return tuple(Balance(game.name, game.unit, gained[game.name]) for game in GAMES.values())

    def _entries_until(self, index: str, as_of: str | None) -> Iterator[JournalEntry]:
        if as_of is None:
            return self._entries(index, None)
        table, _, version = as_of.rpartition(":")
        until = (self._time_of(table, version), table, int(version))
        entries = self._entries(index, Cursor(until[0] + 1, ""))
        return (entry for entry in entries if _moment(entry) <= until)

    def _entries(self, index: str, before: Cursor | None) -> Iterator[JournalEntry]:
        more = True
        while more:
            page = self._reader.page(LEDGER.name, index, before=before, count=_PAGE)
            yield from (msgspec.json.decode(row, type=JournalEntry) for row in page.rows)
            before, more = page.more, page.more is not None

    def _time_of(self, table: str, version: str) -> int:
        if version.isdecimal() and int(version):
            for record in self._store.read(StreamId("table", table), after=int(version) - 1, count=1):
                return record.at
        raise NotFound("event_not_found", "There is no such event.")


def _moment(entry: JournalEntry) -> tuple[int, str, int]:
    """Returns what tells which of two entries is the earlier one."""
    return entry.at, entry.table, int(entry.id.rpartition(":")[2])
