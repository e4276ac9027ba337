"""Lots: all randomness of a tournament comes from committed seeds (T-14). Specified in docs/FAIRNESS.md."""

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from hoodwink.domain.cards import draw_below, random_words, shuffled

T = TypeVar("T")


def table_seed(server_seed: str, *, round_: int, board: int, deal: int = 1) -> str:
    """Returns the server seed of a table as 64 hex digits; `deal` counts the deals of a knockout's board from 1."""
    label = f"table:{round_}:{board}" if deal == 1 else f"table:{round_}:{board}:{deal}"
    return hmac.new(server_seed.encode(), label.encode(), hashlib.sha256).hexdigest()


class Lots:
    """Draws lots for one purpose in one round, such as `pairing` in round 3. The same seeds give the same lots."""

    __slots__ = ("_words",)

    def __init__(self, server_seed: str, seeds: Sequence[str], *, purpose: str, round_: int) -> None:
        """Initializes the lots; `seeds` are the entrants' in order of starting rank, "" if an entrant has none."""
        salted = "".join(f"{len(seed.encode())}:{seed}," for seed in seeds)
        key = hmac.digest(server_seed.encode(), salted.encode(), "sha256")
        self._words = random_words(key, f"tournament:{purpose}:{round_}")

    def below(self, bound: int) -> int:
        """Returns the next number from 0 to bound-1."""
        return draw_below(self._words, bound)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Returns the items in an order drawn by lot."""
        return shuffled(items, self._words)


Draw: TypeAlias = Callable[[str], Lots]
"""Returns the lots of a round for a purpose, such as `pairing`. They are the same in every call."""
