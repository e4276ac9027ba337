"""Comparisons of a seat with the same seat at the other tables of a deal (D-3, D-5, D-6)."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeAlias

import msgspec

from hoodwink.domain.tournaments.scoring.places import HALF, ZERO
from hoodwink.domain.tournaments.terms import Compare

MIN_COMPARISONS: Final = 2
"""With fewer comparisons, a seat scores as if it had done as well as the others on average (D-5)."""

Results: TypeAlias = Sequence[int | None]
"""The points of one seat at each table of a deal; `None` for a table or seat that is not compared (D-5, D-6)."""


class Comparison(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A seat's result compared with the same seat at the other tables of its deal.

    Attributes:
        points: the seat's own points or tokens.
        others: the other tables with a result in this seat.
        tables: all tables of the deal with as many seats, the seat's own included.
        beaten, equal: the others with fewer points, and with as many.
        mean: the mean of the others; `None` if there are none.
        is_scaled: whether matchpoints are scaled to all tables by Neuberg's formula, because others have no result (D-5).
        is_average: whether there are fewer than two others, so that the seat scores as if it had done average (D-5).
    """

    compare: Compare
    points: int
    others: int
    tables: int
    beaten: int
    equal: int
    mean: Fraction | None
    is_scaled: bool
    is_average: bool

    @property
    def score(self) -> Fraction:
        """The score in the standings."""
        if self.compare is Compare.DIFFERENCE:
            return ZERO if self.is_average or self.mean is None else self.points - self.mean
        if self.is_average:
            return HALF
        return neuberg(2 * self.beaten + self.equal, results=self.others + 1, tables=self.tables)


class Exclusion(StrEnum):
    """The reason why a seat is not compared (D-5, D-6)."""

    RESIGNED = "resigned"
    STAND_IN = "stand_in"  # a bot took more than half of its turns
    NO_SHOW = "no_show"
    LAST_LEFT = "last_left"  # all others at the table resigned
    FORFEIT_WIN = "forfeit_win"  # nobody else appeared at the table
    NO_RESULT = "no_result"  # the table ended without a result
    VOID = "void"  # the table was voided, or its result does not count by a ruling


def compared(results: Results, compare: Compare) -> tuple[Fraction | None, ...]:
    """Returns the score of each result against the others, and `None` where there is no result.

    >>> [str(score) for score in compared((3, 5, 5), Compare.MATCHPOINTS)]
    ['0', '3/4', '3/4']
    """
    return tuple([None if found is None else found.score for found in comparisons(results, compare)])


def comparisons(results: Results, compare: Compare) -> tuple[Comparison | None, ...]:
    """Returns the comparison of each result with the others, and `None` where there is no result."""
    counted = sorted([points for points in results if points is not None])
    others, total, tables = len(counted) - 1, sum(counted), len(results)
    is_average = others < MIN_COMPARISONS

    def comparison(points: int) -> Comparison:
        beaten = bisect_left(counted, points)
        return Comparison(
            compare=compare,
            points=points,
            others=others,
            tables=tables,
            beaten=beaten,
            equal=bisect_right(counted, points) - beaten - 1,
            mean=Fraction(total - points, others) if others else None,
            is_scaled=compare is Compare.MATCHPOINTS and not is_average and others + 1 < tables,
            is_average=is_average,
        )

    return tuple([None if points is None else comparison(points) for points in results])


def neuberg(halves: int, *, results: int, tables: int) -> Fraction:
    """Returns the share of the maximum that matchpoints among some results are worth among those of all tables.

    It is Neuberg's formula as bridge uses it: each missing result is taken to be like those that are known, so a top
    among few results is worth less than one among all.

    Args:
        halves: the matchpoints, in halves.

    >>> str(neuberg(6, results=4, tables=8))
    '13/14'
    """
    return Fraction((halves + 1) * tables - results, 2 * results * (tables - 1))
