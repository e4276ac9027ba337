"""Local search by swaps, for any cost of an arrangement of seats.

Everything is whole numbers, and the steps are counted, never timed: the same seed finds the same seats on every
machine (P-5).
"""

from collections.abc import Iterator
from typing import Protocol

# Knuth's MMIX generator; its upper bits are good enough to choose swaps with, and take a tenth of the time of an HMAC.
_FACTOR, _SUMMAND, _WORD = 6364136223846793005, 1442695040888963407, (1 << 64) - 1

SWAP_STEPS = 12  # the time of making a swap, as a multiple of that of evaluating one


class Arrangement(Protocol):
    """An arrangement of occupants in seats."""

    cost: int

    def propose(self, word: int) -> tuple[int, int]:
        """Returns two seats chosen by a random number 0 … 2³¹-1; the same one twice proposes nothing."""

    def delta(self, one: int, other: int) -> int:
        """Returns the change of the cost if the occupants of two seats exchange seats."""

    def swap(self, one: int, other: int) -> None:
        """Exchanges the occupants of two seats, and updates the cost."""

    def remember(self) -> None:
        """Stores the arrangement as the best so far."""


def words(seed: int) -> Iterator[int]:
    """Yields random numbers 0 … 2³¹-1.

    >>> first, second = words(0), words(0)
    >>> [next(first) for _ in range(3)] == [next(second) for _ in range(3)]
    True
    """
    state = seed & _WORD
    while True:
        state = (state * _FACTOR + _SUMMAND) & _WORD
        yield state >> 33


def improve(arrangement: Arrangement, *, steps: int, memory: int, seed: int, target: int) -> None:
    """Evaluates a number of swaps, and makes those after which the cost is no more than it was some steps ago.

    This is late acceptance (Burke and Bykov, 2017): it only compares costs, so it needs no scale for them. The best
    arrangement is the one stored last. It ends early at the target, which is a lower bound.
    """
    best = arrangement.cost
    earlier = [best] * memory
    step = 0
    for word in words(seed):  # pragma: no branch - the words never end
        if step >= steps or best <= target:
            return
        step += 1
        one, other = arrangement.propose(word)
        if one == other:
            continue
        cost = arrangement.cost
        after = cost + arrangement.delta(one, other)
        if after <= cost or after <= earlier[step % memory]:
            arrangement.swap(one, other)
            step += SWAP_STEPS
            if after < best:
                best = after
                arrangement.remember()
        earlier[step % memory] = arrangement.cost
