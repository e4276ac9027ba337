"""Plans: what a seat does in its next decisions after a move that it thinks about.

A plan is learnt from trial to trial (a tree of upper confidence bounds). It does not depend on what happens in between, because
that differs in every imagined deal; it only has moves that are possible there.
"""

from collections.abc import Collection
from math import log, sqrt
from typing import Any, Final

QUICKLY: Final = None
"""The option of playing on quickly at a decision."""

_CURIOSITY: Final = 0.2
"""The weight of what is still uncertain about an option."""

_UNKNOWN: Final = 0.5


class Plan:
    """What is known of an option from the trials in which it was taken, and of the options after it.

    Attributes:
        offered: the trials in which it was possible.
        trials: those in which it was taken.
        total: the sum of their results.
        later: the options at the seat's next decision.
    """

    __slots__ = ("later", "offered", "total", "trials")

    def __init__(self) -> None:
        self.offered = self.trials = 0
        self.total = 0.0
        self.later: dict[Any, Plan] = {}

    def choose(self, options: Collection[Any]) -> Any:
        """Returns the option to try next: one that did well, or one that was seldom tried."""
        later = self.later
        usual = later.setdefault(QUICKLY, Plan())
        guess = usual.total / usual.trials if usual.trials else _UNKNOWN
        chosen, best = QUICKLY, usual.promise(guess)
        for option in options:
            plan = later.get(option)
            if plan is None:
                plan = later[option] = Plan()
            promise = plan.promise(guess)
            if promise > best:
                chosen, best = option, promise
        return chosen

    def promise(self, guess: float) -> float:
        """Returns the upper bound of what the option may be worth; the guess counts like one more trial."""
        self.offered += 1
        trials = self.trials + 1
        return (self.total + guess) / trials + _CURIOSITY * sqrt(log(self.offered + 1) / trials)

    def add(self, result: float) -> None:
        self.trials += 1
        self.total += result
