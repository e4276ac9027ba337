"""Searches the stored schedules of three rounds at tables of four and five: `python -m tests.tournaments.three_rounds`.

For each number of entrants, `three_rounds.c` looks for the schedule that is best by R1, then R2, and so on to R9
(`tests/tournaments/krcg.py`). It needs a C compiler (`cc`). The numbers of restarts and swaps follow from the arguments, so the
result does not depend on the time: about 2 s of CPU time for most numbers of entrants, and 5 to 20 s for those up to 23 and
for 26. The stored schedules are the best of several runs with different seeds and temperatures. A line `better` follows if
the search beats the stored schedule.

The search for a number of entrants ends at a schedule that cannot be better: R3 and R8 reach their lower bounds, and
nothing else is violated. `lowest` finds these bounds by counting seats, without any schedule.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from string import ascii_letters, digits
from typing import Any, NamedTuple

from hoodwink.domain.tournaments.pairing.round_robin.shapes import Shape
from hoodwink.domain.tournaments.pairing.round_robin.three_rounds import is_stored, stored
from tests.tournaments.krcg import Measure, Rounds, measure

ENTRANTS = (4, 5, 8, 9, 10, *range(12, 61))
ROUNDS, SEATS, MAX_TRANSFERS = 3, 5, 4
RESTARTS = 8
SWAPS = 200_000  # per restart and entrant
_SOURCE = Path(__file__).with_suffix(".c")
_NAMES = digits + ascii_letters


class Lowest(NamedTuple):
    """Lower bounds of the sums of squared distances from the rounded mean, over all entrants."""

    sizes: int
    transfers: int


def sizes_of(entrants: int) -> tuple[int, ...]:
    """Returns the sizes of a round's tables, the larger ones first."""
    tables = -(-entrants // SEATS)
    fives = entrants - (SEATS - 1) * tables
    return (SEATS,) * fives + (SEATS - 1,) * (tables - fives)


@cache
def lowest(entrants: int) -> Lowest:
    """Returns bounds for schedules in which nobody has a seat twice; they do not depend on who meets whom.

    The variables are the numbers of entrants who have three particular seats in any order.
    """
    from ortools.sat.python import cp_model

    seats = [(size, seat) for size in sizes_of(entrants) for seat in range(size)]
    kinds = sorted(set(seats))
    triples = [
        triple
        for triple in combinations_with_replacement(kinds, ROUNDS)
        if len({seat for _, seat in triple}) == ROUNDS
    ]
    mean_size, mean_transfers = means(entrants)
    sizes = [(sum(size for size, _ in triple) - mean_size) ** 2 for triple in triples]
    transfers = [(sum(_transfers(seat) for _, seat in triple) - mean_transfers) ** 2 for triple in triples]
    model = cp_model.CpModel()
    counts = [model.new_int_var(0, entrants, str(triple)) for triple in triples]
    for kind in kinds:
        having = [count for triple, count in zip(triples, counts, strict=True) if kind in triple]
        model.add(sum(having) == ROUNDS * seats.count(kind))
    size = _least(model, sum(count * cost for count, cost in zip(counts, sizes, strict=True)))
    model.add(sum(count * cost for count, cost in zip(counts, sizes, strict=True)) == size)
    return Lowest(
        size, _least(model, sum(count * cost for count, cost in zip(counts, transfers, strict=True)))
    )


def _least(model: Any, cost: Any) -> int:
    from ortools.sat.python import cp_model

    model.minimize(cost)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError("There is no bound.")
    return round(solver.objective_value)


def means(entrants: int) -> tuple[int, int]:
    """Returns the rounded means of the sizes of an entrant's tables, and of their transfers, in all rounds together."""
    sizes = sizes_of(entrants)
    totals = (
        sum(size * size for size in sizes),
        sum(_transfers(seat) for size in sizes for seat in range(size)),
    )
    size, transfers = ((ROUNDS * total + entrants // 2) // entrants for total in totals)
    return size, transfers


def _transfers(seat: int) -> int:
    return min(seat + 1, MAX_TRANSFERS)


def is_proved(entrants: int, found: Measure) -> bool:
    """Returns whether no schedule of this number of entrants can be better."""
    bound = lowest(entrants)
    squares = [value**2 * entrants * ROUNDS**2 for value in (found.r3, found.r8)]
    # The deviations are from the mean and not the rounded mean, which adds the same to both sides.
    offsets = [_offset(entrants, index) for index in range(2)]
    reached = [
        abs(square + offset - least) < 1e-6
        for square, offset, least in zip(squares, offsets, bound, strict=True)
    ]
    return all(reached) and not any((*found[:2], *found[3:7], found.r9))


def _offset(entrants: int, index: int) -> float:
    sizes = sizes_of(entrants)
    totals = (
        sum(size * size for size in sizes),
        sum(_transfers(seat) for size in sizes for seat in range(size)),
    )
    mean = ROUNDS * totals[index] / entrants
    return entrants * (mean - means(entrants)[index]) ** 2


def found_for(entrants: int, program: Path, *, restarts: int, seed: int) -> Rounds:
    """Returns the best schedule of the search, with entrants numbered from 1."""
    sizes, bound = sizes_of(entrants), lowest(entrants)
    numbers = (entrants, sizes.count(SEATS), sizes.count(SEATS - 1), restarts, SWAPS * entrants, seed, *bound)
    output = subprocess.run([program, *map(str, numbers)], check=True, capture_output=True, text=True).stdout
    places = iter([*range(entrants), *map(int, output.split())])
    return [[tuple(next(places) + 1 for _ in range(size)) for size in sizes] for _ in range(ROUNDS)]


def text_of(rounds: Rounds) -> str:
    """Returns the rounds after the first one as stored: a character per entrant, tables separated by spaces."""
    return " | ".join(
        " ".join("".join(_NAMES[entrant - 1] for entrant in table) for table in tables)
        for tables in rounds[1:]
    )


def has_stored(entrants: int) -> bool:
    return is_stored(_shape(entrants))


def _shape(entrants: int) -> Shape:
    return Shape(entrants=entrants, tables=len(sizes_of(entrants)), waiting=0, rounds=ROUNDS)


def stored_for(entrants: int) -> Rounds:
    """Returns the stored schedule, with entrants numbered from 1."""
    sizes = sizes_of(entrants)
    places = iter(stored(_shape(entrants)))
    return [[tuple(next(places) + 1 for _ in range(size)) for size in sizes] for _ in range(ROUNDS)]


def search(entrants: Sequence[int], *, restarts: int, seed: int) -> Iterator[tuple[int, Rounds]]:
    """Yields the best schedule for each number of entrants."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / _SOURCE.stem
        subprocess.run(["cc", "-O3", "-o", program, _SOURCE, "-lm"], check=True)
        for number in entrants:
            yield number, found_for(number, program, restarts=restarts, seed=seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Searches, prints a line for each number of entrants, and stores the schedules if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--entrants", type=int, nargs="+", default=ENTRANTS)
    parser.add_argument("--restarts", type=int, default=RESTARTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--stored", action="store_true", help="print the values of the stored schedules, without a search"
    )
    given = parser.parse_args(arguments)
    print("entrants  R1  R2     R3  R4  R5  R6  R7     R8  R9")
    if given.stored:
        for entrants in filter(has_stored, given.entrants):
            print(_line(entrants, measure(stored_for(entrants))))
        return 0
    for entrants, rounds in search(given.entrants, restarts=given.restarts, seed=given.seed):
        found = measure(rounds)
        print(_line(entrants, found), flush=True)
        if not has_stored(entrants) or is_better(found, measure(stored_for(entrants))):
            print(f"  better: {text_of(rounds)}", flush=True)
    return 0


def is_better(one: Measure, other: Measure) -> bool:
    """Returns whether a schedule is better than another by R1, then R2, and so on."""
    return _rounded(one) < _rounded(other)


def _rounded(found: Measure) -> tuple[float, ...]:
    return tuple(round(value, 9) for value in found)


def _line(entrants: int, found: Measure) -> str:
    proved = "  optimal" if is_proved(entrants, found) else ""
    return (
        f"{entrants:>8}  {found.r1:>2}  {found.r2:>2}  {found.r3:.3f}  {found.r4:>2}  {found.r5:>2}  {found.r6:>2}"
        f"  {found.r7:>2}  {found.r8:.3f}  {found.r9:>2}{proved}"
    )


if __name__ == "__main__":
    sys.exit(main())
