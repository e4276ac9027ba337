"""The Blindside bot: it keeps high cards, discards low ones, and never gives an opponent an ace."""

from random import Random
from typing import Any, assert_never, cast

from hoodwink.domain.bots import ranked
from hoodwink.domain.cards import Card
from hoodwink.domain.games.blindside.actions import (
    BlindsideAction,
    DiscardCard,
    DrawCard,
    KeepCard,
    PassBlindside,
)
from hoodwink.domain.games.blindside.rules import value_of
from hoodwink.domain.games.blindside.view import View
from hoodwink.domain.kernel import Action, Game, Observation

_WORTH_TAKING = 10


_MAX_LOSS = 3


def rank(game: Game[Any], observation: Observation, chance: Random) -> tuple[Action, ...]:
    """Ranks the actions by card values."""
    actions = cast(tuple[BlindsideAction, ...], observation.legal_actions)
    return ranked(actions, lambda action: _merit(action, observation.view), chance, max_loss=_MAX_LOSS)


def _merit(action: BlindsideAction, view: View) -> float:
    match action:
        case DrawCard(source="discard"):
            return value_of(cast(Card, view.discard_top)) - _WORTH_TAKING + 0.5
        case DrawCard():
            return 0
        case KeepCard():
            return value_of(action.card)
        case DiscardCard() | PassBlindside():
            return -value_of(action.card)
        case _:
            assert_never(action)
