"""Forks: tables that continue from some point of an ended table, stored here or imported."""

from collections.abc import Sequence
from typing import Final

import msgspec

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.players import Player
from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.commands import ForkTable, TakeSeat
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.commands.intents import bot_at
from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.application.ports import Entropy, IdempotencyKey
from hoodwink.service.application.streams.tables import Accepted, Tables

MAX_PARENT: Final = 4 * 1024 * 1024
"""Bytes of its parent's log that a fork may contain, so that its own log stays small enough to be verified."""

MYSELF: Final = "me"
"""Denotes the host in the seats of a fork."""


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """A request to fork a table.

    Attributes:
        table: the id of the fork.
        version: of the parent; a version within a command means the end of that command.
        seats: `MYSELF`, a bot's policy, or `None` for a free seat, in seat order.
    """

    table: str
    host: Player
    version: int
    turn_seconds: int | None = None
    bot_delay: int | None = None
    round_pause: int | None = None
    seed_commitment: str = ""
    seats: tuple[str | None, ...] = ()


class Forks:
    def __init__(self, *, tables: Tables, entropy: Entropy) -> None:
        self._tables = tables
        self._entropy = entropy

    def open(self, fork: Fork, parent: Sequence[Entry], *, key: IdempotencyKey) -> Accepted:
        """Opens a fork of the table whose whole log is `parent`; the same id and key again return the first result.

        Raises:
            NotFound: the parent has no such version.
            RuleViolation: nothing is left to play from that version, or the log up to it is too long.
        """
        command = ForkTable(
            table=fork.table,
            host=fork.host.id,
            turn_seconds=fork.turn_seconds,
            bot_delay=fork.bot_delay,
            round_pause=fork.round_pause,
            # A new seed: the parent's was revealed at its end, and players could compute the next deals from it.
            server_seed=self._entropy.server_seed(),
            entries=settled(parent, fork.version),
            seed_commitment=fork.seed_commitment,
            occupants=tuple(
                [
                    _occupant(fork.host, seat, occupant)
                    for seat, occupant in enumerate(fork.seats)
                    if occupant is not None
                ]
            ),
        )
        return self._tables.open(fork.table, command, by=HOST, key=key)


def settled(entries: Sequence[Entry], version: int) -> tuple[Entry, ...]:
    """Returns a log up to the end of the command that a version belongs to.

    Raises:
        NotFound: there is no such version.
        RuleViolation: that part is too long.
    """
    if version > len(entries):
        raise NotFound(NotFoundCode.VERSION_NOT_FOUND)
    end = version  # a log must not end within a command, because its events were decided together
    while end < len(entries) and entries[end].cmd == entries[version - 1].cmd:
        end += 1
    if sum([len(bytes(entry.data)) for entry in entries[:end]]) > MAX_PARENT:
        raise RuleViolation(
            TableCode.PARENT_TOO_LONG,
            f"A fork may hold {MAX_PARENT:,} bytes of its parent; choose an earlier version.",
        )
    return tuple(entries[:end])


def _occupant(host: Player, seat: int, occupant: str) -> TakeSeat:
    if occupant == MYSELF:
        return TakeSeat(player=host.id, seat=seat)
    return bot_at(seat, policy=occupant)
