"""The rulebook of Blind Don: legal cards, tricks, and the values of cards."""

from hoodwink.domain.cards import RANKS, SUITS, Card, build_pack, rank_of, suit_of
from hoodwink.domain.games.blind_don.state import Laid

_TRUMP_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1, "9": 9, "5": 10}
_PLAIN_FIVE = 5
_TALLY = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}
TALLY_BONUS = 8

# Tables of all cards, because a trick needs many of these values, and bots play many tricks.
_HEIGHTS = {card: RANKS.index(rank_of(card)) for card in build_pack()}
_POINTS = {
    trump: {
        card: _TRUMP_POINTS.get(rank_of(card), 0)
        if suit_of(card) == trump
        else _PLAIN_FIVE * (rank_of(card) == "5")
        for card in build_pack()
    }
    for trump in SUITS
}
_TALLIES = {card: _TALLY.get(rank_of(card), 0) for card in build_pack()}


def cut_dealer(cards: tuple[Card, Card]) -> int | None:
    """Returns the seat that drew the lower card and deals, ace high; `None` for equal ranks (BD-2)."""
    first, second = map(height, cards)
    if first == second:
        return None
    return 0 if first < second else 1


def playable(row: tuple[Card | None, ...], lead: Laid | None) -> list[int]:
    """Returns the positions of the face-up cards that may lead the trick or follow its lead.

    Players must follow suit with a face-up card (BD-7). If they cannot, they may play any face-up card (BD-6). They never
    have to trump or to win the trick (BD-8).
    """
    if lead is not None:
        suit = lead.card[1]
        following = [position for position, card in enumerate(row) if card is not None and card[1] == suit]
        if following:
            return following
    return [position for position, card in enumerate(row) if card is not None]


def height(card: Card) -> int:
    """Returns the index of the card's rank, from 2 (low) to ace (high)."""
    return _HEIGHTS[card]


def is_beaten(led: Card, card: Card, trump: str) -> bool:
    """Returns whether the follower's card wins the trick: higher in the led suit, or a trump on a plain suit."""
    if card[1] == led[1]:
        return _HEIGHTS[card] > _HEIGHTS[led]
    return card[1] == trump


def card_points(card: Card, trump: str) -> int:
    """Returns the points of a captured card; the trump 5 is worth ten, not 10 + 5 (BD-11)."""
    return _POINTS[trump][card]


def tally(cards: tuple[Card, ...]) -> int:
    """Returns the tally of captured cards that decides the bonus; suits make no difference (BD-13)."""
    return sum([_TALLIES[card] for card in cards])


def tally_winner(tallies: tuple[int, ...]) -> int | None:
    """Returns the seat with the higher tally; nobody earns the bonus for equal tallies (BD-14)."""
    if tallies[0] == tallies[1]:
        return None
    return 0 if tallies[0] > tallies[1] else 1
