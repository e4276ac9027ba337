"""Searches pages for leaks at length: `python -m tests.service.web.secrecy [GAME] [SEED…]`.

For each game and seed, two people play at a table with random options, and the pages of every viewer are compared at two
tables that differ only in cards hidden from that viewer, after each commit and in each room.
"""

import sys
from collections.abc import Iterator
from itertools import islice
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.service.simulation.random_options import random_options
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.http.tables.test_secrecy import plays
from tests.service.http.twins import twins
from tests.service.processes import service_settings
from tests.service.web.browser import chromium
from tests.service.web.secrecy.live_tables import TwinServer
from tests.service.web.secrecy.shared_table import play, seats_of
from tests.service.web.secrecy.twin_pages import ROOMS, compared, standing

FIRST_SEEDS: Final = range(6)
STEPS: Final = 80
EVERY_COMMIT: Final = 1_000


def main(*arguments: str) -> None:
    """Checks tables of one game or all games, with the given seeds or the first ones.

    Raises:
        SystemExit: an argument is invalid, or a leak was found.
    """
    games = [argument for argument in arguments if argument in GAMES] or list(GAMES)
    seeds = [int(argument) for argument in arguments if argument.isdecimal()] or FIRST_SEEDS
    if unknown := [argument for argument in arguments if argument not in GAMES and not argument.isdecimal()]:
        sys.exit(f"There is no game {unknown[0]}; choose from {', '.join(GAMES)}.")
    found = 0
    with (
        TemporaryDirectory() as folder,
        isolated_service(service_settings(folder)) as running,
        chromium() as browser,
    ):
        for game in games:
            for seed in seeds:
                for fault in (
                    *_at_one_table(browser, address(running), game, seed),
                    *_at_twins(browser, game, seed),
                ):
                    print(f"{game} {seed}: {fault}", flush=True)
                    found += 1
    sys.exit(f"{found} faults" if found else None)


def _at_one_table(browser: Any, served: str, game: str, seed: int) -> Iterator[str]:
    options = msgspec.to_builtins(random_options(GAMES[game], seats_of(game), Random(seed)))
    table = play(browser, served, game, steps=STEPS, options=options)
    looks = sum(len(onlooker.held) for onlooker in table.onlookers)
    print(f"{game} {seed}: {looks} looks at one table with {options}", flush=True)
    yield from table.faults()


def _at_twins(browser: Any, game: str, seed: int) -> Iterator[str]:
    found = next(islice(plays(GAMES[game]), seed, None))
    contexts, pairs = [standing(browser) for _ in range(2)], 0
    with TwinServer().running() as server:
        for viewer in (*range(found.seats), "spectator"):
            for pair in twins(found, viewer, Random(seed)):
                pairs += 1
                for room in ROOMS:
                    differences = compared(contexts, server, pair, viewer, EVERY_COMMIT, room)
                    yield from (f"{viewer} in {room}: {difference}" for difference in differences)
    for context in contexts:
        context.close()
    print(f"{game} {seed}: {pairs} pairs of tables with {found.options}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
