"""The steady Shithead bot: shed low cards together, keep the power cards, burn, and send Jokers to the leader."""

from random import Random
from typing import Any

from domain.bots.policy import Sight, choose_cards, play_random
from domain.cards import JOKER, Card
from domain.games.shedding import FOUR, RANK, run_with
from domain.games.shithead.actions import (
    AcceptPile,
    BurnPile,
    CounterJoker,
    DeclareReady,
    PickUp,
    PlayCards,
    PlayJoker,
    SwapCards,
)
from domain.games.shithead.rules import POWER
from domain.games.shithead.view import View
from domain.kernel import Action, CardChoice, Game, LegalAction

# Two bots that always lay their lowest card can pass a lone 7 to and fro for ever (G-15).
_WHIMS = 0.03
_WORTH = {rank: worth for worth, rank in enumerate((*"45679JQKA382T", JOKER))}
_BEST = 100
_WORST = -100


def play_steady(game: Game[Any], sight: Sight, chance: Random) -> Action:
    """Chooses the action that gives away least; now and then, on a whim, any action."""
    if chance.random() < _WHIMS:
        return play_random(game, sight, chance)
    actions = [_spared(game, legal) for legal in sight.legal_actions]
    rated = [(_merit(action, sight.view, sight.options), chance.random(), action) for action in actions]
    return max(rated, key=lambda entry: entry[:2])[2]


def worth_of(card: Card) -> int:
    """Returns how long a card is worth keeping, 0 for a 4 up to the Joker."""
    return _WORTH[RANK[card]]


def _spared(game: Game[Any], legal: LegalAction) -> Action:
    """Returns the action itself, or of a choice all its cards, but of a power card no more than needed."""
    if not isinstance(legal, CardChoice):
        return legal
    is_power = RANK[Card(legal.cards[0])] in POWER
    count = legal.at_least if is_power else legal.at_most
    first = () if legal.including is None else (legal.including,)
    rest = list(legal.cards)
    for card in first:
        rest.remove(card)
    return choose_cards(game, legal, (*first, *rest)[:count])


def _merit(action: Action, view: View, options: Any) -> float:
    match action:
        case BurnPile():
            return _BEST
        case PlayCards():
            return _play_merit(action.cards, view.pile)
        case PlayJoker():
            return len(view.pile) / 2 - worth_of(JOKER) + _target_merit(view, action.target, options)
        case CounterJoker():
            return len(view.pile) + _target_merit(view, action.target, options)
        case SwapCards():
            return worth_of(action.hand_card) - worth_of(action.face_up_card)
        case DeclareReady() | AcceptPile():
            return 0.5
        case PickUp():
            return _WORST if action.face_up_card is None else _WORST - worth_of(action.face_up_card)
        case _:
            return 0


def _play_merit(cards: tuple[Card, ...], pile: tuple[Card, ...]) -> float:
    if run_with(pile, cards) >= FOUR:
        return _BEST
    return len(cards) / FOUR - worth_of(cards[0])


def _target_merit(view: View, seat: int, options: Any) -> float:
    """Returns how well the pile suits the seat: the nearer to having no cards, the better.

    Where Jokers are picked up too, the leader would only send them on and the round go on for ever.
    """
    blind_count = sum(card is not None for card in view.blind[seat])
    lead = 1 / (1 + len(view.hands[seat]) + len(view.face_up[seat]) + blind_count)
    return lead if options.joker_fate == "removed" else -lead
