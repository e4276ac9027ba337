"""Shithead tables played at random over all seat counts and options: invariants of every version."""

from random import Random

import pytest

from hoodwink.domain.cards import JOKER, build_pack
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.options import Options
from hoodwink.domain.games.shithead.rules import has_cards
from hoodwink.domain.games.shithead.state import Step, initial
from hoodwink.domain.kernel import Stage
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
from tests.domain.laws.playout import play
from tests.domain.laws.universe import expand, verdict


@pytest.fixture(scope="module", params=range(9))
def played(request):
    return play(GAME, request.param, max_entries=1_500)


def in_play(played):
    return [entry.state for entry in played.entries if entry.state.stage is Stage.IN_PLAY]


def test_sh_29_a_hand_of_fewer_than_three_means_an_empty_stock(played):
    for state in in_play(played):
        assert not state.stock or min(map(len, state.hands)) >= 3


def test_sh_26_sh_48_a_pile_holds_no_joker_and_shows_no_10_or_four_of_a_kind(played):
    for pile in filter(None, [state.pile for state in in_play(played)]):
        assert JOKER not in pile
        assert pile[-1][0] != "T"
        assert len(pile) < 4 or len({card[0] for card in pile[-4:]}) > 1


def test_sh_41_exactly_those_without_cards_are_out_once_no_joker_waits(played):
    for state in in_play(played):
        if state.step is not Step.ANSWER:
            without = {seat for seat in range(played.seats) if not has_cards(state, seat)}
            assert set(state.finished) == without


def test_g_5_every_listed_action_is_accepted_at_every_version(played):
    chance = Random(played.seed)
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
    causes = [event.cause() for event in events_of(state, 0, action)]
    assert causes == [(0, action)] + [None] * (len(causes) - 1)


def test_deals_and_scores_are_not_actions():
    events = (*GAME.deal(initial(Options(), 2), StackedDraws()), *GAME.score_round(table("", "KD")))
    assert [event.cause() for event in events] == [None, None]
