"""The phases of a tournament, and the changes that an organiser may make (T-2)."""

from hoodwink.domain.cards import commitment
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.life.admission import OPEN_TO_ALL
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import (
    Cancel,
    ChangeTiebreaks,
    Finish,
    OpenTournament,
    Pause,
    Reschedule,
    StartOnTime,
    StartTournament,
)
from hoodwink.domain.tournaments.life.deciding.arena import check_arena
from hoodwink.domain.tournaments.life.deciding.checks import (
    Events,
    check_before_start,
    check_not_over,
    check_remark,
    check_started,
)
from hoodwink.domain.tournaments.life.deciding.consequences import with_consequences
from hoodwink.domain.tournaments.life.editions import LOG_FORMATS
from hoodwink.domain.tournaments.life.events import (
    AdmissionChosen,
    ArenaChosen,
    DealsChosen,
    DuplicateChosen,
    PairingDropped,
    RegistrationOpened,
    SeriesJoined,
    SittingRescheduled,
    TeamsChosen,
    TiebreaksChanged,
    TournamentCancelled,
    TournamentFinished,
    TournamentOpened,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from hoodwink.domain.tournaments.life.facts import (
    is_first_of_sitting,
    paired,
    pairings_planned,
    setup_of,
    sitting_of,
)
from hoodwink.domain.tournaments.life.scoring.engine import Schedule, draw_of, plan
from hoodwink.domain.tournaments.life.scoring.progress import is_played_out
from hoodwink.domain.tournaments.life.scoring.ranks import admitted, ranked, terms_for
from hoodwink.domain.tournaments.life.setup import MAX_ROUNDS, MAX_SEARCHED, Advance
from hoodwink.domain.tournaments.life.setup_checks import (
    check_admission,
    check_ahead,
    check_duplicate,
    check_effect,
    check_start,
    check_teams,
    check_tiebreaks,
    checked,
)
from hoodwink.domain.tournaments.life.state import Phase, Tournament
from hoodwink.domain.tournaments.pairing import rounds_planned
from hoodwink.domain.tournaments.pairing.division import seats_at
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Terms


def open_(tournament: Tournament, command: OpenTournament, now: int) -> Events:
    if tournament.version:
        raise RuleViolation(TournamentCode.TOURNAMENT_EXISTS)
    if command.edition not in LOG_FORMATS:
        raise RuleViolation(TableCode.UNKNOWN_EDITION)
    setup = checked(command.setup)
    check_effect(setup, setup.tiebreaks)
    for sitting in setup.sittings:
        check_ahead(setup, sitting.starts_at, now)
    opened = TournamentOpened(
        tournament=command.tournament,
        organiser=command.organiser,
        setup=setup,
        commitment=commitment(command.server_seed),
        server_seed=command.server_seed,
        edition=command.edition,
    )
    check_arena(setup, command.arena)
    chosen: Events = ()
    if command.compare is not None:
        check_duplicate(setup, command.deals_per_pairing)
        chosen = (DuplicateChosen(command.compare),)
        if command.deals_per_pairing > 1:
            chosen = (*chosen, DealsChosen(command.deals_per_pairing))
    if command.arena is not None:
        chosen = (ArenaChosen(command.arena.arena_minutes, command.arena.finish_minutes),)
    if command.admission != OPEN_TO_ALL:
        check_admission(setup, command.admission)
        chosen = (*chosen, AdmissionChosen(command.admission))
    if command.teams is not None:
        check_teams(setup, command.teams)
        chosen = (*chosen, TeamsChosen(command.teams.team_size, command.teams.team_counting))
    if command.series is not None:
        chosen = (*chosen, SeriesJoined(command.series.series, command.series.number))
    return opened, *chosen


def open_registration(tournament: Tournament) -> Events:
    check_before_start(tournament)
    if tournament.phase is not Phase.DRAFT:
        raise RuleViolation(TournamentCode.REGISTRATION_OPEN)
    return (RegistrationOpened(),)


def start(tournament: Tournament, command: StartTournament) -> Events:
    check_before_start(tournament)
    if tournament.phase is Phase.DRAFT:
        raise RuleViolation(TournamentCode.REGISTRATION_CLOSED)
    entrants = [entrant.id for entrant in admitted(tournament)]
    if len(entrants) < 2:
        raise RuleViolation(TournamentCode.TOO_FEW_ENTRANTS, "A tournament needs two entrants to start.")
    if not set(command.ratings) <= set(entrants):
        raise RuleViolation(TournamentCode.UNKNOWN_ENTRANT)
    draw = draw_of(tournament.server_seed, (), 0)
    ranks = ranked(tournament, command.ratings, draw)
    setup = setup_of(tournament)
    terms, deals = terms_for(tournament, ranks, pairings_planned(tournament)), tournament.deals_per_pairing
    _check_rounds(terms, len(ranks), deals)
    rounds, schedule = plan(terms, len(ranks), draw, edition=tournament.edition, deals=deals)
    if setup.score_by is ScoreBy.POINTS:
        _check_even(terms, schedule)
    return (TournamentStarted(command.ratings, ranks, rounds, schedule),)


def start_on_time(tournament: Tournament, command: StartOnTime, now: int) -> Events:
    """Starts a tournament of a series, or cancels it if it cannot start (S-4)."""
    if tournament.series is None:
        raise RuleViolation(TournamentCode.REGISTRATION_CLOSED)
    try:
        return start(tournament, StartTournament(command.ratings))
    except RuleViolation as refused:
        return cancel(tournament, Cancel(str(refused)), now)


def _check_rounds(terms: Terms, entrants: int, deals: int) -> None:
    """Raises `RuleViolation` if the schedule of a round robin would be too long, or too large to be searched for."""
    if terms.format is Format.ROUND_ROBIN and is_too_long(terms, entrants, deals):
        raise RuleViolation(
            TournamentCode.SCHEDULE_TOO_LONG,
            f"A schedule has at most {MAX_ROUNDS} rounds and, at tables of three or more, at most {MAX_SEARCHED} places. "
            "Reduce the number of entrants.",
        )


def is_too_long(terms: Terms, entrants: int, deals: int) -> bool:
    """Returns whether a round robin with this number of entrants, and deals per pairing, is too large to be scheduled."""
    rounds = rounds_planned(terms, entrants) * deals
    return rounds > MAX_ROUNDS or (terms.seats > 2 and entrants * rounds > MAX_SEARCHED)


def _check_even(terms: Terms, schedule: Schedule) -> None:
    """Raises `RuleViolation` if points are compared and the schedule has tables of different sizes (T-20)."""
    sizes = {seats_at(len(table), terms) for tables in schedule for table in tables}
    if len(sizes) > 1:
        raise RuleViolation(
            TournamentCode.UNEVEN_TABLES,
            "Points can be compared only between tables of the same size, and this number of entrants cannot be divided "
            "evenly. Add or remove entrants.",
        )


def change_tiebreaks(tournament: Tournament, command: ChangeTiebreaks) -> Events:
    check_not_over(tournament)
    is_last_paired = tournament.terms is not None and len(tournament.rounds) >= tournament.terms.rounds
    if is_last_paired or tournament.is_bell_rung:
        raise RuleViolation(
            TournamentCode.LAST_ROUND, "Tie-breaks can be changed only before the last round is paired."
        )
    check_tiebreaks(command.tiebreaks)
    check_effect(setup_of(tournament), command.tiebreaks)
    if command.tiebreaks == setup_of(tournament).tiebreaks:
        raise RuleViolation(TournamentCode.TIEBREAKS_UNCHANGED)
    check_remark(command.reason)
    return (TiebreaksChanged(command.tiebreaks, command.reason),)


def reschedule(tournament: Tournament, command: Reschedule, now: int) -> Events:
    check_not_over(tournament)
    setup = setup_of(tournament)
    if not 1 <= command.sitting <= len(setup.sittings):
        raise RuleViolation(TournamentCode.NO_SUCH_SITTING)
    if command.sitting < _next_sitting(tournament):
        raise RuleViolation(TournamentCode.SITTING_BEGUN)
    if command.starts_at is None and setup.advance is Advance.SCHEDULE:
        raise RuleViolation(TournamentCode.NO_START)
    times = [sitting.starts_at for sitting in setup.sittings]
    earlier = [time for time in times[: command.sitting - 1] if time is not None]
    later = [time for time in times[command.sitting :] if time is not None]
    check_start(command.starts_at, max(earlier, default=None), min(later, default=None))
    check_ahead(setup, command.starts_at, now)
    check_remark(command.reason)
    return (SittingRescheduled(command.sitting, command.starts_at, command.reason),)


def _next_sitting(tournament: Tournament) -> int:
    """Returns the first sitting without a paired round."""
    if tournament.terms is None:
        return 1
    following = len(tournament.rounds) + 1
    return sitting_of(tournament, following) + (not is_first_of_sitting(tournament, following))


def pause(tournament: Tournament, command: Pause) -> Events:
    check_started(tournament)
    if tournament.phase is Phase.PAUSED:
        raise RuleViolation(TournamentCode.ALREADY_PAUSED)
    check_remark(command.reason)
    return (TournamentPaused(command.reason),)


def resume(tournament: Tournament) -> Events:
    check_started(tournament)
    if tournament.phase is Phase.RUNNING:
        raise RuleViolation(TournamentCode.NOT_PAUSED)
    return (TournamentResumed(),)


def finish(tournament: Tournament, command: Finish, now: int) -> Events:
    check_started(tournament)
    if is_played_out(tournament):
        check_remark(command.reason)
    else:
        check_reason(command.reason, of="Ending the tournament before the last round is complete")
    ended = (TournamentFinished(command.reason), *_dropped(tournament))
    return with_consequences(tournament, ended, now)


def cancel(tournament: Tournament, command: Cancel, now: int) -> Events:
    check_not_over(tournament)
    check_reason(command.reason)
    ended = (TournamentCancelled(command.reason), *_dropped(tournament))
    return with_consequences(tournament, ended, now)


def _dropped(tournament: Tournament) -> Events:
    round_ = paired(tournament)
    return () if round_ is None else (PairingDropped(round_.number),)
