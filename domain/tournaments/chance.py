"""Lots: all randomness of a tournament comes from committed seeds (T-14). Specified in docs/FAIRNESS.md."""

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from hoodwink.domain.cards import draw_below, mixed_key, random_words, shuffled

T = TypeVar("T")


def table_seed(server_seed: str, *, round_: int, board: int, deal: int = 1) -> str:
    """Returns the server seed of a table as 64 hex digits; `deal` counts the deals of a knockout's board from 1."""
    label = f"table:{round_}:{board}" if deal == 1 else f"table:{round_}:{board}:{deal}"
    return hmac.new(server_seed.encode(), label.encode(), hashlib.sha256).hexdigest()


def deal_key(server_seed: str, seeds: Sequence[str], *, round_: int, deal: int) -> str:
    """Returns the key of a deal's decks as 64 hex digits (D-2); `seeds` are the entrants' in order of starting rank.

    A table gets the key instead of the tournament's server seed, which determines all other deals, too.
    """
    secret = hmac.new(server_seed.encode(), f"deal:{round_}:{deal}".encode(), hashlib.sha256).hexdigest()
    return mixed_key(secret, seeds).hex()


class Lots:
    """Draws lots for one purpose in one round, such as `pairing` in round 3. The same seeds give the same lots."""

    __slots__ = ("_words",)

    def __init__(self, server_seed: str, seeds: Sequence[str], *, purpose: str, round_: int) -> None:
        """Initializes the lots; `seeds` are the entrants' in order of starting rank, "" if an entrant has none."""
        self._words = random_words(mixed_key(server_seed, seeds), f"tournament:{purpose}:{round_}")

    def below(self, bound: int) -> int:
        """Returns the next number from 0 to bound-1."""
        return draw_below(self._words, bound)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Returns the items in an order drawn by lot."""
        return shuffled(items, self._words)


Draw: TypeAlias = Callable[[str], Lots]
"""Returns the lots of a round for a purpose, such as `pairing`. They are the same in every call."""
