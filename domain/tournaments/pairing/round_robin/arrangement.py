"""The costs of a schedule (P-1), and how a swap changes them."""

from array import array
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import astuple

from hoodwink.domain.tournaments.pairing.round_robin.layout import NEXT, PREVIOUS, Layout, thirds
from hoodwink.domain.tournaments.pairing.search import Swap, words


class Costs(msgspec.Struct, frozen=True, gc=False):
    """The values that P-1 minimises, in order, or their weights in one number.

    Attributes:
        neighbours: Σ over pairs and directions of (times choose 2).
        meetings: Σ over pairs of (meetings)².
        sizes, seats: Σ over entrants and sizes, or seats from 0, of (times)².
        thrice: Σ over pairs of (meetings choose 3). It is not in P-1. It decides between schedules with equal squares, in
            favour of more pairs who meet less often (P-5).
        distances: Σ over pairs and relative distances of (times choose 2).
    """

    neighbours: int
    meetings: int
    sizes: int
    thrice: int
    seats: int
    distances: int


def weights_of(layout: Layout) -> Costs:
    """Returns weights with which each value outweighs all later ones."""
    squares = layout.per_round * layout.rounds**2
    meetings = squares * max(layout.size)
    seats = meetings  # more than the maximum of the distances
    thrice = seats * (squares + 1)
    sizes = thrice * (meetings * layout.rounds + 1)
    grouping = sizes * (squares + 1)
    return Costs(grouping * (meetings + 1), grouping, sizes, thrice, seats, 1)


def lower_bounds(layout: Layout) -> Costs:
    """Returns a lower bound of each value over all schedules.

    Each value is at least that of an even distribution. In addition, if some entrants at a table of one round must come
    from the same table of another round, they meet again.
    """
    entrants, rounds = layout.per_round, layout.rounds
    sizes = [len(table) for table in layout.tables[: len(layout.tables) // rounds]]
    pairs = entrants * (entrants - 1) // 2
    meetings = rounds * sum(size * (size - 1) // 2 for size in sizes)
    nexts = rounds * sum(size for size in sizes if size > 2)
    again = sum(_evenly(size, len(sizes)) - size for size in sizes) * (rounds * (rounds - 1) // 2)
    return Costs(
        (_evenly(nexts, 2 * pairs) - nexts) // 2,
        max(_evenly(meetings, pairs), meetings + again),
        sum(_evenly(rounds * size * sizes.count(size), entrants) for size in set(sizes)),
        0,
        sum(_evenly(rounds * sum(size > seat for size in sizes), entrants) for seat in range(max(sizes))),
        0,
    )


def _evenly(total: int, parts: int) -> int:
    """Returns the sum of the squares of `parts` whole numbers that add up to `total` and differ by at most one."""
    quotient, remainder = divmod(total, parts)
    return (parts - remainder) * quotient**2 + remainder * (quotient + 1) ** 2


def total(costs: Costs, weights: Costs) -> int:
    return sum(cost * weight for cost, weight in zip(astuple(costs), astuple(weights), strict=True))


def parts(cost: int, weights: Costs) -> Costs:
    costs = []
    for weight in astuple(weights):
        part, cost = divmod(cost, weight)
        costs.append(part)
    return Costs(*costs)


class Grouping:
    """The entrants at each table, regardless of their seats. This is arranged first, because it is the hardest part."""

    def __init__(self, layout: Layout, occupants: Sequence[int], weights: Costs) -> None:
        """Initializes the costs; `occupants` are the entrants, from 0, at each position, and every round has all of them."""
        self.layout = layout
        self.entrants = layout.per_round
        self.occupants = list(occupants)
        self.best = list(occupants)
        self.weights = weights
        self.meetings = _zeros(self.entrants**2)
        self.sizes = [0] * (self.entrants * layout.kinds)
        self.prices_again = [
            weights.meetings * (2 * times + 1) + weights.thrice * (times * (times - 1) // 2)
            for times in range(layout.rounds)
        ]
        self._count()
        self.cost = self.weigh()

    def _count(self) -> None:
        for position, entrant in enumerate(self.occupants):
            self.sizes[entrant * self.layout.kinds + self.layout.size[position]] += 1
            for other, _ in self.layout.others[position]:
                self.meetings[entrant * self.entrants + self.occupants[other]] += 1

    def weigh(self) -> int:
        often = sum(times * (times - 1) * (times - 2) for times in self.meetings)
        return (
            self.weights.meetings * (_squares(self.meetings) // 2)
            + self.weights.sizes * _squares(self.sizes)
            + self.weights.thrice * (often // 12)
        )

    def remember(self) -> None:
        self.best = self.occupants.copy()

    def proposals(self, seed: int) -> Iterator[Swap]:
        count, per_round, table = self.layout.count, self.layout.per_round, self.layout.table
        for word in words(seed):  # pragma: no branch - the words never end
            one = word % count
            other = one - one % per_round + word // count % per_round
            yield (one, one) if table[one] == table[other] else (one, other)

    def delta(self, one: int, other: int) -> int:
        occupants, meetings, entrants = self.occupants, self.meetings, self.entrants
        prices = self.prices_again
        first, second = occupants[one] * entrants, occupants[other] * entrants
        change = 0
        for position, _ in self.layout.others[one]:
            who = occupants[position]
            change += prices[meetings[second + who]] - prices[meetings[first + who] - 1]
        for position, _ in self.layout.others[other]:
            who = occupants[position]
            change += prices[meetings[first + who]] - prices[meetings[second + who] - 1]
        return change + self.sizes_delta(one, other)

    def sizes_delta(self, one: int, other: int) -> int:
        size, after = self.layout.size[one], self.layout.size[other]
        if size == after:
            return 0
        first = self.occupants[one] * self.layout.kinds
        second = self.occupants[other] * self.layout.kinds
        sizes = self.sizes
        gained = sizes[first + after] + sizes[second + size]
        lost = sizes[first + size] + sizes[second + after]
        return 2 * self.weights.sizes * (gained - lost + 2)

    def swap(self, one: int, other: int) -> None:
        self.cost += self.delta(one, other)
        self._move(one, other)

    def _move(self, one: int, other: int) -> None:
        self._sit(one, -1, skipped=one)
        self._sit(other, -1, skipped=one)
        self.occupants[one], self.occupants[other] = self.occupants[other], self.occupants[one]
        self._sit(one, 1, skipped=one)
        self._sit(other, 1, skipped=one)

    def _sit(self, position: int, by: int, *, skipped: int) -> None:
        """Adds or removes the entrant at a position. Skips the pair with one position, which the caller has counted."""
        entrant, entrants = self.occupants[position], self.entrants
        self.sizes[entrant * self.layout.kinds + self.layout.size[position]] += by
        for other, _ in self.layout.others[position]:
            if other != skipped:
                who = self.occupants[other]
                self.meetings[entrant * entrants + who] += by
                self.meetings[who * entrants + entrant] += by


class Seating(Grouping):
    """A schedule with all its costs."""

    within_tables = False  # only swaps within a table are proposed

    def _count(self) -> None:
        layout = self.layout
        self.relations = _zeros(self.entrants**2 * layout.kinds)
        self.seats = [0] * (self.entrants * layout.kinds)
        apart, adjacent = self.weights.distances, self.weights.distances + self.weights.neighbours
        self.prices = [adjacent if kind in {NEXT, PREVIOUS} else apart for kind in range(layout.kinds)]
        for position, entrant in enumerate(self.occupants):
            self.seats[entrant * layout.kinds + layout.seat[position]] += 1
            for other, kind in layout.others[position]:
                self.relations[(entrant * self.entrants + self.occupants[other]) * layout.kinds + kind] += 1
        super()._count()

    def weigh(self) -> int:
        again = sum(
            self.prices[index % self.layout.kinds] * (times * (times - 1) // 2)
            for index, times in enumerate(self.relations)
            if times > 1
        )
        return super().weigh() + self.weights.seats * _squares(self.seats) + again // 2

    def proposals(self, seed: int) -> Iterator[Swap]:
        count, per_round = self.layout.count, self.layout.per_round
        for word in words(seed):  # pragma: no branch - the words never end
            one, again = word % count, word // count
            if self.within_tables:
                table = self.layout.tables[self.layout.table[one]]
                yield one, table[again % len(table)]
            else:
                yield one, one - one % per_round + again % per_round

    def delta(self, one: int, other: int) -> int:
        if self.layout.table[one] == self.layout.table[other]:
            return self._seats_delta(one, other) + self._turned(one, other)
        return (
            super().delta(one, other)
            + self._seats_delta(one, other)
            + self._moved(one, other)
            + self._moved(other, one)
        )

    def _seats_delta(self, one: int, other: int) -> int:
        seat, after = self.layout.seat[one], self.layout.seat[other]
        if seat == after:
            return 0
        first = self.occupants[one] * self.layout.kinds
        second = self.occupants[other] * self.layout.kinds
        seats = self.seats
        gained = seats[first + after] + seats[second + seat]
        lost = seats[first + seat] + seats[second + after]
        return 2 * self.weights.seats * (gained - lost + 2)

    def _moved(self, one: int, other: int) -> int:
        """Returns the change for the entrants who stay at the first table when another one joins them."""
        occupants, prices, times, kinds = self.occupants, self.prices, self.relations, self.layout.kinds
        leaving, coming = occupants[one] * self.entrants, occupants[other] * self.entrants
        change = 0
        for position, kind in self.layout.others[one]:
            who = occupants[position]
            change += prices[kind] * (
                times[(coming + who) * kinds + kind] - times[(leaving + who) * kinds + kind] + 1
            )
        return change

    def _turned(self, one: int, other: int) -> int:
        """Returns the change between the entrants of a table when two of them exchange seats."""
        layout, prices, times = self.layout, self.prices, self.relations
        first, second = self.occupants[one] * self.entrants, self.occupants[other] * self.entrants
        there, back = layout.relation(one, other), layout.relation(other, one)
        change = 0
        if there != back:
            pair = (first + self.occupants[other]) * layout.kinds
            change += prices[back] * times[pair + back] - prices[there] * (times[pair + there] - 1)
        start = one - layout.seat[one]
        for seat, near, far in thirds(layout.size[one], layout.seat[one], layout.seat[other]):
            who = self.occupants[start + seat]
            mine, theirs = (first + who) * layout.kinds, (second + who) * layout.kinds
            change += prices[far] * (times[mine + far] - times[theirs + far] + 1)
            change += prices[near] * (times[theirs + near] - times[mine + near] + 1)
        return change

    def _sit(self, position: int, by: int, *, skipped: int) -> None:
        super()._sit(position, by, skipped=skipped)
        layout, entrants, kinds = self.layout, self.entrants, self.layout.kinds
        entrant = self.occupants[position]
        self.seats[entrant * kinds + layout.seat[position]] += by
        for other, kind in layout.others[position]:
            if other != skipped:
                who = self.occupants[other]
                self.relations[(entrant * entrants + who) * kinds + kind] += by
                self.relations[(who * entrants + entrant) * kinds + layout.relation(other, position)] += by


def _squares(times: Iterable[int]) -> int:
    return sum(time * time for time in times)


def _zeros(count: int) -> "array[int]":
    """Returns counters that need a quarter of the memory of a list; a schedule of 1,000 entrants has eleven million."""
    return array("H", bytes(2 * count))
