"""Local search by swaps, for any cost of an arrangement of seats.

All numbers are integers, and steps are counted, never timed, so the same seed finds the same seats on every machine (P-5).
"""

from collections.abc import Iterator
from typing import Protocol

# Knuth's MMIX generator. Its upper bits are good enough to choose swaps, in a tenth of the time of an HMAC.
_FACTOR, _SUMMAND, _WORD = 6364136223846793005, 1442695040888963407, (1 << 64) - 1

SWAP_STEPS = 12  # the time that a swap takes, as a multiple of the time of evaluating one


class Arrangement(Protocol):
    """An arrangement of occupants in seats."""

    cost: int

    def propose(self, word: int) -> tuple[int, int]:
        """Returns two seats chosen by a random number from 0 to 2³¹-1; the same seat twice means no proposal."""

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


def improve(arrangement: Arrangement, *, steps: int, memory: int, seed: int, target: int) -> None:
    """Evaluates a number of swaps, and makes those with a cost not above the cost `memory` steps ago.

    This is late acceptance (Burke and Bykov, 2017). It only compares costs, so it needs no scale for them. The
    arrangement stored last is the best. The search ends early at the target, which is a lower bound.
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
