"""The commands about rounds and their tables."""

from fractions import Fraction

from hoodwink.domain.tables.events import Outcome
from hoodwink.domain.tournaments.life.commands.base import Command
from hoodwink.domain.tournaments.life.events import Seats


class OpenRound(Command, frozen=True):
    """Pair a round, or first call for the entrants' seeds; `early` allows unfinished tables of earlier rounds."""

    round: int
    early: bool = False
    reason: str = ""


class ChangePairing(Command, frozen=True):
    """Replace the pairing of a round that has not started (T-13)."""

    round: int
    tables: tuple[Seats, ...]
    byes: tuple[int, ...]
    reason: str


class StartRound(Command, frozen=True):
    round: int


class ConfirmTables(Command, frozen=True):
    """Record that the service has opened these tables."""

    tables: tuple[str, ...]


class ConfirmGivenUp(Command, frozen=True):
    """Record that the service has resigned an expelled entrant's seat."""

    entrant: str
    table: str


class SealTable(Command, frozen=True):
    """Record that a table whose deal others may still play has ended; `head` is the last hash of its log (D-7)."""

    round: int
    board: int
    table: str
    head: str


class ReportTable(Command, frozen=True, kw_only=True):
    """Record the end of a table, as in its log; see `TableReported`."""

    round: int
    board: int
    deal: int
    table: str
    version: int
    head: str
    outcome: Outcome
    places: tuple[int, ...] | None
    points: tuple[int, ...] | None
    no_shows: tuple[int, ...] = ()
    resigned: tuple[int, ...] = ()
    by_bot: tuple[int, ...] = ()


class VoidTable(Command, frozen=True):
    """Record that an administrator voided a table."""

    round: int
    board: int
    deal: int
    reason: str


class ScoreVoid(Command, frozen=True):
    round: int
    board: int
    score: Fraction
    reason: str
