"""Officials describe the tournament (T-60) and announce something (T-61)."""

from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import Announce, Describe
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_not_over, check_official
from hoodwink.domain.tournaments.life.events.contact import Announced, Described
from hoodwink.domain.tournaments.life.state import Tournament

MAX_DESCRIPTIONS: Final = 50
MAX_ANNOUNCEMENTS: Final = 100
MIN_GAP_MS: Final = 60_000
"""The time between two announcements."""


def describe(tournament: Tournament, command: Describe) -> Events:
    check_not_over(tournament)
    check_official(tournament, command)
    if tournament.descriptions >= MAX_DESCRIPTIONS:
        raise RuleViolation(TournamentCode.TOO_MANY_DESCRIPTIONS)
    if command.text:
        check_reason(command.text)
    return (Described(command.official, command.text),)


def announce(tournament: Tournament, command: Announce, now: int) -> Events:
    check_not_over(tournament)
    check_official(tournament, command)
    earlier = tournament.announcements
    if len(earlier) >= MAX_ANNOUNCEMENTS or (earlier and now < earlier[-1].at + MIN_GAP_MS):
        raise RuleViolation(TournamentCode.TOO_MANY_ANNOUNCEMENTS)
    check_reason(command.text)
    return (Announced(command.official, command.text),)
