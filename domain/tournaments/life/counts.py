"""How often entrants and officials have changed something. All of it is bounded, so that nobody can fill a log (T-51)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from hoodwink.domain.tournaments.life import events

MAX_TIMES: Final[Mapping[type[events.TournamentEvent], int]] = MappingProxyType(
    {
        events.EntrantsOrdered: 1000,  # the desk sends one for each move of an entrant
        events.TiebreaksChanged: 100,
        events.SittingRescheduled: 500,
        events.TournamentPaused: 200,
        events.PairingChanged: 500,
        events.ByeAssigned: 2000,
        events.VoidScored: 500,
    }
)
"""How often officials may decide the same kind of thing in a tournament."""


class Counts(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The number of times that an entrant has done something, earlier entries included.

    Attributes:
        entries: how often they entered or asked for it.
        absences: how often they announced an absence, or were marked as absent.
        team_changes: how often their team changed.
        teams_founded: how many teams they founded.
    """

    entries: int = 0
    absences: int = 0
    team_changes: int = 0
    teams_founded: int = 0


NO_COUNTS: Final = Counts()
