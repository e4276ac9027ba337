"""The steady Coconut bot."""

from random import Random
from typing import Any, NamedTuple

import pytest

from hoodwink.domain.bots import play_random, play_steady
from hoodwink.domain.cards import SeededDraws
from hoodwink.domain.games.coconut import GAME
from hoodwink.domain.games.coconut.options import Options
from hoodwink.domain.games.coconut.state import State, initial
from hoodwink.domain.kernel import Action, Observation, Stage
from tests.domain.games.coconut_table import (
    NOW,
    PICK_UP,
    Stacked,
    after,
    choose,
    dealt,
    evolved,
    flip,
    legal,
    play,
    sneak,
    table,
)


class Steadfast(Random):
    """A generator that always draws the middle, so that the bot never makes a random move."""

    def random(self) -> float:
        return 0.5


def choice_of(state: State, seat: int, chance: Random) -> Action:
    observation = Observation(seat, state.options, GAME.view(state, seat), legal(state, seat))
    return play_steady(GAME, observation, chance)


def steady(state: State, seat: int = 0) -> Action:
    """Returns the bot's choice when it makes no random move."""
    return choice_of(state, seat, Steadfast())


def test_it_lays_10s_2s_and_then_the_highest_cards_face_up():
    state = dealt(Stacked("3C 3D 4C 4D 5C 5D 6C 9D 7C AD 8C 2D QC TD 3H KD 4H 3S"), 2)
    assert steady(state) == choose("TD 2D AD")


@pytest.mark.parametrize(
    ("hand", "pile", "action"),
    [
        ("9C 5D JC", "4S", "5D"),
        ("2C TC AC", "KS", "AC"),
        ("2C TC 3C", "KS", "2C"),
        ("9C 5D 5H", "4S", "5D 5H"),
        ("2C 2D 3C", "KS", "2C"),
        ("5C 9C 9D 9H 9S", "4S", "9C 9D 9H 9S"),
        ("5C 9C 9D", "9H 9S", "9C 9D"),
    ],
    ids=["lowest", "no wild card", "2 before 10", "all copies", "one 2", "four together", "completes four"],
)
def test_it_sheds_low_cards_keeps_wild_ones_and_completes_fours(hand, pile, action):
    assert steady(table(hand, "3C", pile=pile)) == play(action)


def test_g_19_who_has_chosen_face_up_cards_has_no_move_to_think_about():
    state = dealt(Stacked("3C 3D 4C 4D 5C 5D 6C 9D 7C AD 8C 2D QC TD 3H KD 4H 3S"), 2)
    state = after(state, (0, choose("TD 2D AD")))
    lookahead = GAME.lookahead
    assert lookahead is not None

    assert lookahead.moves(state, 0) == ()
    assert lookahead.moves(state, 1)


def test_it_never_picks_up_voluntarily():
    assert steady(table("9C", "3C", pile="4S", voluntary_pickup=True)) == play("9C")
    assert steady(table("3D", "3C", pile="4S")) == PICK_UP


def test_it_sneaks_with_all_cards_that_fit():
    state = table("4C", "5H 5S 5D", "4H", pile="5C 5D", laid_by=2)
    assert steady(state, 1) == sneak("5H 5S 5D")


def test_it_flips_any_slot():
    state = table("", "3C", face_up=("", ""))
    assert {choice_of(state, 0, Random(seed)) for seed in range(30)} == {flip(0), flip(1), flip(2)}


def test_g_15_it_sometimes_acts_randomly():
    state = table("9C 5D JC", "3C", pile="4S")
    seen = {choice_of(state, 0, Random(seed)) for seed in range(400)}
    assert seen == {play("9C"), play("5D"), play("JC")}


class Result(NamedTuple):
    winner: int
    actions: int


def sit_down(policies: list[Any], chance: Random, options: Options) -> Result:
    """Plays one round; a player who can sneak does so half the time."""
    state = initial(options, len(policies))
    state = evolved(state, GAME.deal(state, SeededDraws(f"{chance.getrandbits(256):064x}", ())))
    for actions in range(20_000):
        if state.stage is not Stage.IN_PLAY:
            return Result(state.finished[0], actions)
        turn = GAME.turn(state)
        able = [seat for seat in turn.may if legal(state, seat) and chance.random() < 0.5]
        seat = (able or list(turn.owes))[0]
        observation = Observation(seat, options, GAME.view(state, seat), legal(state, seat))
        state = evolved(state, GAME.decide(state, seat, policies[seat](GAME, observation, chance), NOW))
    raise AssertionError("the round never ends")


def won_share(seats: int, tables: int = 96) -> float:
    """Returns how many tables one steady bot wins against random ones; it changes seats from table to table."""
    chance, wins = Random(seats), 0
    for number in range(tables):
        mine = number % seats
        policies = [play_steady if seat == mine else play_random for seat in range(seats)]
        wins += sit_down(policies, chance, Options()).winner == mine
    return wins / tables


@pytest.mark.parametrize(("seats", "at_least"), [(2, 0.85), (3, 0.65), (4, 0.55)])
def test_it_clearly_beats_random_players(seats, at_least):
    assert won_share(seats) > at_least


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [Options(), Options(play_for_places=True, voluntary_pickup=True)])
def test_g_15_tables_of_steady_bots_end(seats, options):
    for seed in range(8):
        assert sit_down([play_steady] * seats, Random(seed), options).actions < 2_000
