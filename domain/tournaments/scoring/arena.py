"""The points of an arena: twice the usual score, and four times in a streak (T-44)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from hoodwink.domain.tournaments.scoring.rounds import RoundScore, Status

WINS_BEFORE_STREAK: Final = 2
"""After this number of wins in a row, points are doubled until a table is not won."""


def with_streaks(rounds: Iterable[Mapping[int, RoundScore]]) -> Iterator[dict[int, RoundScore]]:
    """Yields the scores of an arena's waves, in order; `rounds` are those of their tables alone."""
    wins: Counter[int] = Counter()
    for scores in rounds:
        points = {}
        for entrant, score in scores.items():
            is_doubled = score.is_played and wins[entrant] >= WINS_BEFORE_STREAK
            factor = 4 if is_doubled else 2
            points[entrant] = replace(score, score=factor * score.score, is_doubled=is_doubled)
            wins[entrant] = wins_after(wins[entrant], score)
        yield points


def wins_after(wins: int, score: RoundScore) -> int:
    """Returns the number of wins in a row after a table."""
    if score.status is Status.PLAYED:
        return wins + 1 if score.is_win else 0
    return 0 if score.status is Status.NO_SHOW else wins
