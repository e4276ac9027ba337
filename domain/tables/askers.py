"""Who may ask for which command. `verify` checks the field `by` of every commit in a log against this."""

from typing import assert_never

from domain.tables.asker import ADMIN, HOST, WORKER, Asker, by_bot, by_player
from domain.tables.commands import (
    AbandonTable,
    Act,
    AnnounceRematch,
    CancelTable,
    ChangeHost,
    ClaimSeat,
    CloseTable,
    DealRound,
    ExpireTable,
    ForkTable,
    LeaveSeat,
    MissSeed,
    MissStart,
    OfferSeat,
    OpenRematch,
    OpenTable,
    OpenTournamentTable,
    Resign,
    Return,
    RevealSeed,
    RunOutClock,
    SayReady,
    ScoreRound,
    StartTable,
    TableCommand,
    TakeSeat,
    VoidTable,
    WithdrawOffer,
)
from domain.tables.state import (
    Table,
    host_enters,
    is_bot_kept,
    is_left_to_bots,
    is_person,
    is_players_own,
    is_supervised,
    people_at,
)


def askers(table: Table, command: TableCommand) -> tuple[Asker, ...]:
    """Returns everybody who may ask for a command; the caller has checked that the rules allow it."""
    match command:
        case Act():
            return (*_movers(table, command), *_enterers(table, command))
        case DealRound() | ScoreRound() | AbandonTable() | ExpireTable() | MissSeed():
            return (WORKER,)
        case OpenTournamentTable() | MissStart() | CancelTable():
            return (WORKER,)
        case OpenTable() | ForkTable() | StartTable():
            return (HOST,)
        case CloseTable():
            return _closers(table)
        case TakeSeat():
            return (HOST if command.policy else by_player(command.seat),)
        case LeaveSeat():
            return (by_player(command.seat), HOST) if is_person(table, command.seat) else (HOST,)
        case OfferSeat() | ChangeHost() | OpenRematch():
            return (HOST,)
        case WithdrawOffer():
            return by_player(command.seat), HOST
        case AnnounceRematch():
            return tuple([by_player(seat) for seat in range(len(table.seats)) if is_person(table, seat)])
        case RevealSeed():
            return (HOST if command.seat is None else by_player(command.seat),)
        case Resign():
            # An entrant who is expelled from the tournament loses the seat (T-7).
            expelling = (WORKER,) if table.tournament else ()
            return (by_player(command.seat), *expelling)
        case Return() | SayReady():
            return (by_player(command.seat),)
        case ClaimSeat():
            others = [seat for seat in range(len(table.seats)) if seat != command.seat]
            return tuple([by_player(seat) for seat in others if is_players_own(table, seat)])
        case RunOutClock():
            return (by_bot(command.seat),)
        case VoidTable():
            return (ADMIN,)
        case _:
            assert_never(command)


def _closers(table: Table) -> tuple[Asker, ...]:
    """Returns who may end the table early: the host, unless a person has played there, who may not avoid the result (G-17)."""
    if not is_left_to_bots(table):
        return (HOST,)
    return (ADMIN,) if people_at(table) else (HOST, ADMIN)


def _enterers(table: Table, command: Act) -> tuple[Asker, ...]:
    """Returns the host, if the host may enter this action in a player's name (DB-34, DB-42)."""
    can_enter = isinstance(command.action, host_enters(table)) and is_players_own(table, command.seat)
    # In edition 1 a host with a seat could enter it, too; without this exception those logs would no longer verify.
    return (HOST,) if can_enter and (table.edition == 1 or is_supervised(table)) else ()


def _movers(table: Table, command: Act) -> tuple[Asker, ...]:
    """Returns who may move for a seat: player and bot, while a bot keeps it for a player who has not resigned."""
    seat = command.seat
    player = (by_player(seat),) if is_players_own(table, seat) else ()
    # No bot commits an offence, least of all in a player's name. In edition 1 it could, and those logs stay valid.
    may_bot = table.edition == 1 or not isinstance(command.action, table.rulebook.offences)
    return (*player, by_bot(seat)) if is_bot_kept(table, seat) and may_bot else player
