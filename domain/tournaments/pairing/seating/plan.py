"""All tables of a round during the search, with data for the cost of every possible swap of entrants."""

from collections.abc import Iterator, Sequence

from hoodwink.domain.tournaments.pairing.search import Swap, words
from hoodwink.domain.tournaments.pairing.seating.problem import Members, Problem


class SeatingPlan:
    """Tables with the costs that do not depend on neighbours: forbidden pairs and criteria 1 to 3.

    Tables with one entrant fewer have an empty chair, so that every move is a swap. An empty chair costs nothing together
    with entrants, but two of them at a table cost more than everything else.
    """

    def __init__(self, problem: Problem, tables: Sequence[Members]) -> None:
        size = problem.sizes[0]
        entrants = len(problem.entrants)
        chairs = size * len(tables) - entrants
        self.entrants = entrants
        self.count = entrants + chairs
        self.swaps = self.count * (self.count - size) // 2
        self._spans = problem.spans
        self.beyond = 1 + sum(map(sum, problem.pairs)) + 2 * len(tables) * problem.spans[0][-1]
        self._pairs = _with_chairs(problem, chairs, self.beyond)
        self._met = [[(other, cost) for other, cost in enumerate(row) if cost] for row in self._pairs]
        # An empty chair must be neither the lowest nor the highest at its table.
        top = len(problem.spans) - 1
        self._low = [*problem.groups, *[top] * chairs]
        self._high = [*problem.groups, *[0] * chairs]
        empty = iter(range(entrants, self.count))
        self._tables = [[*table, *(next(empty) for _ in range(size - len(table)))] for table in tables]
        self._swaps_made = 0
        self._changed = [0] * len(tables)
        # The costs of an entrant's swaps with all others, and the number of swaps made before they were computed.
        self._rows = [([self.beyond] * self.count, -1) for _ in range(self.count)]
        self._at = [0] * self.count
        self._low_of_others = [0] * self.count
        self._high_of_others = [0] * self.count
        self._span_of = [0] * len(tables)
        self._with = [
            [sum(self._pairs[index][other] for other in table) for index in range(self.count)]
            for table in self._tables
        ]
        for number in range(len(tables)):
            self._update(number)
        self.cost = sum(self._span_of) + sum(map(self.company_cost, range(self.count))) // 2
        self.remember()

    def company_cost(self, index: int) -> int:
        """Returns the cost of an entrant's company at the table."""
        return self._with[self._at[index]][index]

    def tables(self) -> list[Members]:
        """Returns the entrants of each table, ascending."""
        return [tuple(sorted(index for index in table if index < self.entrants)) for table in self._tables]

    def remember(self) -> None:
        self.best = self.tables()
        self.best_cost = self.cost

    def spans(self) -> int:
        return sum(self._span_of)

    def table_of(self, index: int) -> list[int]:
        """Returns the entrants and empty chairs at the table of an entrant or empty chair."""
        return self._tables[self._at[index]]

    def proposals(self, seed: int) -> Iterator[Swap]:
        count, at = self.count, self._at
        for word in words(seed):  # pragma: no branch - the words never end
            one, other = word % count, (word >> 12) % count
            if at[one] == at[other]:
                yield one, one
            else:
                yield (one, other) if one < other else (other, one)

    def occupancy(self) -> tuple[int, ...]:
        return tuple(self._at)

    def delta(self, one: int, other: int) -> int:
        at, of = self._at[one], self._at[other]
        here, there = self._with[at], self._with[of]
        one_low, one_high, other_low, other_high = (
            self._low[one],
            self._high[one],
            self._low[other],
            self._high[other],
        )
        low, high = self._low_of_others[one], self._high_of_others[one]
        its_low, its_high = self._low_of_others[other], self._high_of_others[other]
        spans = self._spans
        # Calling min() and max() here would take twice as long.
        return (
            here[other]
            + there[one]
            - here[one]
            - there[other]
            - 2 * self._pairs[one][other]
            + spans[other_low if other_low < low else low][other_high if other_high > high else high]  # noqa: FURB136
            + spans[one_low if one_low < its_low else its_low][one_high if one_high > its_high else its_high]  # noqa: FURB136
            - self._span_of[at]
            - self._span_of[of]
        )

    def swap(self, one: int, other: int) -> None:
        self.cost += self.delta(one, other)
        at, of = self._at[one], self._at[other]
        here, there = self._tables[at], self._tables[of]
        here[here.index(one)], there[there.index(other)] = other, one
        with_here, with_there = self._with[at], self._with[of]
        for index, cost in self._met[one]:
            with_here[index] -= cost
            with_there[index] += cost
        for index, cost in self._met[other]:
            with_here[index] += cost
            with_there[index] -= cost
        self._swaps_made += 1
        self._update(at)
        self._update(of)

    def _update(self, number: int) -> None:
        """Updates the stored costs of a table after an entrant joined it."""
        table = self._tables[number]
        lows = sorted([self._low[index] for index in table])
        highs = sorted([self._high[index] for index in table])
        lowest, highest = lows[0], highs[-1]
        for index in table:
            self._at[index] = number
            self._low_of_others[index] = lows[1] if self._low[index] == lowest else lowest
            self._high_of_others[index] = highs[-2] if self._high[index] == highest else highest
        self._span_of[number] = self._spans[lowest][highest]
        self._changed[number] = self._swaps_made

    def best_swap(self, one: int, *, below: int, allowed: Sequence[bool]) -> tuple[int, int]:
        """Returns the partner and cost of an entrant's cheapest swap below a limit; `one` itself if there is none."""
        costs = self._swap_costs(one)
        if min(costs) >= below:
            return one, below
        best, found = below, one
        for other, cost in enumerate(costs):
            if cost < best and allowed[other]:
                best, found = cost, other
        return found, best

    def _swap_costs(self, one: int) -> list[int]:
        """Returns the cost of an entrant's swap with each other; at the same table, one that is never below a limit."""
        costs, since = self._rows[one]
        own, changed = self._at[one], self._changed
        # A swap changes two tables, so most costs are still the same as before.
        if changed[own] > since:
            costs, stale = [self.beyond] * self.count, [*range(len(changed))]
        else:
            stale = [number for number, at in enumerate(changed) if at > since]
        for number in stale:
            if number != own:
                self._put_costs(costs, one, number)
        self._rows[one] = costs, self._swaps_made
        return costs

    def _put_costs(self, costs: list[int], one: int, number: int) -> None:
        """Puts the costs of an entrant's swaps with those at another table into `costs`."""
        here, there = self._with[self._at[one]], self._with[number]
        pairs, spans, low, high = self._pairs[one], self._spans, self._low, self._high
        low_of_others, high_of_others = self._low_of_others, self._high_of_others
        own_low, own_high, rest_low, rest_high = low[one], high[one], low_of_others[one], high_of_others[one]
        base = there[one] - here[one] - self._span_of[self._at[one]] - self._span_of[number]
        for other in self._tables[number]:
            its_low, its_high = low[other], high[other]
            # Calling min() and max() here would double the time per swap.
            cost = spans[its_low if its_low < rest_low else rest_low][  # noqa: FURB136
                its_high if its_high > rest_high else rest_high  # noqa: FURB136
            ]
            its_low, its_high = low_of_others[other], high_of_others[other]
            cost += spans[own_low if own_low < its_low else its_low][  # noqa: FURB136
                own_high if own_high > its_high else its_high  # noqa: FURB136
            ]
            costs[other] = base + here[other] - there[other] - 2 * pairs[other] + cost


def _with_chairs(problem: Problem, chairs: int, beyond: int) -> list[list[int]]:
    """Returns the costs of pairs, including those with empty chairs."""
    entrants = len(problem.entrants)
    rows = [[*row, *[0] * chairs] for row in problem.pairs]
    empty = [
        [0] * entrants + [beyond * (chair != other) for other in range(chairs)] for chair in range(chairs)
    ]
    return rows + empty
