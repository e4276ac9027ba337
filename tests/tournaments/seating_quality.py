"""Measures the pairing at large tables in simulated tournaments: `python -m tests.tournaments.seating_quality`.

Each tournament is played with the service's pairing and with random tables, over the same seeds. The script prints per
entrant the repeated meetings, the unavoidable ones (an entrant has only n - 1 opponents), the evenness of an entrant's
seats, and the CPU time of the slowest pairing. The exit code is 1 if a row
with a bound misses it.

The model: strengths are normal with deviation 1, chance adds the same at each table, and the sums determine the places.
With `--sharing 0.1`, a seat shares the previous place with probability 0.1.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.pairing.case import Case, Pairing
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.pairing.seating import pair
from hoodwink.domain.tournaments.scoring import meetings
from hoodwink.domain.tournaments.terms import FloatWindow, Format, Terms
from tests.tournaments.play import play

SEEDS = (1, 2, 3)
FROM_ENTRANTS = 32  # the smallest tournament whose seats have to be spread evenly
EVEN, UNEVEN = 1, 3  # the allowed difference between the seats of most entrants, and of every entrant
MAX = 0.8


class Row(msgspec.Struct, frozen=True):
    """Tournaments to play; `bound` is the allowed share of the rematches of random pairing, if there is a bound."""

    entrants: int
    seats: int
    rounds: int
    window: FloatWindow
    bound: float | None = None
    format: Format = Format.SWISS

    @property
    def terms(self) -> Terms:
        return Terms(
            format=self.format,
            seats=self.seats,
            table_min=2,
            table_max=10,
            rounds=self.rounds,
            float_window=self.window,
        )


BOUNDED = (
    Row(32, 4, 5, "all", 0.0),  # this implies none after fewer rounds
    Row(128, 4, 9, "all", 0.0),
    Row(32, 4, 9, "all", 0.2),
    Row(32, 4, 3, 2, 0.0),
    Row(128, 4, 5, 2, 0.1),
    Row(128, 4, 9, 2, 0.3),
    Row(32, 4, 5, 2, 0.5),
)
PRINTED = (
    Row(32, 4, 4, "all"),
    Row(32, 4, 9, 2),
    Row(16, 4, 5, 2),
    Row(24, 3, 5, 2),
    Row(30, 4, 5, 2),
    Row(60, 5, 3, 2),
    Row(64, 3, 7, 2),
    Row(64, 4, 7, 2),
    Row(64, 6, 5, 2),
    Row(100, 10, 4, 2),
    Row(128, 3, 9, 2),
    Row(128, 5, 9, 2),
    Row(32, 4, 9, 2, format=Format.LEAGUE),
    Row(128, 4, 9, 2, format=Format.LEAGUE),
)


class Outcome(msgspec.Struct, frozen=True):
    """The figures of a row, over all seeds."""

    rematches: float
    even: float
    widest: int
    slowest: float


def at_random(case: Case) -> Pairing:
    """Returns random tables."""
    order = iter(case.draw("random").shuffled(case.present))
    sizes = table_sizes(len(case.present), case.crosstable.terms)
    return Pairing(tables=tuple(tuple(next(order) for _ in range(size)) for size in sizes), byes=tuple(order))


def rematches(crosstable: Crosstable) -> float:
    """Returns the repeated meetings per entrant."""
    met = meetings(crosstable)
    return 2 * (sum(met.values()) - len(met)) / len(crosstable.entrants)


def unavoidable(row: Row) -> int:
    return max(0, row.rounds * (row.seats - 1) - (row.entrants - 1))


def unevenness(crosstable: Crosstable) -> list[int]:
    """Returns for each entrant the difference between the counts of their most and least frequent seats."""
    seats = crosstable.terms.seats
    had = Counter(
        (seat.entrant, number)
        for round_ in crosstable.rounds
        for board in round_.boards
        for number, seat in enumerate(board.seats)
    )
    counts = [[had[entrant, seat] for seat in range(seats)] for entrant in crosstable.numbers()]
    return [max(row) - min(row) for row in counts]


def measure(row: Row, seeds: Iterable[int], sharing: float) -> tuple[Outcome, float]:
    """Returns the outcome of the service's pairing, and the rematches of random pairing."""
    slowest = 0.0

    def timed(case: Case) -> Pairing:
        nonlocal slowest
        began = time.process_time()
        paired = pair(case)
        slowest = max(slowest, time.process_time() - began)
        return paired

    seeds = tuple(seeds)
    ours = [play(timed, row.terms, row.entrants, seed=seed, sharing=sharing) for seed in seeds]
    random = [play(at_random, row.terms, row.entrants, seed=seed, sharing=sharing) for seed in seeds]
    spread = [difference for crosstable in ours for difference in unevenness(crosstable)]
    outcome = Outcome(
        rematches=_mean(map(rematches, ours)),
        even=sum(difference <= EVEN for difference in spread) / len(spread),
        widest=max(spread),
        slowest=slowest,
    )
    return outcome, _mean(map(rematches, random))


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def faults(row: Row, outcome: Outcome, random: float) -> Iterator[str]:
    """Yields the bounds that are missed."""
    if row.bound is not None and outcome.rematches > row.bound * random:
        yield f"more than {row.bound:.0%} of random's rematches"
    if row.entrants >= FROM_ENTRANTS and outcome.even < MAX:
        yield f"seats differ by more than {EVEN} for more than {1 - MAX:.0%}"
    if row.entrants >= FROM_ENTRANTS and outcome.widest > UNEVEN:
        yield f"seats of an entrant differ by {outcome.widest}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the tournaments, prints a line for each row, and returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--sharing", type=float, default=0.0, help="how often a seat shares the place before it"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--bounded", action="store_true", help="only the rows that have to keep a bound")
    given = parser.parse_args(arguments)
    print(
        "entrants  seats  rounds  window  rematches  random  share  allowed  unavoidable  even  widest  slowest"
    )
    missed = 0
    for row in BOUNDED if given.bounded else BOUNDED + PRINTED:
        outcome, random = measure(row, given.seeds, given.sharing)
        found = list(faults(row, outcome, random))
        missed += len(found) if row.bound is not None else 0
        print(_line(row, outcome, random), *found, sep="  ", flush=True)
    return 1 if missed else 0


def _line(row: Row, outcome: Outcome, random: float) -> str:
    share = outcome.rematches / random if random else 0.0
    allowed = "-" if row.bound is None else f"{row.bound:.0%}"
    window = "league" if row.format is Format.LEAGUE else str(row.window)
    return (
        f"{row.entrants:>8}  {row.seats:>5}  {row.rounds:>6}  {window:>6}  {outcome.rematches:>9.3f}  {random:>6.3f}"
        f"  {share:>5.0%}  {allowed:>7}  {unavoidable(row):>11}  {outcome.even:>4.0%}  {outcome.widest:>6}"
        f"  {outcome.slowest:>5.2f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
