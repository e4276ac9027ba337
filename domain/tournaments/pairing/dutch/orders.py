"""The order in which equally good pairings of a bracket are generated (C.04.3, articles 3 and 4). The first one counts.

As with the criteria, the position of a pairing in this order is an integer, the sum over its pairs. The higher ranked
player of a pair is given first.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from hoodwink.domain.tournaments.pairing.dutch.players import Player


class MovedDownOrder:
    """The order of the pairings of players who were moved down: by the players who are paired, then by their opponents."""

    lead: Final[Mapping[int, int]] = {}

    def __init__(self, level: int, players: Sequence[Player]) -> None:
        """Initializes the order; `players` are those still to be paired, in order."""
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

    def cost(self, higher: Player, lower: Player) -> int:
        """Returns the summand of a pair."""
        if higher.level <= self.level or lower.level > self.level:
            return 0
        if lower.level < self.level:
            return self._unpaired[higher.number]
        return self._opponent[higher.number] * self._position[lower.number]


class ResidentOrder:
    """The order of the pairings among the players of a level: those with the fewest exchanges between the halves first.

    Attributes:
        lead: the guess that pairs the first players of both halves, the second players, and so on; see `Field.match`.
    """

    def __init__(self, level: int, players: Sequence[Player], pairs: int) -> None:
        """Initializes the order.

        Args:
            level: the level of the bracket.
            players: the players still to be paired, in order.
            pairs: the number of pairs among the residents.
        """
        self._position = {
            player.number: position
            for position, player in enumerate(
                (resident for resident in players if resident.level == level), 1
            )
        }
        size = len(self._position)
        self.pairs = pairs
        self._opponent = [0] * (size + 1)
        unit = 1
        for position in range(size, 0, -1):
            self._opponent[position] = unit
            unit *= size - position + 1
        # The lowest players leave the first half first, and the highest enter it first.
        self._moved = [0] * (size + 1)
        for position in (*range(size, pairs, -1), *range(1, pairs + 1)):
            self._moved[position] = unit
            unit *= 2
        self._sum, self._exchange = unit, unit * (size * size + 1)
        self.bound = self._exchange * (pairs + 2)
        self.lead = self._lead()

    def _lead(self) -> Mapping[int, int]:
        """Returns the dual solution of that pairing.

        The duals of neighbours in the second half differ by more than the cost of a position for later players of the
        first half, and by less than that cost for earlier ones.
        """
        numbers = list(self._position)
        lead: dict[int, int] = {}
        price = 0
        for i, number in enumerate(numbers[self.pairs :], 1):
            lead[number] = -price - self._exchange
            if i <= self.pairs:
                natural = self._opponent[i] * self.pairs + self._sum * i + self._moved[i]
                lead[numbers[i - 1]] = price - 2 * natural + self._exchange
                price += self._opponent[i] + self._opponent[i + 1]
        return lead

    def cost(self, higher: Player, lower: Player) -> int:
        """Returns the summand of a pair."""
        first, second = self._position.get(higher.number), self._position.get(lower.number)
        if first is None or second is None:
            return 0
        cost = self._opponent[first] * (second - first) + self._sum * first
        if first <= self.pairs:
            return cost + self._moved[first]
        return cost + self._exchange - self._moved[first]
