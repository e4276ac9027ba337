"""Cards in one notation everywhere: rank, then suit (`9S`, `TH`, `AS`); a joker is `JK`.

A card is its face. Two copies of one face from several packs are interchangeable, so cards have no other identity
that could leak (G-5).
"""

from sys import intern
from typing import NewType

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKER = Card("JK")
HIDDEN = Card("??")

_PACK = tuple(Card(intern(rank + suit)) for suit in SUITS for rank in RANKS)
_FACES = {card: card for card in (*_PACK, JOKER)} | {
    Card("10" + suit): Card(intern("T" + suit)) for suit in SUITS
}


class InvalidCard(ValueError):
    """Raised for a text that is not a card."""


def parse_card(text: str) -> Card:
    """Returns the card with this notation; `10H` is another spelling of `TH`.

    Raises:
        InvalidCard: the text is not a card.

    >>> parse_card("10H"), parse_card("AS"), parse_card("JK")
    ('TH', 'AS', 'JK')
    """
    try:
        return _FACES[Card(text)]
    except KeyError:
        raise InvalidCard(text) from None


def rank_of(card: Card) -> str:
    """Returns one of `RANKS`, or `JK` for a joker."""
    return card if card == JOKER else card[0]


def suit_of(card: Card) -> str:
    """Returns one of `SUITS`; a joker has the empty suit."""
    return "" if card == JOKER else card[1]


def build_pack(*, packs: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """Returns `packs` times 52 cards, clubs to spades and 2 to ace in each, then `jokers` jokers.

    Every shuffle starts from this order, so it is part of the fairness protocol.
    """
    return _PACK * packs + (JOKER,) * jokers
