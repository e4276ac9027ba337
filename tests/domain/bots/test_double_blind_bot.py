"""The steady Double Blind bot: the cards that it plays and those that it saves."""

from random import Random
from typing import Any

from hoodwink.domain.bots import play_steady
from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import PlayPocket
from hoodwink.domain.kernel import Observation
from tests.domain.games.double_blind_table import after, bribe, situation

# Seat 2 starts and plays from the pocket of seat 1, seat 1 from that of seat 0, seat 0 from that of seat 2.
LOW = ("2C", "3D", "KH 9H QH")


def chosen(state: Any, seed: int = 0) -> Any:
    (seat,) = GAME.turn(state).owes
    observation = Observation(seat, state.options, GAME.view(state, seat), GAME.legal_actions(state, seat, 0))
    return play_steady(GAME, observation, Random(seed))


def last_to_play(pockets: tuple[str, ...], sleeve: str = "", bank: str = "") -> Any:
    """Seat 0 is to end the hat, to which the others played from their targets' first slots."""
    state = situation(pockets, (sleeve, "", ""), bank, hatter=2)
    return after(state, (2, PlayPocket(0)), (1, PlayPocket(0)))


def test_it_takes_a_hat_as_cheaply_as_it_can():
    assert chosen(last_to_play(LOW)) == PlayPocket(1)


def test_it_gives_its_lowest_card_to_a_hat_that_is_lost():
    assert chosen(last_to_play(("2C", "AD", "KH 9H QH"))) == PlayPocket(1)


def test_it_takes_a_hat_rather_than_tie_for_it():
    assert chosen(last_to_play(("2C", "9D", "9H TH"))) == PlayPocket(1)


def test_without_a_bank_it_saves_the_sleeve_that_will_count():
    assert chosen(last_to_play(("2C", "3D", "KH"), "QS", "4C")) == bribe("QS")
    assert chosen(last_to_play(("2C", "3D", "KH"), "QS")) == PlayPocket(0)


def test_it_saves_a_high_card_the_next_player_beats():
    state = situation(("AC", "4D QD", "KH"), ("", "", ""), "2S 3S", hatter=2)
    assert chosen(state) == PlayPocket(0)


def test_chance_breaks_ties():
    state = last_to_play(("2C", "3D", "9H 9H"))
    assert {chosen(state, seed).slot for seed in range(40)} == {0, 1}
