"""Compares standings with FIDE's own tie-break checker and with the slow referee, on random tournaments.

    python -m tests.domain.tournaments.compare --tournaments 500 --seed 1

Each tournament is compared after every one of its rounds. Ends with exit code 1 if anything differs.
"""

import argparse
import random
import sys
from fractions import Fraction

import msgspec

from hoodwink.domain.tournaments.standings import standings
from tests.domain.tournaments.fide_tiebreaks import CODES, fide_standings
from tests.domain.tournaments.random_crosstables import (
    league_of_few,
    of_many,
    round_robin_of_two,
    swiss_of_two,
)
from tests.domain.tournaments.referee import Referee


def as_fide_knows_it(case):
    """Returns the cross-table without what the checker does not support: expulsion, and a tie-break of ours."""
    entrants = tuple(msgspec.structs.replace(entrant, is_expelled=False) for entrant in case.entrants)
    tiebreaks = tuple(tiebreak for tiebreak in case.terms.tiebreaks if tiebreak in CODES)
    return msgspec.structs.replace(
        case, entrants=entrants, terms=msgspec.structs.replace(case.terms, tiebreaks=tiebreaks)
    )


def differences_from_fide(case):
    """Returns the differences to the checker after any round; it has 0 for a direct encounter that decides nothing."""
    case = as_fide_knows_it(case)
    found = []
    for after in range(1, len(case.rounds) + 1):
        theirs = fide_standings(case.until(after), case.terms.tiebreaks)
        for row in standings(case, after=after).rows:
            ours = (row.rank, [row.score, *(value or Fraction(0) for value in row.tiebreaks.values())])
            if ours != theirs[row.entrant]:
                found.append(f"round {after}, entrant {row.entrant}: {ours} and not {theirs[row.entrant]}")
    return found


def differences_from_referee(case):
    """Returns the differences to the slow referee after any round."""
    found = []
    for after in range(1, len(case.rounds) + 1):
        theirs = Referee(case.until(after)).rows()
        for row in standings(case, after=after).rows:
            ours = (row.rank, row.score, *row.tiebreaks.values())
            if ours != theirs[row.entrant]:
                found.append(f"round {after}, entrant {row.entrant}: {ours} and not {theirs[row.entrant]}")
    return found


KINDS = {
    swiss_of_two: differences_from_fide,
    round_robin_of_two: differences_from_fide,
    of_many: differences_from_referee,
    league_of_few: differences_from_referee,
}


def main():
    parser = argparse.ArgumentParser(
        description="Compare standings with FIDE's checker and with the slow referee."
    )
    parser.add_argument("--tournaments", type=int, default=500, help="of each kind")
    parser.add_argument("--seed", type=int, default=1, help="of the first")
    given = parser.parse_args()
    differing = 0
    for make, differences in KINDS.items():
        rounds = 0
        for seed in range(given.seed, given.seed + given.tournaments):
            case = make(random.Random(seed))
            rounds += len(case.rounds)
            if found := differences(case):
                differing += 1
                print(f"{make.__name__} {seed}: {found[0]}")
        print(f"{make.__name__}: {given.tournaments} tournaments, {rounds} rounds compared", flush=True)
    print(f"{differing} tournaments differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
