"""Measures how many rounds bring 16 players into the right order, with one deal for all tables and without (D-3).

    python -m tests.tournaments.duplicate_rounds --rounds 60

The players differ in strength: player n of 16 (from 0) plays at random in n/15 of all moves, or with `--noise` in that
part of n/15, and otherwise like *Steady*. In each round they sit by lot at tables of the least size, or of `--seats`, with
the default options of the game, or those given by `--option`. The order is right if 90% of the pairs of players have it, on
average.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from statistics import NormalDist, quantiles, stdev
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from hoodwink.domain.bots import Level, level_of
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, Game, Observation
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import WORKER
from hoodwink.domain.tables.events import TournamentPlace
from hoodwink.domain.tables.fairness import SharedDeal
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tournaments.scoring.comparisons import compared
from hoodwink.domain.tournaments.scoring.places import shares
from hoodwink.domain.tournaments.terms import Compare, ScoreBy
from hoodwink.service.simulation.tables import Simulation

PLAYERS, RIGHT, MAX_ROUNDS, PRECISION, SAMPLES = 16, 0.9, 10_000, 0.05, 400
BASELINE = "own, place"
NORMAL = NormalDist()
Scores = list[float]
"""The score of each player in a round."""


class Field(NamedTuple):
    """The tables and players of a tournament: `noise` is the share of random moves of the weakest player."""

    game: str
    seats: int
    options: Mapping[str, Any]
    noise: float


class NoisyTable(Simulation):
    """A table at which each seat plays at random in a share of its moves."""

    def __init__(self, field: "Field", noise: Sequence[float], *, chance: Random, shared: SharedDeal) -> None:
        super().__init__(chance=chance)
        self._noise = noise
        opening = commands.OpenTable(
            table="t",
            game=field.game,
            seats=len(noise),
            options=dict(field.options),
            host="h",
            server_seed="5" * 64,
            take_backs=False,
        )
        place = TournamentPlace(tournament="t", round=1, board=1, deal=1, grace_seconds=1, fillers=())
        seats = [
            commands.TakeSeat(player="bot:steady", policy="steady", seat=seat) for seat in range(len(noise))
        ]
        ordered = commands.OpenTournamentTable(
            opening=opening, tournament=place, occupants=tuple(seats), shared=shared
        )
        self._do(ordered, by=WORKER)

    def _level_at(self, seat: int) -> Level:
        level = super()._level_at(seat)

        def play(game: Game[Any], seen: Observation, chance: Random) -> Action | None:
            is_noise = chance.random() < self._noise[seat]
            return (level_of("random", game) if is_noise else level).play(game, seen, chance)

        return replace(level, play=play)


class Played(NamedTuple):
    """A round: the score of each player by every kind of scoring, and the lead of each seat at each table."""

    scores: dict[str, Scores]
    leads: list[list[Fraction]]


def round_of(field: Field, chance: Random, *, is_same: bool) -> Played:
    """Plays a round at tables with deals of their own, or with the same one."""
    size = field.seats
    players = chance.sample(range(PLAYERS), PLAYERS - PLAYERS % size)
    tables = [players[start : start + size] for start in range(0, len(players), size)]
    key, results = f"{chance.getrandbits(256):064x}", []
    for seated in tables:
        own = key if is_same else f"{chance.getrandbits(256):064x}"
        table = NoisyTable(
            field,
            [field.noise * player / (PLAYERS - 1) for player in seated],
            chance=chance,
            shared=SharedDeal(1, own),
        )
        table.play()
        results.append(_finished(table.table))
    means = [Fraction(sum(scores), size) for _, scores in results]
    leads = [[won - mean for won in scores] for (_, scores), mean in zip(results, means, strict=True)]
    if is_same:
        seats = list(zip(*[scores for _, scores in results], strict=True))
        found = {how.value: [compared(seat, how, means) for seat in seats] for how in Compare}
        by_table = {how: list(zip(*scores, strict=True)) for how, scores in found.items()}
        return Played({how: _spread(tables, scores) for how, scores in by_table.items()}, leads)
    by_place = [shares(places, ScoreBy.PLACE) for places, _ in results]
    return Played({BASELINE: _spread(tables, by_place), "own, lead": _spread(tables, leads)}, leads)


def _finished(table: Table) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the places and scores of a table; a table without a result has none to compare."""
    assert table.result is not None, "the table was played"
    assert table.result.places is not None, "a round had a result"
    assert table.result.scores is not None, "as above"
    return table.result.places, table.result.scores


def _spread(tables: Sequence[Sequence[int]], scores: Sequence[Sequence[Fraction | None]]) -> Scores:
    """Returns each player's score; players without a seat have the mean of the others."""
    spread = {
        player: float(score or 0)
        for seated, won in zip(tables, scores, strict=True)
        for player, score in zip(seated, won, strict=True)
    }
    mean = sum(spread.values()) / len(spread)
    return [spread.get(player, mean) for player in range(PLAYERS)]


def rounds_needed(rounds: Sequence[Scores]) -> float:
    """Returns the number of rounds after which 90% of the pairs are in order on average.

    The means of the scores follow a smooth curve, because what chance adds would separate neighbours, too. Sums of many
    rounds are normal.
    """
    scores, numbers = np.array(rounds), np.arange(PLAYERS)
    better, worse = np.triu_indices(PLAYERS, 1)
    means = np.polyval(np.polyfit(numbers, scores.mean(axis=0), 3), numbers)
    lead = (means[better] - means[worse]) / (scores[:, better] - scores[:, worse]).std(axis=0)
    low, high = 0.0, float(MAX_ROUNDS)
    while high - low > PRECISION:
        middle = (low + high) / 2
        right = np.mean([NORMAL.cdf(each * middle**0.5) for each in lead])
        low, high = (low, middle) if right >= RIGHT else (middle, high)
    return high


def resampled(rounds: Sequence[Scores]) -> list[float]:
    """Returns that number for each of many samples of the rounds, drawn with replacement."""
    chance = Random(1)
    return [rounds_needed(chance.choices(rounds, k=len(rounds))) for _ in range(SAMPLES)]


def deal_share(leads: Sequence[Sequence[Sequence[Fraction]]]) -> float:
    """Returns the part of the variance of leads that the deal explains: the covariance of two tables, over the variance."""
    found = np.array(leads, dtype=float)
    found -= found.mean(axis=(0, 1))
    tables, squares = found.shape[1], (found**2).sum(axis=1)
    covariance = (found.sum(axis=1) ** 2 - squares).mean() / (tables * (tables - 1))
    return float(covariance / (squares.mean() / tables))


def print_figures(field: Field, rounds: int) -> None:
    """Prints the rounds needed by each kind of scoring, and the change against places with deals of their own."""
    own, same = [
        [
            round_of(field, Random(f"{is_same}:{field.game}:{number}"), is_same=is_same)
            for number in range(rounds)
        ]
        for is_same in (False, True)
    ]
    scores = {
        kind: [each.scores[kind] for each in played] for played in (own, same) for kind in played[0].scores
    }
    needed = {kind: rounds_needed(each) for kind, each in scores.items()}
    samples = {kind: resampled(each) for kind, each in scores.items()}
    for kind, number in needed.items():
        ratios = [one / other for one, other in zip(samples[kind], samples[BASELINE], strict=True)]
        low, *_, high = quantiles(ratios, n=40)
        change = number / needed[BASELINE] - 1
        print(
            f"{field.game:<12} {kind:<12} {number:6.1f} ± {stdev(samples[kind]):.1f}"
            f"  {change:+.0%} (95%: {low - 1:+.0%} to {high - 1:+.0%})"
        )
    share = deal_share([each.leads for each in same])
    print(f"{field.game:<12} cards: {share:.0%} of the variance of leads", flush=True)


def option(given: str) -> tuple[str, Any]:
    """Returns the name and the value of an option such as `rounds=6`."""
    name, _, value = given.partition("=")
    return name, json.loads(value)


def main() -> None:
    """Prints the figures of each game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=60, help="to be played of each kind")
    parser.add_argument(
        "--noise", type=float, default=1.0, help="the share of random moves of the weakest player"
    )
    parser.add_argument("--game", choices=sorted(GAMES), action="append")
    parser.add_argument("--seats", type=int, help="at each table; the fewest that the game allows by default")
    parser.add_argument("--option", type=option, action="append", default=[], help="such as rounds=6")
    asked = parser.parse_args()
    for game in asked.game or sorted(GAMES):
        seats = asked.seats or GAMES[game].seats[0]
        print_figures(Field(game, seats, dict(asked.option), asked.noise), asked.rounds)


if __name__ == "__main__":
    main()
