"""The names of the players in their seats, for sentences."""

from collections import Counter
from functools import lru_cache
from typing import TypeAlias, assert_never

import msgspec

from hoodwink.domain.kernel import Event, Names, bot_name, replace_at, without_name
from hoodwink.domain.players import SOMEONE_WHO_LEFT
from hoodwink.domain.tables.events import SeatLeft, SeatTaken, TableOpened
from hoodwink.domain.tables.state import Table

SeatingEvent: TypeAlias = TableOpened | SeatTaken | SeatLeft


def with_capital(sentence: str) -> str:
    """Returns a sentence that begins with a capital if it begins with `SOMEONE_WHO_LEFT`.

    >>> with_capital("someone who left sat down."), with_capital("ada sat down.")
    ('Someone who left sat down.', 'ada sat down.')
    """
    return f"S{sentence[1:]}" if sentence.startswith(SOMEONE_WHO_LEFT) else sentence


class Seating(msgspec.Struct, frozen=True, gc=False):
    """The holder of each seat.

    Attributes:
        holders: the id of the player or the name of the bot in each seat; `None` for an empty seat.
        are_bots: whether each seat is held by a bot.
        named: the names of players by id.
    """

    holders: tuple[str | None, ...] = ()
    are_bots: tuple[bool, ...] = ()
    named: Names = without_name

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each seat in sentences. Seat numbers distinguish equal names.

        >>> Seating(("k3x9", "Steady bot", None, "a7b2"), (False, True, False, False), lambda _: "Ada").names
        ('Ada (seat 0)', 'Steady bot', 'Seat 2', 'Ada (seat 3)')
        """
        holders = zip(self.holders, self.are_bots, strict=True)
        return _distinct(
            tuple([holder if holder is None or is_bot else self.named(holder) for holder, is_bot in holders])
        )

    @property
    def people(self) -> tuple[str, ...]:
        holders = zip(self.holders, self.are_bots, strict=True)
        return tuple([holder for holder, is_bot in holders if holder is not None and not is_bot])


@lru_cache(1024)
def _distinct(holders: tuple[str | None, ...]) -> tuple[str, ...]:
    counts = Counter(holders)
    return tuple(
        f"Seat {seat}" if name is None else name if counts[name] == 1 else f"{name} (seat {seat})"
        for seat, name in enumerate(holders)
    )


def seating_of(table: Table, names: Names = without_name) -> Seating:
    return Seating(
        tuple(
            [None if who is None else _holder(who.player, who.policy) for seat, who in enumerate(table.seats)]
        ),
        tuple([who is not None and who.policy is not None for who in table.seats]),
        names,
    )


def seating_after(seating: Seating, event: Event) -> Seating:
    """Returns the seating after an event. It never changes after the start of the table."""
    if not isinstance(event, SeatingEvent):
        return seating
    match event:
        case TableOpened():
            return Seating((None,) * event.seats, (False,) * event.seats, seating.named)
        case SeatTaken():
            holder = _holder(event.player, event.policy)
            return _changed(seating, event.seat, holder, is_bot=event.policy is not None)
        case SeatLeft():
            return _changed(seating, event.seat, None, is_bot=False)
        case _:
            assert_never(event)


def _holder(player: str, policy: str | None) -> str:
    return player if policy is None else bot_name(policy)


def _changed(seating: Seating, seat: int, holder: str | None, *, is_bot: bool) -> Seating:
    holders, are_bots = replace_at(seating.holders, seat, holder), replace_at(seating.are_bots, seat, is_bot)
    return Seating(holders, are_bots, seating.named)
