"""The Lantern bot: it prefers the better of its two cards."""

from random import Random
from typing import Any, cast

from hoodwink.domain.bots import ranked
from hoodwink.domain.kernel import Action, Game, Observation
from tests.sixth_game.lantern.actions import ChooseCard
from tests.sixth_game.lantern.options import Options
from tests.sixth_game.lantern.rules import merit

_MAX_LOSS = 3


def rank(game: Game[Any], observation: Observation, chance: Random) -> tuple[Action, ...]:
    """Ranks the cards by merit."""
    options = cast(Options, observation.options)
    choices = cast(tuple[ChooseCard, ...], observation.legal_actions)
    return ranked(choices, lambda choice: merit(choice.card, options), chance, max_loss=_MAX_LOSS)
