"""Founding, joining and leaving teams, and replacing their codes (T-31, T-34)."""

from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import ChooseTeam, ReplaceTeamCode
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_not_over, taking_part
from hoodwink.domain.tournaments.life.events import TeamChosen, TeamCodeReplaced
from hoodwink.domain.tournaments.life.facts import rosters_of
from hoodwink.domain.tournaments.life.setup import MAX_TEAMS, MAX_TEAMS_FOUNDED
from hoodwink.domain.tournaments.life.state import Participant, Tournament

MAX_TEAM_CHANGES: Final = 20
"""Per entrant, because each one adds to the log."""
MAX_FOUNDINGS: Final = 3
"""Per entrant, so that a few strangers cannot found all teams of a tournament."""
MAX_TEAM_CODES: Final = 20


def choose(tournament: Tournament, command: ChooseTeam) -> Events:
    check_not_over(tournament)
    if tournament.team_terms is None:
        raise RuleViolation(TournamentCode.NO_TEAMS)
    entrant = taking_part(tournament, command.entrant)
    if entrant.from_round <= len(tournament.rounds):  # T-31
        raise RuleViolation(TournamentCode.TEAM_FIXED)
    if command.team == entrant.team:
        raise RuleViolation(TournamentCode.TEAM_UNCHANGED)
    if entrant.counts.team_changes >= MAX_TEAM_CHANGES:
        raise RuleViolation(
            TournamentCode.TOO_MANY_TEAM_CHANGES,
            f"The team of this entrant has changed {MAX_TEAM_CHANGES} times, the most there can be.",
        )
    if command.name:
        _check_founding(tournament, command, entrant)
    elif command.team is not None:
        _check_joining(tournament, command.team)
    return (TeamChosen(entrant.id, command.team, command.name),)


def _check_founding(tournament: Tournament, command: ChooseTeam, entrant: Participant) -> None:
    check_reason(command.name)
    if command.team != len(tournament.teams) + 1:
        raise RuleViolation(TournamentCode.NO_SUCH_TEAM)
    if entrant.counts.teams_founded >= MAX_FOUNDINGS:  # T-34
        raise RuleViolation(
            TournamentCode.TOO_MANY_TEAM_CHANGES,
            f"This entrant has founded {MAX_FOUNDINGS} teams, the most there can be. Join a team with its code, or "
            "ask the organiser.",
        )
    if len(rosters_of(tournament)) >= MAX_TEAMS or len(tournament.teams) >= MAX_TEAMS_FOUNDED:
        raise RuleViolation(TournamentCode.TOO_MANY_TEAM_CHANGES)


def _check_joining(tournament: Tournament, team: int) -> None:
    terms = tournament.team_terms
    assert terms is not None, "only tournaments with teams have them"
    _check_team(tournament, team)
    if len(rosters_of(tournament).get(team, ())) >= terms.team_size:
        raise RuleViolation(TournamentCode.TEAM_FULL)


def _check_team(tournament: Tournament, team: int) -> None:
    if not 1 <= team <= len(tournament.teams):
        raise RuleViolation(TournamentCode.NO_SUCH_TEAM)


def replace_code(tournament: Tournament, command: ReplaceTeamCode) -> Events:
    check_not_over(tournament)
    _check_team(tournament, command.team)
    if tournament.team_codes[command.team - 1] >= MAX_TEAM_CODES:
        raise RuleViolation(
            TournamentCode.TOO_MANY_TEAM_CHANGES,
            f"The code of this team has been replaced {MAX_TEAM_CODES} times, the most there can be.",
        )
    return (TeamCodeReplaced(command.team),)
