"""Berger tables (FIDE Handbook C.05, Annex 1)."""

from collections.abc import Iterator
from typing import TypeAlias

Tables: TypeAlias = tuple[tuple[int, ...], ...]
"""The tables of a round: the starting ranks in seat order."""


def berger(entrants: int) -> tuple[Tables, ...]:
    """Returns the rounds for a number of entrants; the first of each pair has white, and an odd one out has no table.

    >>> berger(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    >>> berger(3)
    (((2, 3),), ((1, 2),), ((3, 1),))
    """
    last = entrants + entrants % 2
    rounds = (tuple(_pairs(number, last)) for number in range(last - 1))
    return tuple(tuple(pair for pair in pairs if max(pair) <= entrants) for pairs in rounds)


def _pairs(number: int, last: int) -> Iterator[tuple[int, int]]:
    """Yields the pairs of round `number`, from 0: the last entrant stays, and the others rotate by half a turn."""
    turning = last - 1
    first = number * (last // 2) % turning
    yield (last, first + 1) if number % 2 else (first + 1, last)
    for step in range(1, last // 2):
        yield (first + step) % turning + 1, (first - step) % turning + 1
