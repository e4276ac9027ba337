"""The commit-reveal shuffle. The specification, with test vectors, is docs/FAIRNESS.md.

`key = HMAC-SHA256(server_seed, seeds)` and block `i` of the draw `label` is
`HMAC-SHA256(key, label ":" i)`. The bytes of the blocks, four at a time and big-endian, are the
stream of 32-bit words that drives an unbiased Fisher-Yates.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Protocol, TypeVar

from hoodwink.domain.cards.cards import Card

T = TypeVar("T")

_WORDS = 1 << 32
_EIGHT_WORDS = struct.Struct(">8I").unpack


class Draws(Protocol):
    """Every chance event of a table: who deals first, and the deck of each round."""

    @property
    def first_dealer(self) -> int | None:
        """The first dealer that the opening event names, or `None` where the lot decides (G-12)."""

    def seat(self, seats: int) -> int:
        """Returns the first dealer, 0 … seats-1: the one named, or one drawn (G-12)."""

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        """Returns deck `number` (deck r serves round r, G-6); index 0 is the top card."""


def commitment(server_seed: str) -> str:
    """Returns SHA-256 of the seed's ASCII hex text, as hex: what a table publishes when it opens."""
    return hashlib.sha256(server_seed.encode()).hexdigest()


def random_words(key: bytes, label: str) -> Iterator[int]:
    for block in count():  # pragma: no branch - the words never end
        yield from _EIGHT_WORDS(hmac.digest(key, f"{label}:{block}".encode(), "sha256"))


def draw_below(words: Iterator[int], bound: int) -> int:
    """Returns the next number 0 … bound-1 without modulo bias: words past the last whole multiple are skipped."""
    limit = _WORDS - _WORDS % bound
    for word in words:
        if word < limit:
            return word % bound
    raise AssertionError("the stream of words never ends")


def shuffled(items: Sequence[T], words: Iterator[int]) -> tuple[T, ...]:
    """Returns the Fisher-Yates permutation of `items`, from the last index down to 1."""
    cards = list(items)
    for last in range(len(cards) - 1, 0, -1):
        other = draw_below(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


class SeededDraws:
    """The draws that follow from a table's committed server seed and the seeds of host and players."""

    __slots__ = ("_key", "first_dealer")

    def __init__(self, server_seed: str, seeds: Sequence[str], *, first_dealer: int | None = None) -> None:
        """Takes the server seed (64 hex digits), and the host's and each seat's seed in seat order ("" where none)."""
        self.first_dealer = first_dealer
        salted = "".join(f"{len(seed.encode())}:{seed}," for seed in seeds)
        self._key = hmac.digest(server_seed.encode(), salted.encode(), "sha256")

    def seat(self, seats: int) -> int:
        if self.first_dealer is not None:
            return self.first_dealer
        return draw_below(random_words(self._key, "v2:seat:0"), seats)

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        return shuffled(pack, random_words(self._key, f"v2:deck:{number}"))
