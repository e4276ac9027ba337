"""The last swaps, which improve the later criteria without changing criteria 1 to 3."""

from collections.abc import Iterator
from math import perm

from hoodwink.domain.tournaments.pairing.search import Plateau, Swap, improve
from hoodwink.domain.tournaments.pairing.seating.orders import MAX_EXHAUSTIVE_SEATS, best_order
from hoodwink.domain.tournaments.pairing.seating.plan import SeatingPlan
from hoodwink.domain.tournaments.pairing.seating.problem import Members, Problem

_SWAPS = 100_000  # the number of swaps evaluated
_ORDERS = 200_000  # the number of seat orders evaluated for them
_LARGE = 3_000  # the number of seat orders that the search at a large table counts as
_MEMORY = 20


def settled(problem: Problem, tables: list[Members], *, seed: int, least: int) -> list[Members]:
    """Returns tables that are better by the later criteria and no worse by forbidden pairs and criteria 1 to 3.

    `least` is a lower bound for the cost by forbidden pairs and criteria 1 to 3.
    """
    settling = _Settling(problem, tables)
    target = least + sum(map(min, problem.places)) + sum(min(sizes.values()) for sizes in problem.tables)
    improve(
        settling,
        steps=_SWAPS,
        memory=_MEMORY,
        seed=seed,
        target=target,
        plateau=Plateau(settling.plan),
    )
    return settling.best


class _Settling:
    """An arrangement with all its costs."""

    def __init__(self, problem: Problem, tables: list[Members]) -> None:
        self._problem = problem
        self.plan = SeatingPlan(problem, tables)
        self._looked = 0
        self._costs: dict[Members, int] = {}
        self.cost = self.plan.cost + sum(map(self._cost, tables))
        self.remember()

    def remember(self) -> None:
        self.best = self.plan.tables()

    def proposals(self, seed: int) -> Iterator[Swap]:
        return self.plan.proposals(seed)

    def delta(self, one: int, other: int) -> int:
        """Returns the cost of a swap. One that changes the first criteria is never made, so it is not evaluated further."""
        delta = self.plan.delta(one, other)
        if delta:
            return delta
        if self._looked >= _ORDERS:
            return 1
        here, there = self.plan.table_of(one), self.plan.table_of(other)
        before = self._cost(self._entrants(here)) + self._cost(self._entrants(there))
        after = [
            self._entrants([added if index == removed else index for index in table])
            for table, removed, added in ((here, one, other), (there, other, one))
        ]
        return sum(map(self._cost, after)) - before

    def swap(self, one: int, other: int) -> None:
        self.cost += self.delta(one, other)
        self.plan.swap(one, other)

    def _entrants(self, table: list[int]) -> Members:
        return tuple(sorted(index for index in table if index < self.plan.entrants))

    def _cost(self, members: Members) -> int:
        """Returns the cost of a table by criteria 4 to 7."""
        if members not in self._costs:
            seats = self._problem.seats[len(members)]
            self._looked += perm(seats, len(members)) if seats <= MAX_EXHAUSTIVE_SEATS else _LARGE
            cost, _ = best_order(self._problem, members, is_exact=False)
            self._costs[members] = cost + self._problem.lower(members)
        return self._costs[members]
