"""Checks that nothing is done more often than a tournament allows (T-51)."""

from collections.abc import Iterable
from typing import Final

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.counts import MAX_TIMES
from hoodwink.domain.tournaments.life.events import TournamentEvent
from hoodwink.domain.tournaments.life.facts import counts_of
from hoodwink.domain.tournaments.life.setup import MAX_ENTRANTS
from hoodwink.domain.tournaments.life.state import Participant, Tournament

MAX_ENTRIES: Final = 20

MAX_BOTS_ENTERED: Final = 2 * MAX_ENTRANTS

MAX_ABSENCES: Final = 120
"""More than there are sittings, so that nobody who plans ahead reaches it."""


def check_times(tournament: Tournament, decided: Iterable[TournamentEvent]) -> None:
    """Raises `RuleViolation` if officials have decided the same kind of thing as often as they may."""
    for event in decided:
        most = MAX_TIMES.get(type(event))
        if most is not None and tournament.decisions.get(event.wire, 0) >= most:
            raise _too_many(f"This is possible {most} times in a tournament, and has been done as often.")


def check_entries(tournament: Tournament, player: str) -> None:
    """Raises `RuleViolation` if a player has entered and left as often as they may."""
    if counts_of(tournament, player).entries >= MAX_ENTRIES:
        raise _too_many(f"You have entered or asked to enter {MAX_ENTRIES} times, the most there can be.")


def check_bots_entered(tournament: Tournament) -> None:
    if tournament.bots_entered >= MAX_BOTS_ENTERED:
        raise _too_many(f"{MAX_BOTS_ENTERED} bots have entered this tournament, the most there can be.")


def check_absences(entrant: Participant) -> None:
    """Raises `RuleViolation` for one more absence. Checking in is always possible, so nobody is kept away."""
    if entrant.counts.absences >= MAX_ABSENCES:
        raise _too_many(f"This entrant has been absent {MAX_ABSENCES} times, the most there can be.")


def _too_many(detail: str) -> RuleViolation:
    return RuleViolation(TournamentCode.TOO_MANY_CHANGES, detail)
