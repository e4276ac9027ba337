"""Positions of Blindside with two players, in which every other move is worse or no better in every deal.

Nobody can think ahead there, so *Expert* plays like *Steady*.
"""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots import level_of
from hoodwink.domain.cards import Card
from hoodwink.domain.games.blindside import GAME
from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from hoodwink.domain.games.blindside.state import State, Step
from hoodwink.domain.kernel import Action, Observation
from tests.domain.games.blindside_table import in_turn


def passing(hand: str) -> State:
    return in_turn((hand, "2D 3D 4D 5D"), stock="6D", step=Step.PASS, blindsides=(None, None))


def drawing(hand: str, top: str) -> State:
    """Returns the last turn of the round."""
    return in_turn((hand, ""), stock="6D", discard_pile=top, dealer=0)


def keeping(hand: str) -> State:
    """Returns the last turn of the round after the draw."""
    return in_turn((hand, ""), step=Step.KEEP, dealer=0)


def discarding(hand: str, other: str = "5D") -> State:
    return in_turn((hand, other), stock="6D", step=Step.DISCARD)


STOCK, DISCARD_PILE = DrawCard("stock"), DrawCard("discard")
POSITIONS: dict[str, tuple[State, Action]] = {
    "the lowest card gives the other the least, and leaves the most": (
        passing("AS KS 4S 9S"),
        PassBlindside(Card("4S")),
    ),
    "a 2 loses every contest, and three aces stay": (passing("AS AH AD 2C"), PassBlindside(Card("2C"))),
    "a queen is less than an ace in both contests": (passing("AS QS AD AC"), PassBlindside(Card("QS"))),
    "no card of the stock is better than an ace": (drawing("5S", "AS"), DISCARD_PILE),
    "a 2 is the worst card of all": (drawing("5S", "2C"), STOCK),
    "the 9 would be discarded again, and the stock may have an ace": (drawing("KS", "9S"), STOCK),
    "the last card kept counts, and the last one discarded does not": (
        keeping("3S 9S"),
        KeepCard(Card("9S")),
    ),
    "an ace counts more than a king": (keeping("KS AS"), KeepCard(Card("AS"))),
    "the queen will be kept, and the 3 helps nobody": (discarding("QS 3S"), DiscardCard(Card("3S"))),
    "the other must not get an ace": (discarding("AS JS", "5D 4D"), DiscardCard(Card("JS"))),
}


@pytest.mark.parametrize("reason", POSITIONS)
def test_the_best_level_finds_the_move(reason):
    state, right = POSITIONS[reason]
    legal: Any = GAME.legal_actions(state, 0, 0)
    assert right in legal
    assert len(legal) > 1
    seen = Observation(0, state.options, GAME.view(state, 0), legal)
    for seed in range(20):
        assert level_of("expert", GAME).play(GAME, seen, Random(seed)) == right
