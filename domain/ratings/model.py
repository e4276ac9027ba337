"""Ratings by the Bradley-Terry model with the update of Weng and Lin; docs/RATINGS.md has the reasons for the choice.

R. C. Weng and C.-J. Lin, A Bayesian approximation method for online ranking, JMLR 12 (2011), p. 267, algorithm 1 with
gamma 1, and with the mean over a seat's opponents where the paper has the sum. Equal to openskill's
`BradleyTerryPart(gamma=lambda *_: 1.0, window_size=10)`: a window as wide as any table.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

import msgspec

from domain.ratings.arithmetic import logistic

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
"""The deviation by which a player's skill may have changed since the last table, in millionths."""

_LEAST: Final = 0.0001
"""The least factor by which one table may shrink a variance."""


def rated(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """Returns the ratings after a table.

    Args:
        before: the ratings of the seats; at least two.
        places: the places of the seats, 1 being the best; tied seats have equal places.
    """
    means = [rating.mu for rating in before]
    variances = [float(rating.sigma * rating.sigma + TAU * TAU) for rating in before]
    gains, certainties = _compared(means, variances, places)
    others = len(before) - 1
    return tuple(
        [
            _moved(mean, variance, gain / others, certainty / others)
            for mean, variance, gain, certainty in zip(means, variances, gains, certainties, strict=True)
        ]
    )


def _compared(
    means: Sequence[int], variances: Sequence[float], places: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Returns the paper's omega and delta of each seat, summed over its opponents.

    Omega is how far the results were above the expected ones; delta, how much they say, shrinks the variance.
    """
    gains, certainties = [0.0] * len(means), [0.0] * len(means)
    for seat, place in enumerate(places):
        for other in range(seat):
            spread = sqrt(variances[seat] + variances[other] + _TWICE_BETA_SQUARED)
            expected = logistic((means[seat] - means[other]) / spread)
            result = 0.5 if place == places[other] else float(place < places[other])
            gain = (result - expected) / spread
            gains[seat] += gain
            gains[other] -= gain
            certainty = expected * (1.0 - expected) / (spread * spread)
            certainties[seat] += certainty
            certainties[other] += certainty
    return gains, certainties


def _moved(mean: int, variance: float, gain: float, certainty: float) -> Rating:
    shrunk = variance * max(1.0 - variance * certainty, _LEAST)
    return Rating(mean + round(variance * gain), round(sqrt(shrunk)))


_TWICE_BETA_SQUARED: Final = 2.0 * BETA * BETA
