"""Functions shared by all bots: picking from compact choices, ranking, and random play."""

from random import Random
from types import SimpleNamespace
from typing import Any

from hoodwink.domain.bots import choose_cards, pick_action, play_random, ranked
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


def test_actions_are_ranked_without_those_that_lose_too_much():
    assert ranked([3, 9, 7, 8], lambda number: number, Random(0), max_loss=2) == (9, 8, 7)
    assert {ranked("ab", lambda _: 0, Random(seed), max_loss=0) for seed in range(20)} == {
        ("a", "b"),
        ("b", "a"),
    }
