"""Pairing: from what was played so far to the tables of the next round."""

from domain.tournaments.pairing import dutch, knockout, round_robin, seating
from domain.tournaments.pairing.case import Case, Explanation, Pairing
from domain.tournaments.pairing.round_robin import schedule_of
from domain.tournaments.terms import Format, Terms

__all__ = ["Case", "Explanation", "Pairing", "pair_round", "rounds_planned", "schedule_of"]


def pair_round(case: Case) -> Pairing:
    """Returns the pairing of a round, by its format and the seats of its tables (P-1 … P-7)."""
    terms = case.crosstable.terms
    match terms.format:
        case Format.ROUND_ROBIN:
            return round_robin.pair(case)
        case Format.KNOCKOUT:
            return knockout.pair(case)
        case Format.SWISS if terms.seats == 2:
            return dutch.pair(case)
        case Format.SWISS | Format.LEAGUE:
            return seating.pair(case)


def rounds_planned(terms: Terms, entrants: int) -> int:
    """Returns how many rounds a tournament of so many entrants has (T-1)."""
    match terms.format:
        case Format.ROUND_ROBIN:
            return round_robin.rounds_of(terms, entrants)
        case Format.KNOCKOUT:
            return knockout.rounds_of(terms, entrants)
        case Format.SWISS | Format.LEAGUE:
            return terms.rounds
