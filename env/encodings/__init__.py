"""The encoding of each game: observations as rows of numbers, and actions as numbers."""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import check_seats
from hoodwink.env.encodings.blind_don import BlindDon
from hoodwink.env.encodings.blindside import Blindside
from hoodwink.env.encodings.coconut import Coconut
from hoodwink.env.encodings.double_blind import DoubleBlind
from hoodwink.env.encodings.encoding import Encoding
from hoodwink.env.encodings.shithead import Shithead

ENCODINGS: Mapping[str, Callable[[int], Encoding[Any]]] = MappingProxyType(
    {
        "blindside": Blindside,
        "coconut": Coconut,
        "blind_don": BlindDon,
        "double_blind": DoubleBlind,
        "shithead": Shithead,
    }
)


@cache
def encoding_of(game: str, seats: int) -> Encoding[Any]:
    """Returns the encoding; raises `InvalidOptions` if the game cannot be played with this number of seats."""
    check_seats(GAMES[game], seats)
    return ENCODINGS[game](seats)


__all__ = ["ENCODINGS", "Encoding", "encoding_of"]
