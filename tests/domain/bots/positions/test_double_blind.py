"""Positions of The Double Blind that *Expert* plays exactly: the bank is empty, and all cards left are known."""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots import LEVELS
from hoodwink.domain.bots.exact import exact_results
from hoodwink.domain.bots.levels import EXPERT_POSITIONS
from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import PlayPocket
from hoodwink.domain.kernel import Observation, plays_among
from tests.domain.bots.positions.imagined import known_at
from tests.domain.games.double_blind_table import after, bribe, situation


def last_to_play(pockets: tuple[str, ...], sleeve: str = "") -> Any:
    """Seat 0 is to end the hat, to which the others played from their targets' first slots."""
    state = situation(pockets, (sleeve, "", ""), "", hatter=2)
    return after(state, (2, PlayPocket(0)), (1, PlayPocket(0)))


# Seat 2 plays from the pocket of seat 1, seat 1 from that of seat 0, and seat 0 from that of seat 2.
POSITIONS: dict[str, tuple[Any, Any]] = {
    "the last card takes the last hat": (last_to_play(("2C", "3D", "KH")), PlayPocket(0)),
    "a card kept in the sleeve scores, so the pocket takes the hat": (
        last_to_play(("2C", "3D", "KH"), "QS"),
        PlayPocket(0),
    ),
    "the sleeve takes a hat that the pocket would lose": (
        last_to_play(("2C", "TD", "4H"), "AS"),
        bribe("AS"),
    ),
    "the king takes the hat, because the 4 cannot": (last_to_play(("2C", "TD", "KH 4H")), PlayPocket(0)),
    "a bribe stays in the sleeve if it could not win": (
        last_to_play(("2C", "AD", "4H"), "KS"),
        PlayPocket(0),
    ),
    "the pocket saves both bribes": (last_to_play(("2C", "3D", "5H"), "AS KS"), PlayPocket(0)),
    "the bribe ties the 10 on purpose, so that it does not take the hat": (
        last_to_play(("4D", "TD", "8C"), "TH"),
        bribe("TH"),
    ),
    "the 10 takes the hat, and the ace is left for the last one": (
        last_to_play(("9C 3C", "8D KD", "TD 2H"), "AC"),
        PlayPocket(0),
    ),
    "the 7 goes into a hat that the king takes, and the 10 takes the last one": (
        last_to_play(("8C TS", "KD 3H", "TH 7D")),
        PlayPocket(1),
    ),
    "the jack is enough, and the ace takes the last hat": (
        last_to_play(("7H KH", "TC 9S", "JH AD")),
        PlayPocket(0),
    ),
}


@pytest.mark.parametrize("reason", POSITIONS)
def test_expert_finds_the_move(reason):
    state, right = POSITIONS[reason]
    legal = plays_among(GAME, GAME.legal_actions(state, 0, 0))
    known = known_at(GAME, state, 0)
    assert exact_results(GAME, known, 0, legal, positions=EXPERT_POSITIONS)
    seen = Observation(0, state.options, GAME.view(state, 0), legal, known)
    for seed in range(3):
        assert LEVELS["expert"].play(GAME, seen, Random(seed)) == right
