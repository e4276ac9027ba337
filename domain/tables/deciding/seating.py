"""The commands before the first deal: opening a table, taking seats, revealing seeds."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from hoodwink.domain.cards import commitment
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event, RuleViolation, check_seats, options_of
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.checks import check_phase, check_seat
from hoodwink.domain.tables.deciding.rooms import check_rated, free_seat
from hoodwink.domain.tables.events import (
    PlayerSeedMissed,
    PlayerSeedRevealed,
    SeatLeft,
    SeatTaken,
    TableOpened,
)
from hoodwink.domain.tables.evolve import opened_with
from hoodwink.domain.tables.fairness import (
    LOG_FORMATS,
    SeedStatus,
    is_commitment,
    is_committable,
    is_revealed_by,
)
from hoodwink.domain.tables.pace import check_pace, pace_at_start
from hoodwink.domain.tables.state import Phase, Table, reveals_until, seed_of, unrevealed

Events = tuple[Event, ...]


def open_table(table: Table, command: commands.OpenTable) -> Events:
    if table.version:
        raise RuleViolation(TableCode.TABLE_EXISTS)
    rulebook = GAMES.get(command.game)
    if rulebook is None:
        raise RuleViolation(TableCode.UNKNOWN_GAME)
    check_seats(rulebook, command.seats)
    options = options_of(rulebook, command.options)
    rulebook.check_options(options, command.seats)
    if command.edition not in LOG_FORMATS:
        raise RuleViolation(TableCode.UNKNOWN_EDITION)
    _check_commitment(command.seed_commitment)
    check_pace(command)
    check_rated(command)
    return (
        TableOpened(
            table=command.table,
            game=command.game,
            seats=command.seats,
            options=msgspec.to_builtins(options),
            host=command.host,
            turn_seconds=command.turn_seconds,
            commitment=commitment(command.server_seed),
            server_seed=command.server_seed,
            edition=command.edition,
            seed_commitment=command.seed_commitment,
            rated=command.rated,
            first_dealer=None,
            tournament=None,
            parent=None,
            bot_delay=command.bot_delay,
            round_pause=command.round_pause,
            private=command.private,
            watch=command.watch,
            rematch_of=command.rematch_of,
            take_backs=not command.rated if command.take_backs is None else command.take_backs,
        ),
    )


def take_seat(table: Table, command: commands.TakeSeat) -> Events:
    """Returns the event that seats a player or a bot."""
    check_phase(table, Phase.OPEN)
    if command.policy is None and any(
        occupant is not None and occupant.player == command.player for occupant in table.seats
    ):
        raise RuleViolation(TableCode.ALREADY_SEATED)
    seat = free_seat(table, command.seat, player=None if command.policy else command.player)
    _check_seed(command)
    return (SeatTaken(seat, command.player, command.policy, command.seed, command.seed_commitment),)


def seated_by_host(table: Table, occupants: Iterable[commands.TakeSeat], now: int) -> Events:
    """Returns the events with which the host seats bots, and possibly themselves, while opening a table."""
    events: Events = ()
    for occupant in occupants:
        if occupant.policy is None and occupant.player != table.host:
            raise RuleViolation(TableCode.NOT_YOUR_SEAT, "The host may seat only bots and themselves.")
        seated = take_seat(table, occupant)
        table = opened_with(table, seated, now)
        events += seated
    return events


def _check_seed(command: commands.TakeSeat) -> None:
    """Rejects two seeds for one seat, and seeds for bots, because the host would choose them."""
    _check_commitment(command.seed_commitment)
    if command.seed and command.seed_commitment:
        raise RuleViolation(TableCode.TWO_SEEDS)
    if command.policy is not None and (command.seed or command.seed_commitment):
        raise RuleViolation(TableCode.BOT_SEED)


def _check_commitment(committed: str) -> None:
    if committed and not is_commitment(committed):
        raise RuleViolation(TableCode.INVALID_COMMITMENT)


def leave_seat(table: Table, command: commands.LeaveSeat) -> Events:
    check_phase(table, Phase.OPEN)
    check_seat(table, command.seat)
    if table.seats[command.seat] is None:
        raise RuleViolation(TableCode.SEAT_EMPTY)
    return (SeatLeft(command.seat),)


def start_table(table: Table) -> Events:
    """Returns the event that begins play."""
    check_phase(table, Phase.OPEN)
    if None in table.seats:
        raise RuleViolation(TableCode.SEATS_EMPTY)
    return (pace_at_start(table),)


def reveal_seed(table: Table, command: commands.RevealSeed, now: int) -> Events:
    until = _check_unrevealed(table, command.seat)
    # The clock decides, even if the miss is not recorded yet: a slow worker must not give one player more time.
    if now >= until:
        raise RuleViolation(TableCode.REVEAL_OVER)
    if not is_committable(command.seed):
        raise RuleViolation(TableCode.INVALID_SEED)
    if not is_revealed_by(seed_of(table, command.seat), command.seed):
        raise RuleViolation(TableCode.WRONG_SEED)
    return (PlayerSeedRevealed(command.seat, command.seed),)


def miss_seed(table: Table, command: commands.MissSeed, now: int) -> Events:
    """Returns the event of a seed that was not revealed in time and counts as empty."""
    if now < _check_unrevealed(table, command.seat):
        raise RuleViolation(TableCode.REVEAL_RUNNING)
    return (PlayerSeedMissed(command.seat),)


def _check_unrevealed(table: Table, seat: int | None) -> int:
    """Returns the deadline for revealing the seed; raises `RuleViolation` unless the seed is awaited."""
    check_phase(table, Phase.PLAYING)
    if seat is not None:
        check_seat(table, seat)
    until = reveals_until(table)
    if until is None or seat not in unrevealed(table):
        raise RuleViolation(_REVEALED_OR_MISSED.get(seed_of(table, seat).status, TableCode.NO_SEED_AWAITED))
    return until


_REVEALED_OR_MISSED: Final[Mapping[SeedStatus, TableCode]] = MappingProxyType(
    {SeedStatus.REVEALED: TableCode.ALREADY_REVEALED, SeedStatus.MISSED: TableCode.REVEAL_OVER}
)
