"""The people who may see a tournament (T-24)."""

from hoodwink.domain.tournaments.life.admission import Visibility
from hoodwink.domain.tournaments.life.facts import applicant, is_official, participant
from hoodwink.domain.tournaments.life.state import Tournament


def is_listed(tournament: Tournament) -> bool:
    """Returns whether everybody sees the tournament in lists."""
    return tournament.admission.visibility is Visibility.PUBLIC


def may_see(tournament: Tournament, player: str | None, *, is_invited: bool) -> bool:
    """Returns whether somebody may know that the tournament exists.

    Args:
        player: their id; `None` for an unknown person.
        is_invited: whether they have the tournament's invitation code.
    """
    if tournament.admission.visibility is not Visibility.PRIVATE or is_invited:
        return True
    if player is None:
        return False
    if is_official(tournament, player) or participant(tournament, player) is not None:
        return True
    asked = applicant(tournament, player)
    return asked is not None and not asked.is_declined
