"""The field: the players of a round, the pairs that may meet, and the best matching of unpaired players."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from hoodwink.domain.tournaments.pairing.dutch.matching import heaviest_matching
from hoodwink.domain.tournaments.pairing.dutch.players import Player
from hoodwink.domain.tournaments.pairing.dutch.violations import Violations

Cost: TypeAlias = Callable[[Player, Player], int]
"""Returns the cost of a pair; the first argument is the higher ranked player, who comes earlier in the field."""

_NO_LEAD: Final[Mapping[int, int]] = {}


class Field:
    """The players of a round, identified by their index in `players`; sets of them are bits of an integer.

    Attributes:
        opponents: the players whom each player may meet. If no round is legal, they are all players, and broken rules
            cost more than anything else.
        has_no_legal_round: whether no round is legal.
        radix: a number above all counts of players and rounds.
    """

    def __init__(self, players: Sequence[Player], violations: Violations) -> None:
        """Initializes the field with an even number of players in order; the bye, if there is one, comes last."""
        self.players = players
        self.violations = violations
        self.radix = violations.radix
        self.everybody = (1 << len(players)) - 1
        self.opponents = [0] * len(players)
        for i, player in enumerate(players):
            for j in range(i + 1, len(players)):
                if not violations.of(player, players[j]):
                    self._allow(i, j)
        self.has_no_legal_round = not self.can_pair(self.everybody)
        if self.has_no_legal_round:
            self.opponents = [self.everybody & ~(1 << i) for i in range(len(players))]

    def _allow(self, i: int, j: int) -> None:
        self.opponents[i] |= 1 << j
        self.opponents[j] |= 1 << i

    def where(self, condition: Callable[[Player], bool]) -> int:
        """Returns the set of players who satisfy a condition."""
        return sum(1 << i for i, player in enumerate(self.players) if condition(player))

    def those(self, players: int) -> list[Player]:
        """Returns the players of a set, in order."""
        return [self.players[i] for i in bits(players)]

    def can_pair(self, players: int) -> bool:
        size = players.bit_count()
        if size % 2:
            return False
        if all(2 * (self.opponents[i] & players).bit_count() >= size for i in bits(players)):
            return True  # by Dirac's theorem (1952), there is even a cycle through all of them
        return len(self._match(players, lambda _higher, _lower: 0, 1, _NO_LEAD)) * 2 == size

    def settle_bye_level(self) -> int:
        """Restricts the bye to players of the lowest possible score [C5]; returns the level of that score."""

        def cost(higher: Player, lower: Player) -> int:
            return higher.level if lower.is_bye else 0

        bye = len(self.players) - 1
        level = next(
            self.players[i].level for i, j in self.match(self.everybody, cost, self.radix) if j == bye
        )
        eligible = self.where(lambda player: player.level == level) & self.opponents[bye]
        self.opponents = [
            row | 1 << bye if eligible >> i & 1 else row & ~(1 << bye) for i, row in enumerate(self.opponents)
        ]
        self.opponents[bye] = eligible
        return level

    def match(
        self, players: int, cost: Cost, bound: int, lead: Mapping[int, int] = _NO_LEAD
    ) -> list[tuple[int, int]]:
        """Returns a maximum matching of a set of players with minimum cost.

        Args:
            bound: a number above the cost of any such matching.
            lead: a guess that saves time: a number per player, 0 by default. The numbers of any two players must add up
                to at least minus twice the cost of their pair, and should add up to exactly that for likely pairs.
        """
        if self.has_no_legal_round:
            violations = self.violations
            return self._match(
                players,
                lambda higher, lower: violations.of(higher, lower) * bound + cost(higher, lower),
                violations.bound * bound,
                lead,
            )
        return self._match(players, cost, bound, lead)

    def _match(self, players: int, cost: Cost, bound: int, lead: Mapping[int, int]) -> list[tuple[int, int]]:
        positions = list(bits(players))
        local = {position: i for i, position in enumerate(positions)}
        weights: list[dict[int, int]] = [{} for _ in positions]
        for i, position in enumerate(positions):
            player = self.players[position]
            for other in bits((self.opponents[position] & players) >> (position + 1) << (position + 1)):
                weight = bound - cost(player, self.players[other])
                weights[i][local[other]] = weights[local[other]][i] = weight
        start = [bound + lead.get(self.players[position].number, 0) for position in positions]
        return [
            (positions[i], positions[j]) for i, j in enumerate(heaviest_matching(weights, start)) if i < j
        ]


def bits(players: int) -> Iterator[int]:
    """Yields the positions in a set, ascending."""
    while players:
        lowest = players & -players
        yield lowest.bit_length() - 1
        players ^= lowest
