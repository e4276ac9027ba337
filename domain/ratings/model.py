"""Ratings by the Bradley-Terry model with the update of Weng and Lin; docs/RATINGS.md has the reasons for the choice.

R. C. Weng and C.-J. Lin, A Bayesian approximation method for online ranking, JMLR 12 (2011), p. 267, algorithm 1 with
gamma 1, and with 3 / (n + 1) times the paper's sum over the opponents at a table of n seats: its comparisons are not
independent, and together they have the information of 3 (n - 1) / (n + 1) tables of two.
"""

from collections.abc import Collection, Sequence
from math import sqrt
from typing import Final

import msgspec

from hoodwink.domain.ratings.arithmetic import logistic

MILLION: Final = 1_000_000
"""Means and deviations are whole numbers of millionths, so that the next update starts from exactly the stored values."""


class Rating(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The estimated skill of a player.

    Attributes:
        mu: the mean, in millionths.
        sigma: the standard deviation, in millionths.
    """

    mu: int
    sigma: int

    @property
    def ordinal(self) -> int:
        """The key of leaderboards: mu - 3 sigma, in millionths. The player is very likely at least as good."""
        return self.mu - 3 * self.sigma


NEWCOMER: Final = Rating(25_000_000, 8_333_333)
"""The rating of a player before the first table."""

BETA: Final = 4_166_667
"""The influence of luck at a table: the deviation of a player's performance from the skill, in millionths."""

TAU: Final = 166_667
"""The deviation by which a player's skill may change from one table to the next, and with each idle day, in millionths."""

DAY_MS: Final = 86_400_000

_MIN_FACTOR: Final = 0.0001
"""The smallest factor by which one table may shrink a variance."""


def aged(rating: Rating, idle_ms: int) -> Rating:
    """Returns the rating after a time without a rated table: sigma grows with each whole day, up to a newcomer's.

    >>> aged(Rating(30_000_000, 1_500_000), 90 * DAY_MS).sigma
    2179452
    """
    days = idle_ms // DAY_MS
    if days <= 0 or rating.sigma >= NEWCOMER.sigma:
        return rating
    grown = round(sqrt(rating.sigma * rating.sigma + days * TAU * TAU))
    return Rating(rating.mu, min(grown, NEWCOMER.sigma))


def rated(
    before: Sequence[Rating], places: Sequence[int], left_out: Collection[tuple[int, int]] = ()
) -> tuple[Rating, ...]:
    """Returns the ratings after a table.

    Args:
        before: the ratings of the seats; at least two.
        places: the places of the seats, 1 being the best; tied seats have equal places.
        left_out: pairs of a seat and an opponent; the comparison with that opponent does not change the seat's rating.
    """
    means = [rating.mu for rating in before]
    variances = [float(rating.sigma * rating.sigma + TAU * TAU) for rating in before]
    gains, certainties = _compared(means, variances, places, left_out)
    sizes = [len(before)] * len(before)
    for seat, _ in left_out:  # its rating changes as at a smaller table
        sizes[seat] -= 1
    weights = [3.0 / (size + 1) for size in sizes]
    return tuple(map(_moved, means, variances, gains, certainties, weights))


def _compared(
    means: Sequence[int],
    variances: Sequence[float],
    places: Sequence[int],
    left_out: Collection[tuple[int, int]],
) -> tuple[list[float], list[float]]:
    """Returns the paper's omega and delta of each seat, summed over its opponents.

    Omega measures how far the results exceed the expected ones. Delta measures their information and shrinks the variance.
    """
    gains, certainties = [0.0] * len(means), [0.0] * len(means)
    for seat, place in enumerate(places):
        for other in range(seat):
            spread = sqrt(variances[seat] + variances[other] + _TWICE_BETA_SQUARED)
            expected = logistic((means[seat] - means[other]) / spread)
            result = 0.5 if place == places[other] else float(place < places[other])
            gain = (result - expected) / spread
            certainty = expected * (1.0 - expected) / (spread * spread)
            if not left_out or (seat, other) not in left_out:
                gains[seat] += gain
                certainties[seat] += certainty
            if not left_out or (other, seat) not in left_out:
                gains[other] -= gain
                certainties[other] += certainty
    return gains, certainties


def _moved(mean: int, variance: float, gain: float, certainty: float, weight: float) -> Rating:
    shrunk = variance * max(1.0 - variance * weight * certainty, _MIN_FACTOR)
    return Rating(mean + round(variance * weight * gain), round(sqrt(shrunk)))


_TWICE_BETA_SQUARED: Final = 2.0 * BETA * BETA
