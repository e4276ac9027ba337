"""The absolute criteria and forbidden pairs. They may be broken only if no round is legal (P-2a)."""

from collections.abc import Sequence

from hoodwink.domain.tournaments.pairing.dutch.allocation import wants
from hoodwink.domain.tournaments.pairing.dutch.colours import Strength
from hoodwink.domain.tournaments.pairing.dutch.players import Player


class Violations:
    """Weighs the rules that pairs break, as integers, 0 for a legal pair. Sums over several pairs can be compared.

    Colours weigh least, then a second bye, then rematches, and forbidden pairs weigh most. Fewer rematches are better, then
    older ones. The best bye is that of a player with the fewest byes before.
    """

    def __init__(self, players: Sequence[Player], forbidden: Sequence[tuple[int, int]], rounds: int) -> None:
        self.radix = radix = max(len(players), rounds) + 2
        self._forbidden = frozenset(forbidden)
        self._bye = radix
        self._ago = [self._bye * radix**round_ for round_ in range(rounds + 1)]
        self._rematch = self._bye * radix ** (rounds + 1)
        self._apart = self._rematch * radix * (rounds + 1)
        self.bound = self._apart * radix

    def of(self, one: Player, other: Player) -> int:
        """Returns the weight of the rules that a pair breaks; the bye must be the second player."""
        if other.is_bye:
            return self._bye * one.full_byes  # [C2]
        weight = int(clash(one, other))  # [C3]
        met = one.met.get(other.number)
        if met:
            weight += self._rematch * len(met) + self._ago[met[-1]]  # [C1]
        if self.is_forbidden(one, other):
            weight += self._apart
        return weight

    def is_forbidden(self, one: Player, other: Player) -> bool:
        """Returns whether the organiser forbids the pair."""
        return (min(one.number, other.number), max(one.number, other.number)) in self._forbidden

    def in_words(self, one: Player, other: Player) -> Sequence[str]:
        """Returns the rules that a pair breaks, in words. Logs record these words, so they never change."""
        if other.is_bye:
            return [f"{one.number} gets another bye"] if one.full_byes else []
        words = []
        if clash(one, other):
            colour = "white" if wants(one, "w") else "black"
            words.append(f"{one.number} and {other.number} meet although both must have {colour}")
        if met := one.met.get(other.number):
            rounds = " and ".join(map(str, met))
            words.append(f"{one.number} and {other.number} meet again after round {rounds}")
        if self.is_forbidden(one, other):
            words.append(f"{one.number} and {other.number} meet although the organiser keeps them apart")
        return words


def clash(one: Player, other: Player) -> bool:
    """Returns whether two players must have the same colour, and neither is a topscorer [C3]."""
    mine, theirs = one.preference, other.preference
    if mine is None or mine != theirs or mine.strength is not Strength.ABSOLUTE:
        return False
    return not (one.is_topscorer or other.is_topscorer)
