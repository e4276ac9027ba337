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


def last_to_play(pockets: tuple[str, ...], sleeve: str = "", bank: str = "", **changes: Any) -> Any:
    """Seat 0 is to end the hat, to which the others played from their targets' first slots."""
    state = situation(pockets, (sleeve, "", ""), bank, hatter=2, **changes)
    return after(state, (2, PlayPocket(0)), (1, PlayPocket(0)))


def test_it_takes_a_hat_as_cheaply_as_it_can():
    assert chosen(last_to_play(LOW, bank="4C")) == PlayPocket(1)


def test_it_takes_the_last_hat_with_its_best_card_because_the_rest_counts_for_nobody():  # DB-24
    assert chosen(last_to_play(LOW)) == PlayPocket(0)


def test_it_gives_its_lowest_card_to_a_hat_that_is_lost():
    assert chosen(last_to_play(("2C", "AD", "KH 9H QH"))) == PlayPocket(1)


def test_it_ties_with_a_rival_who_has_no_card_left_and_takes_the_bonus():  # DB-22
    assert chosen(last_to_play(("2C", "9D", "9H TH"))) == PlayPocket(0)


def test_it_ties_for_a_hat_that_it_cannot_take_if_its_next_card_is_the_best():
    state = last_to_play(("2C 3C", "QD 4D", "QH AH 3H"), "5S 6S 7S", bank="4C")
    assert chosen(state) == PlayPocket(0)


def test_it_takes_a_hat_rather_than_tie_with_a_rival_who_holds_a_higher_card():
    state = last_to_play(("2C", "KD JK", "KH AH 4H"), "2S 3S", bank="4C", bonus=40)
    assert chosen(state) == PlayPocket(1)


def test_without_a_bank_it_saves_the_sleeve_that_will_count():
    assert chosen(last_to_play(("2C", "3D", "KH"), "QS", "4C")) == bribe("QS")
    assert chosen(last_to_play(("2C", "3D", "QH"), "KS")) == PlayPocket(0)


def test_it_saves_a_high_card_the_next_player_beats():
    state = situation(("AC", "4D QD", "KH"), ("", "", ""), "2S 3S", hatter=2)
    assert chosen(state) == PlayPocket(0)


def test_chance_breaks_ties():
    state = last_to_play(("2C", "3D", "9H 9H"))
    assert {chosen(state, seed).slot for seed in range(40)} == {0, 1}
