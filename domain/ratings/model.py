"""Ratings by Bradley and Terry's model, updated as Weng and Lin do; docs/RATINGS.md has the figures behind the choice.

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
"""Means and deviations are whole numbers of millionths, so the next update continues from what was stored."""


class Rating(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """How well a player is believed to play.

    Attributes:
        mu: the mean, in millionths.
        sigma: the standard deviation, in millionths.
    """

    mu: int
    sigma: int

    @property
    def ordinal(self) -> int:
        """What leaderboards rank by: mu - 3 sigma, in millionths. The player is very likely at least as good."""
        return self.mu - 3 * self.sigma


NEWCOMER: Final = Rating(25_000_000, 8_333_333)
"""The rating of a player before the first table."""

BETA: Final = 4_166_667
"""How much luck moves a seat at a table: the deviation of what players show from what they are, in millionths."""

TAU: Final = 166_667
"""How much players may have changed since their last table, in millionths."""

_LEAST: Final = 0.0001
"""The least factor by which one table shrinks a variance."""


def rated(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """Returns the ratings after a table.

    Args:
        before: of each seat; at least two.
        places: of each seat, 1 being the best; equal places are shared.
    """
    means = [rating.mu for rating in before]
    variances = [float(rating.sigma * rating.sigma + TAU * TAU) for rating in before]
    pulls, curbs = _compared(means, variances, places)
    others = len(before) - 1
    return tuple(
        [
            _moved(mean, variance, pull / others, curb / others)
            for mean, variance, pull, curb in zip(means, variances, pulls, curbs, strict=True)
        ]
    )


def _compared(
    means: Sequence[int], variances: Sequence[float], places: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Returns for each seat, summed over the others, how far the result was above the expected one, and how telling."""
    pulls, curbs = [0.0] * len(means), [0.0] * len(means)
    for one, place in enumerate(places):
        for other in range(one):
            spread = sqrt(variances[one] + variances[other] + _TWICE_BETA_SQUARED)
            expected = logistic((means[one] - means[other]) / spread)
            beaten = 0.5 if place == places[other] else float(place < places[other])
            pull = (beaten - expected) / spread
            pulls[one] += pull
            pulls[other] -= pull
            curb = expected * (1.0 - expected) / (spread * spread)
            curbs[one] += curb
            curbs[other] += curb
    return pulls, curbs


def _moved(mean: int, variance: float, pull: float, curb: float) -> Rating:
    shrunk = variance * max(1.0 - variance * curb, _LEAST)
    return Rating(mean + round(variance * pull), round(sqrt(shrunk)))


_TWICE_BETA_SQUARED: Final = 2.0 * BETA * BETA
