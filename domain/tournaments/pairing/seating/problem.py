"""The seating of a round as an integer problem, with the cost of each part.

P-4 minimises its criteria one after the other. Here they are one number: each criterion outweighs the sum of all later
ones, so costs compare like the lists of criteria. Entrants are identified by their index in an order drawn by lot, so the
first of several equal solutions is chosen by lot (criterion 8).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

import msgspec

from hoodwink.domain.tournaments.pairing.division import seats_at
from hoodwink.domain.tournaments.pairing.seating.groups import home_of
from hoodwink.domain.tournaments.pairing.seating.history import History
from hoodwink.domain.tournaments.terms import Format, Terms

Rows: TypeAlias = list[list[int]]
Members: TypeAlias = tuple[int, ...]
"""The entrants at a table, by index, ascending."""

MIN_NEIGHBOURS = 3  # the minimum number of seats at which neighbours matter (P-4)


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """The costs of seating entrants together; lower is better.

    Attributes:
        entrants: the starting ranks of the entrants to be seated, by index.
        sizes: the number of entrants at each table, the larger tables first.
        seats: the number of seats of a table, including bots, by its number of entrants.
        groups: the score group of each entrant, 0 for the lowest; a league has only one group.
        floats: the direction of each entrant's last float.
        pairs: the cost of two entrants at one table (forbidden pairs, and criterion 2).
        spans: the cost of a table's lowest and highest group (criteria 1 and 3).
        nexts: the cost of the second entrant in the seat after the first (criterion 4).
        float_again: the cost of an entrant who floats in the same direction as last time (criterion 5).
        places: the cost of an entrant in a seat (criterion 6).
        tables: the cost of an entrant at a table, by its number of entrants (criterion 7).
    """

    entrants: tuple[int, ...]
    sizes: tuple[int, ...]
    seats: dict[int, int]
    groups: tuple[int, ...]
    floats: tuple[int, ...]
    pairs: Rows
    spans: Rows
    nexts: Rows
    float_again: int
    places: Rows
    tables: list[dict[int, int]]

    def upper(self, members: Sequence[int]) -> int:
        """Returns the cost of a table by criteria 1 to 3 and its forbidden pairs."""
        met = sum(self.pairs[index][earlier] for i, index in enumerate(members) for earlier in members[:i])
        groups = [self.groups[index] for index in members]
        return met + self.spans[min(groups)][max(groups)]

    def lower(self, members: Sequence[int]) -> int:
        """Returns the cost of a table by criteria 5 and 7, which do not depend on the order of the entrants."""
        size = len(members)
        cost = sum(self.tables[index][size] for index in members)
        groups = [self.groups[index] for index in members]
        home = home_of(groups)
        again = sum(
            (home - group) * self.floats[index] > 0 for index, group in zip(members, groups, strict=True)
        )
        return cost + again * self.float_again


def problem_of(entrants: Sequence[int], sizes: tuple[int, ...], history: History, terms: Terms) -> Problem:
    """Returns the problem of seating entrants, in an order drawn by lot, at tables of these sizes."""
    scores = [_score(entrant, history, terms) for entrant in entrants]
    levels = sorted(set(scores))
    group_of = {score: group for group, score in enumerate(levels)}
    unit = lcm(*(score.denominator for score in levels))
    values = [int(score * unit) for score in levels]
    # Where a deal is shared, bots take the last seats, and entrants are seated as if there were none (D-6).
    seats = {size: size if terms.compare is not None else seats_at(size, terms) for size in sizes}
    weigh = _Weights.of(history, sizes, values, is_duplicate=terms.compare is not None)
    window = len(levels) if terms.float_window == "all" else terms.float_window
    return Problem(
        entrants=tuple(entrants),
        sizes=sizes,
        seats=seats,
        groups=tuple(group_of[score] for score in scores),
        floats=tuple(history.floats.get(entrant, 0) for entrant in entrants),
        pairs=_pair_costs(entrants, history, terms, weigh),
        spans=_span_costs(values, window, weigh),
        nexts=[
            [weigh.neighbours * history.neighbours.get((entrant, other), 0) for other in entrants]
            for entrant in entrants
        ],
        float_again=weigh.floats,
        places=[
            [weigh.seats * 2 * history.seats.get((entrant, seat), 0) for seat in range(max(seats.values()))]
            for entrant in entrants
        ],
        tables=[
            {size: 2 * history.sizes.get((entrant, seats[size]), 0) for size in seats} for entrant in entrants
        ],
    )


def _score(entrant: int, history: History, terms: Terms) -> Fraction:
    """Returns the score that determines an entrant's group; in a league, all are in one group (P-7)."""
    return Fraction(0) if terms.format is Format.LEAGUE else history.scores[entrant]


class _Weights(msgspec.Struct, frozen=True, kw_only=True):
    """The weight of one step of each criterion, from forbidden pairs to criterion 6; criterion 7 has weight 1."""

    forbidden: int
    spans: int
    meetings: int
    scores: int
    neighbours: int
    floats: int
    seats: int

    @classmethod
    def of(
        cls, history: History, sizes: Sequence[int], values: Sequence[int], *, is_duplicate: bool
    ) -> "_Weights":
        entrants, most = sum(sizes), max(sizes)
        pairs = entrants * most
        least = 1 + entrants * 2 * max(history.sizes.values(), default=0)
        repeated_seats = 1 + entrants * 2 * max(history.seats.values(), default=0)
        repeated_neighbours = 1 + entrants * max(history.neighbours.values(), default=0)
        # Seats are compared with the same seat elsewhere, so they come first among the criteria after 3 (D-4).
        floats = least if is_duplicate else least * repeated_seats
        neighbours = floats * (1 + entrants)
        scores = neighbours * repeated_neighbours
        seats = scores if is_duplicate else least
        scores *= repeated_seats if is_duplicate else 1
        meetings = scores * (1 + len(sizes) * (values[-1] - values[0]) ** 2)
        spans = meetings * (1 + pairs * 2 * max(history.meetings.values(), default=0))
        return cls(
            forbidden=spans * (1 + len(sizes) * len(values) ** 2),
            spans=spans,
            meetings=meetings,
            scores=scores,
            neighbours=neighbours,
            floats=floats,
            seats=seats,
        )


def _pair_costs(entrants: Sequence[int], history: History, terms: Terms, weigh: _Weights) -> Rows:
    index = {entrant: position for position, entrant in enumerate(entrants)}
    costs = [[0] * len(entrants) for _ in entrants]
    # Another meeting adds 2m + 1 to a pair's m². The 1 is omitted, because all seatings have the same number of pairs.
    weighed = [(pair, 2 * weigh.meetings * times) for pair, times in history.meetings.items()]
    for (first, second), cost in [*weighed, *((pair, weigh.forbidden) for pair in set(terms.forbidden))]:
        if first in index and second in index:
            costs[index[first]][index[second]] += cost
            costs[index[second]][index[first]] += cost
    return costs


def _span_costs(values: Sequence[int], window: int, weigh: _Weights) -> Rows:
    """Returns the cost by lowest and highest group; values below the diagonal are never used."""
    return [
        [
            weigh.spans * max(0, high - low - window) ** 2 + weigh.scores * (best - least) ** 2
            for high, best in enumerate(values)
        ]
        for low, least in enumerate(values)
    ]
