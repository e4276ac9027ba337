"""Pairing: from what was played so far to the tables of the next round."""

from typing import assert_never

from domain.tournaments.pairing import dutch, knockout, round_robin, seating
from domain.tournaments.pairing.case import Case, Pairing
from domain.tournaments.terms import Format, Terms


def pair_round(case: Case) -> Pairing:
    """Returns the next round's tables, as the format of the tournament and its number of seats make them."""
    terms = case.crosstable.terms
    match terms.format:
        case Format.ROUND_ROBIN:
            return round_robin.pair(case)
        case Format.KNOCKOUT:
            return knockout.pair(case)
        case Format.SWISS:
            return dutch.pair(case) if terms.seats == 2 else seating.pair(case)
        case Format.LEAGUE:
            return seating.pair(case)
        case _:
            assert_never(terms.format)


def rounds_planned(terms: Terms, entrants: int) -> int:
    """Returns the number of rounds: it follows in knockouts and two-seat round robins, and is stated elsewhere (T-1)."""
    match terms.format:
        case Format.ROUND_ROBIN:
            return round_robin.rounds_of(terms, entrants)
        case Format.KNOCKOUT:
            return knockout.rounds_of(terms, entrants)
        case Format.SWISS | Format.LEAGUE:
            return terms.rounds
        case _:
            assert_never(terms.format)
