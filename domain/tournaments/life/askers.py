"""Who may ask for a command, in the words of `Recorded.by`."""

from typing import assert_never

from domain.tournaments.life import commands
from domain.tournaments.life.due import next_step
from domain.tournaments.life.state import Tournament, participant


def askers(tournament: Tournament, command: commands.TournamentCommand) -> tuple[str, ...]:
    """Returns everybody who may ask the tournament for a command that its rules allow.

    `organiser`, `entrant:<id>`, `worker` for the service itself, or `admin`.
    """
    match command:
        case (
            commands.OpenTournament()
            | commands.OpenRegistration()
            | commands.OrderEntrants()
            | commands.StartTournament()
        ):
            return ("organiser",)
        case (
            commands.Expel()
            | commands.AssignBye()
            | commands.ChangePairing()
            | commands.ChangeTiebreaks()
            | commands.Reschedule()
            | commands.ScoreVoid()
        ):
            return ("organiser",)
        case commands.Pause() | commands.Resume() | commands.Cancel():
            return ("organiser",)
        case commands.OpenCheckIn() | commands.OpenRound() | commands.StartRound() | commands.Finish():
            step = next_step(tournament)
            is_due = step is not None and step.command == command
            return ("organiser", "worker") if is_due else ("organiser",)
        case commands.Enter():
            return (f"entrant:{command.player}" if command.policy is None else "organiser",)
        case commands.Withdraw():
            one = participant(tournament, command.entrant)
            is_bot = one is not None and one.policy is not None
            return ("organiser" if is_bot else f"entrant:{command.entrant}",)
        case commands.CheckIn() | commands.SayAbsent() | commands.RequestBye() | commands.RevealEntrantSeed():
            return (f"entrant:{command.entrant}",)
        case (
            commands.MissSeeds()
            | commands.ConfirmTables()
            | commands.ConfirmGivenUp()
            | commands.ReportTable()
        ):
            return ("worker",)
        case commands.VoidTable():
            return "admin", "worker"
        case _:
            assert_never(command)
