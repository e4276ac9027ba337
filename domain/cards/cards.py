"""One notation for a card, everywhere: rank then suit (`9S`, `TH`, `AS`), a joker is `JK`.

A card is its face. Two copies of one face (several packs) are interchangeable, so no other
identity exists that could leak out of the service (G-5).
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
    """Raised for a text that names no card."""


def parse_card(text: str) -> Card:
    """Returns the card a text names; `10H` is another spelling of `TH`.

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
    """Returns one of `RANKS`, or `J` + `K` spelled as `JK` for a joker."""
    return card if card == JOKER else card[0]


def suit_of(card: Card) -> str:
    """Returns one of `SUITS`; a joker has the empty suit."""
    return "" if card == JOKER else card[1]


def build_pack(*, packs: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """Returns `packs` x 52 cards, clubs to spades and 2 to ace in each, then `jokers` jokers.

    This order is the starting point of every shuffle, so it is part of the fairness protocol.
    """
    return _PACK * packs + (JOKER,) * jokers
