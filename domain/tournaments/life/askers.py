"""Who may give each command of a tournament."""

from typing import assert_never

from domain.tables.asker import ADMIN, ORGANISER, WORKER, Asker, by_entrant
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
from domain.tournaments.life.due import next_step
from domain.tournaments.life.state import Tournament, participant


def askers(tournament: Tournament, command: TournamentCommand) -> tuple[Asker, ...]:
    """Returns everybody who may give the tournament a command that its rules allow."""
    match command:
        case OpenTournament() | OpenRegistration() | OrderEntrants() | StartTournament():
            return (ORGANISER,)
        case Expel() | AssignBye() | ChangePairing() | ChangeTiebreaks() | Reschedule() | ScoreVoid():
            return (ORGANISER,)
        case Pause() | Resume() | Cancel():
            return (ORGANISER,)
        case OpenCheckIn() | OpenRound() | StartRound() | Finish():
            step = next_step(tournament)
            is_due = step is not None and step.command == command
            return (ORGANISER, WORKER) if is_due else (ORGANISER,)
        case Enter():
            return (by_entrant(command.player) if command.policy is None else ORGANISER,)
        case Withdraw():
            entrant = participant(tournament, command.entrant)
            is_bot = entrant is not None and entrant.policy is not None
            return (ORGANISER if is_bot else by_entrant(command.entrant),)
        case CheckIn() | SayAbsent() | RequestBye() | RevealEntrantSeed():
            return (by_entrant(command.entrant),)
        case MissSeeds() | ConfirmTables() | ConfirmGivenUp() | ReportTable():
            return (WORKER,)
        case VoidTable():
            return ADMIN, WORKER
        case _:
            assert_never(command)
