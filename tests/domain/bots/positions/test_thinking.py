"""Bots that think ahead find the moves that are certain to be right."""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots import LEVELS
from hoodwink.domain.games import GAMES
from hoodwink.domain.games.shithead.actions import PickUp
from hoodwink.domain.kernel import Observation, plays_among
from tests.domain.bots.positions import test_coconut, test_shithead
from tests.domain.bots.positions.imagined import known_at

EQUALLY_GOOD = ("enough", "as well as")
"""Parts of reasons that say that another move wins, too."""


def right_moves(positions: dict[str, Any]) -> list[str]:
    """Returns the positions in which a bot that thinks has no other move."""
    return [reason for reason in positions if not any(part in reason for part in EQUALLY_GOOD)]


def thought(game_name: str, state: Any, level: str) -> Any:
    game = GAMES[game_name]
    legal = plays_among(game, game.legal_actions(state, 0, 1 << 62))
    observation = Observation(0, state.options, game.view(state, 0), legal, known_at(game, state, 0))
    return LEVELS[level].play(game, observation, Random(1))


def ranks(action: Any) -> list[str]:
    cards: Any = (action.face_up_card,) if isinstance(action, PickUp) else action.cards
    return sorted(card[0] for card in cards)


@pytest.mark.parametrize("level", ["sharp", "expert"])
@pytest.mark.parametrize("reason", right_moves(test_coconut.POSITIONS))
def test_it_finds_the_move_in_coconut(reason, level):
    state, cards = test_coconut.POSITIONS[reason]
    assert ranks(thought("coconut", state, level)) == sorted(card[0] for card in cards.split())


@pytest.mark.parametrize("level", ["sharp", "expert"])
@pytest.mark.parametrize("reason", right_moves(test_shithead.POSITIONS))
def test_it_finds_the_move_in_shithead(reason, level):
    state, right = test_shithead.POSITIONS[reason]
    found = thought("shithead", state, level)
    assert (type(found), ranks(found)) == (type(right), ranks(right))
