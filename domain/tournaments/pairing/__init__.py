"""Pairing: the tables of the next round, computed from the rounds so far."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.tournaments.crosstable import Outcome
from hoodwink.domain.tournaments.pairing import arena, dutch, knockout, round_robin, seating
from hoodwink.domain.tournaments.pairing.case import Case, Pairing
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Terms


def pair_round(case: Case) -> Pairing:
    """Returns the pairing of the next round, by the tournament's format and number of seats."""
    rounds = case.crosstable.until(case.round - 1).rounds
    is_early = case.crosstable.terms.format is not Format.ARENA and any(
        board.outcome is Outcome.UNFINISHED for round_ in rounds for board in round_.boards
    )
    return _with_unfinished(_paired(case), case.crosstable.terms) if is_early else _paired(case)


def _with_unfinished(pairing: Pairing, terms: Terms) -> Pairing:
    """Returns the pairing with explanations that say why its scores differ from the standings (T-11, T-20)."""
    worth = "the mean points of their round" if terms.score_by is ScoreBy.POINTS else "half of a first place"
    said = f"Scores here count unfinished tables as {worth}."
    explanations = tuple(
        [replace(explanation, text=f"{explanation.text} {said}") for explanation in pairing.explanations]
    )
    return replace(pairing, explanations=explanations)


def _paired(case: Case) -> Pairing:
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
        case Format.ARENA:
            return arena.pair(case)
        case _:
            assert_never(terms.format)


def rounds_planned(terms: Terms, entrants: int) -> int:
    """Returns the number of rounds, which depends on the entrants in knockouts and two-seat round robins (T-1)."""
    match terms.format:
        case Format.ROUND_ROBIN:
            return round_robin.rounds_of(terms, entrants)
        case Format.KNOCKOUT:
            return knockout.rounds_of(terms, entrants)
        case Format.SWISS | Format.LEAGUE:
            return terms.rounds
        case Format.ARENA:
            return arena.MAX_WAVES
        case _:
            assert_never(terms.format)
