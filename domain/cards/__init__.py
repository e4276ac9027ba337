"""Playing cards, packs and the provably fair shuffle."""

from hoodwink.domain.cards.cards import (
    HIDDEN,
    JOKER,
    RANKS,
    SUITS,
    Card,
    InvalidCard,
    build_pack,
    parse_card,
    rank_of,
    suit_of,
)
from hoodwink.domain.cards.shuffle import (
    Draws,
    KeyedDraws,
    SeededDraws,
    commitment,
    draw_below,
    mixed_key,
    random_words,
    shuffled,
)

__all__ = [
    "HIDDEN",
    "JOKER",
    "RANKS",
    "SUITS",
    "Card",
    "Draws",
    "InvalidCard",
    "KeyedDraws",
    "SeededDraws",
    "build_pack",
    "commitment",
    "draw_below",
    "mixed_key",
    "parse_card",
    "random_words",
    "rank_of",
    "shuffled",
    "suit_of",
]
