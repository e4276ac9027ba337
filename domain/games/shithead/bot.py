"""The steady Shithead bot: it sheds low cards together, keeps power cards, burns, and sends Jokers to the leader."""

from random import Random
from typing import Any

from hoodwink.domain.bots import choose_cards, play_random
from hoodwink.domain.cards import JOKER, Card
from hoodwink.domain.games.shedding import FOUR, RANK, is_cleared
from hoodwink.domain.games.shithead.actions import (
    AcceptPile,
    BurnPile,
    CounterJoker,
    DeclareReady,
    PickUp,
    PlayCards,
    PlayJoker,
    SwapCards,
)
from hoodwink.domain.games.shithead.rules import POWER
from hoodwink.domain.games.shithead.view import View
from hoodwink.domain.kernel import Action, CardChoice, Game, LegalAction, Observation

# Without some randomness, two bots that always lay their lowest card could pass a 7 back and forth forever (G-15).
_RANDOM_MOVE_RATE = 0.03
_WORTH = {rank: worth for worth, rank in enumerate((*"45679JQKA382T", JOKER))}
_BURNS = 100
_LAST_RESORT = -100


def play_steady(game: Game[Any], observation: Observation, chance: Random) -> Action:
    """Chooses the action that gives away the least, and occasionally a random one."""
    if chance.random() < _RANDOM_MOVE_RATE:
        return play_random(game, observation, chance)
    actions = [_best_of(game, legal) for legal in observation.legal_actions]
    rated = [(_merit(action, observation), chance.random(), action) for action in actions]
    return max(rated, key=lambda entry: entry[:2])[2]


def worth_of(card: Card) -> int:
    """Returns the value of keeping a card: 0 for a 4, highest for a Joker."""
    return _WORTH[RANK[card]]


def _best_of(game: Game[Any], legal: LegalAction) -> Action:
    """Returns the action, or all cards of a choice, but no more power cards than necessary."""
    if not isinstance(legal, CardChoice):
        return legal
    cards = sorted(legal.cards, key=lambda card: card != legal.including)
    is_spared = cards[0][0] in POWER
    return choose_cards(game, legal, tuple(cards[: legal.at_least if is_spared else legal.at_most]))


def _merit(action: Action, observation: Observation) -> float:
    match action:
        case BurnPile():
            return _BURNS
        case PlayCards():
            return _play_merit(action.cards, observation.view.pile)
        case PlayJoker():
            return (
                len(observation.view.pile) / 2 - worth_of(JOKER) + _target_merit(action.target, observation)
            )
        case CounterJoker():
            return _counter_merit(action.target, observation)
        case SwapCards():
            return worth_of(action.hand_card) - worth_of(action.face_up_card)
        case DeclareReady() | AcceptPile():
            return 0.5
        case PickUp():
            return _LAST_RESORT - (worth_of(action.face_up_card) if action.face_up_card else 0)
        case _:
            return 0


def _play_merit(cards: tuple[Card, ...], pile: tuple[Card, ...]) -> float:
    if RANK[cards[0]] != "T" and is_cleared(pile + cards):
        return _BURNS
    return len(cards) / FOUR - worth_of(cards[0])


def _counter_merit(target: int, observation: Observation) -> float:
    """Values a counter, which avoids the pile but only passes the Joker on.

    Rounds would hardly ever end if bots always countered. A counter with the last card has the highest value, so that
    rounds between players with nothing but Jokers end (SH-59).
    """
    if _card_count(observation.view, observation.seat) == 1:
        return _BURNS
    return (
        len(observation.view.pile) + _target_merit(target, observation)
        if _are_jokers_removed(observation)
        else 0
    )


def _target_merit(target: int, observation: Observation) -> float:
    """Values a target: highest for the seat with the fewest cards, or with the most if the target also gets the Joker."""
    lead = 1 / (1 + _card_count(observation.view, target))
    return lead if _are_jokers_removed(observation) else -lead


def _card_count(view: View, seat: int) -> int:
    blind_count = sum(card is not None for card in view.blind[seat])
    return len(view.hands[seat]) + len(view.face_up[seat]) + blind_count


def _are_jokers_removed(observation: Observation) -> bool:
    options: Any = observation.options
    return bool(options.joker_fate == "removed")
