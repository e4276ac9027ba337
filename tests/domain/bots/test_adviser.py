"""The adviser: what *Expert* would do, and what another move costs (G-21)."""

from dataclasses import replace
from random import Random
from typing import Any

from msgspec import structs

from hoodwink.domain.bots import LEVELS, advise, compare, search
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Observation
from tests.domain.bots.positions.imagined import known_at
from tests.domain.games.coconut_table import legal, play, table

COCONUT = GAMES["coconut"]
DOWN: Any = {"face_up": ("", ""), "face_down": ("-- -- --", "4H 5H 6H")}
CHOICE = table("6C 7D TC 2C", "8D 9D QH KS AS", pile="5S", stock="6H 8H JD", **DOWN)
DEALS = 200


def seen(state: Any) -> Observation:
    return Observation(0, state.options, COCONUT.view(state, 0), legal(state, 0), known_at(COCONUT, state, 0))


def test_g_21_the_cost_of_a_blunder_is_exact_where_all_cards_are_known():
    state = table("5C JC", "9D", pile="4S", face_up=("", ""), face_down=("-- -- --", "-- -- --"))
    assert compare(COCONUT, seen(state), play("5C"), "now") == (play("JC"), 0, 1)
    assert compare(COCONUT, seen(state), play("JC"), "now") == (play("JC"), 1, 1)


def test_g_21_otherwise_both_moves_are_tried_in_the_same_deals_with_the_same_luck():
    best, result, best_result = compare(COCONUT, seen(CHOICE), play("TC"), "now")
    assert best == play("7D")
    assert best_result - result > 0.15
    assert compare(COCONUT, seen(CHOICE), play("TC"), "now") == (best, result, best_result)
    alike = compare(COCONUT, seen(CHOICE), best, "now")
    assert alike.result == alike.best_result


def test_g_21_the_deals_of_a_comparison_are_not_those_of_the_choice():
    deals: list[Any] = []

    def imagine(known: Any, chance: Random) -> Any:
        deals.append(COCONUT.imagine(known, chance))
        return deals[-1]

    compare(replace(COCONUT, imagine=imagine), seen(CHOICE), play("TC"), "now")
    assert len(deals) > DEALS
    assert not set(deals[:-DEALS]).intersection(deals[-DEALS:])


def test_g_15_advice_is_never_a_worse_move_against_repetitions(monkeypatch):
    monkeypatch.setattr(search, "_OTHER_MOVE_RATE", 1)
    often = structs.replace(seen(CHOICE), actions=10_000)
    assert LEVELS["expert"].play(COCONUT, often, Random("now")) != play("7D")
    assert advise(COCONUT, often, "now") == play("7D")
