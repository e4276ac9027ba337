"""Rooms: who may sit down at a table, who may watch it, before and after its end, and which lists name it (G-3)."""

from domain.kernel import RuleViolation
from domain.tables.codes import TableCode
from domain.tables.commands import OpenTable
from domain.tables.state import Table, seat_of


def is_listed(table: Table | OpenTable) -> bool:
    """Returns whether lists and books show the table to everybody: it is public, and everyone may watch it."""
    return not table.private and table.watch == "everyone"


def check_rated(command: OpenTable) -> None:
    """Raises `RuleViolation` for a rated table that is not listed, since ratings name the tables they come from."""
    if command.rated and not is_listed(command):
        raise RuleViolation(TableCode.UNLISTED_UNRATED)


def belongs_to(table: Table, player: str | None) -> bool:
    """Returns whether a player is the host, or holds a seat, resigned or not."""
    return player is not None and (player == table.host or seat_of(table, player) is not None)


def may_watch(table: Table, player: str | None, *, is_invited: bool) -> bool:
    """Returns whether somebody may see the table, now and after its end.

    Args:
        player: their id; `None` for somebody unknown.
        is_invited: whether they have the invitation code of the table.
    """
    if table.watch == "everyone" or (is_invited and table.watch == "invited"):
        return True
    return belongs_to(table, player)


def may_sit_down(table: Table, player: str, *, is_invited: bool) -> bool:
    """Returns whether a player may take a free seat."""
    return not table.private or is_invited or belongs_to(table, player)
