"""The checks of the settings that an organiser chose."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import (
    RuleViolation,
    check_seats,
    is_stored_name,
    options_of,
)
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tournaments.life.admission import (
    Admission,
    Visibility,
)
from hoodwink.domain.tournaments.life.setup import (
    HALVES,
    MAX_ROUNDS,
    MAX_TITLE_LENGTH,
    MIN_TEAM_SIZE,
    Advance,
    Setup,
    TeamTerms,
    follows_from_entrants,
    require,
    setup_from,
)
from hoodwink.domain.tournaments.terms import (
    MAX_TEAM_SIZE,
    Format,
    ScoreBy,
    Tiebreak,
)

_ARENA_TIEBREAKS: Final = {Tiebreak.WINS, Tiebreak.DIFFERENCE, Tiebreak.LOT}


def checked(setup: Setup) -> Setup:
    """Returns the setup with all options of the game; raises `RuleViolation` for the first invalid setting."""
    options = _checked_options(setup)
    setup_from(msgspec.to_builtins(setup, enc_hook=str))
    require(
        is_stored_name(setup.name, longest=MAX_TITLE_LENGTH),
        f"`name` must have 1 to {MAX_TITLE_LENGTH} visible characters, with single blanks between them.",
    )
    check_tiebreaks(setup.tiebreaks)
    require(
        setup.turn_seconds > 0 or not setup.outside_bots,
        "With `outside_bots`, `turn_seconds` must not be 0: a bot that hangs would hold up everybody.",
    )
    _check_sittings(setup)
    _check_scores(setup)
    _check_format(setup)
    _check_pairs(setup)
    return msgspec.structs.replace(setup, options=options)


def check_tiebreaks(tiebreaks: tuple[Tiebreak, ...]) -> None:
    """Raises `RuleViolation` if a tie-break occurs twice."""
    require(len(set(tiebreaks)) == len(tiebreaks), "`tiebreaks` must name each tie-break once.")


def check_effect(setup: Setup, tiebreaks: tuple[Tiebreak, ...]) -> None:
    """Raises `RuleViolation` for tie-breaks that have no effect in a knockout (K-2), or that an arena lacks (T-40)."""
    require(
        setup.format is not Format.ARENA or set(tiebreaks) <= _ARENA_TIEBREAKS,
        "The `tiebreaks` of an arena are `wins`, `difference` and `lot`: opponents and rounds differ too much for others.",
    )
    if setup.format is not Format.KNOCKOUT:
        return
    require(
        setup.seats > 2 or Tiebreak.DIRECT not in tiebreaks,
        "`tiebreaks` must not name `direct`: in a knockout at tables of two, entrants who are equal have not met.",
    )
    require(
        Tiebreak.LOT not in tiebreaks[:-1],
        "`tiebreaks` must end with `lot`: it separates all entrants, so tie-breaks after it have no effect.",
    )


def check_ahead(setup: Setup, starts_at: int | None, now: int) -> None:
    """Raises `RuleViolation` if a sitting would start automatically at a time in the past (T-5)."""
    require(
        setup.advance is not Advance.SCHEDULE or starts_at is None or starts_at >= now,
        "A `starts_at` is in the past. With `advance: schedule`, a sitting starts at that time, so choose a later one.",
    )


def check_duplicate(setup: Setup, deals_per_pairing: int) -> None:
    """Raises `RuleViolation` unless all tables of a round of this tournament can play the same deal (D-1)."""
    require(setup.format is not Format.KNOCKOUT, "In a knockout, every table has its own deal.")
    require(setup.format is not Format.ARENA, "In an arena, every table has its own deal.")
    require(
        setup.turn_seconds > 0,
        "With `deal: same`, `turn_seconds` must not be 0: one slow table would hold back the results of all.",
    )
    require(
        setup.score_by is ScoreBy.PLACE, "With `deal: same`, omit `score_by`: seats are compared instead."
    )
    check_divided([sitting.rounds or 0 for sitting in setup.sittings], deals_per_pairing)
    # A round in which bots could not fill all tables alike has tables without them (D-6).
    for size in range(max(2, GAMES[setup.game].seats[0]), setup.seats + 1):
        check_size(setup, size)
    require(
        max(setup.bye_score, setup.late_score) <= Fraction(1, 2),
        "With `deal: same`, `bye_score` and `late_score` must be at most 1/2, the score of an average seat.",
    )


def check_divided(rounds: Iterable[int], deals_per_pairing: int) -> None:
    """Raises `RuleViolation` unless the last pairing is played for as many rounds as the others (D-1, T-22)."""
    require(
        all(count % deals_per_pairing == 0 for count in rounds),
        f"With `deals_per_pairing: {deals_per_pairing}`, `rounds` must be a multiple of it.",
    )


def check_admission(setup: Setup, admission: Admission) -> None:
    """Raises `RuleViolation` for rated tables in a tournament that not everybody finds (R-1), and for impossible bounds."""
    require(
        admission.visibility is Visibility.PUBLIC or not setup.rated,
        "Only a public tournament can be rated, because ratings name the tables that they come from; omit `rated`.",
    )
    low, high = admission.min_rating, admission.max_rating
    require(low is None or high is None or low <= high, "`min_rating` must not be greater than `max_rating`.")


def check_teams(setup: Setup, teams: TeamTerms) -> None:
    """Raises `RuleViolation` unless the tournament can have these teams (T-30)."""
    require(
        setup.format is not Format.KNOCKOUT,
        "A knockout has no teams: it ranks by the round reached, and the bracket brings team-mates together.",
    )
    require(
        MIN_TEAM_SIZE <= teams.team_size <= MAX_TEAM_SIZE,
        f"`team_size` must be {MIN_TEAM_SIZE} to {MAX_TEAM_SIZE}.",
    )
    require(
        1 <= teams.team_counting <= teams.team_size,
        "`team_counting` must be at least 1 and at most `team_size`.",
    )


def check_size(setup: Setup, seats: int) -> None:
    """Raises `InvalidOptions` if the options of the game do not allow this number of seats."""
    rulebook = GAMES[setup.game]
    rulebook.check_options(options_of(rulebook, setup.options), seats)


def check_start(starts_at: int | None, before: int | None, after: int | None) -> None:
    """Raises `RuleViolation` unless a sitting starts after the one before it and before the one after it."""
    if starts_at is None:
        return
    require(starts_at >= 0, "`starts_at` is a time in milliseconds since 1970.")
    is_in_order = (before is None or before < starts_at) and (after is None or starts_at < after)
    require(is_in_order, "Each sitting must start after the one before it.")


def _checked_options(setup: Setup) -> dict[str, Any]:
    rulebook = GAMES.get(setup.game)
    if rulebook is None:
        raise RuleViolation(TableCode.UNKNOWN_GAME)
    check_seats(rulebook, setup.seats)
    options = options_of(rulebook, setup.options)
    fewest = setup.seats if setup.fill_with_bots else max(2, rulebook.seats[0])
    # The sizes of the tables are known only when entrants are paired.
    for size in range(fewest, setup.seats + 1):
        rulebook.check_options(options, size)
    return dict(msgspec.to_builtins(options))


def _check_sittings(setup: Setup) -> None:
    require(
        not follows_from_entrants(setup) or setup.sittings[-1].rounds is None,
        "The number of rounds follows from the entrants; omit `rounds` in the last sitting.",
    )
    held = setup.sittings[:-1] if follows_from_entrants(setup) else setup.sittings
    counts = [sitting.rounds or 0 for sitting in held]
    require(all(count >= 1 for count in counts), "Each sitting must have `rounds` of at least 1.")
    require(sum(counts) <= MAX_ROUNDS, f"A tournament has at most {MAX_ROUNDS} rounds.")
    before = None
    for sitting in setup.sittings:
        check_start(sitting.starts_at, before, None)
        before = before if sitting.starts_at is None else sitting.starts_at
    is_timed = all(sitting.starts_at is not None for sitting in setup.sittings)
    require(
        is_timed or setup.advance is not Advance.SCHEDULE,
        "With `advance: schedule`, every sitting must have a `starts_at`.",
    )


def _check_scores(setup: Setup) -> None:
    if setup.seats == 2:
        require(setup.bye_score in HALVES, "At tables of two, `bye_score` must be 0, 1/2 or 1.")
    require(0 <= setup.bye_score <= 1, "`bye_score` must be between 0 and 1, the score of a first place.")
    require(setup.late_score in HALVES, "`late_score` must be 0, 1/2 or 1.")
    if setup.score_by is not ScoreBy.POINTS:
        return
    require(setup.format is not Format.KNOCKOUT, "A knockout cannot be scored by points.")
    is_swiss_of_two = setup.format is Format.SWISS and setup.seats == 2
    require(not is_swiss_of_two, "A Swiss tournament at tables of two cannot be scored by points.")
    is_even = setup.seats == 2 or setup.fill_with_bots or setup.format is Format.ROUND_ROBIN
    require(
        is_even,
        "Points can be compared only between tables of the same size: choose `fill_with_bots`, tables of two, "
        "a round robin, or another `score_by`.",
    )


def _check_format(setup: Setup) -> None:
    is_knockout, is_league = setup.format is Format.KNOCKOUT, setup.format is Format.LEAGUE
    require(
        setup.advancing is None or (is_knockout and 1 <= setup.advancing < setup.seats and setup.seats > 2),
        "`advancing` is for knockouts with three or more seats, and must be at least 1 and less than `seats`.",
    )
    require(
        not setup.third_place or (is_knockout and setup.seats == 2),
        "`third_place` is for knockouts with two seats only.",
    )
    require(not setup.fill_with_bots or setup.seats > 2, "Bots fill tables of three or more seats only.")
    require(
        setup.best_of is None or (is_league and 1 <= setup.best_of <= len(setup.sittings)),
        "`best_of` is for leagues, and must be 1 to the number of sittings.",
    )
    require(
        setup.late_until == 0 or setup.has_byes,
        "A round robin or knockout has no late entries, and an arena takes them until the bell; omit `late_until`.",
    )
    require(
        0 <= setup.late_until <= (setup.rounds or 0), "`late_until` must be a round of the tournament, or 0."
    )


def _check_pairs(setup: Setup) -> None:
    require(
        not setup.forbidden or setup.has_byes,
        "Only Swiss tournaments and leagues can keep pairs apart; omit `forbidden`.",
    )
    pairs = [frozenset(pair) for pair in setup.forbidden]
    require(
        all(len(pair) == 2 for pair in pairs) and len(set(pairs)) == len(pairs),
        "`forbidden` must contain pairs of two different players, each pair once.",
    )
