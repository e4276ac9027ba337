"""Plans for the next decisions after a move (G-19)."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from hoodwink.domain.bots.plans import QUICKLY, Plan
from hoodwink.domain.bots.search import Search
from hoodwink.domain.games.coconut.actions import FlipCard, PlayCards, SneakCards
from hoodwink.domain.games.shedding import ranks_of
from hoodwink.domain.kernel import Lookahead, Stage, Turn
from tests.domain.games.coconut_table import cards


def test_g_19_a_plan_tries_every_option_and_returns_to_the_best_one():
    plan, worth = Plan(), {QUICKLY: 0.4, "good": 0.7, "bad": 0.1}
    chosen = []
    for _ in range(200):
        chosen.append(plan.choose(("good", "bad")))
        plan.later[chosen[-1]].add(worth[chosen[-1]])
    assert chosen[0] is QUICKLY
    assert set(chosen) == worth.keys()
    assert chosen[100:].count("good") > 80


# Seat 1 moves twice, as does seat 0. After the first move "feint", the second move "strike" wins, which quick play never makes.
GAME: Any = SimpleNamespace(
    stage=lambda state: Stage.IN_PLAY if len(state) < 4 else Stage.TO_SCORE,
    turn=lambda state: Turn(((len(state) + 1) % 2,)),
)
RESULTS = {("feint", "strike"): 1.0, ("feint", "rest"): 0.0, ("wait", "strike"): 0.3, ("wait", "rest"): 0.5}
LOOKAHEAD: Lookahead[Any] = Lookahead(
    planned=1,
    moves=lambda state, seat: ("rest", "strike"),
    apply=lambda state, seat, move: (*state, move),
    play_on=lambda state, chance: (*state, "rest"),
    value=lambda state: (0.0, RESULTS[state[0], state[2]]),
    scale="",
)


@pytest.mark.parametrize(("plans", "best"), [(False, "wait"), (True, "feint")])
def test_g_19_a_search_with_a_plan_finds_moves_that_need_a_second_one(plans, best):
    searching = Search(GAME, LOOKAHEAD, 1, Random(0), plans=plans)
    assert searching.best(("feint", "wait"), "wait", 100, tuple)[0] == best


def test_g_19_plays_of_the_same_ranks_are_the_same_idea_in_all_deals():
    assert ranks_of(PlayCards(cards("9C 9D"))) == ranks_of(PlayCards(cards("9H 9S")))
    different = PlayCards(cards("9C")), PlayCards(cards("9C 9D")), SneakCards(cards("9C")), FlipCard(0)
    assert len(set(map(ranks_of, different))) == len(different)
