"""Rooms: the players who may sit down at a table, the people who may watch it, and its host (G-3)."""

from typing import Final

from hoodwink.domain.kernel import Event, RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.commands import OfferSeat, OpenTable
from hoodwink.domain.tables.deciding.checks import check_phase, check_seat
from hoodwink.domain.tables.events import HostChanged, OfferWithdrawn, SeatOffered
from hoodwink.domain.tables.state import Phase, Table, reveals_until, seat_of

Events = tuple[Event, ...]

MIN_HOST_MS: Final = 60_000
"""The minimum time as host, so that players cannot fill the log by handing the role back and forth."""


def is_listed(table: Table | OpenTable) -> bool:
    """Returns whether everybody sees the table in lists and books: it is public, and everyone may watch it."""
    return not table.private and table.watch == "everyone"


def is_secret(table: Table) -> bool:
    """Returns whether strangers may not know that the table exists.

    Its id follows from that of its private tournament, which exists only for those who see it (T-24).
    """
    return table.tournament is not None and table.watch != "everyone"


def check_rated(command: OpenTable) -> None:
    """Raises `RuleViolation` for a rated table that is not listed, because ratings name the tables they come from."""
    if command.rated and not is_listed(command):
        raise RuleViolation(TableCode.UNLISTED_UNRATED)


def belongs_to(table: Table, player: str | None) -> bool:
    """Returns whether a player is the host, holds a seat (even if resigned) or has been offered one."""
    if player is None:
        return False
    return player == table.host or seat_of(table, player) is not None or player in table.offered


def may_watch(table: Table, player: str | None, *, is_invited: bool) -> bool:
    """Returns whether somebody may see the table, now and after its end.

    Args:
        player: their id; `None` for an unknown person.
        is_invited: whether they have the table's invitation code.
    """
    if table.is_embargoed:  # D-7: not even the host, who organises the tournament and may play in it
        return (
            player is not None and (seat := seat_of(table, player)) is not None and seat not in table.resigned
        )
    if table.watch == "everyone" or (is_invited and table.watch == "invited"):
        return True
    return belongs_to(table, player)


def may_sit_down(table: Table, player: str, *, is_invited: bool) -> bool:
    """Returns whether a player may take a free seat."""
    return not table.private or is_invited or belongs_to(table, player)


def free_seats(table: Table, player: str | None) -> list[int]:
    """Returns the seats that a player or a bot (`None`) may take; a seat offered to the player comes first."""
    free = [
        seat
        for seat, occupant in enumerate(table.seats)
        if occupant is None and table.offered[seat] in (None, player)
    ]
    return sorted(free, key=lambda seat: table.offered[seat] is None)


def free_seat(table: Table, asked: int | None, *, player: str | None) -> int:
    """Returns the requested seat, or the first one that a player or a bot may take; raises `RuleViolation`."""
    free = free_seats(table, player)
    if asked is None:
        if not free:
            raise RuleViolation(TableCode.TABLE_FULL)
        return free[0]
    check_seat(table, asked)
    if asked not in free:
        raise RuleViolation(TableCode.SEAT_OFFERED if table.offered[asked] else TableCode.SEAT_TAKEN)
    return asked


def offer_seat(table: Table, command: OfferSeat) -> Events:
    """Returns the event that reserves a free seat for a player."""
    check_phase(table, Phase.OPEN)
    if seat_of(table, command.player) is not None or command.player in table.offered:
        raise RuleViolation(TableCode.PLAYER_SEATED)
    return (SeatOffered(free_seat(table, command.seat, player=None), command.player),)


def withdraw_offer(table: Table, seat: int) -> Events:
    """Returns the event that frees a reserved seat."""
    check_phase(table, Phase.OPEN)
    check_seat(table, seat)
    if table.offered[seat] is None:
        raise RuleViolation(TableCode.SEAT_EMPTY)
    return (OfferWithdrawn(seat),)


def change_host(table: Table, player: str, now: int) -> Events:
    """Returns the event that changes the host.

    The new host has a seat, so the table is no longer supervised (DB-34). The other rules stay the same.
    """
    if table.phase is Phase.ENDED:
        raise RuleViolation(TableCode.TABLE_OVER)
    if reveals_until(table) is not None:  # only the current host can reveal the host's seed
        raise RuleViolation(TableCode.SEEDS_AWAITED)
    seat = seat_of(table, player)
    if player == table.host or seat is None or seat in table.resigned or table.tournament is not None:
        raise RuleViolation(TableCode.NO_NEW_HOST)
    if now < table.host_since + MIN_HOST_MS:
        raise RuleViolation(TableCode.HOST_IS_NEW)
    return (HostChanged(player),)
