"""The standings of all players of a game, as an immutable value: a changed copy shares everything that stays the same."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from hoodwink.domain.ratings.model import Rating
from hoodwink.domain.ratings.parts import NUMBER_OF_PARTS, Parts, part_of, replaced

RECENT_TABLES: Final = 10
"""The number of latest tables over which a trend is measured."""


class Standing(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The standing of a player.

    Attributes:
        tables: the number of tables that count.
        recent: the mean before each of the latest tables, the oldest first, in millionths.
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
    """An immutable map from players to standings."""

    parts: Parts[str, Standing] = ({},) * NUMBER_OF_PARTS

    def get(self, player: str) -> Standing | None:
        """Returns the standing of a player, or `None` before the first table."""
        return self.parts[part_of(player)].get(player)

    def __iter__(self) -> Iterator[Standing]:
        """Yields every standing, in no particular order."""
        for part in self.parts:
            yield from part.values()

    def replaced(self, standings: Iterable[Standing]) -> "Standings":
        """Returns these standings with new ones for some players."""
        return Standings(replaced(self.parts, [(standing.player, standing) for standing in standings]))

    def difference(self, earlier: "Standings") -> tuple[tuple[Standing, ...], tuple[str, ...]]:
        """Returns the standings that differ from the earlier ones, and the players who no longer have one, sorted by player."""
        changed, gone = list[Standing](), list[str]()
        for now, before in zip(self.parts, earlier.parts, strict=True):
            if now is not before:
                changed += [standing for player, standing in now.items() if before.get(player) != standing]
                gone += before.keys() - now.keys()
        changed.sort(key=lambda standing: standing.player)
        return tuple(changed), tuple(sorted(gone))
