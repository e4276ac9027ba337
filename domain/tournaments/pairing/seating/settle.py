"""The last swaps: those that change nothing by the criteria 1 to 3, for the sake of the later ones."""

from collections.abc import Iterator
from math import perm

from domain.tournaments.pairing.seating.floor import Floor
from domain.tournaments.pairing.seating.orders import FEW_SEATS, best_order
from domain.tournaments.pairing.seating.problem import Members, Problem

_ORDERS = 150_000  # orders of seats looked at
_LARGE = 3_000  # what looking for an order of a large table counts as


def settled(problem: Problem, tables: list[Members]) -> list[Members]:
    """Returns tables that cost no more by any criterion than the later ones can gain by swaps."""
    return _Settling(problem, tables).run()


class _Settling:
    def __init__(self, problem: Problem, tables: list[Members]) -> None:
        self._problem = problem
        self._floor = Floor(problem, tables)
        self._looked = 0
        self._costs: dict[Members, int] = {}
        least_places = [min(row) for row in problem.places]
        self._least = [
            place + min(sizes.values()) for place, sizes in zip(least_places, problem.tables, strict=True)
        ]

    def run(self) -> list[Members]:
        while any(self._has_improved(one) for one in self._could_do_better()):
            pass
        return self._floor.tables()

    def _could_do_better(self) -> Iterator[int]:
        """Yields the entrants at tables that cost more by the later criteria than each of them must."""
        for table in self._floor.tables():
            if self._cost(table) > sum(self._least[index] for index in table):
                yield from table

    def _has_improved(self, one: int) -> bool:
        """Makes the first swap of an entrant that costs less."""
        floor = self._floor
        for other in range(floor.count):
            if self._looked >= _ORDERS:
                return False
            if floor.are_together(one, other):
                continue
            delta = floor.delta(one, other)
            if delta < 0 or (delta == 0 and self._gain(one, other) > 0):
                floor.swap(one, other)
                return True
        return False

    def _gain(self, one: int, other: int) -> int:
        """Returns what the later criteria gain if two entrants change tables."""
        here, there = self._floor.table_of(one), self._floor.table_of(other)
        before = self._cost(self._entrants(here)) + self._cost(self._entrants(there))
        after = [
            self._entrants([added if index == removed else index for index in table])
            for table, removed, added in ((here, one, other), (there, other, one))
        ]
        return before - sum(map(self._cost, after))

    def _entrants(self, table: list[int]) -> Members:
        return tuple(sorted(index for index in table if index < self._floor.entrants))

    def _cost(self, members: Members) -> int:
        """Returns what a table costs by the criteria 4 to 7."""
        if members not in self._costs:
            seats = self._problem.seats[len(members)]
            self._looked += perm(seats, len(members)) if seats <= FEW_SEATS else _LARGE
            cost, _ = best_order(self._problem, members, is_exact=False)
            self._costs[members] = cost + self._problem.lower(members)
        return self._costs[members]
