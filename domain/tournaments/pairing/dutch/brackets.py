"""The pairing of a round, bracket by bracket (C.04.3, articles 1.3, 1.9, 3 and 4).

Each bracket is decided by a matching of all players who are not paired yet, so that the others can always be paired [C4].
The costs are the criteria, followed by the order in which equally good pairings are generated.
"""

from typing import TypeAlias

from hoodwink.domain.tournaments.pairing.dutch.criteria import Criteria
from hoodwink.domain.tournaments.pairing.dutch.field import Field, bits
from hoodwink.domain.tournaments.pairing.dutch.orders import MovedDownOrder, ResidentOrder
from hoodwink.domain.tournaments.pairing.dutch.players import Player

_Places: TypeAlias = tuple[int, int]
_Order: TypeAlias = MovedDownOrder | ResidentOrder


def pair_brackets(field: Field) -> list[tuple[Player, Player]]:
    """Returns the pairs of a round; the second player of one may be the bye."""
    brackets = _Brackets(field)
    for level in sorted({player.level for player in field.players}, reverse=True):
        brackets.pair(level)
    return [(field.players[i], field.players[j]) for i, j in brackets.pairs]


class _Brackets:
    """The pairs so far, and the players who have not been paired."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.left = field.everybody
        self.pairs: list[_Places] = []
        self.bye = field.where(lambda player: player.is_bye)
        self.bye_level = field.settle_bye_level() if self.bye else 0

    def pair(self, level: int) -> None:
        """Pairs the bracket of a level: first the players moved down to it, then the players of the level."""
        bracket = self.field.where(lambda player: player.level >= level) & self.left
        if not self._has_pairs(level, bracket):
            return
        ends_with_bye = self._ends_with_bye(level, bracket)
        if any(player.level > level for player in self.field.those(bracket)):
            self._pair_moved_down(level, ends_with_bye=ends_with_bye)
        self._pair_residents(level, ends_with_bye=ends_with_bye)

    def _has_pairs(self, level: int, bracket: int) -> bool:
        residents = self.field.where(lambda player: player.level == level) & self.left
        return any(self.field.opponents[i] & bracket for i in bits(residents))

    def _ends_with_bye(self, level: int, bracket: int) -> bool:
        """Returns whether the only downfloater of the bracket gets the bye, so that [C9] applies."""
        if level > self.bye_level:
            return False
        rest = self.left & ~bracket & ~self.bye
        return level <= 1 or (self.field.can_pair(bracket | self.bye) and self.field.can_pair(rest))

    def _pair_moved_down(self, level: int, *, ends_with_bye: bool) -> None:
        order = MovedDownOrder(level, self.field.those(self.left))
        for i, j in self._best(level, order, ends_with_bye=ends_with_bye):
            if self.field.players[i].level > level == self.field.players[j].level:
                self._make(i, j)

    def _pair_residents(self, level: int, *, ends_with_bye: bool) -> None:
        """Pairs the players of the level. Their order depends on the number of pairs, which is guessed first."""
        left = self.field.those(self.left)
        expected = -1
        pairs: list[_Places] = []
        count = sum(player.level == level for player in left) // 2
        while count != expected:
            expected = count
            best = self._best(level, ResidentOrder(level, left, expected), ends_with_bye=ends_with_bye)
            pairs = [
                (i, j) for i, j in best if self.field.players[i].level == level == self.field.players[j].level
            ]
            count = len(pairs)
        for i, j in pairs:
            self._make(i, j)

    def _best(self, level: int, order: _Order, *, ends_with_bye: bool) -> list[_Places]:
        field = self.field
        criteria = Criteria(level, field.those(self.left), counts_unplayed=ends_with_bye, radix=field.radix)

        def cost(higher: Player, lower: Player) -> int:
            return criteria.cost(higher, lower) * order.bound + order.cost(higher, lower)

        return field.match(self.left, cost, criteria.bound * order.bound, order.lead)

    def _make(self, i: int, j: int) -> None:
        self.left &= ~(1 << i | 1 << j)
        self.pairs.append((i, j))
