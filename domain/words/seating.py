"""Who sits where, as far as sentences need it."""

from collections import Counter
from functools import lru_cache
from typing import TypeAlias, assert_never

import msgspec

from domain.kernel import Event, replace_at
from domain.tables import Table
from domain.tables.events import SeatLeft, SeatTaken, TableOpened

SeatingEvent: TypeAlias = TableOpened | SeatTaken | SeatLeft


class Seating(msgspec.Struct, frozen=True, gc=False):
    """Whom each seat belongs to.

    Attributes:
        holders: what the holder of each seat goes by, or `None` for an empty seat.
        are_bots: which seats a bot holds.
    """

    holders: tuple[str | None, ...] = ()
    are_bots: tuple[bool, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What to call each seat; holders of one name are told apart by their seats.

        >>> Seating(("Ada", "Bot", None, "Bot"), (False, True, False, True)).names
        ('Ada', 'Bot (seat 1)', 'Seat 2', 'Bot (seat 3)')
        """
        return _told_apart(self.holders)


@lru_cache(1024)
def _told_apart(holders: tuple[str | None, ...]) -> tuple[str, ...]:
    often = Counter(holders)
    return tuple(
        f"Seat {seat}" if name is None else name if often[name] == 1 else f"{name} (seat {seat})"
        for seat, name in enumerate(holders)
    )


def seating_of(table: Table) -> Seating:
    """Returns who sits at the table."""
    return Seating(
        tuple([None if who is None else who.name for who in table.seats]),
        tuple([who is not None and who.policy is not None for who in table.seats]),
    )


def seating_after(seating: Seating, event: Event) -> Seating:
    """Returns who sits there after an event; once a table has started nobody changes seats."""
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
