"""The cross-table: the entrants of a tournament, the tables of each round, and their results.

Scores, standings and pairings depend on it alone. Entrants are identified by their starting ranks, from 1, which never
change after the start.
"""

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction

import msgspec

from hoodwink.domain.tournaments.terms import Terms


class SeatState(StrEnum):
    """The state of a seat."""

    PLAYED = "played"
    RESIGNED = "resigned"  # its entrant resigned or was expelled, and a bot played on (T-20)
    STAND_IN = "stand_in"  # a bot took more than half of its entrant's turns, resigned or not (T-20)
    NO_SHOW = "no_show"  # its entrant did not appear in time (T-6)
    BOT = "bot"  # a bot filled it; the bot does not count as an opponent (T-5)


class Outcome(StrEnum):
    """The outcome of a table."""

    RESULT = "result"
    NO_RESULT = "no_result"
    VOID = "void"
    UNFINISHED = "unfinished"


class Why(StrEnum):
    """The reason why an entrant did not play in a round."""

    PAIRING_BYE = "pairing_bye"
    REQUESTED_BYE = "requested_bye"
    ASSIGNED_BYE = "assigned_bye"
    ABSENT = "absent"
    LATE = "late"
    WITHDRAWN = "withdrawn"


class Entrant(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player or bot in the tournament.

    Attributes:
        number: the starting rank, from 1.
        from_round: the first round in which the entrant could play; 1 unless they entered late (T-8).
        left_after: the last round before they withdrew or were expelled, or `None`.
        is_expelled: listed without a rank (T-7).
        is_organiser: whether they organise the tournament, or have done so.
        team: the number of their team, from 1, or `None`.
    """

    number: int
    name: str
    from_round: int = 1
    left_after: int | None = None
    is_expelled: bool = False
    is_organiser: bool = False
    team: int | None = None


class Seat(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A seat at a table of a round, and its result.

    Attributes:
        entrant: `None` for a bot that fills the table.
        place: the place at the table (G-11), or `None` without a result.
        points: the tokens or points won, signed so that more is better; `None` without a result.
    """

    entrant: int | None
    place: int | None = None
    points: int | None = None
    state: SeatState = SeatState.PLAYED


class Board(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table of a round.

    Attributes:
        number: from 1 within the round.
        seats: in seat order; seat 0 deals first, and is white in a tournament file.
        is_cut_short: whether it ended because all seats but one had resigned.
        void_score: the score of each entrant at a voided table (T-12), or `None` for half a first place.
        replays: the seats of each further deal between entrants who were tied in a knockout (P-6).
        void_replays: the indices of the further deals that were voided.
        is_ruled: whether an official ruled on it, so that its outcome is not that of its table (V-5).
    """

    number: int
    outcome: Outcome
    seats: tuple[Seat, ...]
    is_cut_short: bool = False
    void_score: Fraction | None = None
    replays: tuple[tuple[Seat, ...], ...] = ()
    void_replays: tuple[int, ...] = ()
    is_ruled: bool = False


class Unplayed(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An entrant without a table in a round, and their score for that round."""

    entrant: int
    why: Why
    score: Fraction


class Round(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One round. Every entrant is at exactly one table of it, or in `unplayed` exactly once.

    Attributes:
        number, sitting: from 1.
        is_changed: whether the organiser changed the pairing (T-13).
        proposed: the engine's tables, by seat, if the organiser changed them and they are known.
        objective: the values of the pairing, in the order of the format's criteria.
        bracket: in a knockout, the entrants who could still win the tournament after the pairing.
    """

    number: int
    sitting: int
    boards: tuple[Board, ...]
    unplayed: tuple[Unplayed, ...] = ()
    is_changed: bool = False
    proposed: tuple[tuple[int | None, ...], ...] = ()
    objective: tuple[Fraction, ...] = ()
    bracket: tuple[int | None, ...] = ()


class Crosstable(msgspec.Struct, frozen=True, kw_only=True):
    """The whole cross-table.

    Attributes:
        entrants: in order of starting rank; entrant n has index n - 1.
        rounds: the rounds that have been paired, in order.
        teams: the names of the teams, in the order of their numbers.
    """

    terms: Terms
    entrants: tuple[Entrant, ...]
    teams: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()

    def until(self, number: int) -> "Crosstable":
        """Returns the cross-table after that round."""
        return msgspec.structs.replace(self, rounds=self.rounds[:number])

    def numbers(self) -> Iterator[int]:
        """Yields every entrant's starting rank, ascending."""
        return iter(range(1, len(self.entrants) + 1))
