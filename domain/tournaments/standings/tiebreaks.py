"""The contribution of each round to a tie-break (K-2). The value of a tie-break is the sum of those that are not cut."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import TypeAlias

from hoodwink.domain.tournaments.standings.opponents import Contribution, left_out
from hoodwink.domain.tournaments.standings.sheet import Line, Sheet
from hoodwink.domain.tournaments.terms import Tiebreak

Parts: TypeAlias = Mapping[int, tuple[Contribution, ...]]
"""The contributions of the rounds to Buchholz and Sonneborn-Berger, by entrant."""


def value_of(tiebreak: Tiebreak, sheet: Sheet, parts: Parts, entrant: int) -> int:
    """Returns the value of a tie-break for an entrant, in ticks; more is better."""
    cut = left_out(sheet, parts[entrant], tiebreak)
    return sum(ticks for round_, ticks in addends(tiebreak, sheet, parts, entrant) if round_ not in cut)


def addends(tiebreak: Tiebreak, sheet: Sheet, parts: Parts, entrant: int) -> Iterator[tuple[int, int]]:
    """Returns the rounds that contribute to a tie-break, each with its contribution in ticks."""
    match tiebreak:
        case Tiebreak.BUCHHOLZ | Tiebreak.BUCHHOLZ_CUT1 | Tiebreak.BUCHHOLZ_MEDIAN:
            return ((part.line.round, part.buchholz) for part in parts[entrant])
        case Tiebreak.SONNEBORN_BERGER:
            return ((part.line.round, part.sonneborn_berger) for part in parts[entrant])
        case Tiebreak.WINS:
            return ((line.round, sheet.unit) for line in sheet.lines[entrant] if line.round_score.is_win)
        case Tiebreak.PROGRESSIVE:
            return enumerate(accumulate(_by_round(sheet, entrant)), 1)
        case Tiebreak.DIFFERENCE:
            counted = (line for line in sheet.lines[entrant] if line.round_score.mean is not None)
            return ((line.round, _difference(sheet, line)) for line in counted)
        case _:
            raise ValueError(f"{tiebreak} is not a sum over rounds.")


def _by_round(sheet: Sheet, entrant: int) -> list[int]:
    """Returns the score of each round in ticks; 0 if the table has not finished."""
    scores = [0] * sheet.rounds
    for line in sheet.lines[entrant]:
        scores[line.round - 1] = line.ticks
    return scores


def _difference(sheet: Sheet, line: Line) -> int:
    """Returns the difference between the points and the mean of the table, in ticks."""
    mean = line.round_score.mean
    assert mean is not None  # the round counts
    return (line.round_score.points or 0) * sheet.unit - mean.numerator * (sheet.unit // mean.denominator)
