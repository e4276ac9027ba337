"""The search for the arrangement of a round robin at tables of three or more (P-1).

The shape of the arrangement determines its lots, and thus its steps (docs/FAIRNESS.md).
"""

from collections.abc import Sequence
from itertools import chain, cycle, islice

import msgspec

from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.pairing.round_robin.arrangement import (
    Grouping,
    Seating,
    lower_bounds,
    total,
    weights_of,
)
from hoodwink.domain.tournaments.pairing.round_robin.designs import design
from hoodwink.domain.tournaments.pairing.round_robin.layout import Layout
from hoodwink.domain.tournaments.pairing.round_robin.shapes import Arrangement, Shape, remember, remembered
from hoodwink.domain.tournaments.pairing.search import improve

_FIXED = "hoodwink"  # in place of a server seed; any other text would give arrangements as good as these
_SEEDS = 1 << 32
_CLIMBING = (
    3  # the memory of a search that hardly ever accepts a worse step, best among many equal neighbours
)
_GROUPING, _WITHIN, _FREE = 600, 200, 600  # steps of the search per seat of the schedule
# With these bounds, small schedules are searched thoroughly, and large ones within seconds.
_MORE_SEATS, _MAX_SEATS = 100, 600
_ALL_SEATS = 900  # the bound for all attempts together


class _Attempt(msgspec.Struct, frozen=True, gc=False):
    """The strategy of a search: first the entrants at each table and then their seats, or everything together."""

    groups_first: bool
    memory: int


class _Stage(msgspec.Struct, frozen=True, gc=False):
    """A part of a search: its steps per seat, its memory, and whether it only swaps seats within tables."""

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


def arrangement_of(shape: Shape) -> Arrangement:
    """Returns the arrangement of a shape, which is the same in every process; searches for it unless it is remembered."""
    known = remembered(shape)
    return remember(shape, search(shape)) if known is None else known


def search(shape: Shape) -> Sequence[int]:
    """Returns the entrant, from 0, at each position, using the fixed lots of the shape; takes up to 10 s of CPU time."""
    lots = Lots(_FIXED, (), purpose=f"arrangement:{shape.key}", round_=0)
    return _best(shape.layout(), _exact(shape), lots)


def _exact(shape: Shape) -> Sequence[int]:
    """Returns the entrant at each position of an exact schedule, repeated if it has too few rounds; empty if none is known."""
    rounds = design(shape.entrants, shape.largest)
    if not rounds or shape.tables + shape.waiting != len(rounds[0]):
        return ()
    tables = chain.from_iterable(islice(cycle(rounds), shape.rounds))
    return [*chain.from_iterable(tables)]


def _best(layout: Layout, exact: Sequence[int], lots: Lots) -> Sequence[int]:
    """Returns the entrant at each position: the best of several attempts, or the first to reach the lower bound."""
    weights = weights_of(layout)
    lowest = total(lower_bounds(layout), weights)
    results: list[Seating] = []
    for attempt in _ATTEMPTS[: max(1, _ALL_SEATS // layout.count)]:
        start = exact or [
            entrant for _ in range(layout.rounds) for entrant in _shuffled(layout.per_round, lots)
        ]
        results.append(_searched(Seating(layout, start, weights), attempt, lowest, lots))
        if results[-1].cost == lowest:
            break
    return min(results, key=lambda seating: seating.cost).occupants


def _shuffled(entrants: int, lots: Lots) -> tuple[int, ...]:
    return lots.shuffled(range(entrants))


def _searched(start: Seating, attempt: _Attempt, lowest: int, lots: Lots) -> Seating:
    """Returns the result of a search from `start`."""
    if attempt.groups_first:
        start = _grouped_first(start, attempt.memory, lowest, lots)
    if start.cost // start.weights.seats == lowest // start.weights.seats:
        return start  # the groups cannot be improved
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
    # A search with a long memory cannot leave the point where the climb ended, so it starts where the climb started.
    seated = _improved(start, _Stage(_WITHIN, memory, is_within=True), lowest, lots)
    return min(climbed, seated, key=lambda seating: seating.cost)


def _improved(start: Seating, stage: _Stage, lowest: int, lots: Lots) -> Seating:
    seating = Seating(start.layout, start.occupants, start.weights)
    seating.within_tables = stage.is_within
    steps = stage.steps * _length(start.layout)
    improve(seating, steps=steps, memory=stage.memory, seed=lots.below(_SEEDS), target=lowest)
    return Seating(start.layout, seating.best, start.weights)


def _length(layout: Layout) -> int:
    return min(layout.count + _MORE_SEATS, _MAX_SEATS)
