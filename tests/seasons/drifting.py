"""How sure the ratings may be: seasons on the scale of the ratings, of players whose skill drifts and who stay away.

`python -m tests.seasons.drifting [--players N] [--tables N] [--seeds N]` plays seasons of tables of every size and
prints, as Markdown, whether the players' true skills lie as far from their ratings as sigma says.

The true skills are those that the model assumes: a newcomer's is drawn from the newcomer's rating, and it moves by a
normal step for each table and each day. The place at a table follows the skill plus luck of a Gumbel distribution, so
that the probability to be placed before another player is exactly the model's. Only differences of skill can be seen
in results, so skills and ratings are compared around their means.
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
"""The number of tables per player at the beginning of a season."""

DRIFTS = (0.0, 0.5, 1.0, 1.5)
"""The drift of the skills, in multiples of the model's assumption."""

DAYS_BETWEEN_TABLES = 0.5
"""The mean time between two tables of a present player."""

DAYS_BETWEEN_BREAKS = 60.0
BREAKS_DAYS = (10, 30, 90, 300)


class Drift(NamedTuple):
    """How much the skill of the players changes, in the unit of the ratings.

    Attributes:
        by_table, by_day: the deviation of the step that each table and each day brings.
    """

    by_table: float = TAU / MILLION
    by_day: float = TAU / MILLION


class Moment(NamedTuple):
    """A table that was just played.

    Attributes:
        at: in ms.
        players: in seat order.
        skills: of all players, afterwards.
    """

    at: int
    players: list[int]
    places: list[int]
    skills: list[float]


class Coverage(NamedTuple):
    """How well a rating system knew the skills in a season, and predicted its tables.

    Attributes:
        z: the root of the mean square of (rating - skill) / sigma; 1 if sigma says how far off the ratings are.
        early_z, late_z: the same of the first `EARLY_TABLES` tables per player, and of those after them.
        loss: the mean log-loss of the pairs at a table, in nats.
    """

    z: float
    early_z: float
    late_z: float
    loss: float


def season(seats: int, *, players: int, tables_each: int, seed: int, drift: Drift) -> Iterator[Moment]:
    """Yields the tables of a season, each between players drawn from those who are not away."""
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
        shown = [skills[player] + _luck(chance) for player in seated]
        best_first = sorted(shown, reverse=True)
        places = [best_first.index(performance) + 1 for performance in shown]
        yield Moment(round(day * DAY_MS), seated, places, list(skills))


def _next_break(day: float, chance: Random) -> tuple[float, float]:
    """Returns the days from which and until which a player is away next."""
    begin = day + chance.expovariate(1 / DAYS_BETWEEN_BREAKS)
    return begin, begin + chance.choice(BREAKS_DAYS)


def _luck(chance: Random) -> float:
    """Returns a draw for which the difference of two is logistic with the deviation that the model gives it."""
    return -math.log(-math.log(chance.random())) * math.sqrt(2) * BETA / MILLION


def covered(moments: Iterable[Moment], rater: Rater) -> Coverage:
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


def pooled(
    rater: Callable[[], Rater],
    seats: int,
    *,
    players: int,
    tables_each: int,
    seeds: int,
    drift: Drift,
) -> Coverage:
    """Returns the coverage of several seasons together."""
    found = [
        covered(season(seats, players=players, tables_each=tables_each, seed=seed, drift=drift), rater())
        for seed in range(1, seeds + 1)
    ]
    z, early, late, losses = zip(*found, strict=True)
    return Coverage(_root_mean_square(z), _root_mean_square(early), _root_mean_square(late), fmean(losses))


def _root_mean_square(values: Sequence[float]) -> float:
    return math.sqrt(fmean(value * value for value in values))


def main() -> None:
    """Plays the seasons and prints the tables of figures."""
    parser = argparse.ArgumentParser(description="Compare true skills with what sigma says of them.")
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--tables", type=int, default=150, help="tables per player and season")
    parser.add_argument("--seeds", type=int, default=8, help="seasons per size")
    given = parser.parse_args()
    for factor in DRIFTS:
        drift = Drift(factor * TAU / MILLION, factor * TAU / MILLION)
        print(f"\nSkills that drift by {drift.by_table:.3f} with each table and each day\n")
        print(
            "| seats | rms z before | first 20 | later | log-loss | rms z now | first 20 | later | log-loss |"
        )
        print("| ---: " * 9 + "|")
        for seats in SIZES:
            cells = []
            for rater in (Earlier, Shipped):
                of = pooled(
                    rater,
                    seats,
                    players=given.players,
                    tables_each=given.tables,
                    seeds=given.seeds,
                    drift=drift,
                )
                cells += [f"{of.z:.2f}", f"{of.early_z:.2f}", f"{of.late_z:.2f}", f"{of.loss:.4f}"]
            print(f"| {seats} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
