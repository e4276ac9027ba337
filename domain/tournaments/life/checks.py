"""Checks that several commands share."""

from fractions import Fraction

from domain.kernel import RuleViolation
from domain.tables.corrections import check_reason
from domain.tables.fairness import is_commitment
from domain.tournaments.life.events import TournamentEvent
from domain.tournaments.life.setup import HALVES
from domain.tournaments.life.state import (
    Participant,
    Phase,
    Tournament,
    is_live,
    is_over,
    next_round,
    paired,
    participant,
    terms_of,
)

Events = tuple[TournamentEvent, ...]


def check_not_over(tournament: Tournament) -> None:
    if not tournament.version:
        raise RuleViolation("no_tournament", "There is no such tournament.")
    if is_over(tournament):
        raise RuleViolation("tournament_over", "The tournament is over.")


def check_before_start(tournament: Tournament) -> None:
    check_not_over(tournament)
    if is_live(tournament):
        raise RuleViolation("tournament_started", "The tournament has started.")


def check_started(tournament: Tournament) -> None:
    """Raises `RuleViolation` unless the tournament is running or paused."""
    check_not_over(tournament)
    if not is_live(tournament):
        raise RuleViolation("tournament_not_started", "The tournament has not started.")


def check_running(tournament: Tournament) -> None:
    check_started(tournament)
    if tournament.phase is Phase.PAUSED:
        raise RuleViolation("tournament_paused", "The tournament is paused; it must be resumed first.")


def check_remark(reason: str) -> None:
    """Raises `RuleViolation` unless the text is a valid reason or empty."""
    if reason:
        check_reason(reason)


def check_commitment(commitment: str) -> None:
    if commitment and not is_commitment(commitment):
        raise RuleViolation(
            "invalid_commitment", "A commitment is the SHA-256 of the seed as 64 lower-case hex digits."
        )


def required(tournament: Tournament, entrant: str) -> Participant:
    """Returns the entrant with that id; raises `RuleViolation` if there is none."""
    found = participant(tournament, entrant)
    if found is None:
        raise RuleViolation("no_such_entrant", "The tournament has no such entrant.")
    return found


def taking_part(tournament: Tournament, entrant: str) -> Participant:
    """Returns the entrant with that id; raises `RuleViolation` if there is none or they have left."""
    found = required(tournament, entrant)
    if found.has_left:
        raise RuleViolation("entrant_left", "This entrant has left the tournament.")
    return found


def check_half(score: Fraction) -> None:
    if score not in HALVES:
        raise RuleViolation("invalid_score", "The score must be 0, 1/2 or 1.")


def check_unpaired(tournament: Tournament, round_: int) -> None:
    """Raises `RuleViolation` unless the round has not been paired yet."""
    first = next_round(tournament) + (paired(tournament) is not None) if tournament.terms else 1
    if round_ < first:
        raise RuleViolation("round_paired", "This round has been paired already.")
    if round_ > planned_rounds(tournament):
        raise RuleViolation("no_such_round", "The tournament has no such round.")


def planned_rounds(tournament: Tournament) -> int:
    """Returns the number of planned rounds; 0 before the start if it follows from the entrants."""
    if tournament.terms is not None:
        return terms_of(tournament).rounds
    assert tournament.setup is not None, "a tournament is opened with its settings"
    return tournament.setup.rounds or 0
