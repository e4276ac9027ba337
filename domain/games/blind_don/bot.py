"""The steady Blind Don bot: it values a reply by the points of the trick, and a lead by the best reply to it.

The first lead of a round fixes trump, so it comes from the bot's strongest suit.
"""

from random import Random
from typing import Any, cast

from hoodwink.domain.cards import Card, suit_of
from hoodwink.domain.games.blind_don.actions import BlindDonAction
from hoodwink.domain.games.blind_don.rules import height, is_beaten, playable, tally, trick_points
from hoodwink.domain.games.blind_don.state import Laid
from hoodwink.domain.games.blind_don.view import View
from hoodwink.domain.kernel import Action, Game, Observation

_TALLY_WEIGHT = 0.2  # a pack tallies 80, and the majority of them scores 8 points
_HEIGHT_WEIGHT = 0.1  # the value of keeping a card that is one rank higher
_TRUMP_WEIGHT = 1.0


def play_steady(game: Game[Any], observation: Observation, chance: Random) -> Action:
    """Chooses the play with the greatest expected gain; chance breaks ties."""
    plays = cast(tuple[BlindDonAction, ...], observation.legal_actions)
    view, seat = observation.view, observation.seat
    return max(
        plays,
        key=lambda play: (
            _trump_merit(view, seat, play.position),
            _merit(view, seat, play.position),
            chance.random(),
        ),
    )


def _trump_merit(view: View, seat: int, position: int) -> float:
    """Returns the lead of the seat's row over the other one in the suit that the play makes trump; 0 if it makes none."""
    if view.trump is not None:
        return 0
    trump = suit_of(cast(Card, view.face_up[seat][position]))
    own, other = (
        sum([_cost(card, trump) for card in row if card is not None and suit_of(card) == trump])
        for row in (view.face_up[seat], view.face_up[1 - seat])
    )
    return own - other


def _merit(view: View, seat: int, position: int) -> float:
    card = cast(Card, view.face_up[seat][position])
    if view.lead is not None:
        return _gain(view.lead.card, card, cast(str, view.trump))
    trump = view.trump or suit_of(card)
    row = view.face_up[1 - seat]
    answers = [cast(Card, row[at]) for at in playable(row, Laid(seat, position, card))]
    return -max([_gain(card, answer, trump) for answer in answers]) - _cost(card, trump)


def _gain(led: Card, card: Card, trump: str) -> float:
    """Returns the follower's gain from following with the card; negative if the leader takes the trick."""
    stake = trick_points(led, trump) + trick_points(card, trump) + _TALLY_WEIGHT * tally((led, card))
    return (stake if is_beaten(led, card, trump) else -stake) - _cost(card, trump)


def _cost(card: Card, trump: str) -> float:
    """Returns the value that the card would still have in a later trick."""
    return _HEIGHT_WEIGHT * height(card) + (_TRUMP_WEIGHT if suit_of(card) == trump else 0)
