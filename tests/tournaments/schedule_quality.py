"""Compares searched schedules with the published optima by krcg's criteria: `python -m tests.tournaments.schedule_quality`.

Three rounds at tables of five for 8 to 60 entrants (11 cannot be seated at tables of 4 and 5). R1, R5, R6 and R7 have
to be 0, and R2 and R4 not above those of the published optimum; otherwise the exit code is 1.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence

from hoodwink.domain.tournaments.pairing.round_robin import schedule_of
from hoodwink.domain.tournaments.terms import Format, Terms
from tests.tournaments.krcg import PUBLISHED, Measure, measure
from tests.tournaments.play import draw_of

ENTRANTS = tuple(entrants for entrants in range(8, 61) if entrants != 11)
TERMS = Terms(format=Format.ROUND_ROBIN, seats=5, table_min=2, table_max=10, rounds=3)


def faults(entrants: int, found: Measure) -> Iterator[str]:
    """Yields the bounds that a schedule misses."""
    for name in ("r1", "r5", "r6", "r7"):
        if getattr(found, name):
            yield f"{name.upper()} is not 0"
    thrice, twice = PUBLISHED.get(entrants, (0, 0))
    if found.r2 > thrice:
        yield f"R2 is above {thrice}"
    if found.r4 > twice:
        yield f"R4 is above {twice}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Searches the schedules, prints a line for each, and returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--entrants", type=int, nargs="+", default=ENTRANTS)
    given = parser.parse_args(arguments)
    print("entrants  R1  R2 (published)     R3  R4 (published)  R5  R6  R7     R8  R9  seconds")
    missed = 0
    for entrants in given.entrants:
        began = time.process_time()
        found = measure(schedule_of(TERMS, entrants, draw_of("lots", 0), may_be_stored=False))
        missing = list(faults(entrants, found))
        missed += len(missing)
        print(_line(entrants, found, time.process_time() - began), *missing, sep="  ", flush=True)
    return 1 if missed else 0


def _line(entrants: int, found: Measure, seconds: float) -> str:
    thrice, twice = PUBLISHED.get(entrants, (0, 0))
    return (
        f"{entrants:>8}  {found.r1:>2}  {found.r2:>2} ({thrice:>9})  {found.r3:.3f}  {found.r4:>2} ({twice:>9})"
        f"  {found.r5:>2}  {found.r6:>2}  {found.r7:>2}  {found.r8:.3f}  {found.r9:>2}  {seconds:>7.1f}"
    )


if __name__ == "__main__":
    sys.exit(main())
