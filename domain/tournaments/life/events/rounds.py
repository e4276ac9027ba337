"""The events of rounds: pairings, tables and results."""

from fractions import Fraction
from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tables.events import Outcome
from hoodwink.domain.tournaments.crosstable import Unplayed
from hoodwink.domain.tournaments.life.events.base import Seats, TournamentEventBase
from hoodwink.domain.tournaments.pairing.case import Explanation


class RoundOpened(TournamentEventBase, frozen=True):
    """A round was paired.

    `tables` are the seats of each board; `absent` are the entrants there who are no-shows from the start. `unplayed` are
    all other entrants. `objective`, `relaxed`, `explanations` and `bracket` come from the pairing engine. `early` is true
    if tables of earlier rounds could be unfinished (T-11).
    """

    wire: ClassVar[str] = "tournament.round_opened"
    round: Public[int]
    sitting: Public[int]
    early: Public[bool]
    reason: Public[str]
    tables: Public[tuple[Seats, ...]]
    absent: Public[tuple[int, ...]]
    unplayed: Public[tuple[Unplayed, ...]]
    objective: Public[tuple[Fraction, ...]]
    relaxed: Public[tuple[str, ...]]
    explanations: Public[tuple[Explanation, ...]]
    bracket: Public[tuple[int | None, ...]]


class PairingChanged(TournamentEventBase, frozen=True):
    """The organiser changed a pairing; `proposed` are the engine's own tables and byes (T-13)."""

    wire: ClassVar[str] = "tournament.pairing_changed"
    round: Public[int]
    tables: Public[tuple[Seats, ...]]
    byes: Public[tuple[int, ...]]
    reason: Public[str]
    proposed_tables: Public[tuple[Seats, ...]]
    proposed_byes: Public[tuple[int, ...]]


class PairingDropped(TournamentEventBase, frozen=True):
    """The pairing of a round that had not started was dropped: the round is paired again, or the tournament is over."""

    wire: ClassVar[str] = "tournament.pairing_dropped"
    round: Public[int]


class RoundStarted(TournamentEventBase, frozen=True):
    """A round began, and its tables are being opened."""

    wire: ClassVar[str] = "tournament.round_started"
    round: Public[int]


class TablesOpened(TournamentEventBase, frozen=True):
    """The service has opened and started these tables."""

    wire: ClassVar[str] = "tournament.tables_opened"
    tables: Public[tuple[str, ...]]


class SeatGivenUp(TournamentEventBase, frozen=True):
    """The service has resigned an expelled entrant's seat at a table."""

    wire: ClassVar[str] = "tournament.seat_given_up"
    entrant: Public[str]
    table: Public[str]


class TableReported(TournamentEventBase, frozen=True):
    """A table ended. `version` and `head` are those of its log; `places` and `points` are by seat.

    `no_shows`, `resigned` and `by_bot` are the seats of entrants who did not appear, who resigned, and for whom a bot took
    more than half of the turns.
    """

    wire: ClassVar[str] = "tournament.table_reported@2"
    round: Public[int]
    board: Public[int]
    deal: Public[int]
    table: Public[str]
    version: Public[int]
    head: Public[str]
    outcome: Public[Outcome]
    places: Public[tuple[int, ...] | None]
    points: Public[tuple[int, ...] | None]
    no_shows: Public[tuple[int, ...]]
    resigned: Public[tuple[int, ...]]
    by_bot: Public[tuple[int, ...]]


class DealAdded(TournamentEventBase, frozen=True):
    """Entrants who are tied for the last places to advance from a knockout table play another deal (P-6)."""

    wire: ClassVar[str] = "tournament.deal_added"
    round: Public[int]
    board: Public[int]
    deal: Public[int]
    seats: Public[Seats]
    absent: Public[tuple[int, ...]]


class RoundCompleted(TournamentEventBase, frozen=True):
    """Every table of a round has ended."""

    wire: ClassVar[str] = "tournament.round_completed"
    round: Public[int]


class TableVoided(TournamentEventBase, frozen=True):
    """An administrator voided a finished table (T-12)."""

    wire: ClassVar[str] = "tournament.table_voided"
    round: Public[int]
    board: Public[int]
    deal: Public[int]
    reason: Public[str]


class VoidScored(TournamentEventBase, frozen=True):
    """The organiser set the score of a voided table for each of its entrants (T-12)."""

    wire: ClassVar[str] = "tournament.void_scored"
    round: Public[int]
    board: Public[int]
    score: Public[Fraction]
    reason: Public[str]
