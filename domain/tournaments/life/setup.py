"""The settings that an organiser chooses when opening a tournament, and their validation."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from hoodwink.domain.kernel import (
    RuleViolation,
)
from hoodwink.domain.tables.pace import MAX_TURN_SECONDS, BotDelay, RoundPause, TurnSeconds
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.terms import (
    FloatWindow,
    Format,
    ScoreBy,
    Tiebreaks,
)

MAX_SEATS: Final = 10

MAX_ROUNDS: Final = 500

MAX_ENTRANTS: Final = 1000

MAX_SITTINGS: Final = 100
"""The maximum number of sittings of a tournament of the service; simulations have one per round."""

MAX_SEARCHED: Final = 10_000
"""The maximum size, entrants times rounds, of a schedule that is searched for at the start; this takes a few seconds."""

MAX_TITLE_LENGTH: Final = 80

MIN_TEAM_SIZE: Final = 2

MAX_TEAMS: Final = 500
"""With entrants. An empty team takes nobody's place."""

MAX_FOUNDED_BY_ENTRANTS: Final = 2 * MAX_ENTRANTS
"""The number of teams, empty ones included, from which only organisers may found another one."""

MAX_TEAMS_FOUNDED: Final = MAX_FOUNDED_BY_ENTRANTS + MAX_TEAMS

MAX_ARENA_MINUTES: Final = 180

MAX_FINISH_MINUTES: Final = 60

MAX_DEALS_PER_PAIRING: Final = 10

DEFAULT_ARENA_MINUTES: Final = 45

DEFAULT_FINISH_MINUTES: Final = 10

HALVES: Final = (Fraction(0), Fraction(1, 2), Fraction(1))
"""The scores allowed for a bye (T-9) and for a round that a late entrant missed (T-8), as parts of a first place."""


class Advance(StrEnum):
    """The condition that starts the next round (T-5)."""

    MANUAL = "manual"  # the organiser starts it
    SCHEDULE = (
        "schedule"  # each sitting starts at its set time, its later rounds when the last one is complete
    )
    AUTOMATIC = "automatic"  # the last round is complete


class RankBy(StrEnum):
    """The order of the starting ranks (T-3)."""

    RATING = "rating"
    LOT = "lot"
    ORGANISER = "organiser"


Rounds: TypeAlias = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_ROUNDS,
        description="The number of rounds. Omit it for the last sitting if the format determines it.",
    ),
]


class Sitting(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """A session in which entrants meet to play."""

    rounds: Rounds | None = None
    starts_at: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="When it starts, in ms since the epoch; with `advance: schedule` not in the past."),
    ] = None


# Requests, the API's description, the command line and the page get bounds, defaults and meanings from here. Stored logs
# are read with the same bounds, so a bound may be widened, but never narrowed.
class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a tournament, explained in docs/TOURNAMENTS.md."""

    name: Annotated[
        str, Meta(min_length=1, max_length=MAX_TITLE_LENGTH, description="The name of the tournament.")
    ]
    format: Annotated[Format, Meta(description="How rounds are paired.")]
    game: str
    seats: Annotated[
        int, Meta(ge=2, le=MAX_SEATS, description="The preferred number of entrants at a table.")
    ]
    sittings: Annotated[
        tuple[Sitting, ...],
        Meta(
            min_length=1,
            description="The sessions in which people play, with the number of rounds in each.",
        ),
    ]
    options: Annotated[dict[str, Any], Meta(description="The options of the game.")] = {}
    turn_seconds: TurnSeconds = 0
    bot_delay: BotDelay | None = None
    round_pause: RoundPause | None = None
    score_by: Annotated[ScoreBy, Meta(description="How an entrant's score at a table is determined.")] = (
        ScoreBy.PLACE
    )
    bye_score: Annotated[
        Fraction,
        Meta(
            description="The score for a pairing bye; a first place scores 1. With `deal: same` at most 1/2, the default then."
        ),
    ] = msgspec.field(default_factory=lambda: Fraction(1))
    late_until: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_ROUNDS,
            description="The last round in which a late entrant may begin; 0 for no late entries.",
        ),
    ] = 0
    late_score: Annotated[
        Fraction, Meta(description="The score for each round before a late entry: 0, 1/2 or 1.")
    ] = msgspec.field(default_factory=Fraction)
    requested_byes: Annotated[
        int, Meta(ge=0, le=MAX_ROUNDS, description="The number of byes that an entrant may request.")
    ] = 1
    best_of: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_SITTINGS)] | None,
        Meta(description="The number of sittings of a league that count; all by default."),
    ] = None
    float_window: Annotated[
        FloatWindow,
        Meta(description="The number of score groups that a table may span without penalty, or `all`."),
    ] = 2
    forbidden: Annotated[
        tuple[tuple[str, str], ...],
        Meta(max_length=200, description="Pairs of players, by their ids, who must not meet."),
    ] = ()
    tiebreaks: Tiebreaks = ()
    strict_places: Annotated[
        bool, Meta(description="Whether lots separate entrants who are tied in everything.")
    ] = False
    advance: Annotated[Advance, Meta(description="When the next round starts.")] = Advance.MANUAL
    check_in: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_TURN_SECONDS,
            description="Seconds before each sitting in which entrants check in; 0 for no check-in.",
        ),
    ] = 0
    grace_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=MAX_TURN_SECONDS,
            description="Seconds after the start of a table in which each entrant must appear.",
        ),
    ] = 300
    outside_bots: Annotated[
        bool, Meta(description="Whether bots of players may enter; this needs a turn clock.")
    ] = False
    fill_with_bots: Annotated[
        bool,
        Meta(
            description="Whether bots fill free seats; with `deal: same`, only where they fill all tables alike."
        ),
    ] = False
    rank_by: Annotated[RankBy, Meta(description="How the starting ranks are determined.")] = RankBy.RATING
    cap: Annotated[
        Annotated[int, Meta(ge=2, le=MAX_ENTRANTS)] | None,
        Meta(description="The maximum number of entrants; others are put on a waiting list."),
    ] = None
    advancing: Annotated[
        Annotated[int, Meta(ge=1, lt=MAX_SEATS)] | None,
        Meta(
            description="The number of entrants who advance from a knockout table; by default half of them, or two of three."
        ),
    ] = None
    third_place: Annotated[
        bool, Meta(description="Whether a two-seat knockout has a match for third place.")
    ] = False
    rated: Annotated[bool, Meta(description="Whether its tables count in the ratings.")] = True

    @property
    def has_byes(self) -> bool:
        """Whether entrants can have byes apart from those of a bracket or schedule."""
        return self.format in {Format.SWISS, Format.LEAGUE}

    @property
    def rounds(self) -> int | None:
        """The number of planned rounds, or `None` if it follows from the entrants (T-1)."""
        if follows_from_entrants(self):
            return None
        return sum(sitting.rounds or 0 for sitting in self.sittings)


class ArenaTimes(msgspec.Struct, frozen=True, gc=False):
    """The times of an arena, in minutes: until the bell, and for tables in play after it (T-40, T-47)."""

    arena_minutes: int
    finish_minutes: int


class TeamTerms(msgspec.Struct, frozen=True, gc=False):
    """The maximum number of entrants in a team, and how many of them count (T-30)."""

    team_size: int
    team_counting: int


class SeriesPlace(msgspec.Struct, frozen=True, gc=False):
    """The series to which a tournament belongs, and the number of its date there (S-3)."""

    series: str
    number: int


def follows_from_entrants(setup: Setup) -> bool:
    """Returns whether the number of rounds follows from the entrants (T-1), or from the time of an arena."""
    is_schedule = setup.format is Format.ROUND_ROBIN and setup.seats == 2
    return is_schedule or setup.format in {Format.KNOCKOUT, Format.ARENA}


def setup_from(given: Mapping[str, Any]) -> Setup:
    """Returns the setup with these values, and defaults for those not given; raises `RuleViolation`."""
    return converted(given, Setup)


_S = TypeVar("_S", bound=Setup)


def converted(given: Mapping[str, Any], kind: type[_S]) -> _S:
    """Returns settings of this kind with these values; raises `RuleViolation`."""
    try:
        return msgspec.convert(given, kind, dec_hook=read_fraction)
    except msgspec.ValidationError as error:
        fault, _, place = str(error).partition(" - at `$.")
        raise RuleViolation(
            TournamentCode.INVALID_SETUP, f"`{place}: {fault}." if place else f"{fault}."
        ) from None


def read_fraction(kind: type, value: Any) -> Fraction:
    """Decodes an exact number, the only kind of value in settings and events that JSON lacks."""
    assert kind is Fraction, kind
    try:
        return Fraction(value)
    except (TypeError, ZeroDivisionError) as error:
        raise ValueError(str(error)) from None


def require(holds: bool, detail: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise RuleViolation(TournamentCode.INVALID_SETUP, detail)
