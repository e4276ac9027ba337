"""The scores of a tournament after one of its rounds, in the form that the tie-breaks need.

Standings are computed after every table, and sums of fractions are slow. So every score here is an integer number of
*ticks*, 1/`unit` of a point. The unit is chosen so that all tie-breaks are integers, too. Results are exact fractions.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm

import msgspec

from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.scoring import RoundScore, Status, round_scores
from hoodwink.domain.tournaments.terms import Format, ScoreBy


class Line(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An entrant's round that counts, because the table has finished or the entrant had none.

    Attributes:
        ticks: the score of the round.
    """

    round: int
    sitting: int
    round_score: RoundScore
    ticks: int


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Every entrant's rounds and final score, as if the tournament had ended after them (K-5).

    Attributes:
        rounds: the number of rounds so far.
        unit: the number of ticks per point.
        lines: the rounds of each entrant, in order, without those whose table has not finished.
        totals: the score of each entrant, in ticks; in a league, the sum of the best sittings (P-7).
    """

    crosstable: Crosstable
    rounds: int
    unit: int
    lines: Mapping[int, tuple[Line, ...]]
    totals: Mapping[int, int]

    def exactly(self, ticks: int) -> Fraction:
        return Fraction(ticks, self.unit)

    @property
    def is_by_fide(self) -> bool:
        """Whether C.07 applies: at tables of two that are won, drawn or lost (K-3). Otherwise K-4 applies."""
        terms = self.crosstable.terms
        return terms.seats == 2 and terms.score_by is not ScoreBy.POINTS

    @property
    def is_scheduled(self) -> bool:
        """Whether all pairings were fixed before the start, so that C.07 counts forfeits as played."""
        return self.crosstable.terms.format is Format.ROUND_ROBIN


def sheet_after(crosstable: Crosstable, round_: int) -> Sheet:
    played = crosstable.until(round_)
    round_score = round_scores(played)
    unit = _unit(score for scores in round_score for score in scores.values())
    lines: dict[int, list[Line]] = {number: [] for number in played.numbers()}
    for round_played, scores in zip(played.rounds, round_score, strict=True):
        for entrant, score in scores.items():
            if score.status is not Status.PENDING:
                lines[entrant].append(
                    Line(
                        round=round_played.number,
                        sitting=round_played.sitting,
                        round_score=score,
                        ticks=score.score.numerator * (unit // score.score.denominator),
                    )
                )
    best_of = played.terms.best_of
    return Sheet(
        crosstable=played,
        rounds=len(played.rounds),
        unit=unit,
        lines={entrant: tuple(played_lines) for entrant, played_lines in lines.items()},
        totals={entrant: _total(played_lines, best_of) for entrant, played_lines in lines.items()},
    )


def _unit(round_score: Iterable[RoundScore]) -> int:
    """Returns a unit in which scores, their products, and their means over tables and opponents are integers."""
    scores = {1}
    means = {2}
    for score in round_score:
        scores.add(score.score.denominator)
        means.add(len(score.opponents) or 1)
        means.add(score.mean.denominator if score.mean is not None else 1)
    return lcm(*scores) ** 2 * 2 * lcm(*means)


def _total(lines: Iterable[Line], best_of: int | None) -> int:
    if best_of is None:
        return sum(line.ticks for line in lines)
    return sum(sum(sitting) for sitting in best_sittings(lines, best_of).values())


def best_sittings(lines: Iterable[Line], best_of: int) -> dict[int, list[int]]:
    """Returns the scores of the sittings that count, in ticks, by sitting; of equal sittings the earlier ones count (P-7)."""
    sittings: dict[int, list[int]] = defaultdict(list)
    for line in lines:
        sittings[line.sitting].append(line.ticks)
    best = sorted(sittings, key=lambda sitting: (-sum(sittings[sitting]), sitting))[:best_of]
    return {sitting: sittings[sitting] for sitting in best}
