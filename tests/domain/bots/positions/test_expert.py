"""Late positions of Coconut and Shithead in which *Expert* knows all cards left, so that one move is certain to be right.

Seat 0 is to move against seat 1, who goes out next if it can.
"""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots import LEVELS
from hoodwink.domain.bots.exact import exact_results
from hoodwink.domain.bots.levels import EXPERT_POSITIONS
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Observation, plays_among
from tests.domain.bots.positions.imagined import known_at
from tests.domain.games import coconut_table, shithead_table

_LATER = 1 << 62
_NO_SLOTS: Any = ("-- -- --", "-- -- --")


def coconut(hand: str, other: str, pile: str = "") -> Any:
    return coconut_table.table(hand, other, pile=pile, face_up=("", ""), face_down=_NO_SLOTS)


def shithead(hand: str, other: str, pile: str = "", *, face_up: str = "") -> Any:
    return shithead_table.table(hand, other, pile=pile, face_up=("", face_up))


COCONUT = {
    "both queens go out together": (coconut("QH QS", "4H AH"), "QH QS"),
    "a 10 clears the pile, and the 9 goes out": (coconut("9C TS", "TD 9S", "8S"), "TS"),
    "a 10 leads again, and even the 3 goes out": (coconut("TD 3C", "4S 4H"), "TD"),
    "the 10 first, because the king beats both": (coconut("7C TC", "KS", "4D"), "TC"),
    "the queen stops the last jack, and the 6 would not": (coconut("QS 6H", "JH"), "QS"),
    "the jack stops the last 5, and a 5 would let it go out": (coconut("3S JC 5D", "5S", "4C"), "JC"),
    "the ace stops the last 7, and everything may follow a 2": (coconut("6S AC 2H", "7C", "KD"), "AC"),
    "the jack before the 2, which stops nothing": (coconut("JD 2S", "8H"), "JD"),
    "the queen before the king, which would come back to beat her": (coconut("KD QS 5D", "6C"), "QS"),
    "the king follows the other king, so the 6 comes first": (coconut("KC 6H", "KH 6D"), "6H"),
    "the jack stops the last 9, and the 5 would not": (coconut("5C JC", "9D", "4S"), "JC"),
}
SHITHEAD = {
    "both queens go out together": (shithead("QH QD", "8C"), "QH QD"),
    "a 10 burns the pile, and the 8 goes out": (shithead("8C TH", "KS"), "TH"),
    "a 10 burns the pile first, because queens follow a queen": (shithead("TH QH", "QS QC"), "TH"),
    "a 3 skips the only other player, and the 9 goes out": (shithead("3C 9D", "QD"), "3C"),
    "a 3 skips the last 2, which would go out on an 8": (shithead("3D 8S", "2D"), "3D"),
    "a 3 skips the other player, and the 5 goes out on it": (
        shithead("5S 3S", "3H", "5C", face_up="TS"),
        "3S",
    ),
    "the ace stops the last queen, and the 3 is worth more later": (shithead("9H 3D AC", "QH", "8D"), "AC"),
    "the king stops the last jack, and an 8 on an empty pile would not": (shithead("KS 8H", "JD"), "KS"),
    "the 2 goes out on anything, so the jack comes first": (shithead("2H JD", "8H 7S KS"), "JD"),
    "both 4s go out below a 7": (shithead("4S 4D", "5H 2S", "7S"), "4S 4D"),
    "both 7s go out together, because the other can answer one": (
        shithead("7H 7S", "2S 7D 3C", "6C"),
        "7H 7S",
    ),
    "the jack stops the last 4, and the 3 is worth more later": (shithead("4D JH 3D", "4H", "9D"), "JH"),
}
POSITIONS = [("coconut", reason) for reason in COCONUT] + [("shithead", reason) for reason in SHITHEAD]


@pytest.mark.parametrize(("game_name", "reason"), POSITIONS)
def test_expert_finds_the_only_move_that_is_right(game_name, reason):
    state, cards = {"coconut": COCONUT, "shithead": SHITHEAD}[game_name][reason]
    game: Any = GAMES[game_name]
    known = known_at(game, state, 0)
    results = exact_results(game, known, 0, game.lookahead.moves(state, 0), positions=EXPERT_POSITIONS)
    best, second = sorted([result for result, *_ in (results or {}).values()], reverse=True)[:2]
    assert best > second + 0.1
    legal = plays_among(game, game.legal_actions(state, 0, _LATER))
    seen = Observation(0, state.options, game.view(state, 0), legal, known)
    for seed in range(3):
        assert set(LEVELS["expert"].play(game, seen, Random(seed)).cards) == set(cards.split())  # type: ignore[attr-defined]
