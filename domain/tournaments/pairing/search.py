"""Local search by swaps, for any cost of an arrangement of seats.

All numbers are integers, and steps are counted, never timed, so the same seed finds the same seats on every machine (P-5).
"""

from collections.abc import Iterator
from typing import Protocol, TypeAlias

# Knuth's MMIX generator. Its upper bits are good enough to choose swaps, in a tenth of the time of an HMAC.
_FACTOR, _SUMMAND, _WORD = 6364136223846793005, 1442695040888963407, (1 << 64) - 1

Swap: TypeAlias = tuple[int, int]

SWAP_STEPS = 12  # the time that a swap takes, as a multiple of the time of evaluating one


class Arrangement(Protocol):
    """An arrangement of occupants in seats."""

    cost: int

    def proposals(self, seed: int) -> Iterator[Swap]:
        """Yields two seats for each of the `words` of a seed, for ever; the same seat twice means no proposal."""

    def delta(self, one: int, other: int) -> int:
        """Returns the change in cost if the occupants of two seats are swapped."""

    def swap(self, one: int, other: int) -> None:
        """Swaps the occupants of two seats and updates the cost."""

    def remember(self) -> None:
        """Stores the arrangement as the best so far."""


def words(seed: int) -> Iterator[int]:
    """Yields random numbers from 0 to 2³¹-1.

    >>> first, second = words(0), words(0)
    >>> [next(first) for _ in range(3)] == [next(second) for _ in range(3)]
    True
    """
    state = seed & _WORD
    while True:
        state = (state * _FACTOR + _SUMMAND) & _WORD
        yield state >> 33


class CountedSwaps(Protocol):
    """An arrangement whose swaps can be counted.

    Attributes:
        swaps: the number of different swaps that are proposed.
    """

    @property
    def swaps(self) -> int: ...

    def occupancy(self) -> tuple[int, ...]:
        """Returns who sits where, on which the costs of all swaps depend."""


class Plateau:
    """The arrangements of equal cost that a search goes back and forth between, and what it knows about their swaps.

    Attributes:
        worse: the swaps of the current arrangement that increase the cost.
        unknown: the number of swaps that were not evaluated yet, of all these arrangements. At 0, none of them decreases
            the cost, so the search cannot leave the plateau any more.
    """

    def __init__(self, arrangement: CountedSwaps) -> None:
        self._arrangement = arrangement
        self._seen: dict[tuple[int, ...], tuple[set[Swap], set[Swap]]] = {}
        self.unknown = 0
        self._arrive()

    def _arrive(self) -> None:
        occupancy = self._arrangement.occupancy()
        if occupancy not in self._seen:
            self._seen[occupancy] = set(), set()
            self.unknown += self._arrangement.swaps
        self.worse, self._level = self._seen[occupancy]

    def reject(self, swap: Swap) -> None:
        """Notes a swap that increases the cost."""
        self.worse.add(swap)
        self.unknown -= swap not in self._level

    def move(self, swap: Swap, *, is_level: bool, steps: int) -> None:
        """Follows a swap that was made. A plateau that is too large for the remaining steps is forgotten."""
        if not is_level or self.unknown > steps:
            self._seen.clear()
            self.unknown = 0
        elif swap not in self._level:
            self._level.add(swap)
            self.unknown -= 1
        self._arrive()


def improve(
    arrangement: Arrangement,
    *,
    steps: int,
    memory: int,
    seed: int,
    target: int,
    plateau: Plateau | None = None,
) -> None:
    """Evaluates a number of swaps, and makes those with a cost not above the cost `memory` steps ago.

    This is late acceptance (Burke and Bykov, 2017). It only compares costs, so it needs no scale for them. The
    arrangement stored last is the best. The search ends early at the target, which is a lower bound. With a plateau, it
    also ends once no further step can change the result.
    """
    best = cost = arrangement.cost
    earlier = [best] * memory
    step = 0
    for swap in arrangement.proposals(seed):  # pragma: no branch - the proposals never end
        if step >= steps or best <= target:
            return
        step += 1
        one, other = swap
        if one == other:
            continue
        above = earlier[step % memory] - cost
        if above > 0 or plateau is None or swap not in plateau.worse:
            change = arrangement.delta(one, other)
            if change <= 0 or change <= above:
                after = cost + change
                arrangement.swap(one, other)
                step += SWAP_STEPS
                if plateau is not None:
                    plateau.move(swap, is_level=arrangement.cost == cost, steps=steps - step)
                cost = arrangement.cost
                if after < best:
                    best = after
                    arrangement.remember()
            elif plateau is not None and above <= 0:
                plateau.reject(swap)
        elif not plateau.unknown and max(earlier) <= cost:
            return
        earlier[step % memory] = cost
