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


Means: TypeAlias = Sequence[Fraction]


MARGIN_TABLES: Final = 4
"""By margin, the mean lead of n others counts n/(n + 4): few tables say more about their players than about the cards.

It is measured, see "Measured gain" in docs/TOURNAMENTS.md, and part of the scores of all logs, so it never changes.
"""


class Comparison(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A seat's result compared with the same seat at the other tables of its deal.

    Attributes:
        points: the seat's own points or tokens.
        others: the other tables with a result in this seat.
        tables: all tables of the deal with as many seats, the seat's own included.
        beaten, equal: the others with fewer points, and with as many; by margin, with a smaller lead, and with the same.
        lead: by margin, the points minus the mean of all seats of the table.
        mean: the mean of the others' points, by margin of their leads; `None` if there are none.
        is_scaled: whether matchpoints are scaled to all tables by Neuberg's formula, because others have no result (D-5).
        is_average: whether there are fewer than two others, so that the seat scores as if it had done average (D-5).
    """

    compare: Compare
    points: int
    others: int
    tables: int
    beaten: int
    equal: int
    lead: Fraction | None
    mean: Fraction | None
    is_scaled: bool
    is_average: bool

    @property
    def score(self) -> Fraction:
        """The score in the standings."""
        if self.compare is Compare.MATCHPOINTS:
            halves = 2 * self.beaten + self.equal
            return HALF if self.is_average else neuberg(halves, results=self.others + 1, tables=self.tables)
        if self.is_average or self.mean is None:
            return ZERO
        if self.lead is None:
            return self.points - self.mean
        return self.lead - Fraction(self.others, self.others + MARGIN_TABLES) * self.mean


class Exclusion(StrEnum):
    """The reason why a seat is not compared (D-5, D-6)."""

    RESIGNED = "resigned"
    STAND_IN = "stand_in"  # a bot took more than half of its turns
    NO_SHOW = "no_show"
    LAST_LEFT = "last_left"  # all others at the table resigned
    FORFEIT_WIN = "forfeit_win"  # nobody else appeared at the table
    NO_RESULT = "no_result"  # the table ended without a result
    VOID = "void"  # the table was voided, or its result does not count by a ruling


def compared(results: Results, compare: Compare, means: Means = ()) -> tuple[Fraction | None, ...]:
    """Returns the score of each result against the others, and `None` where there is no result.

    >>> [str(score) for score in compared((3, 5, 5), Compare.MATCHPOINTS)]
    ['0', '3/4', '3/4']
    """
    found = comparisons(results, compare, means)
    return tuple([None if comparison is None else comparison.score for comparison in found])


def comparisons(results: Results, compare: Compare, means: Means = ()) -> tuple[Comparison | None, ...]:
    """Returns the comparison of each result with the others, and `None` where there is no result.

    Args:
        means: the mean points of all seats of each table; only by margin.
    """
    is_margin = compare is Compare.MARGIN
    leads = [
        None if points is None else points - mean
        for points, mean in zip(results, means if is_margin else [ZERO] * len(results), strict=True)
    ]
    counted = sorted([lead for lead in leads if lead is not None])
    others, total, tables = len(counted) - 1, sum(counted), len(results)
    is_average = others < MIN_COMPARISONS

    def comparison(points: int, lead: Fraction) -> Comparison:
        beaten = bisect_left(counted, lead)
        return Comparison(
            compare=compare,
            points=points,
            others=others,
            tables=tables,
            beaten=beaten,
            equal=bisect_right(counted, lead) - beaten - 1,
            lead=lead if is_margin else None,
            mean=(total - lead) / others if others else None,
            is_scaled=compare is Compare.MATCHPOINTS and not is_average and others + 1 < tables,
            is_average=is_average,
        )

    return tuple(
        [
            None if points is None or lead is None else comparison(points, lead)
            for points, lead in zip(results, leads, strict=True)
        ]
    )


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
