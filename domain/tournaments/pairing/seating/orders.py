"""The order of the entrants at a table, which determines neighbours and repeated seats (criteria 4 and 6)."""

from functools import cache
from itertools import permutations
from typing import TypeAlias

from hoodwink.domain.tournaments.pairing.seating.problem import MIN_NEIGHBOURS, Members, Problem

Order: TypeAlias = tuple[int | None, ...]
"""The entrants of a table in seat order; `None` for a seat of a bot."""

MAX_EXHAUSTIVE_SEATS = 5  # up to this size, all orders are tried
_BEAM = 60  # the number of partial orders of a larger table that are kept per seat
_BOT = -1

_Placement: TypeAlias = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
_Partial: TypeAlias = tuple[int, tuple[int, ...]]
"""The cost of the first seats, and their occupants as indices into the members; `_BOT` for a bot."""


def best_order(problem: Problem, members: Members, *, is_exact: bool) -> tuple[int, Order]:
    """Returns the minimum cost of seating a table's entrants, and an order with this cost.

    At tables of more than five seats, the order is guaranteed to be optimal only with `is_exact`.
    """
    seats = problem.seats[len(members)]
    if seats <= MAX_EXHAUSTIVE_SEATS:
        return _best_of_all(problem, members, seats)
    return _SeatBySeat(problem, members, seats).best(is_exact=is_exact)


def least_cost(problem: Problem, members: Members) -> int:
    """Returns a lower bound for the cost of all orders: the cost of the seats, ignoring neighbours."""
    seats = problem.seats[len(members)]
    return _SeatBySeat(problem, members, seats).bounds[0][0]


@cache
def _placements(seats: int, entrants: int) -> tuple[_Placement, ...]:
    """Returns all ways of seating entrants, each with the pairs whose second sits in the seat after the first."""
    return tuple((placed, tuple(_nexts(placed, seats))) for placed in permutations(range(seats), entrants))


def _nexts(placed: tuple[int, ...], seats: int) -> list[tuple[int, int]]:
    if seats < MIN_NEIGHBOURS:
        return []
    sitting = {seat: position for position, seat in enumerate(placed)}
    after = [(position, sitting.get((seat + 1) % seats)) for position, seat in enumerate(placed)]
    return [(position, other) for position, other in after if other is not None]


def _best_of_all(problem: Problem, members: Members, seats: int) -> tuple[int, Order]:
    rows = [problem.places[index][:seats] for index in members]
    nexts = [[problem.nexts[index][following] for following in members] for index in members]
    have_sat_together = any(map(any, nexts))
    least = sum(map(min, rows))
    best, order = -1, tuple(range(seats))
    for placed, pairs in _placements(seats, len(members)):
        cost = 0
        for row, seat in zip(rows, placed):  # noqa: B905 - equal lengths, and the check would slow down the inner loop
            cost += row[seat]
        if have_sat_together:
            for index, following in pairs:
                cost += nexts[index][following]
        if cost < best or best < 0:
            best, order = cost, placed
            if best == least:
                break
    return best, _seated(members, order, seats)


def _seated(members: Members, placed: tuple[int, ...], seats: int) -> Order:
    sitting = dict(zip(placed, members, strict=True))
    return tuple(sitting.get(seat) for seat in range(seats))


class _SeatBySeat:
    """Seats a large table by dynamic programming over the set of seated entrants, the first one and the last one."""

    def __init__(self, problem: Problem, members: Members, seats: int) -> None:
        self._members = members
        self._seats = seats
        self._places = [problem.places[index] for index in members]
        self._nexts = [[problem.nexts[index][following] for following in members] for index in members]
        self._everybody = (1 << len(members)) - 1
        self.bounds = self._bounds()

    def _bounds(self) -> list[dict[int, int]]:
        """Returns a lower bound for the remaining entrants, by seat and the set of entrants in earlier seats as bits."""
        after: dict[int, int] = {self._everybody: 0}
        layers = [after]
        for seat in range(self._seats - 1, -1, -1):
            layer: dict[int, int] = dict(after) if self._has_bots() else {}
            for sitting, cost in after.items():
                for member, costs in enumerate(self._places):
                    if sitting >> member & 1:
                        before = sitting ^ 1 << member
                        total = cost + costs[seat]
                        if layer.get(before, total) >= total:
                            layer[before] = total
            layers.append(layer)
            after = layer
        return layers[::-1]

    def _has_bots(self) -> bool:
        return self._seats > len(self._members)

    def best(self, *, is_exact: bool) -> tuple[int, Order]:
        found = self._sweep(_BEAM, ceiling=None)
        if is_exact and found[0] > self.bounds[0][0]:
            found = min(found, self._sweep(None, ceiling=found[0]), key=lambda partial: partial[0])
        cost, order = found
        return cost, tuple(None if member == _BOT else self._members[member] for member in order)

    def _sweep(self, width: int | None, *, ceiling: int | None) -> _Partial:
        """Returns the best order found. With a width it may miss the optimum; with a ceiling it finds only cheaper ones."""
        layer: dict[tuple[int, int, int], _Partial] = {(0, _BOT, _BOT): (0, ())}
        for seat in range(self._seats):
            layer = self._next_layer(layer, seat, ceiling)
            if width is not None and len(layer) > width:
                bounds = self.bounds[seat + 1]
                kept = sorted(layer.items(), key=lambda item: item[1][0] + bounds[item[0][0]])[:width]
                layer = dict(kept)
        whole = [(cost + self._next(last, first), order) for (_, first, last), (cost, order) in layer.items()]
        return min(whole, key=lambda partial: partial[0], default=(ceiling or 0, ()))

    def _next_layer(
        self, layer: dict[tuple[int, int, int], _Partial], seat: int, ceiling: int | None
    ) -> dict[tuple[int, int, int], _Partial]:
        bounds = self.bounds[seat + 1]
        following: dict[tuple[int, int, int], _Partial] = {}
        for (sitting, first, last), (cost, order) in layer.items():
            for member in (*range(len(self._members)), _BOT):
                now = sitting if member == _BOT else sitting | 1 << member
                if (now == sitting and member != _BOT) or now not in bounds:
                    continue
                total = (
                    cost + self._next(last, member) + (0 if member == _BOT else self._places[member][seat])
                )
                if ceiling is not None and total + bounds[now] >= ceiling:
                    continue
                state = (now, first if seat else member, member)
                if state not in following or total < following[state][0]:
                    following[state] = (total, (*order, member))
        return following

    def _next(self, one: int, other: int) -> int:
        return 0 if _BOT in {one, other} else self._nexts[one][other]
