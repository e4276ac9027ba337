"""Plays tables again and checks every law on them: `python -m tests.domain.laws GAME [SEED…]`."""

import sys

from domain.games import GAMES
from tests.domain.laws.laws import HEAVY, LIGHT, replayable
from tests.domain.laws.playout import play
from tests.domain.laws.secrecy import keeps_every_secret

FIRST_TABLES = 50


def main(name: str, *seeds: str) -> None:
    """Checks every law on the tables of these seeds, by default the first ones."""
    game = GAMES[name]
    for seed in map(int, seeds or range(FIRST_TABLES)):
        with replayable(game, seed):
            table = play(game, seed)
            print(f"{name} {seed}: {table.seats} seats, {len(table.entries)} events, {table.options}")
            for law in (*LIGHT, *HEAVY, keeps_every_secret):
                law(table)


if __name__ == "__main__":
    main(*sys.argv[1:])
