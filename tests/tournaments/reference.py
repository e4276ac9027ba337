"""The best seating by constraint programming: an independent statement of P-3, P-4 and P-7, solved by ortools.

It reads the cross-table itself and shares no count and no search with the domain; only the scores come from there.
Criteria are minimised one after the other, with the values of earlier ones fixed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import lcm
from typing import Any, TypeAlias

from ortools.sat.python import cp_model

from hoodwink.domain.tournaments.crosstable import Board, Crosstable, Outcome, SeatState
from hoodwink.domain.tournaments.pairing.division import seats_at, table_sizes
from hoodwink.domain.tournaments.scoring import scores_after
from hoodwink.domain.tournaments.terms import Format, Terms

Expression: TypeAlias = Any
"""A number, or a linear expression over the variables of a model."""


def best_values(crosstable: Crosstable, entrants: Sequence[int]) -> tuple[int, tuple[Fraction, ...]]:
    """Returns the least number of forbidden pairs at one table, and with it the least values of the format's criteria."""
    return _Model(crosstable, entrants).solve()


def counted_boards(crosstable: Crosstable) -> Iterator[tuple[int, Board, list[int | None]]]:
    """Yields each table that counts: its round, the board, and each seat's entrant, or `None` if it does not count."""
    for round_ in crosstable.rounds:
        for board in round_.boards:
            came = [seat.entrant if seat.state is SeatState.PLAYED else None for seat in board.seats]
            people = sum(seat.entrant is not None for seat in board.seats)
            enough = len([entrant for entrant in came if entrant]) >= 2 or people < 2
            if enough and board.outcome in {Outcome.RESULT, Outcome.UNFINISHED}:
                yield round_.number, board, came


class _Counts:
    """The counts of the earlier rounds that P-4 refers to."""

    def __init__(self, crosstable: Crosstable) -> None:
        self.meetings: Counter[frozenset[int]] = Counter()
        self.nexts: Counter[tuple[int, int]] = Counter()
        self.seats: Counter[tuple[int, int]] = Counter()
        self.sizes: Counter[tuple[int, int]] = Counter()
        self.floats: dict[int, int] = {}
        before = scores_after(crosstable, len(crosstable.rounds) - 1) if crosstable.rounds else {}
        for number, board, came in counted_boards(crosstable):
            self._count(board, came)
            if number == len(crosstable.rounds):
                self._count_floats(board, came, before)

    def _count(self, board: Board, came: Sequence[int | None]) -> None:
        size = len(came)
        for one, other in combinations([entrant for entrant in came if entrant], 2):
            self.meetings[frozenset((one, other))] += 1
        for seat, entrant in enumerate(came):
            if entrant:
                self.seats[entrant, seat] += 1
                self.sizes[entrant, size] += 1
                following = came[(seat + 1) % size]
                if following and size > 2:
                    self.nexts[entrant, following] += 1

    def _count_floats(self, board: Board, came: Sequence[int | None], before: Mapping[int, Fraction]) -> None:
        scores = [before[seat.entrant] for seat in board.seats if seat.entrant]
        home = max(set(scores), key=lambda score: (scores.count(score), score))
        for entrant in came:
            if entrant and before[entrant] != home:
                self.floats[entrant] = 1 if before[entrant] < home else -1


class _Model:
    def __init__(self, crosstable: Crosstable, entrants: Sequence[int]) -> None:
        self.terms: Terms = crosstable.terms
        self.entrants = list(entrants)
        self.counts = _Counts(crosstable)
        scores = scores_after(crosstable, len(crosstable.rounds))
        self.scores = {entrant: scores[entrant] for entrant in entrants}
        self.levels = sorted(set(self.scores.values()))
        self.group = {entrant: self.levels.index(score) for entrant, score in self.scores.items()}
        self.unit = lcm(*(score.denominator for score in self.levels))
        self.sizes = table_sizes(len(self.entrants), self.terms)
        self.model = cp_model.CpModel()
        self._seat_everybody()

    def _seat_everybody(self) -> None:
        model = self.model
        self.sits = {
            (entrant, table, seat): model.new_bool_var("")
            for entrant in self.entrants
            for table, size in enumerate(self.sizes)
            for seat in range(seats_at(size, self.terms))
        }
        for entrant in self.entrants:
            model.add_exactly_one(var for key, var in self.sits.items() if key[0] == entrant)
        for table, size in enumerate(self.sizes):
            seats = range(seats_at(size, self.terms))
            for seat in seats:
                model.add_at_most_one(self.sits[entrant, table, seat] for entrant in self.entrants)
            model.add(
                sum(self.sits[entrant, table, seat] for entrant in self.entrants for seat in seats) == size
            )
        self.at = {
            (entrant, table): sum(
                self.sits[entrant, table, seat] for seat in range(seats_at(size, self.terms))
            )
            for entrant in self.entrants
            for table, size in enumerate(self.sizes)
        }

    def solve(self) -> tuple[int, tuple[Fraction, ...]]:
        forbidden = {frozenset(pair) for pair in self.terms.forbidden}
        swiss = self.terms.format is not Format.LEAGUE
        criteria = [self._together(forbidden), self._spans() if swiss else 0]
        criteria += [self._rematches(), self._score_spans() if swiss else 0]
        criteria += [self._repeated_neighbours(), self._repeated_floats() if swiss else 0]
        criteria += [self._seat_squares(), self._size_squares()]
        fewest, *values = (self._minimise(criterion) for criterion in criteria)
        constants = self._constants()
        exact = [Fraction(value) + constants.get(number, 0) for number, value in enumerate(values, 1)]
        exact[2] /= self.unit**2
        return fewest, tuple(exact if swiss else (exact[index] for index in (1, 3, 5, 6)))

    def _minimise(self, criterion: Expression) -> int:
        if isinstance(criterion, int):
            return criterion
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        self.model.minimize(criterion)
        if solver.solve(self.model) != cp_model.OPTIMAL:
            raise AssertionError(self.model.validate())
        least = round(solver.objective_value)
        self.model.add(criterion == least)
        return least

    def _constants(self) -> dict[int, int]:
        """Returns the constant parts of criteria 2, 6 and 7, which do not depend on the seats of this round."""
        counts = self.counts
        pairs = sum(size * (size - 1) // 2 for size in self.sizes)
        return {
            2: _squares(counts.meetings.values()) + pairs,
            6: _squares(counts.seats.values()) + len(self.entrants),
            7: _squares(counts.sizes.values()) + len(self.entrants),
        }

    def _both(self, one: Expression, other: Expression) -> cp_model.IntVar:
        var = self.model.new_bool_var("")
        self.model.add(var >= one + other - 1)
        return var

    def _together(self, pairs: Iterable[frozenset[int]]) -> Expression:
        here = [sorted(pair) for pair in pairs if pair <= set(self.entrants)]
        return sum(
            self._both(self.at[one, table], self.at[other, table])
            for one, other in here
            for table in range(len(self.sizes))
        )

    def _rematches(self) -> Expression:
        return sum(
            2 * times * self._together([pair])
            for pair, times in sorted(self.counts.meetings.items(), key=_key)
        )

    def _edges(self, table: int, values: Mapping[int, int]) -> cp_model.IntVar:
        """Returns a variable for the difference between the highest and the lowest value at a table."""
        least, most = min(values.values()), max(values.values())
        low, high = (self.model.new_int_var(least, most, "") for _ in range(2))
        for entrant, value in values.items():
            self.model.add(high >= least + (value - least) * self.at[entrant, table])
            self.model.add(low <= most - (most - value) * self.at[entrant, table])
        span = self.model.new_int_var(0, most - least, "")
        self.model.add(span == high - low)
        return span

    def _spans(self) -> Expression:
        window = self.terms.float_window
        if window == "all":
            return 0
        most = len(self.levels)
        total = []
        for table in range(len(self.sizes)):
            over = self.model.new_int_var(0, most, "")
            self.model.add(over >= self._edges(table, self.group) - window)
            total.append(self._square(over, most))
        return sum(total)

    def _score_spans(self) -> Expression:
        values = {entrant: int(score * self.unit) for entrant, score in self.scores.items()}
        most = max(values.values()) - min(values.values())
        return sum(self._square(self._edges(table, values), most) for table in range(len(self.sizes)))

    def _square(self, var: cp_model.IntVar, most: int) -> cp_model.IntVar:
        square = self.model.new_int_var(0, most * most, "")
        self.model.add_multiplication_equality(square, [var, var])
        return square

    def _repeated_neighbours(self) -> Expression:
        total: list[Expression] = []
        for table, size in enumerate(self.sizes):
            seats = seats_at(size, self.terms)
            if seats < 3:
                continue
            for (one, other), times in sorted(self.counts.nexts.items()):
                if one not in self.scores or other not in self.scores:
                    continue
                total += [
                    times
                    * self._both(self.sits[one, table, seat], self.sits[other, table, (seat + 1) % seats])
                    for seat in range(seats)
                ]
        return sum(total)

    def _repeated_floats(self) -> Expression:
        groups = range(len(self.levels))
        total: list[Expression] = []
        for table in range(len(self.sizes)):
            count = [
                sum(self.at[entrant, table] for entrant in self.entrants if self.group[entrant] == group)
                for group in groups
            ]
            home = [self.model.new_bool_var("") for _ in groups]
            self.model.add_exactly_one(home)
            for group, other in permutations(groups, 2):
                self.model.add(count[group] >= count[other] + (other > group)).only_enforce_if(home[group])
            for entrant, direction in sorted(self.counts.floats.items()):
                if entrant in self.scores:
                    own = self.group[entrant]
                    beyond = home[own + 1 :] if direction > 0 else home[:own]
                    total.append(self._both(self.at[entrant, table], sum(beyond)))
        return sum(total)

    def _seat_squares(self) -> Expression:
        return sum(
            2 * self.counts.seats[entrant, seat] * var for (entrant, _, seat), var in self.sits.items()
        )

    def _size_squares(self) -> Expression:
        return sum(
            2 * self.counts.sizes[entrant, seats_at(self.sizes[table], self.terms)] * var
            for (entrant, table, _), var in self.sits.items()
        )


def _key(item: tuple[frozenset[int], int]) -> list[int]:
    return sorted(item[0])


def _squares(counts: Iterable[int]) -> int:
    return sum(count**2 for count in counts)
