"""The next step that the service takes in a tournament without being asked, and its time."""

import msgspec

from hoodwink.domain.due_times import IMMEDIATELY, WorkDue
from hoodwink.domain.tournaments.life.arena import bell_at, next_wave_at, overtime_until
from hoodwink.domain.tournaments.life.commands import (
    EndOvertime,
    Finish,
    MissSeeds,
    OpenCheckIn,
    OpenRound,
    RingBell,
    StartOnTime,
    StartRound,
    TournamentCommand,
)
from hoodwink.domain.tournaments.life.deciding.rounds import are_all_present
from hoodwink.domain.tournaments.life.facts import (
    current_sitting,
    is_first_of_sitting,
    next_round,
    open_deals,
    paired,
    setup_of,
    starts_at,
)
from hoodwink.domain.tournaments.life.scoring.engine import playable
from hoodwink.domain.tournaments.life.scoring.placings import is_final
from hoodwink.domain.tournaments.life.scoring.progress import is_complete, is_played_out
from hoodwink.domain.tournaments.life.scoring.ranks import admitted
from hoodwink.domain.tournaments.life.setup import Advance
from hoodwink.domain.tournaments.life.state import Phase, Tournament
from hoodwink.domain.tournaments.life.tables import (
    seats_to_resign,
    tables_to_close,
    tables_to_open,
    tables_to_release,
)


class Step(msgspec.Struct, frozen=True, gc=False):
    """A command of the worker, and its scheduled time, in ms or `IMMEDIATELY`."""

    at: int
    command: TournamentCommand


def due(tournament: Tournament, now: int) -> TournamentCommand | None:
    """Returns the worker's next command, or `None` if its time has not come."""
    step = next_step(tournament)
    return step.command if step is not None and step.at <= now else None


def work_due(tournament: Tournament) -> WorkDue:
    """Returns when the workers have to act for the tournament."""
    # After its end, each event may be a ruling or a void that changes its result (S-10).
    report_at = IMMEDIATELY if tournament.series is not None and is_final(tournament) else None
    at_tables = (tables_to_open, seats_to_resign, tables_to_release, tables_to_close)
    if any(work(tournament) for work in at_tables):
        return WorkDue(IMMEDIATELY, report_at)
    step = next_step(tournament)
    return WorkDue(None if step is None else step.at, report_at)


def next_step(tournament: Tournament) -> Step | None:
    """Returns the next step of the service, or `None` while it waits for a person or a table."""
    if tournament.phase is Phase.REGISTRATION and tournament.series is not None:
        return _start(tournament)
    if tournament.phase is not Phase.RUNNING:
        return None
    call = tournament.call
    if call is not None and call.awaited:
        return Step(call.until, MissSeeds())
    if tournament.arena is not None:
        return _step_of_arena(tournament)
    if call is not None and len(playable(tournament)) >= 2:
        return Step(IMMEDIATELY, OpenRound(call.round, early=call.early, reason=call.reason))
    dropped = tournament.dropped
    if dropped is not None and len(playable(tournament)) >= 2:
        again = OpenRound(dropped.number, early=dropped.early, reason=dropped.reason)
        return _opening(tournament, again, begins=IMMEDIATELY)
    if setup_of(tournament).advance is Advance.MANUAL:
        return None
    round_ = paired(tournament)
    if round_ is not None:
        return Step(IMMEDIATELY, StartRound(round_.number))
    if not is_complete(tournament):
        return None
    if is_played_out(tournament):
        return Step(IMMEDIATELY, Finish())
    number = next_round(tournament)
    is_first = is_first_of_sitting(tournament, number)
    begins = starts_at(tournament, current_sitting(tournament)) if is_first else IMMEDIATELY
    return _opening(tournament, OpenRound(number), begins=begins)


def _start(tournament: Tournament) -> Step | None:
    """Returns the start of a tournament of a series, which leaves time for check-in (S-4)."""
    setup, begins = setup_of(tournament), setup_of(tournament).sittings[0].starts_at
    if setup.advance is Advance.MANUAL or begins is None:
        return None
    is_early = len(admitted(tournament)) >= 2
    return Step(begins - 1000 * setup.check_in if is_early else begins, StartOnTime({}))


def _step_of_arena(tournament: Tournament) -> Step | None:
    """Returns the next wave, the bell, or what follows the bell (T-41, T-47)."""
    if is_played_out(tournament):
        return Step(IMMEDIATELY, Finish())
    if tournament.is_bell_rung:
        is_ending = all(deal.is_stopped for _, _, deal in open_deals(tournament))
        return None if is_ending else Step(overtime_until(tournament), EndOvertime())
    wave, bell, call = next_wave_at(tournament), bell_at(tournament), tournament.call
    if wave is None or wave >= bell:
        return Step(bell, RingBell())
    return Step(wave, OpenRound(next_round(tournament), reason="" if call is None else call.reason))


def _opening(tournament: Tournament, opening: OpenRound, *, begins: int) -> Step:
    """Returns the step that opens check-in for the next round or, if there is none to open, the round itself.

    Args:
        begins: when the round begins, in ms; 0 means immediately.
    """
    setup, sitting = setup_of(tournament), current_sitting(tournament)
    if not setup.check_in:
        return Step(begins, opening)
    if tournament.check_in != sitting:
        return Step(max(0, begins - 1000 * setup.check_in), OpenCheckIn(sitting))
    is_waiting = not are_all_present(tournament, sitting)
    return Step(max(begins, tournament.check_in_until) if is_waiting else begins, opening)
