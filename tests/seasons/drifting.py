"""Checks how certain ratings are, in simulated seasons of players whose skill drifts and who take breaks.

`python -m tests.seasons.drifting [--players N] [--tables N] [--seeds N]` plays seasons at tables of every size. It
prints, as Markdown, whether the players' true skills differ from their ratings as much as sigma predicts.

The true skills follow the model's assumptions. A newcomer's skill is drawn from the newcomer's rating, and it changes by
a normally distributed step at each table and on each day. Places at a table are ordered by skill plus luck. The luck has
a Gumbel distribution, so the probability of placing above another player is exactly the model's. Results show only
differences of skill, so skills and ratings are compared relative to their means.
"""

import argparse
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from hoodwink.domain.ratings import DAY_MS, MILLION
from hoodwink.domain.ratings.model import BETA, TAU
from tests.seasons.models import MU, SIGMA, pair_loss
from tests.seasons.raters import IN_USE, Earlier, Rater, Shipped

SIZES = range(2, 11)
EARLY_TABLES = 20
"""The first tables of each player, on average, that count as early in a season."""

DRIFTS = (0.0, 0.5, 1.0, 1.5)
"""The drift of the skills, in multiples of the model's assumption."""

DAYS_BETWEEN_TABLES = 0.5
"""The mean time between two tables of a player who is not on a break."""

DAYS_BETWEEN_BREAKS = 60.0
BREAK_DAYS = (10, 30, 90, 300)


class Drift(NamedTuple):
    """How much the skill of the players changes, in units of the ratings.

    Attributes:
        by_table, by_day: the standard deviation of the step at each table and on each day.
    """

    by_table: float = TAU / MILLION
    by_day: float = TAU / MILLION


class Moment(NamedTuple):
    """A table that was just played.

    Attributes:
        at: the time of the table, in ms.
        players: in seat order.
        skills: those of all players after the table.
    """

    at: int
    players: list[int]
    places: list[int]
    skills: list[float]


class Coverage(NamedTuple):
    """How well a rating system knew the skills in a season, and predicted its tables.

    Attributes:
        z: the root mean square of (rating - skill) / sigma; 1 if sigma is the typical error of the ratings.
        early_z, late_z: the same for the first `EARLY_TABLES` tables per player, and for later ones.
        loss: the mean log-loss of the pairs at a table, in nats.
    """

    z: float
    early_z: float
    late_z: float
    loss: float


def season(seats: int, *, players: int, tables_each: int, seed: int, drift: Drift) -> Iterator[Moment]:
    """Yields the tables of a season, each between players drawn from those who are not on a break."""
    chance = Random(f"{seats}:{players}:{seed}")
    skills = [chance.gauss(MU, SIGMA) for _ in range(players)]
    breaks = [_next_break(0.0, chance) for _ in range(players)]
    day, step = 0.0, DAYS_BETWEEN_TABLES * seats / players
    for _ in range(players * tables_each // seats):
        seated: list[int] = []
        while not seated:
            day += step
            skills = [chance.gauss(skill, drift.by_day * math.sqrt(step)) for skill in skills]
            breaks = [_next_break(day, chance) if day >= end else (begin, end) for begin, end in breaks]
            present = [player for player, (begin, _) in enumerate(breaks) if day < begin]
            seated = chance.sample(present, seats) if len(present) >= seats else []
        for player in seated:
            skills[player] = chance.gauss(skills[player], drift.by_table)
        performances = [skills[player] + _luck(chance) for player in seated]
        best_first = sorted(performances, reverse=True)
        places = [best_first.index(performance) + 1 for performance in performances]
        yield Moment(round(day * DAY_MS), seated, places, list(skills))


def _next_break(day: float, chance: Random) -> tuple[float, float]:
    """Returns the first and the last day of a player's next break."""
    begin = day + chance.expovariate(1 / DAYS_BETWEEN_BREAKS)
    return begin, begin + chance.choice(BREAK_DAYS)


def _luck(chance: Random) -> float:
    """Returns a random number; the difference of two has the logistic distribution that the model assumes."""
    return -math.log(-math.log(chance.random())) * math.sqrt(2) * BETA / MILLION


def coverage_of(moments: Iterable[Moment], rater: Rater) -> Coverage:
    """Runs a season through a rating system; each table is predicted before it is rated."""
    early, late, losses = list[float](), list[float](), list[float]()
    played: Counter[int] = Counter()
    for moment in moments:
        losses.append(
            pair_loss([rater.now(player, moment.at) for player in moment.players], moment.places, IN_USE)
        )
        rater.rate(moment.players, moment.places, moment.at)
        played.update(moment.players)
        known = {player: rater.now(player, moment.at) for player in played}
        offset = fmean(mu - moment.skills[player] for player, (mu, _) in known.items())
        squares = [
            ((mu - moment.skills[player] - offset) / sigma) ** 2 for player, (mu, sigma) in known.items()
        ]
        is_early = played.total() <= EARLY_TABLES * len(moment.skills)
        (early if is_early else late).append(fmean(squares))
    return Coverage(
        math.sqrt(fmean(early + late)), math.sqrt(fmean(early)), math.sqrt(fmean(late)), fmean(losses)
    )


def pooled_coverage(
    rater: Callable[[], Rater],
    seats: int,
    *,
    players: int,
    tables_each: int,
    seeds: int,
    drift: Drift,
) -> Coverage:
    """Returns the coverage over several seasons."""
    coverages = [
        coverage_of(season(seats, players=players, tables_each=tables_each, seed=seed, drift=drift), rater())
        for seed in range(1, seeds + 1)
    ]
    z, early, late, losses = zip(*coverages, strict=True)
    return Coverage(_root_mean_square(z), _root_mean_square(early), _root_mean_square(late), fmean(losses))


def _root_mean_square(values: Sequence[float]) -> float:
    return math.sqrt(fmean(value * value for value in values))


def main() -> None:
    """Plays the seasons and prints the tables of figures."""
    parser = argparse.ArgumentParser(description="Check whether sigma matches the error of the ratings.")
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--tables", type=int, default=150, help="tables per player and season")
    parser.add_argument("--seeds", type=int, default=8, help="seasons per size")
    args = parser.parse_args()
    for factor in DRIFTS:
        drift = Drift(factor * TAU / MILLION, factor * TAU / MILLION)
        print(f"\nSkills that drift by {drift.by_table:.3f} per table and per day\n")
        print(
            "| seats | rms z before | first 20 | later | log-loss | rms z now | first 20 | later | log-loss |"
        )
        print("| ---: " * 9 + "|")
        for seats in SIZES:
            cells = []
            for rater in (Earlier, Shipped):
                coverage = pooled_coverage(
                    rater,
                    seats,
                    players=args.players,
                    tables_each=args.tables,
                    seeds=args.seeds,
                    drift=drift,
                )
                cells += [
                    f"{coverage.z:.2f}",
                    f"{coverage.early_z:.2f}",
                    f"{coverage.late_z:.2f}",
                    f"{coverage.loss:.4f}",
                ]
            print(f"| {seats} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
