"""Measures how many rounds bring 16 players into the right order, with one deal for all tables and without (D-3).

    python -m tests.tournaments.duplicate_rounds --rounds 60

The players differ in strength: player n of 16 (from 0) plays at random in n/15 of all moves, and otherwise like *Steady*. In
each round they sit at tables of the least size by lot. The rounds played of each kind are drawn again with replacement, so
that few rounds give many tournaments. The order is right if 90% of the pairs of players have it, on average.
"""

import argparse
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

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

PLAYERS, RIGHT, MAX_ROUNDS, TOURNAMENTS = 16, 0.9, 100, 200
Scores = list[float]
"""The score of each player in a round."""


class NoisyTable(Simulation):
    """A table at which each seat plays at random in a share of its moves."""

    def __init__(self, game: str, noise: Sequence[float], *, chance: Random, shared: SharedDeal) -> None:
        super().__init__(chance=chance)
        self._noise = noise
        opening = commands.OpenTable(
            table="t",
            game=game,
            seats=len(noise),
            options={},
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


def round_of(game: str, chance: Random, *, is_same: bool) -> tuple[Scores, ...]:
    """Returns the scores by place and by lead, or by each comparison if all tables play the same deal."""
    size = GAMES[game].seats[0]
    players = chance.sample(range(PLAYERS), PLAYERS - PLAYERS % size)
    tables = [players[start : start + size] for start in range(0, len(players), size)]
    key, results = f"{chance.getrandbits(256):064x}", []
    for seated in tables:
        own = key if is_same else f"{chance.getrandbits(256):064x}"
        table = NoisyTable(
            game, [player / (PLAYERS - 1) for player in seated], chance=chance, shared=SharedDeal(1, own)
        )
        table.play()
        results.append(_finished(table.table))
    means = [Fraction(sum(scores), size) for _, scores in results]
    if not is_same:
        leads = [[won - mean for won in scores] for (_, scores), mean in zip(results, means, strict=True)]
        return _spread(tables, [shares(places, ScoreBy.PLACE) for places, _ in results]), _spread(
            tables, leads
        )
    points = list(zip(*[scores for _, scores in results], strict=True))
    return tuple(
        _spread(tables, list(zip(*[compared(held, how, means) for held in points], strict=True)))
        for how in Compare
    )


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


def rounds_needed(rounds: Sequence[Scores]) -> tuple[int | None, float]:
    """Returns the number of rounds after which 90% of the pairs are in order on average, and the share after the last one."""
    chance, right = Random(1), [0.0] * MAX_ROUNDS
    for _ in range(TOURNAMENTS):
        totals = [0.0] * PLAYERS
        for number in range(MAX_ROUNDS):
            totals = [total + score for total, score in zip(totals, chance.choice(rounds), strict=True)]
            right[number] += _right(totals)
    shares_ = [count / TOURNAMENTS for count in right]
    return next((number for number, share in enumerate(shares_, 1) if share >= RIGHT), None), shares_[-1]


def _right(totals: Scores) -> float:
    pairs = [(totals[better], totals[worse]) for better, worse in combinations(range(PLAYERS), 2)]
    return sum(1.0 if better > worse else 0.5 if better == worse else 0.0 for better, worse in pairs) / len(
        pairs
    )


def main() -> None:
    """Prints the figures of each game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=60, help="to be played of each kind")
    parser.add_argument("--game", choices=sorted(GAMES), action="append")
    asked = parser.parse_args()
    for game in asked.game or sorted(GAMES):
        own = [round_of(game, Random(f"own:{game}:{n}"), is_same=False) for n in range(asked.rounds)]
        same = [round_of(game, Random(f"same:{game}:{n}"), is_same=True) for n in range(asked.rounds)]
        kinds = {
            "own, place": [played[0] for played in own],
            "own, lead": [played[1] for played in own],
            **{how.value: [played[index] for played in same] for index, how in enumerate(Compare)},
        }
        for kind, rounds in kinds.items():
            needed, share = rounds_needed(rounds)
            print(
                f"{game:<12} {kind:<12} rounds: {needed or f'more than {MAX_ROUNDS}'}, at the end {share:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
