"""The models of openskill behind one interface, and how well each predicts a season."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from statistics import NormalDist, fmean
from typing import Any, NamedTuple

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

from tests.seasons.play import Season

MODELS: dict[str, Any] = {
    "Plackett-Luce": PlackettLuce,
    "Bradley-Terry full": BradleyTerryFull,
    "Bradley-Terry part, window 1": partial(BradleyTerryPart, window_size=1),
    "Bradley-Terry part, window 4": partial(BradleyTerryPart, window_size=4),
    "Bradley-Terry part, whole table": partial(BradleyTerryPart, window_size=10),
    "Thurstone-Mosteller full": ThurstoneMostellerFull,
    "Thurstone-Mosteller part, window 4": partial(ThurstoneMostellerPart, window_size=4),
}
"""The part models compare a seat with those placed next to it, and take the mean; no table has more than 10 seats."""

MU = 25.0
SIGMA = MU / 3

GAMMAS: dict[str, Callable[..., float]] = {
    "sigma/c": lambda c, _k, _mu, variance, *_: math.sqrt(variance) / c,
    "1": lambda *_: 1.0,
}
"""The rate at which a player's uncertainty shrinks; the first is openskill's own."""

EARLY = 150
"""The number of tables at the beginning of a season: about twenty per player."""

_normal = NormalDist()


class Parameters(NamedTuple):
    """The parameters of a model.

    Attributes:
        beta: the luck of a table, in the unit of the ratings.
        tau: the possible change of every player since the last table.
    """

    model: str
    beta: float = SIGMA / 2
    tau: float = SIGMA / 100
    gamma: str = "sigma/c"

    def __str__(self) -> str:
        return f"{self.model}, beta {self.beta / SIGMA:.2f} sigma, tau {self.tau / SIGMA:.3f} sigma, gamma {self.gamma}"


Scale = tuple[float, float]
"""Mean and deviation of a player's rating."""


class Prediction(NamedTuple):
    """How well a model predicted a season.

    Attributes:
        loss: the mean log-loss of the pairs at a table, in nats, over all tables; a pair that shares a place counts
            half as won and half as lost. A model without knowledge has a loss of 0.693.
        early_loss: the same over the first tables of the season.
        order: the share of pairs of players with constant strength whose final ratings are in the right order.
        sigma: the mean of the final deviations.
    """

    loss: float
    early_loss: float
    order: float
    sigma: float


def predicted(season: Season, parameters: Parameters) -> Prediction:
    """Runs a season through a model; each table is predicted before it is rated."""
    model = MODELS[parameters.model](beta=parameters.beta, tau=parameters.tau, gamma=GAMMAS[parameters.gamma])
    known: list[Scale] = [(MU, SIGMA)] * len(season.strengths)
    losses = []
    for players, places in season.results:
        before = [known[player] for player in players]
        losses.append(pair_loss(before, places, parameters))
        rated = model.rate([[model.create_rating(list(rating))] for rating in before], ranks=list(places))
        for player, (after,) in zip(players, rated, strict=True):
            known[player] = (after.mu, after.sigma)
    return Prediction(
        fmean(losses),
        fmean(losses[:EARLY]),
        in_order(season, [mu for mu, _ in known]),
        fmean(sigma for _, sigma in known),
    )


def pair_loss(before: Sequence[Scale], places: Sequence[int], parameters: Parameters) -> float:
    """Returns the mean log-loss of the pairs at a table, as predicted from the ratings before it."""
    total = pairs = 0.0
    for seat, mine in enumerate(before):
        for other in range(seat):
            chance = _chance(mine, before[other], parameters)
            won = 0.5 + 0.5 * ((places[seat] < places[other]) - (places[seat] > places[other]))
            total -= won * math.log(chance) + (1 - won) * math.log(1 - chance)
            pairs += 1
    return total / pairs


def _chance(mine: Scale, theirs: Scale, parameters: Parameters) -> float:
    """Returns the probability, by the model itself, that a player is placed before another."""
    spread = math.sqrt(mine[1] ** 2 + theirs[1] ** 2 + 2 * parameters.beta**2)
    ahead = (mine[0] - theirs[0]) / spread
    is_normal = parameters.model.startswith("Thurstone")
    chance = _normal.cdf(ahead) if is_normal else 1 / (1 + math.exp(-ahead))
    return min(max(chance, 1e-9), 1 - 1e-9)


def in_order(season: Season, worth: Sequence[float]) -> float:
    """Returns the share of pairs of players with constant strength whose order by rating is that by strength."""
    lasting = [player for player, (begin, end) in enumerate(season.strengths) if begin == end]
    pairs = [(weak, strong) for rank, strong in enumerate(lasting) for weak in lasting[:rank]]
    return sum(worth[weak] < worth[strong] for weak, strong in pairs) / len(pairs)


def hindsight(season: Season, *, rounds: int = 60) -> float:
    """Returns the mean log-loss of the best constant strengths, fitted to the whole season: the loss due to luck.

    Bradley-Terry by minorisation and maximisation (D. R. Hunter, Annals of Statistics 32, 2004, p. 386), each table
    with the same weight.
    """
    size = len(season.strengths)
    met = [[0.0] * size for _ in range(size)]
    wins = [0.01] * size
    for players, places in season.results:
        weight = 2 / (len(players) * (len(players) - 1))
        for seat, mine in enumerate(players):
            for other, theirs in enumerate(players):
                if other != seat:
                    met[mine][theirs] += weight
                    ahead = (places[seat] < places[other]) - (places[seat] > places[other])
                    wins[mine] += weight * (0.5 + 0.5 * ahead)
    worth = [1.0] * size
    for _ in range(rounds):
        worth = [
            wins[mine] / sum(met[mine][other] / (worth[mine] + worth[other]) for other in range(size))
            for mine in range(size)
        ]
    total = 0.0
    for players, places in season.results:
        weight = 2 / (len(players) * (len(players) - 1))
        for seat, mine in enumerate(players):
            for other in range(seat):
                chance = worth[mine] / (worth[mine] + worth[players[other]])
                won = 0.5 + 0.5 * ((places[seat] < places[other]) - (places[seat] > places[other]))
                total -= weight * (won * math.log(chance) + (1 - won) * math.log(1 - chance))
    return total / len(season.results)
