"""Positions of Shithead that the steady bot must not give away."""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots import play_steady
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.state import State
from hoodwink.domain.kernel import Action, Observation
from tests.domain.games.shithead_table import is_listed, pick_up, play, table

POSITIONS: dict[str, tuple[Any, Action]] = {
    "the last two 8s go out together": (table("8D 8C", "AD", pile="AS"), play("8D 8C")),
    "the last two 3s go out together": (table("3D 3C", "KD", "KS", pile="AS"), play("3D 3C")),
    "the last two 10s go out together": (table("TD TC", "KD", pile="AS"), play("TD TC")),
    "going out comes before burning the pile": (table("9C 9D 9H 9S", "KD", pile="6S"), play("9C 9D 9H 9S")),
    "a 2 left in the hand would cost the turn in which the ace goes out": (
        table("2C 2D", "QH JH", face_up=["AC", ""], pile="4S"),
        play("2C 2D"),
    ),
    "two 3s skip both others, so the turn comes back": (
        table("3C 3D", "4C 4D", "5C 5D", face_up=["KD", "", ""], pile="AS"),
        play("3C 3D"),
    ),
    "one 3 is enough against one player": (table("3C 3D TD", "4C 4D", pile="AS"), play("3C")),
    "the 4 is picked up with the pile, and the king is left to go out": (
        table("", "QD JD", face_up=["KC 4C"], pile="AS"),
        pick_up("4C"),
    ),
}


def chosen(state: State, seed: int) -> Action:
    legal = GAME.legal_actions(state, 0, 0)
    return play_steady(GAME, Observation(0, state.options, GAME.view(state, 0), legal), Random(seed))


@pytest.mark.parametrize("reason", POSITIONS)
def test_steady_finds_the_move(reason):
    state, right = POSITIONS[reason]
    assert is_listed(state, 0, right)
    picked = [chosen(state, seed) for seed in range(100)]
    assert picked.count(right) >= 85, set(picked)  # now and then it takes another move (G-15)
