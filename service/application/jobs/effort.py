"""Estimates the work of a command. Requests do at most about 20 ms of CPU work; jobs do the rest."""

from itertools import accumulate
from typing import Final

from hoodwink.domain.tournaments.life.commands import (
    ChangePairing,
    OpenRound,
    StartOnTime,
    StartTournament,
    TournamentCommand,
)
from hoodwink.domain.tournaments.life.deciding.phases import is_too_long
from hoodwink.domain.tournaments.life.editions import has_stored_schedules
from hoodwink.domain.tournaments.life.facts import (
    next_round,
    pairings_planned,
    remaining,
    setup_of,
    started_rounds,
)
from hoodwink.domain.tournaments.life.presence import seated
from hoodwink.domain.tournaments.life.scoring.ranks import admitted, terms_for
from hoodwink.domain.tournaments.life.state import Phase, Tournament
from hoodwink.domain.tournaments.pairing.round_robin import Shape, is_stored, remembered, shape_of
from hoodwink.domain.tournaments.terms import Format

MAX_LINES: Final = 1_000
"""Entrants times rounds that can be scored and ranked in a request; a line takes about 10 µs, in a report twice that."""

_MAX_PLACES: Final = 3_000  # entrants times rounds of a schedule whose values are computed
_MAX_DUTCH, _MAX_SEATED = 32, 10  # entrants present, at tables of two and at larger tables


def shape_to_arrange(tournament: Tournament) -> Shape | None:
    """Returns the shape of the arrangement that the start of a tournament needs, or `None`."""
    setup = setup_of(tournament)
    entrants = len(admitted(tournament))
    if tournament.phase is not Phase.REGISTRATION or setup.format is not Format.ROUND_ROBIN or entrants < 2:
        return None
    terms = terms_for(tournament, (), pairings_planned(tournament))
    is_refused = is_too_long(terms, entrants, tournament.deals_per_pairing)
    shape = None if is_refused else shape_of(terms, entrants)
    has_stored = has_stored_schedules(tournament.edition) and shape is not None and is_stored(shape)
    return None if has_stored else shape


def is_laborious(tournament: Tournament, command: TournamentCommand) -> bool:
    """Returns whether deciding a command may take longer than a request is allowed to take."""
    match command:
        case StartTournament() | StartOnTime():
            shape = shape_to_arrange(tournament)
            return shape is not None and remembered(shape) is None
        case OpenRound():
            return tournament.phase is Phase.RUNNING and _pairs(tournament) and _is_long_pairing(tournament)
        case ChangePairing():
            return has_many_lines(tournament)
        case _:
            return False


def has_many_lines(tournament: Tournament) -> bool:
    """Returns whether scoring all rounds takes longer than a request is allowed to take."""
    rounds = started_rounds(tournament)
    if tournament.arena is not None:  # a wave has lines only for entrants at tables
        lines = accumulate(len(match.deals[0].seats) for round_ in rounds for match in round_.matches)
        return any(line > MAX_LINES for line in lines)
    return len(tournament.entrants) * len(rounds) > MAX_LINES


def _pairs(tournament: Tournament) -> bool:
    """Returns whether opening a round pairs it now, without calling for seeds first."""
    if tournament.call is not None:
        return not tournament.call.awaited
    return not any(entrant.commitment for entrant in remaining(tournament))


def _is_long_pairing(tournament: Tournament) -> bool:
    setup = setup_of(tournament)
    if has_many_lines(tournament):
        return True
    if setup.format is Format.ROUND_ROBIN:
        return setup.seats > 2 and len(tournament.entrants) * len(tournament.schedule) > _MAX_PLACES
    present = len(seated(tournament, next_round(tournament)))
    return setup.format is not Format.KNOCKOUT and present > (_MAX_DUTCH if setup.seats == 2 else _MAX_SEATED)
