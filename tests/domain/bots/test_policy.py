"""Functions shared by all bots: picking from compact choices, and the two policies by name."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from hoodwink.domain.bots import (
    POLICIES,
    choose_cards,
    out_of_turn,
    pick_action,
    play_random,
    policy_for,
)
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, CardChoice, Observation


class Lay(Action, frozen=True, tag="lay"):
    cards: tuple[str, ...]


class Stop(Action, frozen=True, tag="stop"):
    pass


GAME: Any = SimpleNamespace(actions=(Stop, Lay))
PAIR = CardChoice(type="lay", cards=("AS", "AH", "AS", "AD"), at_least=1, at_most=3)


def picks(choice):
    return [pick_action(GAME, choice, Random(seed)) for seed in range(200)]


def test_a_plain_action_is_picked_unchanged():
    assert pick_action(GAME, Stop(), Random(0)) == Stop()


def test_a_choice_is_picked_with_every_number_of_cards_it_allows():
    actions = picks(PAIR)
    assert all(isinstance(action, Lay) for action in actions)
    assert {len(action.cards) for action in actions} == {1, 2, 3}
    assert all(action.cards.count("AS") <= 2 and action.cards.count("AH") <= 1 for action in actions)


def test_a_choice_is_picked_with_the_card_it_must_include():
    actions = picks(CardChoice(type="lay", cards=PAIR.cards, at_least=1, at_most=3, including="AH"))
    assert all(action.cards.count("AH") == 1 for action in actions)
    assert {len(action.cards) for action in actions} == {1, 2, 3}


def test_a_choice_becomes_the_action_of_its_type():
    assert choose_cards(GAME, PAIR, ("AS", "AD")) == Lay(("AS", "AD"))


def test_random_play_is_uniform_and_follows_the_seed():
    legal = (Stop(), Lay(("AS",)))
    observation = Observation(0, GAMES["blindside"].options(), None, legal)
    chosen = [play_random(GAME, observation, Random(seed)) for seed in range(400)]
    assert chosen == [play_random(GAME, observation, Random(seed)) for seed in range(400)]
    assert 150 < chosen.count(Stop()) < 250


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_has_both_policies(game):
    assert POLICIES == ("random", "steady")
    assert policy_for("random", game) is play_random
    assert policy_for("steady", game) is game.steady
    with pytest.raises(KeyError):
        policy_for("cheating", game)


def test_g_9_steady_bots_always_interrupt_and_random_ones_sometimes():
    observation = Observation(0, GAMES["coconut"].options(), None, (Stop(),))

    def always(*_: Any) -> Action:
        return Stop()

    assert {out_of_turn(always)(GAME, observation, Random(seed)) for seed in range(20)} == {Stop()}
    taken = [out_of_turn(play_random)(GAME, observation, Random(seed)) for seed in range(400)]
    assert 150 < taken.count(Stop()) < 250
    assert 150 < taken.count(None) < 250
