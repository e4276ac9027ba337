"""The steady Coconut bot: it sheds the lowest cards together, keeps wild cards, and sneaks whenever it may."""

from random import Random
from typing import Any

from hoodwink.domain.bots import choose_cards, play_random
from hoodwink.domain.cards import RANKS, Card
from hoodwink.domain.games.coconut.actions import PickUpPile, PlayCards, SneakCards
from hoodwink.domain.games.coconut.rules import WILD
from hoodwink.domain.games.shedding import RANK, is_cleared
from hoodwink.domain.kernel import Action, CardChoice, Game, LegalAction, Observation

# Without some randomness, two bots that always take the best action could pass the same cards back and forth forever (G-15).
_RANDOM_MOVE_RATE = 0.03
_CLEARS = 100
_WILD_WORTH = {"2": len(RANKS), "T": len(RANKS) + 1}


def play_steady(game: Game[Any], observation: Observation, chance: Random) -> Action:
    """Chooses the play that gives away the least, and occasionally a random action."""
    if chance.random() < _RANDOM_MOVE_RATE:
        return play_random(game, observation, chance)
    actions = [_best_of(game, legal) for legal in observation.legal_actions]
    rated = [(_merit(action, observation.view.pile), chance.random(), action) for action in actions]
    return max(rated, key=lambda entry: entry[:2])[2]


def worth_of(card: Card) -> int:
    """Returns the value of keeping a card: highest for a 10, then a 2, then from the ace down."""
    rank = RANK[card]
    return _WILD_WORTH.get(rank, RANKS.index(rank))


def _best_of(game: Game[Any], legal: LegalAction) -> Action:
    """Returns the action, or the best cards of a choice: high ones to lay face up, and few wild ones to play."""
    if not isinstance(legal, CardChoice):
        return legal
    cards = sorted((Card(face) for face in legal.cards), key=worth_of, reverse=True)
    spared = RANK[cards[0]] in WILD and legal.type == "play"
    return choose_cards(game, legal, tuple(cards[: legal.at_least if spared else legal.at_most]))


def _merit(action: Action, pile: tuple[Card, ...]) -> int:
    match action:
        case SneakCards():
            return _CLEARS
        case PlayCards():
            return _play_merit(action.cards, pile)
        case PickUpPile():
            return -_CLEARS
        case _:
            return 0


def _play_merit(cards: tuple[Card, ...], pile: tuple[Card, ...]) -> int:
    if RANK[cards[0]] not in WILD and is_cleared(pile + cards):
        return _CLEARS
    return -worth_of(cards[0])
