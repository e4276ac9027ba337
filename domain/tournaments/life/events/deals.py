"""The events of a tournament in which all tables of a round play the same deal (D-1, D-7)."""

from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase
from hoodwink.domain.tournaments.terms import Compare


class DuplicateChosen(TournamentEventBase, frozen=True):
    """All tables of a round play the same deal, and seats are compared across tables (D-1, D-3)."""

    wire: ClassVar[str] = "tournament.duplicate_chosen"
    compare: Public[Compare]


class DealsChosen(TournamentEventBase, frozen=True):
    """The same opponents play that many rounds in a row, each with a deal of its own (D-1)."""

    wire: ClassVar[str] = "tournament.deals_chosen"
    deals_per_pairing: Public[int]


class TableSealed(TournamentEventBase, frozen=True):
    """A table ended whose deal others may still play. `head` is the last hash of its log, which is secret (D-7, D-8)."""

    wire: ClassVar[str] = "tournament.table_sealed"
    round: Public[int]
    board: Public[int]
    table: Public[str]
    head: Public[str]


class DealReleased(TournamentEventBase, frozen=True):
    """All tables of a deal have ended, so that nothing about it is secret any more (D-7)."""

    wire: ClassVar[str] = "tournament.deal_released"
    round: Public[int]
    deal: Public[int]
