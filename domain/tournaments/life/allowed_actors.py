"""The actors who may give each command of a tournament."""

from typing import TypeAlias, assert_never

from hoodwink.domain.tables.actor import ADMIN, ORGANISER, WORKER, Actor, by_entrant
from hoodwink.domain.tournaments.life import commands
from hoodwink.domain.tournaments.life.due import next_step
from hoodwink.domain.tournaments.life.facts import participant
from hoodwink.domain.tournaments.life.state import Tournament

_OfOrganiser: TypeAlias = (
    commands.OpenTournament
    | commands.OpenRegistration
    | commands.OrderEntrants
    | commands.AcceptEntry
    | commands.DeclineEntry
    | commands.ReplaceInvitation
    | commands.StartTournament
    | commands.Expel
    | commands.AssignBye
    | commands.ChangePairing
    | commands.ChangeTiebreaks
    | commands.Reschedule
    | commands.ScoreVoid
    | commands.NameArbiter
    | commands.AddRounds
    | commands.Describe
    | commands.Announce
    | commands.MarkAbsent
    | commands.WithdrawEntrant
    | commands.StopTable
    | commands.RuleResult
    | commands.Pause
    | commands.Resume
)
"""The commands that only the organiser gives."""


def allowed_actors(tournament: Tournament, command: commands.TournamentCommand) -> tuple[Actor, ...]:
    """Returns the actors who may give a command that the rules allow."""
    if isinstance(command, _OfOrganiser):
        return (ORGANISER,)
    match command:
        case commands.Cancel():
            return ORGANISER, ADMIN
        case commands.OpenCheckIn() | commands.OpenRound() | commands.StartRound() | commands.Finish():
            step = next_step(tournament)
            is_due = step is not None and step.command == command
            return (ORGANISER, WORKER) if is_due else (ORGANISER,)
        case commands.Enter():
            return (by_entrant(command.player) if command.policy is None else ORGANISER,)
        case commands.Withdraw():
            entrant = participant(tournament, command.entrant)
            is_bot = entrant is not None and entrant.policy is not None
            return (ORGANISER if is_bot else by_entrant(command.entrant),)
        case commands.CheckIn() | commands.SayAbsent() | commands.RequestBye() | commands.RevealEntrantSeed():
            return (by_entrant(command.entrant),)
        case (
            commands.MissSeeds()
            | commands.MoveClocks()
            | commands.RingBell()
            | commands.EndOvertime()
            | commands.ConfirmTables()
            | commands.ConfirmGivenUp()
            | commands.SealTable()
            | commands.ReportTable()
        ):
            return (WORKER,)
        case commands.RemoveArbiter():
            return ORGANISER, by_entrant(command.player)
        case commands.ReverseRuling():
            return (ADMIN,)
        case commands.VoidTable():
            return ADMIN, WORKER
        case _:
            assert_never(command)
