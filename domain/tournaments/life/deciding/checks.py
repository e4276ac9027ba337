"""Checks shared by several commands."""

from fractions import Fraction

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tables.fairness import is_commitment
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import OfficialCommand
from hoodwink.domain.tournaments.life.commands.rights import RIGHTS
from hoodwink.domain.tournaments.life.events import TournamentEvent
from hoodwink.domain.tournaments.life.facts import (
    is_live,
    is_over,
    next_round,
    paired,
    participant,
    role_of,
    terms_of,
)
from hoodwink.domain.tournaments.life.setup import HALVES
from hoodwink.domain.tournaments.life.state import Participant, Phase, Tournament

Events = tuple[TournamentEvent, ...]


def check_official(tournament: Tournament, command: OfficialCommand) -> None:
    """Raises `RuleViolation` unless the official has the right to the command (T-50)."""
    if role_of(tournament, command.official) not in RIGHTS[type(command)]:
        raise RuleViolation(TournamentCode.NOT_AN_OFFICIAL)


def check_not_over(tournament: Tournament) -> None:
    if not tournament.version:
        raise RuleViolation(TableCode.NO_TOURNAMENT, "There is no such tournament.")
    if is_over(tournament):
        raise RuleViolation(TournamentCode.TOURNAMENT_OVER)


def check_before_start(tournament: Tournament) -> None:
    check_not_over(tournament)
    if is_live(tournament):
        raise RuleViolation(TournamentCode.TOURNAMENT_STARTED)


def check_started(tournament: Tournament) -> None:
    """Raises `RuleViolation` unless the tournament is running or paused."""
    check_not_over(tournament)
    if not is_live(tournament):
        raise RuleViolation(TournamentCode.TOURNAMENT_NOT_STARTED)


def check_running(tournament: Tournament) -> None:
    check_started(tournament)
    if tournament.phase is Phase.PAUSED:
        raise RuleViolation(TournamentCode.TOURNAMENT_PAUSED)


def check_remark(reason: str) -> None:
    """Raises `RuleViolation` unless the text is a valid reason or empty."""
    if reason:
        check_reason(reason)


def check_commitment(commitment: str) -> None:
    if commitment and not is_commitment(commitment):
        raise RuleViolation(TableCode.INVALID_COMMITMENT)


def required(tournament: Tournament, entrant: str) -> Participant:
    """Returns the entrant with that id; raises `RuleViolation` if there is none."""
    found = participant(tournament, entrant)
    if found is None:
        raise RuleViolation(TournamentCode.NO_SUCH_ENTRANT)
    return found


def taking_part(tournament: Tournament, entrant: str) -> Participant:
    """Returns the entrant with that id; raises `RuleViolation` if there is none or they have left."""
    found = required(tournament, entrant)
    if found.has_left:
        raise RuleViolation(TournamentCode.ENTRANT_LEFT)
    return found


def check_half(score: Fraction) -> None:
    if score not in HALVES:
        raise RuleViolation(TournamentCode.INVALID_SCORE)


def check_unpaired(tournament: Tournament, round_: int) -> None:
    """Raises `RuleViolation` unless the round has not been paired yet."""
    first = next_round(tournament) + (paired(tournament) is not None) if tournament.terms else 1
    if round_ < first:
        raise RuleViolation(TournamentCode.ROUND_PAIRED)
    if round_ > planned_rounds(tournament):
        raise RuleViolation(TournamentCode.NO_SUCH_ROUND)


def planned_rounds(tournament: Tournament) -> int:
    """Returns the number of planned rounds; 0 before the start if it follows from the entrants."""
    if tournament.terms is not None:
        return terms_of(tournament).rounds
    assert tournament.setup is not None, "a tournament is opened with its settings"
    return tournament.setup.rounds or 0
