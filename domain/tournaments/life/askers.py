"""Who may give a command, in the notation of `Recorded.by`."""

from typing import assert_never

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


def askers(tournament: Tournament, command: TournamentCommand) -> tuple[str, ...]:
    """Returns everybody who may give the tournament a command that its rules allow.

    `organiser`, `entrant:<id>`, `worker` for the service itself, or `admin`.
    """
    match command:
        case OpenTournament() | OpenRegistration() | OrderEntrants() | StartTournament():
            return ("organiser",)
        case Expel() | AssignBye() | ChangePairing() | ChangeTiebreaks() | Reschedule() | ScoreVoid():
            return ("organiser",)
        case Pause() | Resume() | Cancel():
            return ("organiser",)
        case OpenCheckIn() | OpenRound() | StartRound() | Finish():
            step = next_step(tournament)
            is_due = step is not None and step.command == command
            return ("organiser", "worker") if is_due else ("organiser",)
        case Enter():
            return (f"entrant:{command.player}" if command.policy is None else "organiser",)
        case Withdraw():
            entrant = participant(tournament, command.entrant)
            is_bot = entrant is not None and entrant.policy is not None
            return ("organiser" if is_bot else f"entrant:{command.entrant}",)
        case CheckIn() | SayAbsent() | RequestBye() | RevealEntrantSeed():
            return (f"entrant:{command.entrant}",)
        case MissSeeds() | ConfirmTables() | ConfirmGivenUp() | ReportTable():
            return ("worker",)
        case VoidTable():
            return "admin", "worker"
        case _:
            assert_never(command)
