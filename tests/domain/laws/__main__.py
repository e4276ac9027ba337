"""Plays tables again and checks every law on them: `python -m tests.domain.laws GAME [SEED…]`."""

import sys

from hoodwink.domain.games import GAMES
from tests.domain.laws.entitlements import ENTITLEMENTS
from tests.domain.laws.laws import HEAVY, LIGHT, replayable
from tests.domain.laws.playout import play
from tests.domain.laws.secrecy import keeps_every_secret

FIRST_TABLES = 50


def main(*arguments: str) -> None:
    """Checks every law on the tables of these seeds, by default the first ones.

    Raises:
        SystemExit: an argument is wrong, or the entitlements of the game are missing.
    """
    name, *seeds = arguments or ("",)
    if not name or not all(seed.isdecimal() for seed in seeds):
        sys.exit("Usage: python -m tests.domain.laws GAME [SEED…]")
    if name not in GAMES:
        sys.exit(f"There is no game {name}; choose from {', '.join(GAMES)}.")
    if name not in ENTITLEMENTS:
        sys.exit(f"There are no entitlements for {name}; write tests/domain/laws/entitlements/{name}.py.")
    chosen = [int(seed) for seed in seeds] or range(FIRST_TABLES)
    for seed in chosen:
        _check(name, seed)
    print(f"{len(chosen)} tables, every law holds." if len(chosen) > 1 else "1 table, every law holds.")


def _check(name: str, seed: int) -> None:
    game = GAMES[name]
    with replayable(game, seed):
        table = play(game, seed)
        print(f"{name} {seed}: {table.seats} seats, {len(table.entries)} events, {table.options}")
        for law in (*LIGHT, *HEAVY, keeps_every_secret):
            law(table)


if __name__ == "__main__":
    main(*sys.argv[1:])
