"""A bot that thinks ahead finds the moves that are certain to be right."""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots.search import thinking
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, Observation, plays_among
from tests.domain.bots.positions import test_coconut, test_shithead
from tests.domain.bots.positions.imagined import known_at

PLAYOUTS = 200
EXACT = ("go out together", "going out", "go out on an ace", "four 2s clear", "3s skip both")


def exact(positions: dict[str, Any]) -> list[str]:
    """Returns the positions in which the move is certain to be right, whatever the hidden cards are."""
    return [reason for reason in positions if any(part in reason for part in EXACT)]


def thought(game_name: str, state: Any, seat: int = 0) -> Any:
    game = GAMES[game_name]
    legal = plays_among(game, game.legal_actions(state, seat, 1 << 62))
    observation = Observation(seat, state.options, game.view(state, seat), legal, known_at(game, state, seat))
    return thinking(PLAYOUTS)(game, observation, Random(1))


def ranks(action: Action) -> list[str]:
    return sorted(card[0] for card in getattr(action, "cards", ()))


@pytest.mark.parametrize("reason", exact(test_coconut.POSITIONS))
def test_it_finds_the_move_in_coconut(reason):
    state, cards = test_coconut.POSITIONS[reason]
    assert ranks(thought("coconut", state)) == sorted(card[0] for card in cards.split())


@pytest.mark.parametrize("reason", exact(test_shithead.POSITIONS))
def test_it_finds_the_move_in_shithead(reason):
    state, right = test_shithead.POSITIONS[reason]
    found = thought("shithead", state)
    assert (type(found), ranks(found)) == (type(right), ranks(right))
