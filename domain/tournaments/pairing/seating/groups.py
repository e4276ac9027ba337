"""Score groups: which of them is a table's home."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

S = TypeVar("S", int, Fraction)


def home_of(scores: Sequence[S]) -> S:
    """Returns the score that most of a table's entrants have, and of several such the highest.

    >>> home_of([3, 1, 1, 2, 2])
    2
    """
    seats = Counter(scores)
    most = max(seats.values())
    return max(score for score, count in seats.items() if count == most)
