"""The Double Blind bot: it wins the hats that are worth winning, as cheaply as possible.

It looks at the pockets from which later players will play, as every player may.
"""

from random import Random
from typing import Any, assert_never, cast

from hoodwink.domain.bots import ranked
from hoodwink.domain.cards import HIDDEN
from hoodwink.domain.games.double_blind.actions import Bribe, PlayPocket
from hoodwink.domain.games.double_blind.rules import value_of
from hoodwink.domain.games.double_blind.view import View
from hoodwink.domain.kernel import Action, Game, Observation, right

_MAX_VALUE = 15
_AVERAGE = 8
_TIE_CHANCE = 0.4
_BEATEN_CHANCE = 0.45
_MAX_LOSS = 6
_KEEP = 2  # the value in later hats per point of a card


def rank(game: Game[Any], observation: Observation, chance: Random) -> tuple[Action, ...]:
    """Ranks the plays by the expected gain from this hat minus the cost of the card."""
    actions = cast(tuple[PlayPocket | Bribe, ...], observation.legal_actions)
    return ranked(actions, lambda action: _merit(action, observation), chance, max_loss=_MAX_LOSS)


def _merit(action: PlayPocket | Bribe, observation: Observation) -> float:
    view: View = observation.view
    match action:
        case PlayPocket():
            pocket = view.pockets[right(observation.seat, len(view.pockets))]
            value = value_of(cast(Any, pocket[action.slot]))
            return _outlook(value, view, observation.seat) - _KEEP * value
        case Bribe():  # once the bank is empty, a card kept in the sleeve scores for its owner at the end
            value = value_of(action.card)
            keep = _KEEP if view.stock_count else _KEEP + 1
            return _outlook(value, view, observation.seat) - keep * value
        case _:
            assert_never(action)


def _outlook(value: int, view: View, seat: int) -> float:
    """Returns the expected points from the hat after playing a card of this value."""
    index = view.contenders.index(seat)
    later = view.contenders[index + 1 :]
    played = [value_of(play.card) for play in view.middle]
    pot = sum(played) + view.bonus + value + _AVERAGE * len(later)
    best = max(played[len(played) - index :], default=0)
    if value < best:
        return 0
    outlook = pot * (_TIE_CHANCE if value == best else 1.0)
    for rival in later:
        outlook *= _holds(value, view, rival)
    return outlook


def _holds(value: int, view: View, rival: int) -> float:
    """Returns the probability that a seat that plays later does not beat the card."""
    pocket = [card for card in view.pockets[right(rival, len(view.pockets))] if card]
    unseen = pocket.count(HIDDEN) + len(view.sleeves[rival])
    if any(card != HIDDEN and value_of(card) > value for card in pocket):
        return _BEATEN_CHANCE
    return float((value / _MAX_VALUE) ** (unseen / 3))
