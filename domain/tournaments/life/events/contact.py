"""The events by which officials speak to entrants (T-60, T-61).

`official` is the player who wrote. `text` is the salted hash of a text that is stored apart from the log.
"""

from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase


class Described(TournamentEventBase, frozen=True):
    """The organiser wrote or replaced the description; without a text, removed it."""

    wire: ClassVar[str] = "tournament.described"
    official: Public[str]
    text: Public[str]


class Announced(TournamentEventBase, frozen=True):
    """An official announced something to everybody."""

    wire: ClassVar[str] = "tournament.announced"
    official: Public[str]
    text: Public[str]
