"""How all players of a game stand, as a value: changing some makes another one, which shares the rest."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from domain.ratings.model import Rating

RECENT_TABLES: Final = 10
"""A trend is the change over so many of the latest tables."""


class Standing(msgspec.Struct, frozen=True, gc=False):
    """How a player stands.

    Attributes:
        tables: how many count.
        recent: the means before each of the latest tables, oldest first, in millionths.
        rated_at: when the latest table was rated, in ms since the epoch.
    """

    player: str
    rating: Rating
    tables: int
    recent: tuple[int, ...]
    rated_at: int

    @property
    def trend(self) -> int:
        """The change of the mean over the latest tables, in millionths."""
        return self.rating.mu - self.recent[0]


class Standings(msgspec.Struct, frozen=True, gc=False):
    """Maps players to standings. It never changes; `replaced` shares whatever stays as it is.

    Attributes:
        parts: the players by what they hash to, so that only the parts with a changed player need to be copied.
    """

    parts: tuple[dict[str, Standing], ...] = ({},) * 256

    def get(self, player: str) -> Standing | None:
        """Returns the standing of a player, or `None` before the first table."""
        return self.parts[hash(player) % len(self.parts)].get(player)

    def __iter__(self) -> Iterator[Standing]:
        """Yields every standing, in no order."""
        for part in self.parts:
            yield from part.values()

    def replaced(self, standings: Iterable[Standing]) -> "Standings":
        """Returns these standings with others for some players."""
        parts = list(self.parts)
        for standing in standings:
            number = hash(standing.player) % len(parts)
            parts[number] = {**parts[number], standing.player: standing}
        return Standings(tuple(parts))

    def difference(self, earlier: "Standings") -> tuple[tuple[Standing, ...], tuple[str, ...]]:
        """Returns the standings that are not as earlier, and the players who no longer have one, both by player."""
        changed, gone = list[Standing](), list[str]()
        for now, before in zip(self.parts, earlier.parts, strict=True):
            if now is not before:
                changed += [standing for player, standing in now.items() if before.get(player) != standing]
                gone += before.keys() - now.keys()
        changed.sort(key=lambda standing: standing.player)
        return tuple(changed), tuple(sorted(gone))
