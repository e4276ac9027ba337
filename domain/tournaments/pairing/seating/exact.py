"""The best tables for few entrants, by an exact search."""

from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

from hoodwink.domain.tournaments.pairing.seating.orders import best_order, least_cost
from hoodwink.domain.tournaments.pairing.seating.problem import Members, Problem

_Rest: TypeAlias = tuple[int, int]
"""The entrants without a table, as bits, and the number of larger tables that are left."""


def best_tables(problem: Problem) -> list[Members]:
    """Returns the tables with minimum cost, by branch and bound over the table of the first entrant without one."""
    return _Search(problem).best()


class _Search:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._large, self._small = problem.sizes[0], problem.sizes[-1]
        self._bounds: dict[int, int] = {}
        self._costs: dict[int, int] = {}
        self._at_least: dict[_Rest, int] = {}
        self._least = -1
        self._best: list[Members] = []

    def best(self) -> list[Members]:
        everybody = (1 << sum(self._problem.sizes)) - 1
        self._seat((everybody, self._problem.sizes.count(self._large)), 0, [])
        return self._best

    def _seat(self, rest: _Rest, cost: int, tables: list[Members]) -> None:
        """Completes some tables in every way that may cost less than the best so far."""
        if not rest[0]:
            self._least, self._best = cost, list(tables)
            return
        choices = sorted(
            (self._bound(table) + self._rest_costs(after), table, after)
            for table, after in self._tables(rest)
        )
        for at_least, table, after in choices:
            if self._is_beaten(cost + at_least):
                return
            total = cost + self._cost(table)
            if not self._is_beaten(total + self._rest_costs(after)):
                self._seat(after, total, [*tables, _members(table)])

    def _is_beaten(self, cost: int) -> bool:
        return 0 <= self._least <= cost

    def _tables(self, rest: _Rest) -> Iterator[tuple[int, _Rest]]:
        """Yields every possible table for the first entrant without one, as bits, with the rest after it."""
        free, larger = rest
        first, *others = _members(free)
        tables = free.bit_count()
        sizes = {self._large} if larger else {self._small}
        if larger * self._large < tables:
            sizes.add(self._small)
        for size in sorted(sizes, reverse=True):
            for companions in combinations(others, size - 1):
                table = 1 << first | sum(1 << index for index in companions)
                yield table, (free ^ table, larger - (size == self._large))

    def _rest_costs(self, rest: _Rest) -> int:
        """Returns a lower bound of the cost of the entrants without a table."""
        if not rest[0]:
            return 0
        if rest not in self._at_least:
            self._at_least[rest] = min(
                self._bound(table) + self._rest_costs(after) for table, after in self._tables(rest)
            )
        return self._at_least[rest]

    def _bound(self, table: int) -> int:
        if table not in self._bounds:
            members = _members(table)
            self._bounds[table] = (
                self._problem.upper(members)
                + self._problem.lower(members)
                + least_cost(self._problem, members)
            )
        return self._bounds[table]

    def _cost(self, table: int) -> int:
        if table not in self._costs:
            members = _members(table)
            cost, _ = best_order(self._problem, members, is_exact=True)
            self._costs[table] = self._problem.upper(members) + self._problem.lower(members) + cost
        return self._costs[table]


def _members(table: int) -> Members:
    return tuple(index for index in range(table.bit_length()) if table >> index & 1)
