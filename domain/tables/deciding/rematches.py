"""Rematches: new tables for the players of an ended one, each moved one seat on."""

from typing import Final

import msgspec

from hoodwink.domain.kernel import Event, RuleViolation
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.rooms import offer_seat
from hoodwink.domain.tables.deciding.seating import open_table, seated_by_host
from hoodwink.domain.tables.events import RematchOpened
from hoodwink.domain.tables.evolve import opened_with
from hoodwink.domain.tables.state import Occupant, Phase, Table, is_person

Events = tuple[Event, ...]

MAX_REMATCHES: Final = 20
"""The maximum number of rematches of one table. Another one may follow only if the previous one was closed unplayed."""


def rematch_of(table: Table, *, opened: str, host: str, server_seed: str) -> commands.OpenRematch:
    """Returns the command that opens a rematch, which seats the host and the bots and offers seats to the others.

    Args:
        opened: the id of the rematch.
        host: the player who asks for it and had a seat at the table.
        server_seed: 64 hex digits of fresh entropy.

    Raises:
        RuleViolation: the table has not ended, was never started, or belongs to a tournament.
    """
    _check_playable_again(table)
    seated = [(_next_seat(table, seat), occupant) for seat, occupant in enumerate(table.seats) if occupant]
    here = [(seat, occupant) for seat, occupant in seated if occupant.policy or occupant.player == host]
    away = [(seat, occupant) for seat, occupant in seated if (seat, occupant) not in here]
    return commands.OpenRematch(
        opening=commands.OpenTable(
            table=opened,
            game=table.game,
            seats=len(table.seats),
            options=msgspec.to_builtins(table.options),
            host=host,
            turn_seconds=table.turn_seconds,
            bot_delay=table.bot_delay,
            round_pause=table.round_pause,
            server_seed=server_seed,
            rated=table.rated,
            private=table.private,
            watch=table.watch,
            rematch_of=table.id,
            take_backs=table.take_backs,
        ),
        occupants=tuple([_taking(seat, occupant) for seat, occupant in here]),
        offers=tuple([commands.OfferSeat(occupant.player, seat) for seat, occupant in away]),
    )


def _next_seat(table: Table, seat: int) -> int:
    return (seat + 1) % len(table.seats)


def _taking(seat: int, occupant: Occupant) -> commands.TakeSeat:
    return commands.TakeSeat(player=occupant.player, policy=occupant.policy, seat=seat)


def open_rematch(table: Table, command: commands.OpenRematch, now: int) -> Events:
    """Returns the events that open a rematch, seat its host and its bots, and offer the other seats."""
    events: Events = open_table(table, command.opening)
    events += seated_by_host(opened_with(table, events, now), command.occupants, now)
    for offer in command.offers:
        events += offer_seat(opened_with(table, events, now), offer)
    return events


def announce_rematch(table: Table, rematch: str) -> Events:
    """Returns the event that links an ended table to its rematch, or to another one if the last was closed."""
    if table.rematch == rematch:
        raise RuleViolation(TableCode.REMATCH_OPENED)
    _check_playable_again(table)
    return (RematchOpened(rematch),)


def _check_playable_again(table: Table) -> None:
    if table.phase is not Phase.ENDED:
        raise RuleViolation(TableCode.TABLE_NOT_OVER)
    if not can_have_rematch(table):
        raise RuleViolation(TableCode.NO_REMATCH)
    if table.rematches >= MAX_REMATCHES:
        raise RuleViolation(
            TableCode.NO_REMATCH, "Too many rematches of this table were closed; open a new table."
        )


def can_have_rematch(table: Table) -> bool:
    """Returns whether a rematch may follow the end of the table: people play there, and not in a tournament."""
    people = any(is_person(table, seat) for seat in range(len(table.seats)))
    return people and table.started_at > 0 and table.tournament is None
