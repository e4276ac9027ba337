"""The settings of a tournament, which its organiser fixes at the opening, and their validation."""

from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

import msgspec

from domain.games import GAMES
from domain.kernel import (
    RuleViolation,
    check_seats,
    illegibility,
    is_stored_name,
    normal_form,
    options_of,
)
from domain.tables.codes import TableCode
from domain.tournaments.life.codes import TournamentCode
from domain.tournaments.terms import FloatWindow, Format, ScoreBy, Tiebreak

MOST_SEATS: Final = 10
MOST_ROUNDS: Final = 500
MOST_ENTRANTS: Final = 1000
MOST_SEARCHED: Final = 10_000
"""The most places, entrants times rounds, of a schedule that is searched for at the start; that takes some seconds."""

LONGEST_TITLE: Final = 80
HALVES: Final = (Fraction(0), Fraction(1, 2), Fraction(1))
"""The scores allowed for a bye (T-9) and for a round that a late entrant missed (T-8), as parts of a first place."""


class Advance(StrEnum):
    """When the next round starts (T-5)."""

    MANUAL = "manual"  # when the organiser starts it
    SCHEDULE = (
        "schedule"  # each sitting at its stated time, its later rounds as soon as the last one is complete
    )
    AUTOMATIC = "automatic"  # as soon as the last round is complete


class RankBy(StrEnum):
    """The order of the starting ranks (T-3)."""

    RATING = "rating"
    LOT = "lot"
    ORGANISER = "organiser"


class Sitting(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """A time at which entrants meet to play.

    Attributes:
        rounds: the number of its rounds; `None` in the last sitting if the number follows from the entrants.
        starts_at: in ms since the epoch, or `None`.
    """

    rounds: int | None = None
    starts_at: int | None = None


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a tournament; docs/TOURNAMENTS.md says what they mean.

    Attributes:
        options: the options of the game.
        seats: the intended size k of a table.
        turn_seconds: the time for a turn, in seconds; 0 means no clock.
        bot_delay, round_pause: as those of each table, in ms; `None` to decide them as it starts.
        late_until: the last round in which a late entrant may begin; 0 means no late entries.
        late_score: the score of each round before a late entry.
        requested_byes: the number of byes that an entrant may request.
        best_of: the number of sittings of a league that count, or `None` for all.
        forbidden: pairs of players who must not meet.
        check_in: how long before each sitting entrants may check in, in seconds; 0 means no check-in.
        grace_seconds: the time after which an entrant who has not appeared at the table is a no-show.
        fill_with_bots: bots take the seats that entrants leave free, up to k.
        cap: the most entrants; further ones are put on a waiting list.
        advancing: the number of entrants who advance from each knockout table, or `None` for half of them.
        rated: the tables count for the ratings.
    """

    name: str
    format: Format
    game: str
    seats: int
    sittings: tuple[Sitting, ...]
    options: dict[str, Any] = {}
    turn_seconds: int = 0
    bot_delay: int | None = None
    round_pause: int | None = None
    score_by: ScoreBy = ScoreBy.PLACE
    bye_score: Fraction = msgspec.field(default_factory=lambda: Fraction(1))
    late_until: int = 0
    late_score: Fraction = msgspec.field(default_factory=Fraction)
    requested_byes: int = 1
    best_of: int | None = None
    float_window: FloatWindow = 2
    forbidden: tuple[tuple[str, str], ...] = ()
    tiebreaks: tuple[Tiebreak, ...] = ()
    strict_places: bool = False
    advance: Advance = Advance.MANUAL
    check_in: int = 0
    grace_seconds: int = 300
    fill_with_bots: bool = False
    rank_by: RankBy = RankBy.RATING
    cap: int | None = None
    advancing: int | None = None
    third_place: bool = False
    rated: bool = True

    @property
    def has_byes(self) -> bool:
        """Whether entrants can have byes other than those of a bracket or schedule."""
        return self.format in {Format.SWISS, Format.LEAGUE}

    @property
    def rounds(self) -> int | None:
        """The number of planned rounds, or `None` if it follows from the entrants (T-1)."""
        if follows_from_entrants(self):
            return None
        return sum(sitting.rounds or 0 for sitting in self.sittings)


def follows_from_entrants(setup: Setup) -> bool:
    """Returns whether the number of rounds follows from the number of entrants (T-1)."""
    is_schedule = setup.format is Format.ROUND_ROBIN and setup.seats == 2
    return is_schedule or setup.format is Format.KNOCKOUT


def checked(setup: Setup) -> Setup:
    """Returns the setup with all options of the game; raises `RuleViolation` for the first thing that is wrong."""
    options = _checked_options(setup)
    _check_names_and_numbers(setup)
    _check_sittings(setup)
    _check_scores(setup)
    _check_format(setup)
    _check_pairs(setup)
    return msgspec.structs.replace(setup, options=options)


def legibly_named(setup: Setup) -> Setup:
    """Returns the setup of a new tournament with its name in normal form; raises `RuleViolation` if it is illegible.

    `checked` does not ask for this, because it decides stored logs again, which hold names that were allowed earlier.
    """
    name = normal_form(setup.name)
    fault = illegibility(name, longest=LONGEST_TITLE, mixes_words=True)
    if fault is not None:
        raise RuleViolation(TournamentCode.INVALID_SETUP, f"`name` is illegible. {fault}")
    return msgspec.structs.replace(setup, name=name)


def check_tiebreaks(tiebreaks: tuple[Tiebreak, ...]) -> None:
    """Raises `RuleViolation` if a tie-break occurs twice."""
    _require(len(set(tiebreaks)) == len(tiebreaks), "`tiebreaks` must name each tie-break once.")


def check_size(setup: Setup, seats: int) -> None:
    """Raises `InvalidOptions` if the options of the game do not allow a table of that many seats."""
    rulebook = GAMES[setup.game]
    rulebook.check_options(options_of(rulebook, setup.options), seats)


def check_start(starts_at: int | None, before: int | None, after: int | None) -> None:
    """Raises `RuleViolation` unless a sitting starts after the one before it and before the one after it."""
    if starts_at is None:
        return
    _require(starts_at >= 0, "`starts_at` is a time in milliseconds since 1970.")
    is_in_order = (before is None or before < starts_at) and (after is None or starts_at < after)
    _require(is_in_order, "Each sitting must start after the one before it.")


def _require(holds: bool, detail: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise RuleViolation(TournamentCode.INVALID_SETUP, detail)


def _checked_options(setup: Setup) -> dict[str, Any]:
    rulebook = GAMES.get(setup.game)
    if rulebook is None:
        raise RuleViolation(TableCode.UNKNOWN_GAME)
    check_seats(rulebook, setup.seats)
    _require(2 <= setup.seats <= MOST_SEATS, f"The tables of a tournament have 2 to {MOST_SEATS} seats.")
    options = options_of(rulebook, setup.options)
    fewest = setup.seats if setup.fill_with_bots else max(2, rulebook.seats[0])
    # How small the tables get is known only when entrants are paired.
    for size in range(fewest, setup.seats + 1):
        rulebook.check_options(options, size)
    return dict(msgspec.to_builtins(options))


def _check_names_and_numbers(setup: Setup) -> None:
    _require(
        is_stored_name(setup.name, longest=LONGEST_TITLE),
        f"`name` must have 1 to {LONGEST_TITLE} visible characters, with single blanks between them only.",
    )
    _require(setup.turn_seconds >= 0, "`turn_seconds` must not be negative; 0 means no clock.")
    for name in ("bot_delay", "round_pause"):
        _require((getattr(setup, name) or 0) >= 0, f"`{name}` must not be negative; 0 means none.")
    _require(setup.check_in >= 0, "`check_in` must not be negative; 0 means no check-in.")
    _require(setup.grace_seconds >= 1, "`grace_seconds` must be at least 1.")
    _require(setup.requested_byes >= 0, "`requested_byes` must not be negative.")
    _require(
        setup.float_window == "all" or setup.float_window >= 0,
        "`float_window` must be `all` or a number of score groups from 0.",
    )
    _require(
        setup.cap is None or 2 <= setup.cap <= MOST_ENTRANTS, f"`cap` must be 2 to {MOST_ENTRANTS}, or null."
    )
    check_tiebreaks(setup.tiebreaks)


def _check_sittings(setup: Setup) -> None:
    _require(bool(setup.sittings), "A tournament needs at least one sitting.")
    _require(
        not follows_from_entrants(setup) or setup.sittings[-1].rounds is None,
        "The number of rounds follows from the entrants; leave out `rounds` of the last sitting.",
    )
    held = setup.sittings[:-1] if follows_from_entrants(setup) else setup.sittings
    counts = [sitting.rounds or 0 for sitting in held]
    _require(all(count >= 1 for count in counts), "Each sitting must state its `rounds`, at least 1.")
    _require(sum(counts) <= MOST_ROUNDS, f"A tournament has at most {MOST_ROUNDS} rounds.")
    before = None
    for sitting in setup.sittings:
        check_start(sitting.starts_at, before, None)
        before = before if sitting.starts_at is None else sitting.starts_at
    is_timed = all(sitting.starts_at is not None for sitting in setup.sittings)
    _require(
        is_timed or setup.advance is not Advance.SCHEDULE,
        "With `advance: schedule`, every sitting must have a `starts_at`.",
    )


def _check_scores(setup: Setup) -> None:
    if setup.seats == 2:
        _require(setup.bye_score in HALVES, "At tables of two, `bye_score` must be 0, 1/2 or 1.")
    _require(0 <= setup.bye_score <= 1, "`bye_score` must lie between 0 and 1, a first place.")
    _require(setup.late_score in HALVES, "`late_score` must be 0, 1/2 or 1.")
    if setup.score_by is not ScoreBy.POINTS:
        return
    _require(setup.format is not Format.KNOCKOUT, "A knockout cannot be scored by points.")
    is_swiss_of_two = setup.format is Format.SWISS and setup.seats == 2
    _require(not is_swiss_of_two, "A Swiss tournament at tables of two cannot be scored by points.")
    is_even = setup.seats == 2 or setup.fill_with_bots or setup.format is Format.ROUND_ROBIN
    _require(
        is_even,
        "Points can be compared only between tables of the same size: choose `fill_with_bots`, tables of two, "
        "a round robin, or another `score_by`.",
    )


def _check_format(setup: Setup) -> None:
    is_knockout, is_league = setup.format is Format.KNOCKOUT, setup.format is Format.LEAGUE
    _require(
        setup.advancing is None or (is_knockout and 1 <= setup.advancing < setup.seats and setup.seats > 2),
        "`advancing` is for knockouts with three or more seats, and must be at least 1 and less than `seats`.",
    )
    _require(
        not setup.third_place or (is_knockout and setup.seats == 2),
        "`third_place` is for knockouts with two seats only.",
    )
    _require(not setup.fill_with_bots or setup.seats > 2, "Bots fill tables of three or more seats only.")
    _require(
        setup.best_of is None or (is_league and 1 <= setup.best_of <= len(setup.sittings)),
        "`best_of` is for leagues, and must be 1 to the number of sittings.",
    )
    _require(
        setup.late_until == 0 or setup.has_byes,
        "A round robin or knockout takes no late entries; leave out `late_until`.",
    )
    _require(
        0 <= setup.late_until <= (setup.rounds or 0), "`late_until` must be a round of the tournament, or 0."
    )


def _check_pairs(setup: Setup) -> None:
    _require(
        not setup.forbidden or setup.has_byes,
        "In a round robin or knockout, no pairs can be kept apart; leave out `forbidden`.",
    )
    pairs = [frozenset(pair) for pair in setup.forbidden]
    _require(
        all(len(pair) == 2 for pair in pairs) and len(set(pairs)) == len(pairs),
        "`forbidden` must hold pairs of two different players, each pair once.",
    )
