"""The order in which equally good pairings of a bracket are generated (C.04.3, articles 3 and 4); the first one counts.

As with the criteria, a pair's part of a pairing's position in that order is an integer.
"""

from collections.abc import Sequence

from domain.tournaments.pairing.dutch.players import Player


class MovedDownOrder:
    """The order of the pairings of players who were moved down: who of them is paired, then with whom."""

    def __init__(self, level: int, players: Sequence[Player]) -> None:
        """Takes the players who are still to be paired, in order."""
        moved = [player.number for player in players if player.level > level]
        residents = [player.number for player in players if player.level == level]
        self._position = {number: position for position, number in enumerate(residents, 1)}
        self._opponent: dict[int, int] = {}
        self._unpaired: dict[int, int] = {}
        unit = 1
        for number in reversed(moved):
            self._opponent[number] = unit
            unit *= len(residents) + 1
        for number in reversed(moved):
            self._unpaired[number] = unit
            unit *= 2
        self.bound = unit
        self.level = level

    def cost(self, one: Player, other: Player) -> int:
        """Returns the pair's part."""
        higher, lower = (one, other) if one.level >= other.level else (other, one)
        if higher.level <= self.level or lower.level > self.level:
            return 0
        if lower.level < self.level:
            return self._unpaired[higher.number]
        return self._opponent[higher.number] * self._position[lower.number]


class ResidentOrder:
    """The order of the pairings of a level's players among themselves: fewest exchanges between halves first."""

    def __init__(self, level: int, players: Sequence[Player], pairs: int) -> None:
        """Takes the players who are still to be paired, in order, and how many pairs the residents make."""
        self._position = {
            player.number: position
            for position, player in enumerate((each for each in players if each.level == level), 1)
        }
        size = len(self._position)
        self.pairs = pairs
        self._opponent = [0] * (size + 1)
        unit = 1
        for position in range(size, 0, -1):
            self._opponent[position] = unit
            unit *= size - position + 1
        # Of those who leave the first half, the lowest; of those who come into it, the highest.
        self._moved = [0] * (size + 1)
        for position in (*range(size, pairs, -1), *range(1, pairs + 1)):
            self._moved[position] = unit
            unit *= 2
        self._sum, self._exchange = unit, unit * (size * size + 1)
        self.bound = self._exchange * (pairs + 2)

    def cost(self, one: Player, other: Player) -> int:
        """Returns the pair's part."""
        first, second = self._position.get(one.number), self._position.get(other.number)
        if first is None or second is None:
            return 0
        if first > second:
            first, second = second, first
        cost = self._opponent[first] * (second - first) + self._sum * first
        if first <= self.pairs:
            return cost + self._moved[first]
        return cost + self._exchange - self._moved[first]
