"""How often each two accounts met at rated tables of a day (R-6)."""

from collections.abc import Sequence
from typing import Final

import msgspec

from hoodwink.domain.ratings.events import RatedSeat, account_of
from hoodwink.domain.ratings.model import DAY_MS
from hoodwink.domain.ratings.parts import NUMBER_OF_PARTS, Parts, part_of, replaced

MAX_TABLES_PER_DAY: Final = 10
"""The number of tables per UTC day at which a pair of accounts are compared with each other (R-6)."""

Pair = tuple[int, int]
"""Two seats of a table."""


class Meetings(msgspec.Struct, frozen=True, gc=False):
    """An immutable record of the pairs of accounts, of people or bots, that met at rated tables on the latest UTC day.

    Attributes:
        day: the number of the day since the epoch.
        tables: how often each pair met, up to `MAX_TABLES_PER_DAY`, by the player whose id comes first.
    """

    day: int = 0
    tables: Parts[str, dict[str, int]] = ({},) * NUMBER_OF_PARTS

    def after(self, seats: Sequence[RatedSeat], at: int) -> "tuple[Meetings, tuple[Pair, ...]]":
        """Returns the meetings after a table rated at that time, and its pairs who had already met often enough."""
        today = self if at // DAY_MS == self.day else Meetings(at // DAY_MS)
        accounts = sorted([(seat.player, n) for n, seat in enumerate(seats) if account_of(seat.player)])
        met, spent = list[tuple[str, dict[str, int]]](), list[Pair]()
        for first, (player, one) in enumerate(accounts[:-1], start=1):
            times = {**today.tables[part_of(player)].get(player, {})}
            for opponent, other in accounts[first:]:
                before = times.get(opponent, 0)
                if before < MAX_TABLES_PER_DAY:
                    times[opponent] = before + 1
                else:
                    spent.append((one, other) if one < other else (other, one))
            met.append((player, times))
        return Meetings(today.day, replaced(today.tables, met)), tuple(sorted(spent))
