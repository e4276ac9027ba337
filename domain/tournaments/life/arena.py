"""An arena while it runs: its times, and who waits for a table (T-40 … T-47)."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from hoodwink.domain.tournaments.life.events import RoundEvent, RoundOpened, TableReported
from hoodwink.domain.tournaments.life.facts import (
    current_sitting,
    next_round,
    numbers_at,
    open_deals,
    rosters_of,
    setup_of,
    starts_at,
    terms_of,
)
from hoodwink.domain.tournaments.life.presence import seated
from hoodwink.domain.tournaments.life.setup import ArenaTimes
from hoodwink.domain.tournaments.life.state import Tournament
from hoodwink.domain.tournaments.pairing.arena import (
    MAX_RECENT,
    MAX_WAVES,
    PATIENCE_MS,
    can_pair,
    recent_tables,
)
from hoodwink.domain.tournaments.pairing.case import Waiting
from hoodwink.domain.tournaments.pairing.division import table_sizes

_MINUTE_MS = 60_000
_MIN_WAVE_MS = 5_000

MIN_STAY_MS: Final = 10_000
"""How long an entrant who returns has to stay before the next pause (T-45)."""


def times_of(tournament: Tournament) -> ArenaTimes:
    """Returns the times that the organiser chose for an arena."""
    assert tournament.arena is not None, "only an arena has times"
    return tournament.arena


def begins_at(tournament: Tournament) -> int:
    """Returns when a started arena begins, in ms."""
    return max(tournament.started_at, starts_at(tournament, 1))


def bell_at(tournament: Tournament) -> int:
    """Returns when the bell rings, in ms, unless a pause or an outage moves it."""
    return begins_at(tournament) + _MINUTE_MS * times_of(tournament).arena_minutes + tournament.bell_moved


def overtime_until(tournament: Tournament) -> int:
    """Returns the time by which tables in play have to end, in ms."""
    return bell_at(tournament) + _MINUTE_MS * times_of(tournament).finish_minutes


def bell_moved(tournament: Tournament, since: int, until: int) -> int:
    """Returns by how many ms the bell has moved after an interval without play."""
    return tournament.bell_moved + max(0, until - max(since, begins_at(tournament)))


def next_wave_at(tournament: Tournament) -> int | None:
    """Returns when the next wave opens, in ms; `None` while too few entrants wait."""
    gap = max(_MIN_WAVE_MS, _MINUTE_MS * times_of(tournament).arena_minutes // MAX_WAVES)
    earliest = max(begins_at(tournament), tournament.wave_at + gap)
    waiting, terms = waiting_at(tournament, earliest), terms_of(tournament)
    if next_round(tournament) > MAX_WAVES or not table_sizes(len(waiting), terms):
        return None
    patient = {patience - entrant.waited_ms for entrant in waiting for patience in (0, *PATIENCE_MS)}
    later = sorted(wait for wait in patient if wait > 0)
    return next(earliest + wait for wait in (0, *later) if can_pair(_after(waiting, wait), terms))


def _after(waiting: tuple[Waiting, ...], wait: int) -> tuple[Waiting, ...]:
    """Returns the entrants, some of whom may begin to wait only later, as they wait after some more ms."""
    return tuple(
        [
            replace(entrant, waited_ms=entrant.waited_ms + wait)
            for entrant in waiting
            if entrant.waited_ms + wait >= 0
        ]
    )


def waiting_at(tournament: Tournament, now: int) -> tuple[Waiting, ...]:
    """Returns the entrants who wait for a table at that time (T-42)."""
    present = seated(tournament, next_round(tournament))
    playing = {number for _, _, deal in open_deals(tournament) for number in deal.seats}
    recent = recent_tables(len(present), setup_of(tournament).seats)
    teams = [[mate.number for mate in mates] for mates in rosters_of(tournament).values()]
    mates = {number: team for team in teams for number in team}
    return tuple(
        [
            Waiting(
                number, now - entrant.free_since, _with_mates(entrant.met[:recent], mates.get(number, ()))
            )
            for number in present
            if number not in playing
            for entrant in (tournament.entrants[number - 1],)
        ]
    )


def _with_mates(met: tuple[tuple[int, ...], ...], mates: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Returns an entrant's last opponents as if they had also just met all of their team (T-32)."""
    if not mates:
        return met
    last, earlier = (met[0], met[1:]) if met else ((), ())
    return (*last, *mates), *earlier


def after_round_event(tournament: Tournament, event: RoundEvent, at: int) -> Tournament:
    """Returns an arena after an event of a wave has made entrants play or wait."""
    entrants = list(tournament.entrants)
    if isinstance(event, RoundOpened):
        for seats in event.tables:
            for number in numbers_at([seats]):
                others = tuple([other for other in numbers_at([seats]) if other != number])
                entrant = entrants[number - 1]
                met = (others, *entrant.met[: MAX_RECENT - 1])
                entrants[number - 1] = replace(entrant, met=met)
        return replace(tournament, entrants=tuple(entrants), wave_at=at)
    if isinstance(event, TableReported):
        seats = tournament.rounds[event.round - 1].matches[event.board - 1].deals[0].seats
        for seat, holder in enumerate(seats):
            if holder is not None:
                entrant = replace(entrants[holder - 1], free_since=at)
                is_paused = seat in event.no_shows
                paused = {"absent_in": current_sitting(tournament)} if is_paused else {}
                entrants[holder - 1] = replace(entrant, **paused)
        return replace(tournament, entrants=tuple(entrants))
    return tournament
