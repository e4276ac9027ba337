"""Score groups, and the home group of a table."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

S = TypeVar("S", int, Fraction)


def home_of(scores: Sequence[S]) -> S:
    """Returns the most frequent score of a table's entrants, or the highest of several equally frequent scores.

    >>> home_of([3, 1, 1, 2, 2])
    2
    """
    seats = Counter(scores)
    most = max(seats.values())
    return max(score for score, count in seats.items() if count == most)
