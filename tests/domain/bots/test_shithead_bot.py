"""The steady Shithead bot: it plays sensibly, better than chance, and always finds an action."""

from random import Random

import pytest

from hoodwink.domain.bots import play_random, play_steady
from hoodwink.domain.cards import SeededDraws
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.options import Options
from hoodwink.domain.games.shithead.state import Step
from hoodwink.domain.kernel import Observation, Stage
from hoodwink.service.simulation.random_options import random_options
from tests.domain.games.shithead_table import (
    ACCEPT,
    PICK_UP,
    READY,
    after,
    all_ready,
    burn,
    counter,
    dealt,
    deck_for,
    flip,
    is_listed,
    joker,
    pick_up,
    play,
    swap,
    table,
)

PICKED_UP = {"joker_fate": "picked_up"}
GUARD = 20_000


class NoWhims(Random):
    def random(self):
        return 0.5


def chosen(state, seat, chance, policy=play_steady):
    observation = Observation(seat, state.options, GAME.view(state, seat), GAME.legal_actions(state, seat, 0))
    return policy(GAME, observation, chance)


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (table("9C 9D 2D JH", "KD"), play("9C 9D")),
        (table("8D 8C JH", "KD", pile="AS"), play("8D")),
        (table("9C TC 4D", "KD", pile="9S 9H 9D"), play("9C")),
        (table("4C JK", "KD KH", "KS", pile="AS"), joker(2)),
        (table("JK", "KD KH", "KS", pile="AS", options=PICKED_UP), joker(1)),
        (table("JK KD", "KH", pile="4S 9S", step=Step.ANSWER), counter(1)),
        (table("JK KD", "KH", pile="4S 9S", step=Step.ANSWER, options=PICKED_UP), ACCEPT),
        (table("JK", "JK JK", step=Step.ANSWER, options=PICKED_UP), counter(1)),
        (table("4C", "KD", pile="9S"), PICK_UP),
        (table("", "KD", face_up=["7C 4C"], pile="9S"), pick_up("4C")),
        (table("", "KD", blind=["- 4C -"], pile="9S"), flip(1)),
        (table("6C", "KD", pile="6H 6D 6S", to_move=1, options={"out_of_turn_burn": True}), burn("6C")),
        (dealt(deck_for(["4C 5C AC", "KD KH KS"], face_up=["6C 2C TC", ""]), seats=2), swap("AC", "6C")),
        (dealt(deck_for(["4C 5C 6C", "KD KH KS"], face_up=["6D 2C TC", ""]), seats=2), READY),
        (all_ready(dealt(deck_for(["8D 8H JK", "KD KH KS"]), seats=2)), play("8H")),
    ],
)
def test_it_chooses_the_action_that_gives_away_the_least(state, action):
    assert is_listed(state, 0, action)
    assert chosen(state, 0, NoWhims()) == action


def test_g_15_it_is_not_purely_deterministic():
    state = table("4C 5C 9D", "KD")
    assert len({chosen(state, 0, Random(seed)) for seed in range(200)}) > 1


def scores(policies, options, seed):
    """Plays a table to its end, perhaps by the guard against endless rounds, and returns the points."""
    chance, count = Random(seed), 0
    state, draws = GAME.initial(options, len(policies)), SeededDraws(f"{seed:064x}", ())
    while state.stage is not Stage.OVER:
        if state.stage is Stage.IN_PLAY and count == GUARD:
            state, count = GAME.void_round(state), 0
            continue
        for event in next_events(state, policies, chance, draws):
            state = GAME.evolve(state, event)
        count = count + 1 if state.stage is Stage.IN_PLAY else 0
    return state.points


def next_events(state, policies, chance, draws):
    if state.stage is Stage.TO_DEAL:
        return GAME.deal(state, draws)
    if state.stage is Stage.TO_SCORE:
        return GAME.score_round(state)
    turn = GAME.turn(state)
    able = [seat for seat in (*turn.owes, *turn.may) if GAME.legal_actions(state, seat, 0)]
    seat = chance.choice(able)
    return GAME.decide(state, seat, chosen(state, seat, chance, policies[seat]), 0)


@pytest.mark.parametrize(("seats", "max_lost"), [(2, 20), (4, 20)])
def test_it_beats_random_play(seats, max_lost):
    tables, lost = 60, 0
    for seed in range(tables):
        policies = [play_random] * seats
        policies[seed % seats] = play_steady
        points = scores(policies, Options(), seed)
        lost += points[seed % seats] < (seats - 1) / 2
    assert lost < max_lost


@pytest.mark.parametrize(("mine", "theirs"), [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_g_15_sh_42_sh_59_players_with_nothing_but_jokers_come_to_an_end(mine, theirs):
    for seed in range(20):
        chance = Random(seed)
        state = table(
            *[" ".join(["JK"] * held) for held in (mine, theirs)], options=PICKED_UP | {"jokers": 4}
        )
        for _ in range(60):
            if state.stage is Stage.IN_PLAY:
                state = after(state, (state.to_move, chosen(state, state.to_move, chance)))
        assert state.stage is Stage.TO_SCORE


@pytest.mark.parametrize("seats", range(2, 11))
def test_g_15_tables_of_steady_bots_end_under_any_options(seats):
    chance = Random(seats)
    for seed in range(4):
        options = random_options(GAME, seats, chance)
        points = scores([play_steady] * seats, options, seed)
        assert sum(points) % (seats * (seats - 1) // 2) == 0
