"""Shithead tables played at random over all seat counts and options."""

from random import Random

import pytest

from domain.cards import build_pack
from domain.games.shithead import GAME
from domain.games.shithead.options import Options
from domain.games.shithead.state import Step, initial
from tests.domain.games.shithead_table import (
    ACCEPT,
    PICK_UP,
    READY,
    StackedDraws,
    after,
    burn,
    counter,
    dealt,
    deck_for,
    events_of,
    flip,
    joker,
    pick_up,
    swap,
    table,
)
from tests.domain.games.shithead_table import (
    play as lay,
)
from tests.domain.laws.laws import LIGHT, replayable
from tests.domain.laws.playout import play
from tests.domain.laws.universe import expand, verdict

TABLES = 45


@pytest.mark.parametrize("seed", range(TABLES))
def test_g_5_g_7_g_9_random_tables_keep_the_light_laws_and_accept_all_that_is_listed(seed):
    with replayable(GAME, seed):
        played = play(GAME, seed, most_rounds=2, most_entries=1_000)
        for law in LIGHT:
            law(played)
        chance = Random(seed)
        for entry in played.entries:
            for seat in range(played.seats):
                for action in expand(GAME, GAME.legal_actions(entry.state, seat, 0), chance):
                    assert verdict(GAME, entry.state, seat, action, 0) is None


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (dealt(build_pack(jokers=2), seats=2), READY),
        (after(dealt(build_pack(jokers=2), seats=2), (1, READY)), READY),
        (dealt(deck_for(["4C 5C 6C", "KD KH KS"], face_up=["JC JD JH", ""]), seats=2), swap("4C", "JD")),
        (table("9C 9D", "KD"), lay("9D 9C")),
        (table("4C", "KD", pile="9S"), PICK_UP),
        (table("", "KD", face_up=["4C 5C"], pile="9S"), pick_up("5C")),
        (table("", "KD", blind=["- 9C JK"]), flip(1)),
        (table("", "KD", blind=["- 4C JK"], pile="9S"), flip(1)),
        (table("", "KD", blind=["- 9C JK"]), flip(2)),
        (table("JK 4C", "KD", "KH"), joker(2)),
        (table("JK 4C", "KD", "KH", step=Step.ANSWER), counter(2)),
        (table("JK 4C", "KD", "KH", step=Step.ANSWER), ACCEPT),
        (table("6C", "KD", pile="6H 6D 6S", to_move=1, options={"out_of_turn_burn": True}), burn("6C")),
    ],
)
def test_an_actions_first_event_records_it_and_the_others_are_consequences(state, action):
    causes = [GAME.cause(event) for event in events_of(state, 0, action)]
    assert causes == [(0, action)] + [None] * (len(causes) - 1)


def test_neither_a_deal_nor_a_score_is_an_action():
    events = (*GAME.deal(initial(Options(), 2), StackedDraws()), *GAME.score_round(table("", "KD")))
    assert [GAME.cause(event) for event in events] == [None, None]
