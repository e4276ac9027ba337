"""The steady Blind Don bot: how it follows and leads, and its results."""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots import play_random, play_steady
from hoodwink.domain.cards import Card
from hoodwink.domain.games.blind_don import GAME
from hoodwink.domain.games.blind_don.options import Options
from hoodwink.domain.games.blind_don.state import Laid
from hoodwink.domain.kernel import Observation, Stage
from tests.domain.games.blind_don_table import fold, seeded, situation


def chosen(state, seed=0):
    seat = state.to_move
    observation = Observation(seat, state.options, GAME.view(state, seat), GAME.legal_actions(state, seat, 0))
    action: Any = play_steady(GAME, observation, Random(seed))
    return state.face_up[seat][action.position]


def following(led, row, trump="S"):
    return chosen(situation(("", row), lead=Laid(0, 8, Card(led)), trump=trump, to_move=1))


def test_it_takes_a_trick_worth_taking():
    assert following("9S", "2S TS 3H") == "TS"
    assert following("5H", "2C 3S 4D") == "3S"


def test_it_takes_with_the_lowest_sufficient_card():
    assert following("5H", "8H 6H 7H") == "6H"


def test_it_gives_no_points_to_a_lost_trick():
    assert following("AH", "5D 2C TD") == "2C"
    assert following("KS", "5S 9S 2S") == "2S"


def test_it_leads_the_safest_card():
    state = situation(("5H 3D", "AH 2D"), trump="S")
    assert chosen(state) == "3D"


def test_it_leads_trump_to_start_a_round_it_can_take():
    state = situation(("AS 5H", "5S KH"))
    assert chosen(state) == "AS"


def test_first_lead_makes_the_stronger_suit_trump():
    assert chosen(situation(("AH 2S 3S 4S", "KD QD 5C 6C"))) in {"2S", "3S", "4S"}
    assert chosen(situation(("AH 2S 3S 4S", "KS QS JS TS"))) == "AH"


def test_chance_breaks_ties():
    state = situation(("2H 2D", "3C 3S"), trump="C")
    assert {chosen(state, seed) for seed in range(40)} == {"2H", "2D"}


def scores(policies, seed, **options):
    chance = Random(seed)
    state = GAME.initial(Options(**options), 2)
    while state.stage is not Stage.OVER:
        if state.stage is Stage.IN_PLAY:
            seat = state.to_move
            observation = Observation(
                seat, state.options, GAME.view(state, seat), GAME.legal_actions(state, seat, 0)
            )
            events = GAME.decide(state, seat, policies[seat](GAME, observation, chance), 0)
        else:
            events = (
                GAME.deal(state, seeded(seed)) if state.stage is Stage.TO_DEAL else GAME.score_round(state)
            )
        state = fold(state, events)
    return state.scores


def test_it_beats_random_play():
    tables, won = 60, 0
    for seed in range(tables):
        policies = [play_random, play_random]
        policies[seed % 2] = play_steady
        points = scores(policies, seed)
        won += points[seed % 2] > points[1 - seed % 2]
    assert won > 0.85 * tables


@pytest.mark.parametrize("options", [{"flip": "immediate"}, {"final_tie": "two_more_rounds"}, {"rounds": 2}])
def test_a_table_of_steady_bots_ends(options):
    assert min(scores([play_steady] * 2, 3, **options)) > 0
