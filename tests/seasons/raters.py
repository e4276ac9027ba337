"""The ratings of the service, and those of earlier releases, behind one interface."""

from collections.abc import Sequence
from statistics import fmean
from typing import Protocol

from openskill.models import BradleyTerryPart

from hoodwink.domain.ratings import MILLION, NEWCOMER, Rating, aged, rated
from hoodwink.domain.ratings.model import BETA, TAU
from tests.seasons.models import EARLY, MU, SIGMA, Parameters, Prediction, Scale, in_order, pair_loss
from tests.seasons.play import Season

IN_USE = Parameters("Bradley-Terry part, whole table", BETA / MILLION, TAU / MILLION, "1")
"""Used by both systems for predictions."""


class Rater(Protocol):
    """A rating system."""

    def now(self, player: int, at: int) -> Scale:
        """Returns a player's rating at that time, in ms."""
        ...

    def rate(self, players: Sequence[int], places: Sequence[int], at: int) -> None:
        """Rates a table that ended then."""
        ...


class Shipped:
    """The ratings of the service."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Rating, int]] = {}

    def _rating(self, player: int, at: int) -> Rating:
        rating, since = self._known.get(player, (NEWCOMER, at))
        return aged(rating, at - since)

    def now(self, player: int, at: int) -> Scale:
        rating = self._rating(player, at)
        return rating.mu / MILLION, rating.sigma / MILLION

    def rate(self, players: Sequence[int], places: Sequence[int], at: int) -> None:
        before = [self._rating(player, at) for player in players]
        for player, after in zip(players, rated(before, places), strict=True):
            self._known[player] = (after, at)


class Earlier:
    """The ratings before tables were weighted by their seats and sigma grew with idle days."""

    def __init__(self) -> None:
        self._model = BradleyTerryPart(
            beta=BETA / MILLION, tau=TAU / MILLION, gamma=lambda *_: 1.0, window_size=10
        )
        self._known: dict[int, Scale] = {}

    def now(self, player: int, at: int) -> Scale:
        return self._known.get(player, (MU, SIGMA))

    def rate(self, players: Sequence[int], places: Sequence[int], at: int) -> None:
        teams = [[self._model.create_rating(list(self.now(player, at)))] for player in players]
        after = self._model.rate(teams, ranks=[float(place) for place in places])
        for player, (rating,) in zip(players, after, strict=True):
            self._known[player] = (rating.mu, rating.sigma)


def predicted_by(rater: Rater, season: Season) -> Prediction:
    """Runs a season through a rating system; each table is predicted before it is rated."""
    losses, everybody = list[float](), range(len(season.strengths))
    for players, places in season.results:
        losses.append(pair_loss([rater.now(player, 0) for player in players], places, IN_USE))
        rater.rate(players, places, 0)
    final = [rater.now(player, 0) for player in everybody]
    return Prediction(
        fmean(losses),
        fmean(losses[:EARLY]),
        in_order(season, [mu for mu, _ in final]),
        fmean(sigma for _, sigma in final),
    )
