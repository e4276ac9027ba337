"""Outages of the service, which move the running deadlines of a tournament by their length (T-16)."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from hoodwink.domain.kernel import MIN_GAP_MS, RuleViolation, postponed
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tournaments.life.arena import bell_moved, overtime_until
from hoodwink.domain.tournaments.life.commands import MoveClocks
from hoodwink.domain.tournaments.life.deciding.checks import Events
from hoodwink.domain.tournaments.life.events import ClocksMoved
from hoodwink.domain.tournaments.life.facts import setup_of
from hoodwink.domain.tournaments.life.state import Phase, Tournament


def move_clocks(tournament: Tournament, command: MoveClocks, now: int) -> Events:
    """Returns the event that moves the deadlines; raises `RuleViolation` if the outage moves none."""
    if not _is_possible(tournament, command, now) or not _moved_fields(tournament, command):
        raise RuleViolation(TableCode.NO_CLOCK_MOVED)
    return (ClocksMoved(command.since, command.until),)


def pending_move(tournament: Tournament, gaps: Iterable[tuple[int, int]], now: int) -> MoveClocks | None:
    """Returns the command that moves the deadlines for the first outage that affects them, or `None`."""
    commands = [MoveClocks(since, until) for since, until in gaps]
    return next(
        (gap for gap in commands if _is_possible(tournament, gap, now) and _moved_fields(tournament, gap)),
        None,
    )


def after_outage(tournament: Tournament, since: int, until: int) -> Tournament:
    return replace(tournament, away_until=until, **_moved_fields(tournament, MoveClocks(since, until)))


def _is_possible(tournament: Tournament, gap: MoveClocks, now: int) -> bool:
    # A pause moves deadlines by itself when it ends.
    is_long = gap.since + MIN_GAP_MS <= gap.until <= now
    return tournament.phase is Phase.RUNNING and is_long and gap.since >= tournament.away_until


def _moved_fields(tournament: Tournament, gap: MoveClocks) -> dict[str, Any]:
    """Returns the new values of the deadlines that the outage moves."""
    moves: dict[str, Any] = {}
    call = tournament.call
    if call is not None and call.awaited:
        moves["call"] = replace(call, until=_later(call.until, REVEAL_MS, gap))
    if tournament.check_in_until > gap.since:
        lasts_ms = 1_000 * (setup_of(tournament).check_in or 0)
        moves["check_in_until"] = _later(tournament.check_in_until, lasts_ms, gap)
    if tournament.arena is not None and gap.since < overtime_until(tournament):
        moves["bell_moved"] = bell_moved(tournament, gap.since, gap.until)
    return {name: moved for name, moved in moves.items() if moved != getattr(tournament, name)}


def _later(ends: int, lasts_ms: int, gap: MoveClocks) -> int:
    return postponed(ends - lasts_ms, since=gap.since, until=gap.until) + lasts_ms
