"""Cards that everybody at a table remembers, although a view no longer shows them."""

from array import array
from collections.abc import Iterable, Sequence

from hoodwink.domain.cards import Card
from hoodwink.env.layout import INDEX, Row


class Memory:
    """By seat, how many cards of each face everybody has seen go to it, and not leave it since.

    An encoding decides which cards these are. They are counted as they come, because counting them for each observation
    would take much of its time.
    """

    __slots__ = ("_columns", "_rows")

    def __init__(self, rows: Sequence[Row]) -> None:
        """Takes the counts of each face, by seat."""
        self._columns = len(rows[0])
        self._rows = [row[:] for row in rows]

    @classmethod
    def empty(cls, seats: int, columns: int) -> "Memory":
        return cls([array("h", bytes(2 * columns))] * seats)

    def add(self, seat: int, cards: Iterable[Card]) -> None:
        row = self._rows[seat]
        for card in cards:
            row[INDEX[card]] += 1

    def remove(self, seat: int, cards: Iterable[Card]) -> None:
        """Removes cards; one that was not known to be there changes nothing."""
        row = self._rows[seat]
        for card in cards:
            if row[INDEX[card]]:
                row[INDEX[card]] -= 1

    def clear(self) -> None:
        self._rows = [array("h", bytes(2 * self._columns)) for _ in self._rows]

    def copy(self) -> "Memory":
        return Memory(self._rows)

    def write(self, row: Row, start: int, seats: Iterable[int]) -> None:
        """Writes the cards of these seats, one after the other."""
        columns = self._columns
        for seat in seats:
            row[start : start + columns] = self._rows[seat]
            start += columns
