"""The events of officials who act on the tables and entrants of their tournament, or add rounds (V-4 … V-6, T-18, T-22, T-23).

`official` is the player who acted. `reason` is the salted hash of a text that is stored apart from the log.
"""

from fractions import Fraction
from typing import ClassVar

from hoodwink.domain.kernel import Public
from hoodwink.domain.tournaments.life.events.base import TournamentEventBase


class TableStopped(TournamentEventBase, frozen=True):
    """An official ended a table in play; the service then closes it without a result (V-4)."""

    wire: ClassVar[str] = "tournament.table_stopped"
    round: Public[int]
    board: Public[int]
    deal: Public[int]
    official: Public[str]
    reason: Public[str]


class ResultRuled(TournamentEventBase, frozen=True):
    """An official ruled on the result of a board (V-5).

    `places` are by seat, `None` for an entrant who counts as absent; without places, the result does not count. `points`
    are by seat, where they decide the score. `score` is that of each entrant if the result does not count; `None` is half
    of a first place.
    """

    wire: ClassVar[str] = "tournament.result_ruled"
    round: Public[int]
    board: Public[int]
    official: Public[str]
    places: Public[tuple[int | None, ...] | None]
    points: Public[tuple[int, ...] | None]
    score: Public[Fraction | None]
    reason: Public[str]


class RulingReversed(TournamentEventBase, frozen=True):
    """An administrator reversed the ruling on a board, so that the result of its table counts again (V-6)."""

    wire: ClassVar[str] = "tournament.ruling_reversed"
    round: Public[int]
    board: Public[int]
    reason: Public[str]


class MarkedAbsent(TournamentEventBase, frozen=True):
    """An official marked an entrant as absent from a sitting; the entrant may still check in (T-18)."""

    wire: ClassVar[str] = "tournament.marked_absent"
    entrant: Public[str]
    sitting: Public[int]
    official: Public[str]
    reason: Public[str]


class EntrantWithdrawn(TournamentEventBase, frozen=True):
    """An official withdrew an entrant, who finishes tables in play (T-18). `left_after` is their last round."""

    wire: ClassVar[str] = "tournament.entrant_withdrawn"
    entrant: Public[str]
    left_after: Public[int]
    official: Public[str]
    reason: Public[str]


class RoundsAdded(TournamentEventBase, frozen=True):
    """An official added rounds to the last sitting (T-22)."""

    wire: ClassVar[str] = "tournament.rounds_added"
    rounds: Public[int]
    official: Public[str]
    reason: Public[str]


class ArbiterNamed(TournamentEventBase, frozen=True):
    """The organiser named a player who may decide about tables and absences (T-23)."""

    wire: ClassVar[str] = "tournament.arbiter_named"
    player: Public[str]


class CoOrganiserNamed(TournamentEventBase, frozen=True):
    """The organiser named a player who organises the tournament, too (T-50)."""

    wire: ClassVar[str] = "tournament.co_organiser_named"
    player: Public[str]


class CoOrganiserRemoved(TournamentEventBase, frozen=True):
    """A co-organiser resigned, or was removed by the organiser; earlier acts stand (T-50)."""

    wire: ClassVar[str] = "tournament.co_organiser_removed"
    player: Public[str]


class ArbiterRemoved(TournamentEventBase, frozen=True):
    """An arbiter resigned, or was removed by the organiser; earlier acts stand (T-23)."""

    wire: ClassVar[str] = "tournament.arbiter_removed"
    player: Public[str]
