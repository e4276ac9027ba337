"""The actors who may ask for each command. `verify` checks the field `by` of every commit in a log against them."""

from typing import assert_never

from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import ADMIN, HOST, WORKER, Actor, by_bot, by_player
from hoodwink.domain.tables.state import (
    Table,
    host_offences,
    is_left_to_bots,
    is_person,
    is_played_by_bot,
    is_players_own,
    is_supervised,
    people_at,
)


def allowed_actors(table: Table, command: commands.TableCommand) -> tuple[Actor, ...]:
    """Returns the actors who may ask for a command that the rules allow."""
    if isinstance(command, commands.Act):
        return _moving_actors(table, command) + _entering_actors(table, command)
    if isinstance(command, commands.WorkerCommand):
        return (WORKER,)
    match command:
        case (
            commands.OpenTable()
            | commands.ForkTable()
            | commands.StartTable()
            | commands.OfferSeat()
            | commands.ChangeHost()
            | commands.OpenRematch()
        ):
            return (HOST,)
        case commands.CloseTable():
            return _closing_actors(table)
        case commands.TakeSeat():
            return (HOST if command.policy else by_player(command.seat),)
        case commands.LeaveSeat():
            return (by_player(command.seat), HOST) if is_person(table, command.seat) else (HOST,)
        case commands.WithdrawOffer():
            return by_player(command.seat), HOST
        case commands.AnnounceRematch():
            return tuple([by_player(seat) for seat in range(len(table.seats)) if is_person(table, seat)])
        case commands.RevealSeed():
            return (HOST if command.seat is None else by_player(command.seat),)
        case commands.Resign():
            # An entrant who is expelled from the tournament loses the seat (T-7).
            expelling = (WORKER,) if table.tournament else ()
            return (by_player(command.seat), *expelling)
        case commands.Return() | commands.SayReady() | commands.TakeBack():
            return (by_player(command.seat),)
        case commands.ClaimSeat():
            others = [seat for seat in range(len(table.seats)) if seat != command.seat]
            return tuple([by_player(seat) for seat in others if is_players_own(table, seat)])
        case commands.ExpireClock():
            return (by_bot(command.seat),)
        case commands.VoidTable():
            return (ADMIN,)
        case _:
            assert_never(command)


def _closing_actors(table: Table) -> tuple[Actor, ...]:
    """Returns who may end the table early: not a host whose players could avoid their result this way (G-17)."""
    if not is_left_to_bots(table):
        return (HOST,)
    return (ADMIN,) if people_at(table) else (HOST, ADMIN)


def _entering_actors(table: Table, command: commands.Act) -> tuple[Actor, ...]:
    """Returns the host, if the host may enter this action in a player's name (DB-34, DB-42)."""
    can_enter = isinstance(command.action, host_offences(table)) and is_players_own(table, command.seat)
    return (HOST,) if can_enter and is_supervised(table) else ()


def _moving_actors(table: Table, command: commands.Act) -> tuple[Actor, ...]:
    """Returns who may move for a seat: player and bot, while a bot replaces a player who has not resigned."""
    seat = command.seat
    player = (by_player(seat),) if is_players_own(table, seat) else ()
    # No bot commits an offence, least of all in a player's name.
    if not is_played_by_bot(table, seat) or isinstance(command.action, table.rulebook.offences):
        return player
    return (*player, by_bot(seat))
