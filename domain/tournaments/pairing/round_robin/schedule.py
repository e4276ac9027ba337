"""The schedule of a round robin, fixed before the first round (P-1)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from hoodwink.domain.tournaments.chance import Draw
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.pairing.round_robin.arrangement import Costs
from hoodwink.domain.tournaments.pairing.round_robin.arranging import arrangement_of
from hoodwink.domain.tournaments.pairing.round_robin.berger import Tables, berger
from hoodwink.domain.tournaments.pairing.round_robin.layout import NEXT, PREVIOUS, relations
from hoodwink.domain.tournaments.pairing.round_robin.shapes import Shape
from hoodwink.domain.tournaments.pairing.round_robin.three_rounds import is_stored, stored
from hoodwink.domain.tournaments.terms import Terms

Schedule: TypeAlias = tuple[Tables, ...]
"""The tables of every round."""


def rounds_of(terms: Terms, entrants: int) -> int:
    """Returns the number of rounds; at tables of two it depends on the entrants."""
    return max(0, entrants - 1 + entrants % 2) if terms.seats == 2 else terms.rounds


def shape_of(terms: Terms, entrants: int) -> Shape | None:
    """Returns the shape of a schedule of larger tables; `None` for Berger tables, or if nobody can be seated."""
    sizes = () if terms.seats == 2 else table_sizes(entrants, terms)
    if not sizes:
        return None
    return Shape(entrants=entrants, tables=len(sizes), waiting=entrants - sum(sizes), rounds=terms.rounds)


def schedule_of(terms: Terms, entrants: int, draw: Draw, *, may_be_stored: bool = True) -> Schedule:
    """Returns the starting ranks at every table of every round, in seat order.

    At tables of two these are the Berger tables. Larger tables come from the arrangement of their shape, which is the
    same in every tournament, with the entrants drawn by lot. It is a shipped one if `may_be_stored` and there is one. If
    not all entrants can be seated, the others have no table in that round.
    """
    if terms.seats == 2:
        return berger(entrants)
    shape = shape_of(terms, entrants)
    if shape is None:
        return ((),) * terms.rounds
    numbers = draw("schedule").shuffled(range(entrants))
    arrangement = stored(shape) if may_be_stored and is_stored(shape) else arrangement_of(shape)
    return _rounds(shape, [numbers[place] for place in arrangement])


def _rounds(shape: Shape, occupants: Sequence[int]) -> Schedule:
    sizes, places = shape.sizes(), iter(occupants)
    rounds = [[tuple(next(places) + 1 for _ in range(size)) for size in sizes] for _ in range(shape.rounds)]
    return tuple(tuple(tables[: shape.tables]) for tables in rounds)


def costs_of(schedule: Schedule) -> Costs:
    """Returns the values that P-1 minimises, in order, for a schedule of larger tables.

    Entrants who wait count as at tables of one. Unlike the search, this does not use a matrix of all pairs, which would
    take most of the time if many entrants play few rounds.
    """
    count = max(entrant for tables in schedule for table in tables for entrant in table)
    sizes, seats, pairs = (
        Counter[tuple[int, int]](),
        Counter[tuple[int, int]](),
        Counter[tuple[int, int, int]](),
    )
    for tables in schedule:
        seated = {entrant for table in tables for entrant in table}
        waiting = [(entrant,) for entrant in range(1, count + 1) if entrant not in seated]
        for table in (*tables, *waiting):
            sizes.update([(entrant, len(table)) for entrant in table])
            seats.update([(entrant, seat) for seat, entrant in enumerate(table)])
            pairs.update(_relations(table))
    meetings = Counter[tuple[int, int]]()
    for (one, other, _), times in pairs.items():
        meetings[one, other] += times
    again = {NEXT: 0, PREVIOUS: 0}
    distances = 0
    for (_, _, kind), times in pairs.items():
        distances += times * (times - 1) // 2
        if kind in again:
            again[kind] += times * (times - 1) // 2
    return Costs(
        neighbours=sum(again.values()),
        meetings=_squares(meetings),
        sizes=_squares(sizes),
        thrice=sum(times * (times - 1) * (times - 2) // 6 for times in meetings.values()),
        seats=_squares(seats),
        distances=distances,
    )


def _relations(table: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yields the pairs at a table, the lower starting rank first, with the relation of the second to the first."""
    kinds = relations(len(table))
    for seat, one in enumerate(table):
        for other_seat in range(seat + 1, len(table)):
            other, steps = table[other_seat], other_seat - seat
            yield (one, other, kinds[steps]) if one < other else (other, one, kinds[-steps])


def _squares(counted: Counter[tuple[int, int]]) -> int:
    return sum(times * times for times in counted.values())
