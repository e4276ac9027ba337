"""The commit-reveal shuffle, specified in docs/FAIRNESS.md with test vectors.

`key = HMAC-SHA256(server_seed, seeds)`, and block `i` of the draw `label` is `HMAC-SHA256(key, label ":" i)`. The blocks
are read as big-endian 32-bit words, which drive an unbiased Fisher-Yates shuffle.
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
    """The random draws of a table: the first dealer, and the deck of each round."""

    @property
    def first_dealer(self) -> int | None:
        """The first dealer named at the opening, or `None` if the dealer is drawn (G-12)."""

    def seat(self, seats: int) -> int:
        """Returns the first dealer, named or drawn (G-12)."""

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        """Returns deck `number`; round r uses deck r (G-6), and index 0 is the top card."""


def commitment(server_seed: str) -> str:
    """Returns the SHA-256 of the seed's hex digits, as hex. A table publishes it when it opens."""
    return hashlib.sha256(server_seed.encode()).hexdigest()


def random_words(key: bytes, label: str) -> Iterator[int]:
    for block in count():  # pragma: no branch - the words never end
        yield from _EIGHT_WORDS(hmac.digest(key, f"{label}:{block}".encode(), "sha256"))


def draw_below(words: Iterator[int], bound: int) -> int:
    """Returns the next number from 0 to bound-1. Words past the last whole multiple are skipped to avoid modulo bias."""
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


def mixed_key(server_seed: str, seeds: Sequence[str]) -> bytes:
    """Returns the key of all draws that a secret and the seeds of people determine; a seed is "" if there is none."""
    salted = "".join(f"{len(seed.encode())}:{seed}," for seed in seeds)
    return hmac.digest(server_seed.encode(), salted.encode(), "sha256")


class KeyedDraws:
    """The draws determined by a key; `first_dealer` is the seat named at the opening, if any."""

    __slots__ = ("_key", "first_dealer")

    def __init__(self, key: bytes, *, first_dealer: int | None = None) -> None:
        self._key = key
        self.first_dealer = first_dealer

    def seat(self, seats: int) -> int:
        if self.first_dealer is not None:
            return self.first_dealer
        return draw_below(random_words(self._key, "v2:seat:0"), seats)

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        return shuffled(pack, random_words(self._key, f"v2:deck:{number}"))


class SeededDraws(KeyedDraws):
    """The draws determined by a table's server seed and the seeds of its host and players."""

    __slots__ = ()

    def __init__(self, server_seed: str, seeds: Sequence[str], *, first_dealer: int | None = None) -> None:
        """Initializes the draws.

        Args:
            server_seed: 64 hex digits.
            seeds: the host's seed, then each seat's in order; "" if there is none.
            first_dealer: the seat named at the opening, if any.
        """
        super().__init__(mixed_key(server_seed, seeds), first_dealer=first_dealer)
