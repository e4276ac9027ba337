"""The schedule of a round robin, fixed before the first round (P-1)."""

from collections.abc import Sequence
from itertools import cycle, islice
from typing import TypeAlias

import msgspec

from domain.tournaments.chance import Draw, Lots
from domain.tournaments.pairing.division import table_sizes
from domain.tournaments.pairing.round_robin.arrangement import (
    Costs,
    Grouping,
    Seating,
    lower_bounds,
    parts,
    total,
    weights_of,
)
from domain.tournaments.pairing.round_robin.berger import Tables, berger
from domain.tournaments.pairing.round_robin.designs import design
from domain.tournaments.pairing.round_robin.layout import Layout
from domain.tournaments.pairing.search import improve
from domain.tournaments.terms import Terms

Schedule: TypeAlias = tuple[Tables, ...]
"""The tables of every round."""

_SEEDS = 1 << 32
_CLIMBING = 3  # the memory of a search that hardly ever gets worse, which is best among many equal neighbours
_GROUPING, _WITHIN, _FREE = 600, 200, 600  # steps of the search for each seat of the schedule
# The bounds by which small schedules are searched well, and large ones in seconds.
_MORE_SEATS, _MOST_SEATS = 100, 600
_ALL_SEATS = 900  # the bound of all attempts together


class _Attempt(msgspec.Struct, frozen=True, gc=False):
    """The strategy of a search: first which entrants sit together and then the seats, or everything together."""

    groups_first: bool
    memory: int


class _Stage(msgspec.Struct, frozen=True, gc=False):
    """A part of a search: its steps for each seat, its memory, and whether it only exchanges seats within tables."""

    steps: int
    memory: int
    is_within: bool


_CLIMB = _Stage(_WITHIN, _CLIMBING, is_within=True)
_GROUPS_FIRST = _Attempt(groups_first=True, memory=100)
_ATTEMPTS = (
    _GROUPS_FIRST,
    _Attempt(groups_first=False, memory=100),
    _GROUPS_FIRST,
    _Attempt(groups_first=False, memory=1000),
    _GROUPS_FIRST,
)


def rounds_of(terms: Terms, entrants: int) -> int:
    """Returns the number of rounds; at tables of two it follows from the entrants."""
    return max(0, entrants - 1 + entrants % 2) if terms.seats == 2 else terms.rounds


def schedule_of(terms: Terms, entrants: int, draw: Draw) -> Schedule:
    """Returns the starting ranks at every table of every round, in seat order.

    At tables of two these are the Berger tables. Larger tables come from an exact schedule if there is one in `designs`,
    with the entrants and the order of the rounds drawn by lot, or else from a search, which takes the same steps for the
    same lots. If the game's range leaves entrants over, they sit at no table of the round.
    """
    if terms.seats == 2:
        return berger(entrants)
    sizes = table_sizes(entrants, terms)
    if not sizes:
        return ((),) * terms.rounds
    layout = _layout(sizes, entrants, terms.rounds)
    return _rounds(layout, _best(layout, terms, draw("schedule")))


def costs_of(schedule: Schedule) -> Costs:
    """Returns the values that P-1 minimises, in its order, for a schedule of larger tables."""
    entrants = range(1, max(entrant for tables in schedule for table in tables for entrant in table) + 1)
    occupants: list[int] = []
    for tables in schedule:
        seated = [entrant for table in tables for entrant in table]
        waiting = [entrant for entrant in entrants if entrant not in seated]
        occupants += [entrant - 1 for entrant in (*seated, *waiting)]
    layout = _layout([len(table) for table in schedule[0]], len(entrants), len(schedule))
    weights = weights_of(layout)
    return parts(Seating(layout, occupants, weights).cost, weights)


def _layout(sizes: Sequence[int], entrants: int, rounds: int) -> Layout:
    """Returns the positions of a schedule; entrants who are left over wait at tables of one."""
    return Layout((*sizes, *(1,) * (entrants - sum(sizes))), rounds)


def _rounds(layout: Layout, occupants: Sequence[int]) -> Schedule:
    tables = [tuple(occupants[position] + 1 for position in table) for table in layout.tables]
    per_round = len(tables) // layout.rounds
    return tuple(
        tuple(table for table in tables[first : first + per_round] if len(table) > 1)
        for first in range(0, len(tables), per_round)
    )


def _best(layout: Layout, terms: Terms, lots: Lots) -> Sequence[int]:
    """Returns the entrant at each position: the best of several attempts, or the first that reaches the lower bound."""
    weights = weights_of(layout)
    lowest = total(lower_bounds(layout), weights)
    exact = _exact(layout, terms, lots)
    results: list[Seating] = []
    for attempt in _ATTEMPTS[: max(1, _ALL_SEATS // layout.count)]:
        start = exact or [entrant for _ in range(layout.rounds) for entrant in _shuffled(layout, lots)]
        results.append(_searched(Seating(layout, start, weights), attempt, lowest, lots))
        if results[-1].cost == lowest:
            break
    return min(results, key=lambda seating: seating.cost).occupants


def _shuffled(layout: Layout, lots: Lots) -> tuple[int, ...]:
    return lots.shuffled(range(layout.per_round))


def _exact(layout: Layout, terms: Terms, lots: Lots) -> Sequence[int]:
    """Returns the entrant at each position of an exact schedule, which is repeated if it has too few rounds, or nothing."""
    rounds = design(layout.per_round, terms.seats)
    if not rounds or len(layout.tables) != layout.rounds * len(rounds[0]):
        return ()
    names = _shuffled(layout, lots)
    return [
        names[number]
        for tables in islice(cycle(rounds), layout.rounds)
        for table in tables
        for number in table
    ]


def _searched(start: Seating, attempt: _Attempt, lowest: int, lots: Lots) -> Seating:
    """Returns the result of a search that begins with `start`."""
    if attempt.groups_first:
        start = _grouped_first(start, attempt.memory, lowest, lots)
    if start.cost // start.weights.seats == lowest // start.weights.seats:
        return start  # who sits with whom cannot be improved
    free = _improved(start, _Stage(_FREE, attempt.memory, is_within=False), lowest, lots)
    return _improved(free, _CLIMB, lowest, lots)


def _grouped_first(start: Seating, memory: int, lowest: int, lots: Lots) -> Seating:
    grouping = Grouping(start.layout, start.occupants, start.weights)
    bound = lowest % start.weights.neighbours // start.weights.thrice * start.weights.thrice
    steps = _GROUPING * _length(start.layout)
    improve(grouping, steps=steps, memory=_CLIMBING, seed=lots.below(_SEEDS), target=bound)
    start = Seating(start.layout, grouping.best, start.weights)
    climbed = _improved(start, _CLIMB, lowest, lots)
    if climbed.cost == lowest:
        return climbed
    # A search with a long memory cannot leave the place where a climb has ended, so it begins where the climb began.
    seated = _improved(start, _Stage(_WITHIN, memory, is_within=True), lowest, lots)
    return min(climbed, seated, key=lambda seating: seating.cost)


def _improved(start: Seating, stage: _Stage, lowest: int, lots: Lots) -> Seating:
    seating = Seating(start.layout, start.occupants, start.weights)
    seating.within_tables = stage.is_within
    steps = stage.steps * _length(start.layout)
    improve(seating, steps=steps, memory=stage.memory, seed=lots.below(_SEEDS), target=lowest)
    return Seating(start.layout, seating.best, start.weights)


def _length(layout: Layout) -> int:
    return min(layout.count + _MORE_SEATS, _MOST_SEATS)
