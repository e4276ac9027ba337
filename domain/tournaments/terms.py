"""The terms of a tournament that determine pairing, scores and ranking; docs/TOURNAMENTS.md explains them."""

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta


class Format(StrEnum):
    """The format of a tournament, which determines how rounds are paired (T-1)."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LEAGUE = "league"
    ARENA = "arena"


class ScoreBy(StrEnum):
    """The basis of the score for a seat at a table (T-20)."""

    PLACE = "place"
    WIN = "win"
    POINTS = "points"


class DealKind(StrEnum):
    """The deals that the tables of a round play (D-1)."""

    INDEPENDENT = "independent"  # each table its own
    SAME = "same"  # all tables the same one


class Compare(StrEnum):
    """The comparison of a seat with the same seat at the other tables of a deal (D-3)."""

    MATCHPOINTS = "matchpoints"  # the share of the others that it beat
    DIFFERENCE = "difference"  # its points minus the mean of the others
    MARGIN = "margin"  # its lead over the mean of its table minus a part of the mean lead of the others


class Tiebreak(StrEnum):
    """A criterion that orders entrants with equal scores (K-2)."""

    DIRECT = "direct"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT1 = "buchholz_cut1"
    BUCHHOLZ_MEDIAN = "buchholz_median"
    SONNEBORN_BERGER = "sonneborn_berger"
    WINS = "wins"
    PROGRESSIVE = "progressive"
    DIFFERENCE = "difference"
    LOT = "lot"


FloatWindow: TypeAlias = Annotated[int, Meta(ge=0, le=100)] | Literal["all"]

Tiebreaks: TypeAlias = Annotated[
    tuple[Tiebreak, ...],
    Meta(
        max_length=len(Tiebreak),
        description="The criteria that order entrants of equal score, the first one first; without any these entrants "
        "share their rank.",
    ),
]


MAX_TEAM_SIZE: Final = 10

TeamCounting: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_TEAM_SIZE)]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a tournament that pairing, scores and ranking need.

    Attributes:
        seats: the intended size k of a table.
        table_min, table_max: the minimum and maximum number of seats of the game.
        rounds: the number of planned rounds; for two-seat round robins and knockouts it depends on the entrants.
        bye_score: the score of a pairing bye.
        late_score: the score of each round before a late entry.
        best_of: the number of sittings that count (P-7), or `None` for all.
        rounds_by_sitting: the number of rounds in each sitting; empty if all rounds are in one sitting.
        float_window: the number of score groups that a table may span without cost (P-4).
        forbidden: pairs of starting ranks that must not meet, the lower rank first.
        tiebreaks: the tie-breaks in order.
        strict_places: whether a lot separates entrants who are tied in everything.
        fills_with_bots: whether bots fill the seats that entrants leave free, up to k (T-5).
        advancing: the number of entrants who advance from each knockout table, or `None` for half of them (P-6).
        third_place: whether a two-seat knockout has a match for third place.
        compare: how seats are compared if all tables of a round play the same deal; `None` if each has its own (D-1).
        team_counting: how many entrants of a team count for it; `None` without teams (T-33).
    """

    format: Format
    seats: int
    table_min: int
    table_max: int
    rounds: int
    score_by: ScoreBy = ScoreBy.PLACE
    bye_score: Fraction = Fraction(1)
    late_score: Fraction = Fraction(0)
    best_of: int | None = None
    rounds_by_sitting: tuple[int, ...] = ()
    float_window: FloatWindow = 2
    forbidden: tuple[tuple[int, int], ...] = ()
    tiebreaks: tuple[Tiebreak, ...] = ()
    strict_places: bool = False
    fills_with_bots: bool = False
    advancing: int | None = None
    third_place: bool = False
    compare: Compare | None = None
    team_counting: int | None = None
