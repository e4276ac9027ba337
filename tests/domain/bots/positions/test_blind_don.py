"""Positions of Blind Don that *Expert* plays exactly: all cards left are face up, and nobody saw the 16 not dealt."""

from collections.abc import Collection
from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots import LEVELS
from hoodwink.domain.bots.exact import exact_results
from hoodwink.domain.bots.levels import EXPERT_POSITIONS
from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.games.blind_don import GAME
from hoodwink.domain.games.blind_don.rules import tally
from hoodwink.domain.games.blind_don.state import ROW, SEATS, Laid, State
from hoodwink.domain.kernel import Observation
from tests.domain.bots.positions.imagined import known_at
from tests.domain.games.blind_don_table import situation


def following(led: str, row: str, other: str = "", *, trump: str = "S") -> State:
    """Returns a trick to which seat 1 led a card; the rows are those left besides it."""
    return _late((row, other), f"{led} {row} {other}".split(), trump=trump, lead=Laid(1, 8, Card(led)))


def leading(row: str, other: str, *, trump: str = "S") -> State:
    return _late((row, other), f"{row} {other}".split(), trump=trump)


def _late(rows: tuple[str, str], left: Collection[str], **changes: Any) -> State:
    """Returns the end of a round, with seat 0 to move, in which both seats captured about the same for the bonus."""
    rest = sorted([card for card in build_pack() if card not in left], key=lambda card: -tally((card,)))
    count = 2 * SEATS * ROW - len(left)
    captured = tuple(rest[:count:2]), tuple(rest[1:count:2])
    return situation(rows, to_move=0, captured=captured, aside=tuple(rest[count:]), **changes)


POSITIONS = {
    "the 9 of trump takes the 5 of trump, the best trick of all": (following("5S", "9S 2S", "3C"), "9S"),
    "a low trump takes a plain 5": (following("5H", "2S 3D", "4C"), "2S"),
    "a 5 is not thrown on a lost trick, because it takes the next": (following("AH", "5D 2C", "4D"), "2C"),
    "the 6 of trump is enough, and the ace then takes the king": (
        following("5H", "6H AH", "KH", trump="H"),
        "6H",
    ),
    "the lower card would give the 5 away": (following("5D", "6D 4D", "2C"), "6D"),
    "the ace draws the king, and the 5 is safe": (leading("AH 5H", "KH 2D"), "AH"),
    "the ace of trump draws the last trump, and the 5 is safe": (leading("AS 5H", "2S 3D"), "AS"),
    "the 9 of trump must be led before the 5 of trump takes a trick": (leading("9S 2D", "5S 3C"), "9S"),
    "the 9 of trump takes even a worthless trick before the ace takes it": (
        following("2H", "9S 3D", "AS"),
        "9S",
    ),
    "the jack takes a 10, which counts most for the bonus": (following("TD", "JD 2D", "3C"), "JD"),
}


@pytest.mark.parametrize("reason", POSITIONS)
def test_expert_finds_the_move(reason):
    state, card = POSITIONS[reason]
    known = known_at(GAME, state, 0)
    moves = GAME.legal_actions(state, 0, 0)
    assert exact_results(GAME, known, 0, moves, positions=EXPERT_POSITIONS)
    seen = Observation(0, state.options, GAME.view(state, 0), moves, known)
    for seed in range(3):
        action: Any = LEVELS["expert"].play(GAME, seen, Random(seed))
        assert state.face_up[0][action.position] == card
