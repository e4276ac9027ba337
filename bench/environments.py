"""Steps per second in environments for training, observations and masks included, next to PettingZoo's leduc_holdem."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import numpy as np
from pettingzoo.env_registry.registration import make

from bench.figures import Bar, Effort, Figure, rate
from hoodwink.domain.games import GAMES
from hoodwink.env.vector import Tables

_SECONDS: Final = 1.0
_SEATS: Final = 4
_TABLES: Final = 64
_BAR: Final = Bar(4)


def measure(effort: Effort) -> Iterator[Figure]:
    """Yields the rates, and how many times that of leduc_holdem in the same second each of them is."""
    seconds = min(effort.seconds, _SECONDS)
    leduc = Leduc()
    yield Figure(
        name="leduc_holdem",
        unit="steps/s",
        samples=tuple(rate(leduc.play, seconds=seconds) for _ in range(effort.repeats)),
    )
    for name, game in GAMES.items():
        seats = min(game.seats[1], max(game.seats[0], _SEATS))
        batches = Batches(name, seats)
        pairs = [
            (rate(batches.play, seconds=seconds), rate(leduc.play, seconds=seconds))
            for _ in range(effort.repeats)
        ]
        row = f"{name}, {seats} seats, {_TABLES} tables"
        yield Figure(name=row, unit="steps/s", samples=tuple(ours for ours, _ in pairs))
        ratios = tuple(ours / theirs for ours, theirs in pairs)
        yield Figure(name=f"{row}: times leduc_holdem", unit="", samples=ratios, bar=_BAR)


class Leduc:
    """Plays PettingZoo's leduc_holdem at random."""

    def __init__(self) -> None:
        self._env: Any = make("aec", "classic/leduc_holdem_v4")
        self._chance = Random(1)  # noqa: S311 - the same play every time

    def play(self) -> int:
        """Plays one hand; returns the number of decisions."""
        env, decisions = self._env, 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, is_over, _, _ = env.last()
            if is_over:
                break
            env.step(self._chance.choice(np.flatnonzero(observation["action_mask"])))
            decisions += 1
        return decisions


class Batches:
    """Plays a batch of tables at random."""

    def __init__(self, game: str, seats: int) -> None:
        self._tables = Tables(game=game, tables=_TABLES, seats=seats, seed=1)
        self._batch = self._tables.batch()
        self._chance = np.random.default_rng(1)

    def play(self) -> int:
        """Makes one step at each table; returns the number of decisions."""
        masks = self._batch.masks
        self._batch = self._tables.step((masks * self._chance.random(masks.shape, np.float32)).argmax(axis=1))
        return len(masks)
