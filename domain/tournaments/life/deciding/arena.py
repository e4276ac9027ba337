"""Decisions in an arena: which settings fit, when a wave may open, the bell, and the end of the tables that are left."""

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tournaments.life.arena import bell_at, next_wave_at, overtime_until
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_running
from hoodwink.domain.tournaments.life.events.arena import BellRung, OvertimeEnded
from hoodwink.domain.tournaments.life.facts import open_deals
from hoodwink.domain.tournaments.life.setup import (
    MAX_ARENA_MINUTES,
    MAX_FINISH_MINUTES,
    Advance,
    ArenaTimes,
    Setup,
    require,
)
from hoodwink.domain.tournaments.life.state import Phase, Tournament
from hoodwink.domain.tournaments.terms import Format, ScoreBy


def check_arena(setup: Setup, times: ArenaTimes | None) -> None:
    """Raises `RuleViolation` unless the settings fit an arena, or none is opened (T-40)."""
    require((setup.format is Format.ARENA) == (times is not None), "An arena needs its times.")
    if times is None:
        return
    is_long = (
        1 <= times.arena_minutes <= MAX_ARENA_MINUTES and 0 <= times.finish_minutes <= MAX_FINISH_MINUTES
    )
    require(is_long, "`arena_minutes` or `finish_minutes` is out of range.")
    require(
        setup.turn_seconds > 0,
        "In an arena, `turn_seconds` must not be 0: nobody should wait for an opponent who has gone.",
    )
    require(setup.advance is Advance.AUTOMATIC, "An arena has `advance: automatic`.")
    require(not setup.check_in, "An arena has no check-in: entrants pause and return.")
    require(len(setup.sittings) == 1, "An arena has one sitting.")
    require(setup.score_by is not ScoreBy.POINTS, "An arena is scored by place or by win.")


def check_wave(tournament: Tournament, now: int) -> None:
    """Raises `RuleViolation` unless a wave can open (T-42, T-47)."""
    wave = next_wave_at(tournament)
    # A wave that was due before the bell opens after it, too, if the service is late.
    is_over = tournament.is_bell_rung or (wave is not None and wave >= bell_at(tournament))
    if is_over or wave is None or now < wave:
        raise RuleViolation(TournamentCode.NO_WAVE_DUE)


def has_bell_passed(tournament: Tournament, now: int) -> bool:
    """Returns whether an arena's time is over; a pause, which moves the bell when it ends, stops the time."""
    stopped = tournament.pauses[-1].since if tournament.phase is Phase.PAUSED else now
    return tournament.is_bell_rung or stopped >= bell_at(tournament)


def ring_bell(tournament: Tournament, now: int) -> Events:
    check_running(tournament)
    if tournament.arena is None or tournament.is_bell_rung or now < bell_at(tournament):
        raise RuleViolation(TournamentCode.NO_BELL_DUE)
    return (BellRung(),)


def end_overtime(tournament: Tournament, now: int) -> Events:
    check_running(tournament)
    is_over = tournament.is_bell_rung and now >= overtime_until(tournament)
    if not is_over or all(deal.is_stopped for _, _, deal in open_deals(tournament)):
        raise RuleViolation(TournamentCode.NO_BELL_DUE)
    return (OvertimeEnded(),)
