"""The terms of docs/FAIRNESS.md: editions, commitments, and the seeds that players add to the shuffles."""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec

from hoodwink.domain.cards import commitment

LOG_FORMATS: Final[Mapping[int, str]] = MappingProxyType({3: "hoodwink-log/3"})
"""The formats of exported logs, by the edition of the table."""

LATEST_EDITION: Final = 3
"""The edition of new tables."""

REVEAL_MS: Final = 10_000
"""The time for revealing committed seeds after the start."""

COMMITMENT_PATTERN: Final = "^[0-9a-f]{64}$"

COMMITTED_SEED_PATTERN: Final = "^[0-9a-f]{32,64}$"
"""At least 128 bits: a shorter seed could be found by testing all seeds against its commitment."""


class SeedStatus(StrEnum):
    """The status of a seed.

    `none`: there is no seed, which counts as empty. `plain`: everybody could read it before the start.
    `committed`: only its SHA-256 is known, because it has not been revealed yet or the table ended first.
    `revealed`: it was revealed in time. `missed`: it was not revealed in time and counts as empty.
    """

    NONE = "none"
    PLAIN = "plain"
    COMMITTED = "committed"
    REVEALED = "revealed"
    MISSED = "missed"


class PlayerSeed(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The seed that a player or the host adds to every shuffle.

    Attributes:
        text: the seed that goes into the draws.
        commitment: SHA-256 of the text, given before the start; otherwise empty.
    """

    status: SeedStatus = SeedStatus.NONE
    text: str = ""
    commitment: str = ""


NO_SEED: Final = PlayerSeed()


class SharedDeal(msgspec.Struct, frozen=True, gc=False):
    """The deal of a duplicate tournament that all tables of its round play (D-1).

    Attributes:
        number: the number of the deal in the tournament, from 1.
        key: the key of its decks as 64 hex digits, secret until the release (D-2, D-7).
    """

    number: int
    key: str


def initial_seed(*, plain: str, committed: str) -> PlayerSeed:
    """Returns the seed of a player who sits down: a public one, a commitment to one, or none.

    >>> initial_seed(plain="luck", committed="").status
    <SeedStatus.PLAIN: 'plain'>
    """
    if committed:
        return PlayerSeed(status=SeedStatus.COMMITTED, commitment=committed)
    return PlayerSeed(status=SeedStatus.PLAIN, text=plain) if plain else NO_SEED


def known_text(seed: PlayerSeed) -> str | None:
    """Returns the text of the seed for the draws, or `None` while only its commitment is known."""
    return None if seed.status is SeedStatus.COMMITTED else seed.text


def is_commitment(text: str) -> bool:
    return re.fullmatch(COMMITMENT_PATTERN, text) is not None


def is_committable(text: str) -> bool:
    """Returns whether the text has the form of a committed seed."""
    return re.fullmatch(COMMITTED_SEED_PATTERN, text) is not None


def is_revealed_by(seed: PlayerSeed, text: str) -> bool:
    """Returns whether the text is the seed of an unrevealed commitment."""
    is_secret = seed.status is SeedStatus.COMMITTED
    return is_secret and is_committable(text) and commitment(text) == seed.commitment
