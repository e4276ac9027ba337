"""All tables of a round during the search, with data for the cost of every possible swap of entrants."""

from collections.abc import Sequence

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

    def propose(self, word: int) -> tuple[int, int]:
        one, other = word % self.count, (word >> 12) % self.count
        if self._at[one] == self._at[other]:
            return one, one
        return (one, other) if one < other else (other, one)

    def occupancy(self) -> tuple[int, ...]:
        return tuple(self._at)

    def delta(self, one: int, other: int) -> int:
        at, of = self._at[one], self._at[other]
        here, there = self._with[at], self._with[of]
        low, high = self._low, self._high
        spans = self._spans
        return (
            here[other]
            + there[one]
            - here[one]
            - there[other]
            - 2 * self._pairs[one][other]
            + spans[min(self._low_of_others[one], low[other])][max(self._high_of_others[one], high[other])]
            + spans[min(self._low_of_others[other], low[one])][max(self._high_of_others[other], high[one])]
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
        self._update(at)
        self._update(of)

    def _update(self, number: int) -> None:
        """Updates the stored costs of a table after an entrant joined it."""
        table, low, high = self._tables[number], self._low, self._high
        for index in table:
            self._at[index] = number
            self._low_of_others[index] = min([low[other] for other in table if other != index])
            self._high_of_others[index] = max([high[other] for other in table if other != index])
        self._span_of[number] = self._spans[min([low[index] for index in table])][
            max([high[index] for index in table])
        ]

    def best_swap(self, one: int, *, below: int, allowed: Sequence[bool]) -> tuple[int, int]:
        """Returns the partner and cost of an entrant's cheapest swap below a limit; `one` itself if there is none."""
        at, with_, pairs, spans, span_of = self._at, self._with, self._pairs[one], self._spans, self._span_of
        low, high, low_of_others, high_of_others = (
            self._low,
            self._high,
            self._low_of_others,
            self._high_of_others,
        )
        own, own_low, own_high = at[one], low[one], high[one]
        here, rest_low, rest_high = with_[own], low_of_others[one], high_of_others[one]
        base = -here[one] - span_of[own]
        best, found = below, one
        for other, of in enumerate(at):
            there = with_[of]
            cost = base + here[other] + there[one] - there[other] - 2 * pairs[other] - span_of[of]
            if cost >= best or of == own or not allowed[other]:
                continue
            # Calling min() here would double the time per swap.
            its_low, its_high = low[other], high[other]
            cost += spans[its_low if its_low < rest_low else rest_low][  # noqa: FURB136
                its_high if its_high > rest_high else rest_high  # noqa: FURB136
            ]
            its_low, its_high = low_of_others[other], high_of_others[other]
            cost += spans[own_low if own_low < its_low else its_low][  # noqa: FURB136
                own_high if own_high > its_high else its_high  # noqa: FURB136
            ]
            if cost < best:
                best, found = cost, other
        return found, best


def _with_chairs(problem: Problem, chairs: int, beyond: int) -> list[list[int]]:
    """Returns the costs of pairs, including those with empty chairs."""
    entrants = len(problem.entrants)
    rows = [[*row, *[0] * chairs] for row in problem.pairs]
    empty = [
        [0] * entrants + [beyond * (chair != other) for other in range(chairs)] for chair in range(chairs)
    ]
    return rows + empty
