"""The adviser: what *Expert* would do, and what another move costs (G-21)."""

from typing import Any

import pytest

from hoodwink.domain.bots import advise, compare
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Observation
from tests.domain.bots.positions.imagined import known_at
from tests.domain.games.coconut_table import legal, play, table

COCONUT = GAMES["coconut"]
DOWN: Any = {"face_up": ("", ""), "face_down": ("-- -- --", "4H 5H 6H")}


def seen(state: Any) -> Observation:
    return Observation(0, state.options, COCONUT.view(state, 0), legal(state, 0), known_at(COCONUT, state, 0))


def test_g_21_the_cost_of_a_blunder_is_exact_where_all_cards_are_known():
    state = table("5C JC", "9D", pile="4S", face_up=("", ""), face_down=("-- -- --", "-- -- --"))
    assert compare(COCONUT, seen(state), play("5C"), "now") == (play("JC"), 0, 1)
    assert compare(COCONUT, seen(state), play("JC"), "now") == (play("JC"), 1, 1)


def test_g_21_otherwise_both_moves_are_tried_in_the_same_deals_with_the_same_luck():
    state = table("6C 7D TC 2C", "8D 9D QH KS AS", pile="5S", stock="6H 8H JD", **DOWN)
    best, result, best_result = compare(COCONUT, seen(state), play("TC"), "now")
    assert best == play("7D")
    assert best_result - result > 0.15
    assert compare(COCONUT, seen(state), play("TC"), "now") == (best, result, best_result)
    alike = compare(COCONUT, seen(state), best, "now")
    assert alike.result == alike.best_result


@pytest.mark.parametrize("moment", ["one", "two"])
def test_g_15_advice_is_never_a_worse_move_against_repetitions(moment):
    state = table("9C", pile="9H 9S", **DOWN)
    observation = Observation(0, state.options, None, legal(state, 0), known_at(COCONUT, state, 0), 10_000)
    assert advise(COCONUT, observation, moment) == play("9C")
