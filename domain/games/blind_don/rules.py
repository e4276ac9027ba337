"""The rulebook of Blind Don: legal cards, tricks, and the values of cards."""

from hoodwink.domain.cards import RANKS, Card, rank_of, suit_of
from hoodwink.domain.games.blind_don.state import Laid

_TRUMP_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1, "9": 9, "5": 10}
_PLAIN_FIVE = 5
_TALLY = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}
TALLY_BONUS = 8


def cut_dealer(cards: tuple[Card, Card]) -> int | None:
    """Returns the seat that drew the lower card and deals, ace high; `None` for equal ranks (BD-2)."""
    first, second = map(height, cards)
    if first == second:
        return None
    return 0 if first < second else 1


def playable(row: tuple[Card | None, ...], lead: Laid | None) -> list[int]:
    """Returns the positions of the face-up cards that may lead the trick or follow its lead.

    Players must follow suit with their face-up cards (BD-7). Without that suit they may play any of them (BD-6), and
    they never have to trump or to win (BD-8).
    """
    if lead is not None:
        suit = suit_of(lead.card)
        following = [at for at, card in enumerate(row) if card is not None and suit_of(card) == suit]
        if following:
            return following
    return [at for at, card in enumerate(row) if card is not None]


def height(card: Card) -> int:
    """Returns the position of the card's rank, from 2 (low) to ace (high)."""
    return RANKS.index(rank_of(card))


def is_beaten(led: Card, card: Card, trump: str) -> bool:
    """Returns whether the follower's card takes the trick: higher in the led suit, or trump on a plain lead."""
    if suit_of(card) == suit_of(led):
        return height(card) > height(led)
    return suit_of(card) == trump


def trick_points(card: Card, trump: str) -> int:
    """Returns the points of a captured card; the trump 5 is worth ten in total (BD-11)."""
    if suit_of(card) == trump:
        return _TRUMP_POINTS.get(rank_of(card), 0)
    return _PLAIN_FIVE if rank_of(card) == "5" else 0


def tally(cards: tuple[Card, ...]) -> int:
    """Returns the tally of captured cards that decides the 8 points; suits make no difference (BD-13)."""
    return sum([_TALLY.get(rank_of(card), 0) for card in cards])


def tally_winner(tallies: tuple[int, ...]) -> int | None:
    """Returns the seat with the higher tally; equal tallies earn nobody the 8 points (BD-14)."""
    if tallies[0] == tallies[1]:
        return None
    return 0 if tallies[0] > tallies[1] else 1
