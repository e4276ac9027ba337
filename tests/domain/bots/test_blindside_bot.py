"""The steady Blindside bot: the cards that it takes, keeps, discards and passes, and its results."""

from random import Random

import pytest

from hoodwink.domain.bots import play_random, play_steady
from hoodwink.domain.cards import Card, SeededDraws
from hoodwink.domain.games.blindside import GAME
from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from hoodwink.domain.games.blindside.options import Options
from hoodwink.domain.games.blindside.state import Step
from hoodwink.domain.kernel import Observation, Stage
from tests.domain.games.blindside_table import Stacked, dealt, fold, in_turn


def chosen(state, seat=0, seed=0):
    observation = Observation(seat, state.options, GAME.view(state, seat), GAME.legal_actions(state, seat, 0))
    return play_steady(GAME, observation, Random(seed))


def test_it_passes_its_lowest_card():
    state = dealt(3, Stacked(2, "AS 2C 2D KS 3C 3D 4S 4C 4D 9S 5C 5D"))
    assert state.hands[0] == ("AS", "KS", "4S", "9S")
    assert chosen(state) == PassBlindside(Card("4S"))


@pytest.mark.parametrize(
    ("top", "source"), [("AS", "discard"), ("TS", "discard"), ("9S", "stock"), ("2S", "stock")]
)
def test_it_takes_cards_worth_ten_or_more(top, source):
    assert chosen(in_turn(("2D 3D 4D", "5D"), stock="9C", discard_pile=top)) == DrawCard(source)


def test_it_keeps_high_cards_and_discards_low_ones():
    state = in_turn(("2D AD KD 4D", "5D"), step=Step.KEEP)
    assert chosen(state) == KeepCard(Card("AD"))
    state = in_turn(("2D AD KD", "5D"), step=Step.DISCARD)
    assert chosen(state) == DiscardCard(Card("2D"))


def test_chance_breaks_ties():
    state = in_turn(("TD JD QD KD", "5D"), step=Step.KEEP)
    assert {chosen(state, seed=seed).card for seed in range(40)} == {"TD", "JD", "QD", "KD"}


def scores(policies, seed, **options):
    seats, chance = len(policies), Random(seed)
    state, draws = GAME.initial(Options(**options), seats), SeededDraws(f"{seed:064x}", ())
    while state.stage is not Stage.OVER:
        if state.stage is Stage.IN_PLAY:
            seat = GAME.turn(state).owes[0]
            observation = Observation(
                seat, state.options, GAME.view(state, seat), GAME.legal_actions(state, seat, 0)
            )
            events = GAME.decide(state, seat, policies[seat](GAME, observation, chance), 0)
        else:
            events = GAME.deal(state, draws) if state.stage is Stage.TO_DEAL else GAME.score_round(state)
        state = fold(state, events)
    return state.tokens


@pytest.mark.parametrize("options", [{}, {"five_card": True}])
def test_it_beats_random_play(options):
    tables, won = 60, 0
    for seed in range(tables):
        policies = [play_random] * 4
        policies[seed % 4] = play_steady
        balances = scores(policies, seed, **options)
        won += balances[seed % 4] == max(balances)
    assert won > 0.6 * tables  # a fair share is a quarter


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_table_of_steady_bots_ends(seats):
    assert sum(scores([play_steady] * seats, seats)) == 0
