"""Simulated seasons: players of known strength meet at tables of a game, played by bots."""

from collections.abc import Sequence
from itertools import count
from random import Random
from typing import NamedTuple

from hoodwink.domain.bots import Level, level_of
from hoodwink.domain.games import GAMES
from hoodwink.service.cli.bots.simulate import seat_counts
from hoodwink.service.simulation.tables import BotTable


class Result(NamedTuple):
    """The result of a table: the players in seat order, and the place of each."""

    players: tuple[int, ...]
    places: tuple[int, ...]


class Season(NamedTuple):
    """The tables of a game in the order in which they ended.

    Attributes:
        strengths: of each player at the start and at the end: the percentage of moves that the steady bot chooses; the
            others are random.
    """

    game: str
    strengths: tuple[tuple[int, int], ...]
    results: tuple[Result, ...]


def played(game: str, *, players: int, tables: int, seed: int) -> Season:
    """Plays a season; the strength of every fifth player changes while it lasts, the others stay constant."""
    chance = Random(f"season:{game}:{seed}")
    strengths = _strengths(players, chance)
    sizes = seat_counts(GAMES[game], {})
    results = list[Result]()
    for number in count():
        if len(results) == tables:
            return Season(game, strengths, tuple(results))
        seated = chance.sample(range(players), min(players, chance.choice(sizes)))
        now = [_at(strengths[player], len(results) / tables) for player in seated]
        table = _Mixed(game, now, f"{game}:{seed}:{number}")
        table.play()
        ended = table.table.result
        if ended is not None and ended.places is not None:
            results.append(Result(tuple(seated), ended.places))
    raise AssertionError("unreachable: `count` never ends")


def _strengths(players: int, chance: Random) -> tuple[tuple[int, int], ...]:
    steps = [round(100 * step / (players - 1)) for step in range(players)]
    ends = [chance.randint(0, 100) if number % 5 == 2 else level for number, level in enumerate(steps)]
    return tuple(zip(steps, ends, strict=True))


def _at(strength: tuple[int, int], progress: float) -> float:
    begin, end = strength
    return (begin + (end - begin) * progress) / 100


class _Mixed(BotTable):
    """A table at which each seat plays a share of its moves like the steady bot, and the others at random."""

    def __init__(self, game: str, strengths: Sequence[float], seed: str) -> None:
        self._strengths = strengths
        super().__init__(
            game=game, seats=len(strengths), options={}, policies=["steady"] * len(strengths), seed=seed
        )

    def _level_at(self, seat: int) -> Level:
        is_steady = self._chance.random() < self._strengths[seat]
        return super()._level_at(seat) if is_steady else level_of("random", self.table.rulebook)
