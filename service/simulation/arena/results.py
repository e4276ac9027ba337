"""The results of matches: scores with intervals that resample whole deals, and the ladder.

The rotations of a deal are not independent, because they have the same cards. So they are averaged first.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Final

import msgspec

from hoodwink.domain.kernel import places
from hoodwink.service.simulation.arena.tasks import Pairing, Played, Task, Terms, Times, seatings_of
from hoodwink.service.simulation.outside.mistakes import Mistakes

_SAMPLES: Final = 1_000


class Estimate(msgspec.Struct, frozen=True):
    """A mean over deals with its 95% interval."""

    mean: float
    low: float
    high: float


class Result(msgspec.Struct, frozen=True):
    """The result of a match for its first bot.

    Attributes:
        score: how often a seat of the first bot finishes ahead of a seat of the second one; ties count half.
        first: its share of first places where it is the only one of its kind; by chance, one in the number of seats.
        margin: its points over the average of the others, where it is the only one of its kind.
    """

    pairing: Pairing
    score: Estimate
    first: Estimate
    margin: Estimate


class Standing(msgspec.Struct, frozen=True):
    """A row of the ladder.

    Attributes:
        score: the average of the bot's scores against the others.
        moves: how many moves it made.
        cpu_mean_ms, cpu_p95_ms: the CPU time of its moves; that of a bot from outside is what its own process measured.
        mistakes: how often a built-in bot moved for it.
    """

    bot: str
    score: Estimate
    moves: int
    cpu_mean_ms: float
    cpu_p95_ms: float
    mistakes: int


class Check(msgspec.Struct, frozen=True):
    """A result that can be known beforehand.

    Attributes:
        expected: the score that is expected.
        is_met: whether an interval of twice the width agrees with it. One in 20 would miss the truth with the interval
            itself, and a run may have many checks.
    """

    pairing: Pairing
    expected: str
    score: Estimate
    is_met: bool


class Peeked(msgspec.Struct, frozen=True):
    """How a match ends if bots that think know all cards.

    Attributes:
        score: of the first bot.
        share: how much of its gain over 50% it reaches without peeking; `None` if peeking gains nothing.
    """

    pairing: Pairing
    score: Estimate
    share: float | None


class _Deals(msgspec.Struct):
    """The numbers of a match by deal and seating, from the view of its first bot."""

    scores: list[list[float]]
    firsts: list[list[float]]
    margins: list[list[float]]


class Arena:
    """Collects the results of a run's tasks.

    Attributes:
        mistakes: those of the bots from outside.
    """

    def __init__(self, terms: Terms, matches: Sequence[Pairing], deals: int) -> None:
        self._terms, self._matches = terms, matches
        self._deals = {
            pairing: _Deals(*([list[float]() for _ in range(deals)] for _ in range(3))) for pairing in matches
        }
        self._times: dict[str, Times] = {}
        self.mistakes = Mistakes()

    def add(self, task: Task, played: Played) -> None:
        """Adds the outcome of a task. The order of the tasks decides which mistakes become examples."""
        seating = seatings_of(self._terms, task.pairing)[task.seating]
        deals = self._deals[task.pairing]
        for deal, scores in enumerate(played.scores, start=task.first_deal):
            deals.scores[deal].append(ahead(seating, scores))
            if seating.count(0) == 1:
                seat = seating.index(0)
                deals.firsts[deal].append(_first(scores, seat))
                deals.margins[deal].append(
                    scores[seat] - (sum(scores) - scores[seat]) / (self._terms.seats - 1)
                )
        for bot, times_ns in played.times_ns.items():
            times = self._times.setdefault(bot, Times())
            for ns in times_ns:
                times.add(ns)
        self.mistakes.merge(played.mistakes)

    def results(self) -> tuple[Result, ...]:
        return tuple(
            Result(pairing, *(estimate(list(map(fmean, numbers))) for numbers in self._numbers(pairing)))
            for pairing in self._matches
        )

    def ladder(self) -> tuple[Standing, ...]:
        """Returns the bots, the best first."""
        bots = dict.fromkeys(bot for pairing in self._matches for bot in (pairing.first, pairing.second))
        rows = [self._standing(bot) for bot in bots]
        return tuple(sorted(rows, key=lambda row: -row.score.mean))

    def _numbers(self, pairing: Pairing) -> tuple[list[list[float]], ...]:
        deals = self._deals[pairing]
        # In the order of the fields of `Result`.
        return deals.scores, deals.firsts, deals.margins

    def _standing(self, bot: str) -> Standing:
        by_match = []
        for pairing, deals in self._deals.items():
            if pairing.first == pairing.second:  # a match against itself says nothing about its strength
                continue
            means = list(map(fmean, deals.scores))
            if pairing.first == bot:
                by_match.append(means)
            elif pairing.second == bot:
                by_match.append([1 - mean for mean in means])
        times = self._times[bot]
        wrong = sum(count for (name, _), count in self.mistakes.counts.items() if name == bot)
        return Standing(
            bot,
            estimate([fmean(scores) for scores in zip(*by_match, strict=True)]),
            times.moves,
            times.total_ns / max(1, times.moves) / 1e6,
            _percentile(times.rounded, 0.95) / 1e6,
            wrong,
        )


def checks(results: Sequence[Result]) -> tuple[Check, ...]:
    """Returns the results of mirror matches, which end even, and of those against `random`, which all bots beat."""
    found = []
    for result in results:
        pairing, score = result.pairing, result.score
        low, high = 2 * score.low - score.mean, 2 * score.high - score.mean
        if pairing.first == pairing.second:
            found.append(Check(pairing, "even", score, low <= 0.5 <= high))
        elif pairing.second == "random":
            found.append(Check(pairing, "above 50%", score, low > 0.5))
    return tuple(found)


def peeked(honest: Sequence[Result], peeking: Sequence[Result]) -> tuple[Peeked, ...]:
    """Compares the results of the same matches without peeking and with it."""
    found = []
    for result, other in zip(honest, peeking, strict=True):
        gain, possible = result.score.mean - 0.5, other.score.mean - 0.5
        found.append(Peeked(result.pairing, other.score, gain / possible if possible > 0 else None))
    return tuple(found)


def ahead(seating: Sequence[int], scores: Sequence[int]) -> float:
    """Returns how often seats of bot 0 finish ahead of seats of bot 1; ties count half.

    >>> ahead((0, 1, 1), (3, 3, 1))
    0.75
    """
    mine = [score for bot, score in zip(seating, scores, strict=True) if bot == 0]
    others = [score for bot, score in zip(seating, scores, strict=True) if bot == 1]
    return fmean([(score > other) + (score == other) / 2 for score in mine for other in others])


def _first(scores: tuple[int, ...], seat: int) -> float:
    placed = places(scores)
    return (placed[seat] == 1) / placed.count(1)


def estimate(values: Sequence[float]) -> Estimate:
    """Returns the mean of a number per deal, with the interval in which the mean of resampled deals lies."""
    # Always the same samples, so that the same run has the same intervals.
    chance, count = Random(1), len(values)  # noqa: S311 - repeatable on purpose
    means = sorted(sum(chance.choices(values, k=count)) / count for _ in range(_SAMPLES))
    return Estimate(
        sum(values) / count, means[round(0.025 * (_SAMPLES - 1))], means[round(0.975 * (_SAMPLES - 1))]
    )


def _percentile(counts: Counter[int], share: float) -> int:
    """Returns the smallest number that at least this share of all numbers do not exceed; 0 if there are none."""
    left = share * counts.total()
    for number, count in sorted(counts.items()):
        left -= count
        if left <= 0:
            return number
    return 0
