"""Compares the pairing of up to 12 entrants with exact search: `python -m tests.tournaments.seating_exact`.

Compares, after random histories, the values of all criteria and the number of forbidden pairs at one table with those
found by constraint programming (`reference.py`). With `--random N` it also pairs N random histories of up to 40
entrants, which must not fail. Exits with 1 at the first difference, and prints the history. With `--large N` it compares N
rounds of 13 to 16 entrants at tables of eight or more, which the service does not search exactly, with its exact search, and
prints by how much they differ; each takes a few seconds.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random
from unittest import mock

from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.pairing import seating
from hoodwink.domain.tournaments.pairing.case import MAX_EXACT_ENTRANTS, Case, Pairing
from hoodwink.domain.tournaments.pairing.division import seats_at, table_sizes
from hoodwink.domain.tournaments.pairing.seating import pair
from hoodwink.domain.tournaments.terms import Format
from tests.tournaments.play import case_of
from tests.tournaments.seating_histories import random_history, random_terms

EXACT = 12
MAX_EXACT_SEATS = 7
PRESENT = 0.9  # of the entrants
MAX_SEATS = 10


def random_case(seed: object, most: int) -> Case:
    """Returns a round to be paired after a random history of up to eight rounds."""
    chance = Random(f"case {seed}")
    format_ = chance.choice([Format.SWISS, Format.SWISS, Format.LEAGUE])
    terms = random_terms(chance, format_=format_, max_seats=MAX_SEATS if most > EXACT else 6)
    entrants = chance.randint(2, most)
    forbidden = chance.choice([0, 0, 2, entrants])
    crosstable = random_history(chance, terms, entrants, chance.randint(0, 8), forbidden=forbidden)
    present = [number for number in crosstable.numbers() if chance.random() < PRESENT]
    return case_of(crosstable, seed, present)


def large_cases(seed: object) -> Iterator[tuple[str, Case]]:
    """Yields rounds of few entrants that are too large for the service's exact search, each with its seed."""
    for number in count():
        named = f"{seed}:large:{number}"
        case = random_case(named, MAX_EXACT_ENTRANTS)
        terms = case.crosstable.terms
        sizes = table_sizes(len(case.present), terms)
        if sum(sizes) > EXACT and max(seats_at(size, terms, sizes) for size in sizes) > MAX_EXACT_SEATS:
            yield named, case


def seated(pairing: Pairing) -> list[int]:
    return sorted(entrant for table in pairing.tables for entrant in table if entrant is not None)


def forbidden_pairs(crosstable: Crosstable, pairing: Pairing) -> int:
    """Returns the number of forbidden pairs who sit at one table."""
    return sum(
        one in table and other in table
        for table in pairing.tables
        for one, other in crosstable.terms.forbidden
    )


def faults(case: Case, pairing: Pairing) -> list[str]:
    """Returns the violations of T-1 and P-3 that can be found without a search."""
    terms = case.crosstable.terms
    sizes = table_sizes(len(case.present), terms)
    tables = [sum(entrant is not None for entrant in table) for table in pairing.tables]
    seats = sorted(seats_at(size, terms) for size in sizes)
    named = sum("must not meet" in sentence for sentence in pairing.relaxed)
    checks = {
        "everybody present sits once or has a bye": sorted([*seated(pairing), *pairing.byes])
        == [*case.present],
        "the tables have the sizes of the division": sorted(tables) == sorted(sizes),
        "bots take the other seats": sorted(map(len, pairing.tables)) == seats,
        "everybody has an explanation": [explanation.entrant for explanation in pairing.explanations]
        == [*case.present],
        "forbidden pairs are named": named == forbidden_pairs(case.crosstable, pairing),
    }
    return [statement for statement, holds in checks.items() if not holds]


def difference(case: Case) -> str | None:
    """Returns the difference between the values of the pairing and the best ones, or `None` if they are equal."""
    from tests.tournaments.reference import best_values

    pairing = pair(case)
    entrants = seated(pairing)
    if not entrants:
        return None
    found = (forbidden_pairs(case.crosstable, pairing), pairing.objective)
    best = best_values(case.crosstable, entrants)
    return None if found == best else f"found {found}, best {best}"


def gap(case: Case) -> str | None:
    """Returns the first criterion in which the pairing is worse than that of the exact search, or `None` if they are equal."""
    found = pair(case)
    with mock.patch.object(seating, "_MAX_EXACT_SEATS", MAX_SEATS):
        best = pair(case)
    values = [(forbidden_pairs(case.crosstable, pairing), *pairing.objective) for pairing in (found, best)]
    assert values[1] <= values[0], "nothing is better than the exact search"
    return next(
        (
            f"criterion {number}: {ours} instead of {least}"
            for number, (ours, least) in enumerate(zip(*values, strict=True))
            if ours != least
        ),
        None,
    )


def compare_large(cases: int, seed: int) -> None:
    """Prints the differences from the exact search at large tables."""
    worse = 0
    for named, case in islice(large_cases(seed), cases):
        if found := gap(case):
            print(f"case {named}: {found}", flush=True)
            worse += 1
    print(f"{cases} rounds at large tables: {worse} worse than the optimum")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the comparisons and pairings, and returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", type=int, default=300, help="histories to compare with exact search")
    parser.add_argument("--random", type=int, default=0, help="further histories that are only paired")
    parser.add_argument("--large", type=int, default=0, help="rounds at large tables to compare")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    for number in range(given.cases):
        seed = f"{given.seed}:{number}"
        if found := difference(random_case(seed, EXACT)):
            print(f"case {seed}: {found}")
            return 1
    print(f"{given.cases} cases: all values are those of exact search")
    for number in range(given.random):
        seed = f"{given.seed}:random:{number}"
        case = random_case(seed, 40)
        if wrong := faults(case, pair(case)):
            print(f"case {seed}: not true that {'; '.join(wrong)}")
            return 1
    print(f"{given.random} random histories paired")
    if given.large:
        compare_large(given.large, given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
