"""Founding, joining and leaving teams (T-31)."""

from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import ChooseTeam
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_not_over, taking_part
from hoodwink.domain.tournaments.life.events import TeamChosen
from hoodwink.domain.tournaments.life.facts import rosters_of
from hoodwink.domain.tournaments.life.state import Tournament

MAX_TEAMS: Final = 500
MAX_TEAM_CHANGES: Final = 20
"""Per entrant, because each one adds to the log."""


def choose(tournament: Tournament, command: ChooseTeam) -> Events:
    check_not_over(tournament)
    if tournament.team_terms is None:
        raise RuleViolation(TournamentCode.NO_TEAMS)
    entrant = taking_part(tournament, command.entrant)
    if entrant.from_round <= len(tournament.rounds):  # T-31
        raise RuleViolation(TournamentCode.TEAM_FIXED)
    if command.team == entrant.team:
        raise RuleViolation(TournamentCode.TEAM_UNCHANGED)
    if entrant.team_changes >= MAX_TEAM_CHANGES:
        raise RuleViolation(TournamentCode.TOO_MANY_TEAM_CHANGES)
    _check_team(tournament, command)
    return (TeamChosen(entrant.id, command.team, command.name),)


def _check_team(tournament: Tournament, command: ChooseTeam) -> None:
    """Raises `RuleViolation` unless the team is a new one with a name, or an existing one that is not full."""
    teams, terms = len(tournament.teams), tournament.team_terms
    assert terms is not None, "only tournaments with teams have them"
    if command.name:
        check_reason(command.name)
        if command.team != teams + 1:
            raise RuleViolation(TournamentCode.NO_SUCH_TEAM)
        if teams >= MAX_TEAMS:
            raise RuleViolation(TournamentCode.TOO_MANY_TEAM_CHANGES)
    elif command.team is not None:
        if not 1 <= command.team <= teams:
            raise RuleViolation(TournamentCode.NO_SUCH_TEAM)
        if len(rosters_of(tournament).get(command.team, ())) >= terms.team_size:
            raise RuleViolation(TournamentCode.TEAM_FULL)
