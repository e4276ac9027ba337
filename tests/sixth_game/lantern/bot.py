"""The steady Lantern bot: it chooses its better card."""

from random import Random
from typing import Any, cast

from hoodwink.domain.kernel import Action, Game, Observation
from tests.sixth_game.lantern.actions import ChooseCard
from tests.sixth_game.lantern.options import Options
from tests.sixth_game.lantern.rules import merit


def play_steady(game: Game[Any], observation: Observation, chance: Random) -> Action:
    """Chooses by merit; chance breaks ties."""
    options = cast(Options, observation.options)
    choices = cast(tuple[ChooseCard, ...], observation.legal_actions)
    return max(choices, key=lambda choice: (merit(choice.card, options), chance.random()))
