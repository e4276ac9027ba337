"""The events of an arena: its times, the bell, and the end of the tables that were left (T-40, T-47)."""

from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase


class ArenaChosen(TournamentEventBase, frozen=True):
    """Entrants are paired again and again for `arena_minutes`; tables in play then have `finish_minutes` to end."""

    wire: ClassVar[str] = "tournament.arena_chosen"
    arena_minutes: Public[int]
    finish_minutes: Public[int]


class BellRung(TournamentEventBase, frozen=True):
    """The time of an arena is over; tables in play may still end."""

    wire: ClassVar[str] = "tournament.bell_rung"


class OvertimeEnded(TournamentEventBase, frozen=True):
    """The time for tables in play is over, too; the service ends those that are left."""

    wire: ClassVar[str] = "tournament.overtime_ended"
