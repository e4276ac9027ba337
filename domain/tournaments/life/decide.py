"""What a tournament accepts, and the events that follow. Each command's consequences come with it."""

from typing import assert_never

from domain.tournaments.life import decide_entry as entry
from domain.tournaments.life import decide_phases as phases
from domain.tournaments.life import decide_results as results
from domain.tournaments.life import decide_rounds as rounds
from domain.tournaments.life import decide_sittings as sittings
from domain.tournaments.life.checks import Events
from domain.tournaments.life.commands import (
    AssignBye,
    Cancel,
    ChangePairing,
    ChangeTiebreaks,
    CheckIn,
    ConfirmGivenUp,
    ConfirmTables,
    Enter,
    Expel,
    Finish,
    MissSeeds,
    OpenCheckIn,
    OpenRegistration,
    OpenRound,
    OpenTournament,
    OrderEntrants,
    Pause,
    ReportTable,
    RequestBye,
    Reschedule,
    Resume,
    RevealEntrantSeed,
    SayAbsent,
    ScoreVoid,
    StartRound,
    StartTournament,
    TournamentCommand,
    VoidTable,
    Withdraw,
)
from domain.tournaments.life.state import Tournament


def decide(tournament: Tournament, command: TournamentCommand, now: int) -> Events:
    """Returns the events the command leads to at time `now` (ms); raises `RuleViolation`."""
    match command:
        case OpenTournament():
            return phases.open_(tournament, command)
        case OpenRegistration():
            return phases.open_registration(tournament)
        case StartTournament():
            return phases.start(tournament, command)
        case ChangeTiebreaks():
            return phases.change_tiebreaks(tournament, command)
        case Reschedule():
            return phases.reschedule(tournament, command)
        case Pause():
            return phases.pause(tournament, command)
        case Resume():
            return phases.resume(tournament)
        case Finish():
            return phases.finish(tournament, command, now)
        case Cancel():
            return phases.cancel(tournament, command, now)
        case Enter() | Withdraw() | Expel() | OrderEntrants():
            return _decide_entry(tournament, command)
        case OpenCheckIn() | CheckIn() | SayAbsent() | RequestBye() | AssignBye():
            return _decide_sitting(tournament, command, now)
        case RevealEntrantSeed():
            return sittings.reveal(tournament, command, now)
        case MissSeeds():
            return sittings.miss(tournament, now)
        case OpenRound():
            return rounds.open_round(tournament, command, now)
        case ChangePairing():
            return rounds.change_pairing(tournament, command)
        case StartRound():
            return rounds.start_round(tournament, command, now)
        case ConfirmTables() | ConfirmGivenUp() | ReportTable() | VoidTable() | ScoreVoid():
            return _decide_result(tournament, command, now)
        case _:
            assert_never(command)


def _decide_entry(tournament: Tournament, command: Enter | Withdraw | Expel | OrderEntrants) -> Events:
    match command:
        case Enter():
            return entry.enter(tournament, command)
        case Withdraw():
            return entry.withdraw(tournament, command)
        case Expel():
            return entry.expel(tournament, command)
        case OrderEntrants():
            return entry.order(tournament, command)
        case _:
            assert_never(command)


def _decide_sitting(
    tournament: Tournament, command: OpenCheckIn | CheckIn | SayAbsent | RequestBye | AssignBye, now: int
) -> Events:
    match command:
        case OpenCheckIn():
            return sittings.open_check_in(tournament, command, now)
        case CheckIn():
            return sittings.check_in(tournament, command)
        case SayAbsent():
            return sittings.say_absent(tournament, command)
        case RequestBye():
            return sittings.request_bye(tournament, command)
        case AssignBye():
            return sittings.assign_bye(tournament, command)
        case _:
            assert_never(command)


def _decide_result(
    tournament: Tournament,
    command: ConfirmTables | ConfirmGivenUp | ReportTable | VoidTable | ScoreVoid,
    now: int,
) -> Events:
    match command:
        case ConfirmTables():
            return results.confirm_tables(tournament, command)
        case ConfirmGivenUp():
            return results.confirm_given_up(tournament, command)
        case ReportTable():
            return results.report(tournament, command, now)
        case VoidTable():
            return results.void(tournament, command)
        case ScoreVoid():
            return results.score_void(tournament, command)
        case _:
            assert_never(command)
