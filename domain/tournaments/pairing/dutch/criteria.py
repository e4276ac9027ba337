"""The criteria by which the pairings of a bracket are compared (C.04.3, articles 2.3 and 2.4: [C6] to [C21]).

The cost of a pairing is an integer whose digits are the criteria, the most important first, so that sums compare like
lists of counts. It is the sum over the pairs, so the best pairing is a minimum-cost matching.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, repeat
from operator import mul
from typing import Final

from hoodwink.domain.tournaments.pairing.dutch.allocation import wants, weight_of_preference
from hoodwink.domain.tournaments.pairing.dutch.colours import Strength
from hoodwink.domain.tournaments.pairing.dutch.players import Player

_DOWN, _UP = -1, 1
_TWICE = ("ww", "bb")

# The most important criterion comes last. Criteria about score differences have a digit for each level above the bracket.
_SINGLE: Final = ("C17", "C16", "C15", "C14", "C13", "C12", "C11", "C10", "C9")
_BY_LEVEL: Final = ("C21", "C20", "C19", "C18")


class Criteria:
    """The costs of pairs and downfloats in the bracket of a level; each cost is below `bound`."""

    def __init__(self, level: int, players: Sequence[Player], *, counts_unplayed: bool, radix: int) -> None:
        """Initializes the costs.

        Args:
            level: the level of the bracket.
            players: the players still to be paired.
            counts_unplayed: whether exactly one player floats down from the bracket and gets the bye [C9].
            radix: a number above every count of a criterion.
        """
        above = sorted({player.level for player in players if player.level > level})
        digit = powers(radix)
        levels = {name: {higher: next(digit) for higher in above} for name in _BY_LEVEL}
        unit = {name: next(digit) for name in _SINGLE}
        levels["C8"] = {higher: next(digit) for higher in (level, *above)}
        unit["C8"] = next(digit)
        levels["C7"] = {higher: next(digit) for higher in above}
        unit["C6"] = next(digit)
        self.bound = next(digit)
        self.level = level
        self._unit = unit
        self._levels = levels
        self._unplayed = unit["C9"] if counts_unplayed else 0
        self._down = {player.number: self._downfloat(player) for player in players}
        self._beyond = {player.number: self._float_beyond_next(player) for player in players}

    def cost(self, higher: Player, lower: Player) -> int:
        """Returns the cost of a pair in this bracket or in a later one."""
        if lower.level >= self.level:
            return self._pair(higher, lower) if lower.level == self.level else 0
        cost = self._down[higher.number]
        if lower.level < self.level - 1:
            cost += self._beyond[higher.number]
        if lower.is_bye and higher.level >= self.level:
            cost += self._unplayed * higher.unplayed
        return cost

    def _downfloat(self, player: Player) -> int:
        """Returns the cost of a player's downfloat from the bracket: [C6], [C7], [C14], [C16], [C18], [C20]."""
        if player.level < self.level:
            return 0
        last, before = (floated == _DOWN for floated in player.floats)
        if player.level == self.level:
            return self._unit["C6"] + last * self._unit["C14"] + before * self._unit["C16"]
        by_level = {name: units[player.level] for name, units in self._levels.items()}
        return self._unit["C6"] + by_level["C7"] + last * by_level["C18"] + before * by_level["C20"]

    def _float_beyond_next(self, player: Player) -> int:
        """Returns the cost of a player who also floats down from the next bracket [C8]."""
        if player.level < self.level - 1:
            return 0
        return self._unit["C8"] + self._levels["C8"].get(player.level, 0)

    def _pair(self, higher: Player, lower: Player) -> int:
        """Returns the cost of a pair within the bracket, for colours and repeated upfloats of the lower player."""
        cost = self._colours(higher, lower)
        if higher.level > lower.level:
            last, before = (floated == _UP for floated in lower.floats)
            if last:
                cost += self._unit["C15"] + self._levels["C19"][higher.level]
            if before:
                cost += self._unit["C17"] + self._levels["C21"][higher.level]
        return cost

    def _colours(self, one: Player, other: Player) -> int:
        mine, theirs = one.preference, other.preference
        if mine is None or theirs is None or mine.colour != theirs.colour:
            return 0
        cost = self._unit["C12"]
        if mine.strength > Strength.MILD and theirs.strength > Strength.MILD:
            cost += self._unit["C13"]
        if one.is_topscorer or other.is_topscorer:
            cost += _widens(one, other) * self._unit["C10"] + _repeats(one, other) * self._unit["C11"]
        return cost


def _widens(one: Player, other: Player) -> bool:
    """Returns whether either gets a colour difference beyond 2 [C10]; then both already have the same difference of 2."""
    return one.colour_difference == other.colour_difference and abs(one.colour_difference) >= 2


def _repeats(one: Player, other: Player) -> bool:
    """Returns whether either gets the same colour a third time in a row [C11]; both must prefer the same colour."""
    if one.colours[-2:] == other.colours[-2:] and one.colours[-2:] in _TWICE:
        return True
    mine, theirs = weight_of_preference(one), weight_of_preference(other)
    refused = min(one, other, key=weight_of_preference)
    return mine != theirs and refused.colours[-2:] == ("bb" if wants(refused, "w") else "ww")


def powers(radix: int) -> Iterator[int]:
    """Yields 1, the radix, its square and so on."""
    return accumulate(repeat(radix), mul, initial=1)
