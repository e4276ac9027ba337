"""The actors who may give each command of a tournament."""

from hoodwink.domain.tables.actor import ADMIN, ORGANISER, WORKER, Actor, by_co_organiser, by_entrant
from hoodwink.domain.tournaments.life import commands
from hoodwink.domain.tournaments.life.commands.rights import RIGHTS, Role
from hoodwink.domain.tournaments.life.due import next_step
from hoodwink.domain.tournaments.life.facts import organisers_of, participant, players_of, role_of
from hoodwink.domain.tournaments.life.setup import MAX_FOUNDED_BY_ENTRANTS
from hoodwink.domain.tournaments.life.state import Tournament


def allowed_actors(tournament: Tournament, command: commands.TournamentCommand) -> tuple[Actor, ...]:
    """Returns the actors who may give a command that the rules allow."""
    if type(command) in RIGHTS:
        return _with_right(tournament, command)
    match command:
        case commands.CheckIn() | commands.SayAbsent() | commands.RequestBye() | commands.RevealEntrantSeed():
            return (by_entrant(command.entrant),)
        case commands.TakePlace() | commands.DeclineOffer():
            return (by_entrant(command.player),)
        case (
            commands.MissSeeds()
            | commands.MoveClocks()
            | commands.StartOnTime()
            | commands.RingBell()
            | commands.EndOvertime()
            | commands.ConfirmTables()
            | commands.ConfirmGivenUp()
            | commands.SealTable()
            | commands.ReportTable()
        ):
            return (WORKER,)
        case (
            commands.ReverseRuling()
            | commands.ReverseAbsence()
            | commands.ReverseWithdrawal()
            | commands.ReverseSubstitution()
            | commands.ReverseAddedRounds()
        ):
            return (ADMIN,)
        case commands.VoidTable():
            return ADMIN, WORKER
        case _:
            raise AssertionError(f"nobody gives {command}")


def _with_right(tournament: Tournament, command: commands.TournamentCommand) -> tuple[Actor, ...]:
    """Returns the officials who may give a command, and others who may give it, too."""
    officials = _officials(tournament, command)
    match command:
        case commands.Enter():
            return officials if command.policy is not None else (by_entrant(command.player),)
        case commands.Withdraw():
            entrant = participant(tournament, command.entrant)
            is_bot = entrant is not None and entrant.policy is not None
            return officials if is_bot else (by_entrant(command.entrant),)
        case commands.ChooseTeam():
            is_reserved = bool(command.name) and len(tournament.teams) >= MAX_FOUNDED_BY_ENTRANTS  # T-34
            return officials if is_reserved else (*officials, by_entrant(command.entrant))
        case commands.ReplaceTeamCode():
            return *officials, *[by_entrant(mate.id) for mate in players_of(tournament, command.team)]
        case commands.Cancel():
            return (*officials, ADMIN, WORKER) if _starts_by_itself(tournament) else (*officials, ADMIN)
        case commands.StartTournament():
            return (*officials, WORKER) if _starts_by_itself(tournament) else officials
        case commands.RemoveArbiter() | commands.RemoveCoOrganiser() | commands.DeclinePlace():
            return *officials, by_entrant(command.player)
        case commands.OpenCheckIn() | commands.OpenRound() | commands.StartRound() | commands.Finish():
            step = next_step(tournament)
            is_due = step is not None and step.command == command
            return (*officials, WORKER) if is_due else officials
        case _:
            return officials


def _starts_by_itself(tournament: Tournament) -> bool:
    """Returns whether the service may start the tournament, or cancel it because it cannot start (S-4)."""
    step = next_step(tournament)
    return step is not None and isinstance(step.command, commands.StartOnTime)


def _officials(tournament: Tournament, command: commands.TournamentCommand) -> tuple[Actor, ...]:
    actors = [official_actor(tournament, player, command) for player in organisers_of(tournament)]
    return tuple(dict.fromkeys([actor for actor in actors if actor is not None]))


def official_actor(tournament: Tournament, player: str, command: commands.TournamentCommand) -> Actor | None:
    """Returns the actor as whom a player gives a command, or `None` if they have no right to it.

    A command with `official` names the player. So its actor is the organiser, no matter which official gives it.
    """
    role = role_of(tournament, player)
    if role is None or role not in RIGHTS[type(command)]:
        return None
    if role is Role.ORGANISER or "official" in command.__struct_fields__:
        return ORGANISER
    expels_organiser = isinstance(command, commands.Expel) and command.entrant == tournament.organiser
    return None if expels_organiser else by_co_organiser(player)
