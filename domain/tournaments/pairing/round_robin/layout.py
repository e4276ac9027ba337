"""The positions of a schedule: all seats of all tables of all rounds, numbered from 0."""

from collections.abc import Sequence
from functools import cache

OPPOSITE, NEXT, PREVIOUS = 0, 1, 2
"""The relation of one seat to another: directly opposite (also at a table of two), next on the left, next on the right."""


@cache
def relations(size: int) -> tuple[int, ...]:
    """Returns the relations of the seats 0, 1, 2, … places to the left of a seat to it.

    >>> relations(5), relations(4), relations(2)
    ((0, 1, 3, 4, 2), (0, 1, 0, 2), (0, 0))
    """
    return tuple(
        OPPOSITE if steps * 2 % size == 0 else 2 * steps - 1 if steps * 2 < size else 2 * (size - steps)
        for steps in range(size)
    )


@cache
def thirds(size: int, one: int, other: int) -> tuple[tuple[int, int, int], ...]:
    """Returns each third seat at a table with its relations to two seats, if these differ.

    >>> thirds(4, 0, 1)
    ((2, 0, 1), (3, 2, 0))
    """
    kinds = relations(size)
    found = [(seat, kinds[(seat - one) % size], kinds[(seat - other) % size]) for seat in range(size)]
    return tuple([each for each in found if each[0] not in {one, other} and each[1] != each[2]])


class Layout:
    """Positions by round, table and seat.

    Attributes:
        count, per_round: the number of positions; those of round r begin at r times `per_round`.
        kinds: the number of possible relations between two seats of a table.
        table, seat, size: the table, the seat and the size of the table of each position.
        tables: the positions of each table, numbered across all rounds.
        others: for each position, the other positions at its table with their relations to it.
    """

    def __init__(self, sizes: Sequence[int], rounds: int) -> None:
        """Initializes the layout; `sizes` are those of a round's tables, the same in every round."""
        self.per_round = sum(sizes)
        self.rounds = rounds
        self.count = self.per_round * rounds
        self.kinds = max(sizes) + 1
        self.tables = self._tables(sizes)
        members = [(number, seat) for number, table in enumerate(self.tables) for seat in range(len(table))]
        self.table = [number for number, _ in members]
        self.seat = [seat for _, seat in members]
        self.size = [len(self.tables[number]) for number, _ in members]
        self.others = [self._others(position) for position in range(self.count)]

    def _tables(self, sizes: Sequence[int]) -> list[range]:
        tables, first = [], 0
        for size in [*sizes] * self.rounds:
            tables.append(range(first, first + size))
            first += size
        return tables

    def _others(self, position: int) -> list[tuple[int, int]]:
        table = self.tables[self.table[position]]
        kinds = relations(len(table))
        return [(other, kinds[(other - position) % len(table)]) for other in table if other != position]

    def relation(self, one: int, other: int) -> int:
        """Returns the relation of the second of two positions at a table to the first."""
        size = self.size[one]
        return relations(size)[(other - one) % size]
