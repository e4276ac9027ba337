"""The seating rules of Vampire: The Eternal Struggle, counted like krcg for fixed schedules at tables of 4 and 5.

R1 … R9 are those of github.com/lionel-panhaleux/krcg, `krcg/seating.py`, class `Score`. (Its search uses
`fast_total`, which counts the fourth seat instead of the fifth; that error is not repeated here.) Rules R3 and R8 are standard deviations,
the others numbers of violations.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import pstdev
from typing import NamedTuple, TypeAlias

Rounds: TypeAlias = Sequence[Sequence[Sequence[int]]]
"""The seats of every table of every round."""

PREY, GRAND_PREY, GRAND_PREDATOR, PREDATOR, ACROSS = range(5)
_RELATIONS = {
    (4, 1): PREY,
    (4, 2): ACROSS,
    (4, 3): PREDATOR,
    (5, 1): PREY,
    (5, 2): GRAND_PREY,
    (5, 3): GRAND_PREDATOR,
    (5, 4): PREDATOR,
}
_ADJACENT = {PREY, PREDATOR}
_MAX_TRANSFERS = 4

PUBLISHED = {
    8: (0, 12),
    9: (1, 16),
    10: (2, 20),
    12: (0, 9),
    13: (0, 12),
    14: (0, 18),
    15: (0, 18),
    17: (0, 12),
    18: (0, 12),
    19: (0, 12),
    20: (0, 12),
    21: (0, 6),
    22: (0, 8),
    23: (0, 10),
    26: (0, 4),
}
"""R2 and R4 of the published optimum for up to 26 players and three rounds, where they are not 0 and 0.

Counted in the schedules of The Archon 1.5l (github.com/vtes-biased/archon, `src/front/optimal_seating_3r.json`).
"""


class Measure(NamedTuple):
    """The value of a schedule for each rule; R1 is the most important."""

    r1: int
    """Pairs who are predator and prey more than once."""
    r2: int
    """Pairs who share a table three times or more."""
    r3: float
    """Standard deviation of the victory points that players can win."""
    r4: int
    """Pairs who share a table twice or more."""
    r5: int
    """Players who have the fifth seat more than once."""
    r6: int
    """Pairs who are in the same relative position more than once."""
    r7: int
    """Seats that a player has more than once."""
    r8: float
    """Standard deviation of the players' starting transfers."""
    r9: int
    """Pairs who are adjacent more than once, or share a table without being adjacent more than once."""


PUBLISHED_VALUES = {
    4: Measure(2, 6, 0.0, 6, 0, 4, 0, 0.3727, 6),
    5: Measure(0, 10, 0.0, 10, 0, 0, 1, 0.4, 10),
    8: Measure(0, 0, 0.0, 12, 0, 0, 0, 0.3727, 4),
    9: Measure(0, 1, 0.3143, 16, 0, 0, 0, 0.2722, 6),
    10: Measure(0, 2, 0.0, 20, 0, 0, 0, 0.3712, 4),
    12: Measure(0, 0, 0.0, 9, 0, 0, 0, 0.3727, 0),
    13: Measure(0, 0, 0.1776, 12, 0, 0, 0, 0.3161, 3),
    14: Measure(0, 0, 0.1166, 18, 0, 0, 0, 0.2777, 2),
    15: Measure(0, 0, 0.0, 18, 0, 0, 0, 0.2667, 1),
    16: Measure(0, 0, 0.0, 0, 0, 0, 0, 0.3727, 0),
    17: Measure(0, 0, 0.1074, 12, 0, 0, 0, 0.3339, 1),
    18: Measure(0, 0, 0.1571, 12, 0, 0, 0, 0.2722, 0),
    19: Measure(0, 0, 0.1608, 12, 0, 0, 0, 0.2774, 0),
    20: Measure(0, 0, 0.0, 12, 0, 0, 0, 0.2667, 0),
    21: Measure(0, 0, 0.1506, 6, 0, 0, 0, 0.3434, 0),
    22: Measure(0, 0, 0.1603, 8, 0, 0, 0, 0.3, 0),
    23: Measure(0, 0, 0.068, 10, 0, 0, 0, 0.2765, 0),
    24: Measure(0, 0, 0.1667, 0, 0, 0, 0, 0.2764, 0),
    25: Measure(0, 0, 0.0, 0, 0, 0, 0, 0.2667, 0),
    26: Measure(0, 0, 0.1203, 4, 0, 0, 0, 0.3161, 0),
    27: Measure(0, 0, 0.1571, 0, 0, 0, 0, 0.3009, 0),
    28: Measure(0, 0, 0.1166, 0, 0, 0, 0, 0.2777, 0),
    30: Measure(0, 0, 0.0, 0, 0, 0, 0, 0.2667, 0),
    40: Measure(0, 0, 0.0, 0, 0, 0, 0, 0.2667, 0),
}
"""All values of some published schedules, R3 and R8 with four decimals; see `PUBLISHED`."""


def measure(rounds: Rounds) -> Measure:
    """Returns the values of a schedule; all tables must have four or five seats."""
    sittings = [
        (player, seat, len(table))
        for round_ in rounds
        for table in round_
        for seat, player in enumerate(table)
    ]
    players = {player for player, _, _ in sittings}
    again = [pair for pair, times in Counter(_pairs(rounds)).items() if times > 1]
    thrice = [pair for pair, times in Counter(_pairs(rounds)).items() if times > 2]
    related = Counter(_relations(rounds))
    positions = [relation for (_, _, relation), times in related.items() if times > 1]
    grouped = Counter((one, other, relation in _ADJACENT) for one, other, relation in related.elements())
    seats = [
        seat
        for (_, seat), times in Counter((player, seat) for player, seat, _ in sittings).items()
        if times > 1
    ]
    return Measure(
        r1=sum(relation in _ADJACENT for relation in positions),
        r2=len(thrice),
        r3=pstdev(_mean([size for other, _, size in sittings if other == player]) for player in players),
        r4=len(again),
        r5=seats.count(4),
        r6=len(positions),
        r7=len(seats),
        r8=pstdev(
            _mean([min(seat + 1, _MAX_TRANSFERS) for other, seat, _ in sittings if other == player])
            for player in players
        ),
        r9=sum(times > 1 for times in grouped.values()),
    )


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)


def _relations(rounds: Rounds) -> Iterator[tuple[int, int, int]]:
    """Yields each pair of players at a table, the lower number first, with the relation of the second to the first."""
    for round_ in rounds:
        for table in round_:
            size = len(table)
            for seat, player in enumerate(table):
                for distance in range(1, size):
                    other = table[(seat + distance) % size]
                    if player < other:
                        yield player, other, _RELATIONS[size, distance]


def _pairs(rounds: Rounds) -> Iterator[tuple[int, int]]:
    return ((one, other) for one, other, _ in _relations(rounds))
