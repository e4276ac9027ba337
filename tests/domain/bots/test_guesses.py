"""How a seat that thinks ahead expects to play on itself (G-19)."""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.games.coconut.guess import guess as guess_at_coconut
from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import PlayPocket
from hoodwink.domain.games.double_blind.lookahead import guess as guess_at_the_double_blind
from hoodwink.domain.games.shithead.lookahead import guess as guess_at_shithead
from hoodwink.domain.kernel import Observation
from tests.domain.games import coconut_table, double_blind_table, shithead_table

STOCK = {"stock": "3C 3D"}
NO_FACE_UP = {"face_up": ("", "")}

AT_COCONUT: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "while there is a stock, equal cards are laid one by one": ("4C 4D KD", "8C 8D 8H", STOCK, "4C"),
    "after that, they are laid together": ("4C 4D KD", "8C 8D 8H", {}, "4C 4D"),
    "three of a kind are worth more than a low card": ("8C 8D 8H 4D", "8S", STOCK, "8C 8D 8H"),
    "four of a kind clear the pile": ("KC KD KH KS 4C", "8S", STOCK, "KC KD KH KS"),
    "a 10 is laid alone while there is a stock": ("TC TD", "8S", STOCK, "TC"),
    "a jack cannot be answered with 9s": ("9C JD", "9H 9S", {}, "JD"),
    "unknown cards may be an answer": ("9C JD", "?1 9S", {}, "9C"),
    "a face-down card fails more often on a 9": ("4C 9D", "", NO_FACE_UP, "9D"),
    "a player with many cards gets no aces": ("AC TD", "AH 3C 3D 3H 3S 4H", {}, "TD"),
}


@pytest.mark.parametrize("reason", AT_COCONUT)
def test_g_19_a_guess_at_coconut(reason):
    hand, other, given, laid = AT_COCONUT[reason]
    state = coconut_table.table(hand, other, **given)
    assert guess_at_coconut(state, 0) == coconut_table.play(laid)


def test_g_19_at_coconut_with_three_quick_play_does_as_well():
    assert guess_at_coconut(coconut_table.table("4C", "8S"), 1) is None
    assert guess_at_coconut(coconut_table.table("4C", "8S", "9S"), 0) is None


AT_SHITHEAD: dict[str, tuple[str, dict[str, Any], Any]] = {
    "a 7 goes before a 6": ("6C 7D", {}, shithead_table.play("7D")),
    "a 2 goes before an ace": ("2C AD", {}, shithead_table.play("2C")),
    "equal power cards are laid one by one while there is a stock": (
        *("8C 8D", {"stock": "4C"}),
        shithead_table.play("8C"),
    ),
    "after that, they are laid together": ("8C 8D", {}, shithead_table.play("8C 8D")),
    "four of a kind burn the pile": ("4C 9D", {"pile": "9S 9H 9C"}, shithead_table.play("9D")),
    "a Joker is no jack": ("JK JC", {"pile": "JS JH JD"}, shithead_table.play("JC")),
    "a Joker is sent to the fewest cards": ("JK TC", {"pile": "AS"}, shithead_table.joker(2)),
    "nothing can be laid": ("4C", {"pile": "AS"}, None),
}


@pytest.mark.parametrize("reason", AT_SHITHEAD)
def test_g_19_a_guess_at_shithead(reason):
    hand, given, move = AT_SHITHEAD[reason]
    state = shithead_table.table(hand, "KD KH", "5D", **given)
    assert guess_at_shithead(state, 0) == move
    assert guess_at_shithead(state, 1) is None


def test_g_19_a_guess_at_the_double_blind_saves_cards_that_steady_spends():
    state = double_blind_table.situation(("2C", "7D", "8H 3H"), ("", "", ""), "4C", hatter=2)
    state = double_blind_table.after(state, (2, PlayPocket(0)), (1, PlayPocket(0)))
    seen = Observation(0, state.options, GAME.view(state, 0), GAME.legal_actions(state, 0, 0))
    assert GAME.rank(GAME, seen, Random(0))[0] == PlayPocket(0), "it takes the hat with the 8"
    assert guess_at_the_double_blind(state, 0) == PlayPocket(1)
    assert guess_at_the_double_blind(state, 1) is None
