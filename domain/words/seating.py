"""The names of the players in their seats, for sentences."""

from collections import Counter
from functools import lru_cache
from typing import TypeAlias, assert_never

import msgspec

from domain.kernel import Event, replace_at
from domain.tables import Table
from domain.tables.events import SeatLeft, SeatTaken, TableOpened

SeatingEvent: TypeAlias = TableOpened | SeatTaken | SeatLeft


class Seating(msgspec.Struct, frozen=True, gc=False):
    """The holder of each seat.

    Attributes:
        holders: the name of each seat's holder, or `None` for an empty seat.
        are_bots: whether each seat is held by a bot.
    """

    holders: tuple[str | None, ...] = ()
    are_bots: tuple[bool, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each seat in sentences; equal names are distinguished by the numbers of their seats.

        >>> Seating(("Ada", "Bot", None, "Bot"), (False, True, False, True)).names
        ('Ada', 'Bot (seat 1)', 'Seat 2', 'Bot (seat 3)')
        """
        return _distinct(self.holders)


@lru_cache(1024)
def _distinct(holders: tuple[str | None, ...]) -> tuple[str, ...]:
    often = Counter(holders)
    return tuple(
        f"Seat {seat}" if name is None else name if often[name] == 1 else f"{name} (seat {seat})"
        for seat, name in enumerate(holders)
    )


def seating_of(table: Table) -> Seating:
    """Returns the seating of a table."""
    return Seating(
        tuple([None if occupant is None else occupant.name for occupant in table.seats]),
        tuple([occupant is not None and occupant.policy is not None for occupant in table.seats]),
    )


def seating_after(seating: Seating, event: Event) -> Seating:
    """Returns the seating after an event; once a table has started it never changes."""
    if not isinstance(event, SeatingEvent):
        return seating
    match event:
        case TableOpened():
            return Seating((None,) * event.seats, (False,) * event.seats)
        case SeatTaken():
            return _changed(seating, event.seat, event.name, is_bot=event.policy is not None)
        case SeatLeft():
            return _changed(seating, event.seat, None, is_bot=False)
        case _:
            assert_never(event)


def _changed(seating: Seating, seat: int, name: str | None, *, is_bot: bool) -> Seating:
    return Seating(replace_at(seating.holders, seat, name), replace_at(seating.are_bots, seat, is_bot))
