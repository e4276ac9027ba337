"""A stand-in for the pairing engine until it is merged: random tables, a rotating schedule."""

from fractions import Fraction

from domain.tournaments.chance import Draw
from domain.tournaments.pairing.case import Case, Explanation, Pairing
from domain.tournaments.pairing.division import seats_at, table_sizes
from domain.tournaments.pairing.dutch import pair as pair_dutch
from domain.tournaments.pairing.knockout import pair as pair_knockout
from domain.tournaments.pairing.knockout import rounds_of
from domain.tournaments.pairing.seating import pair as pair_seats
from domain.tournaments.terms import Format, Terms

Schedule = tuple[tuple[tuple[int, ...], ...], ...]


def rounds_planned(terms: Terms, entrants: int) -> int:
    if terms.format is Format.KNOCKOUT:
        return rounds_of(terms, entrants)
    if terms.format is Format.ROUND_ROBIN and terms.seats == 2:
        return entrants - 1 + entrants % 2
    return terms.rounds


def schedule_of(terms: Terms, entrants: int, draw: Draw) -> Schedule:
    rounds: list[tuple[tuple[int, ...], ...]] = []
    lots = draw("schedule")
    for round_ in range(1, rounds_planned(terms, entrants) + 1):
        if terms.seats == 2:
            around = list(range(1, entrants + 1 + entrants % 2))
            turned = around[:1] + around[round_:] + around[1:round_]
            pairs = [(turned[i], turned[-1 - i]) for i in range(len(turned) // 2)]
            rounds.append(tuple(pair for pair in pairs if max(pair) <= entrants))
        else:
            rounds.append(_cut(lots.shuffled(range(1, entrants + 1)), terms))
    return tuple(rounds)


def _cut(players: tuple[int, ...], terms: Terms) -> tuple[tuple[int, ...], ...]:
    tables, at = [], 0
    for size in table_sizes(len(players), terms):
        tables.append(tuple(players[at : at + size]))
        at += size
    return tuple(tables)


def pair_round(case: Case) -> Pairing:
    terms = case.crosstable.terms
    if terms.format is Format.KNOCKOUT:
        return pair_knockout(case)
    if terms.format is Format.ROUND_ROBIN:
        tables = case.schedule[case.round - 1]
    elif terms.format is Format.SWISS and terms.seats == 2:
        return pair_dutch(case)
    else:
        return pair_seats(case)
    at = {n for table in tables for n in table}
    byes = tuple(n for n in case.present if n not in at)
    filled = tuple((*table, *(None,) * (seats_at(len(table), terms) - len(table))) for table in tables)
    why = tuple(Explanation(entrant=n, score=Fraction(0), floated=0, text="By lot.") for n in case.present)
    return Pairing(tables=filled, byes=byes, explanations=why)
