"""Rules of thumb for Blind Don: what a play is worth, for the bot and for quick play.

A reply is worth the points of the trick, and a lead as much as the best reply to it leaves. The first lead of a round fixes
trump, so it comes from the seat's strongest suit.
"""

from collections.abc import Collection, Mapping
from functools import cache
from typing import TypeAlias

from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.games.blind_don.rules import card_points, height, is_beaten, tally
from hoodwink.domain.games.blind_don.state import Laid, Rows

_TALLY_WEIGHT = 0.2  # a pack tallies 80, and the majority of them scores 8 points
_HEIGHT_WEIGHT = 0.1  # the value of keeping a card that is one rank higher
_TRUMP_WEIGHT = 1.0
_SUIT_WEIGHT = 1_000  # when a lead makes a suit trump, which one comes before all else

_Row: TypeAlias = tuple[Card | None, ...]


def merits(
    face_up: Rows, seat: int, lead: Laid | None, trump: str | None, positions: Collection[int]
) -> list[float]:
    """Returns what it is worth to play from each of the positions, which must be playable."""
    row, other = face_up[seat], face_up[1 - seat]
    cards = [card for position in positions if (card := row[position]) is not None]
    if lead is not None:
        assert trump, "the first lead fixed trump"
        gains = _gains(trump)[lead.card]
        return [gains[card] for card in cards]
    answers: dict[str, list[Card]] = {}
    for answer in other:
        if answer is not None:
            answers.setdefault(answer[1], []).append(answer)
    if trump:
        return _lead_merits(cards, answers, trump)
    strengths = {suit: _SUIT_WEIGHT * _strength(row, other, suit) for suit in {card[1] for card in cards}}
    return [strengths[card[1]] + _lead_merits([card], answers, card[1])[0] for card in cards]


def _lead_merits(cards: list[Card], answers: Mapping[str, list[Card]], trump: str) -> list[float]:
    gains, costs = _gains(trump), _costs(trump)
    every = [answer for suited in answers.values() for answer in suited]
    # BD-6, BD-7: only cards of the suit may answer, if there are any.
    return [-max(map(gains[card].__getitem__, answers.get(card[1], every))) - costs[card] for card in cards]


def _strength(row: _Row, other: _Row, suit: str) -> float:
    """Returns the lead of a row over the other one in a suit that would be trump."""
    costs = _costs(suit)
    own, theirs = (
        sum([costs[card] for card in cards if card is not None and card[1] == suit]) for cards in (row, other)
    )
    return own - theirs


@cache
def _gains(trump: str) -> Mapping[Card, Mapping[Card, float]]:
    """Returns, for each card led and each reply, the follower's gain; negative if the leader takes the trick."""
    pack, costs = build_pack(), _costs(trump)
    return {
        led: {card: _stake(led, card, trump) - costs[card] for card in pack if card != led} for led in pack
    }


def _stake(led: Card, card: Card, trump: str) -> float:
    stake = card_points(led, trump) + card_points(card, trump) + _TALLY_WEIGHT * tally((led, card))
    return stake if is_beaten(led, card, trump) else -stake


@cache
def _costs(trump: str) -> Mapping[Card, float]:
    """Returns the value that each card would still have in a later trick."""
    return {
        card: _HEIGHT_WEIGHT * height(card) + (_TRUMP_WEIGHT if card[1] == trump else 0)
        for card in build_pack()
    }
