"""Coconut tables played at random over all seat counts and options: invariants of every version."""

from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.games.coconut import GAME
from hoodwink.domain.games.coconut.actions import ChooseFaceUp
from hoodwink.domain.games.coconut.events import RoundDealt
from hoodwink.domain.games.coconut.state import CHOOSE
from hoodwink.domain.kernel import Stage
from tests.domain.games.coconut_table import (
    PICK_UP,
    Stacked,
    after,
    choose,
    dealt,
    decided,
    flip,
    sneak,
    table,
)
from tests.domain.games.coconut_table import (
    play as lay,
)
from tests.domain.laws.playout import play
from tests.domain.laws.universe import expand, verdict


@pytest.fixture(scope="module", params=range(10))
def played(request):
    return play(GAME, request.param, max_entries=2_000)


def in_play(played):
    return [entry.state for entry in played.entries if entry.state.stage is Stage.IN_PLAY]


def test_co_10_a_hand_of_fewer_than_three_means_an_empty_deck(played):
    for state in in_play(played):
        assert not state.stock or min(map(len, state.hands)) >= 3


def test_co_17_a_pile_never_has_four_of_a_kind_or_a_10_on_top(played):
    for pile in filter(None, [state.pile for state in in_play(played)]):
        assert pile[-1][0] != "T"
        assert len(pile) < 4 or len({card[0] for card in pile[-4:]}) > 1


def test_co_4_every_round_names_the_next_dealer(played):
    dealers = [entry.event.dealer for entry in played.entries if isinstance(entry.event, RoundDealt)]
    assert dealers == [(dealers[0] + lap) % played.seats for lap in range(len(dealers))]


def test_g_5_every_listed_action_is_accepted_at_every_version(played):
    chance = Random(played.seed)
    for entry in played.entries:
        for seat in range(played.seats):
            legal = GAME.legal_actions(entry.state, seat, entry.now)
            for action in expand(GAME, legal, chance):
                assert verdict(GAME, entry.state, seat, action, entry.now) is None


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (table("4C 5C 6C 7C 8C 9C", "3C", step=CHOOSE), choose("4C 6C 5C")),
        (table("9C 9D", "3C"), lay("9D 9C")),
        (table("4C", "3C", pile="9S"), PICK_UP),
        (table("4C", "3C", "5C", pile="4D 4H 4S", to_move=1, laid_by=2), sneak("4C")),
        (table("", "3C", face_up=("", ""), pile="3D"), flip(1)),
        (table("", "3C", face_up=("", ""), pile="9S"), flip(1)),
    ],
)
def test_an_actions_first_event_records_it(state, action):
    assert [event.cause() for event in decided(state, 0, action)] == [(0, action)]


def test_reveals_deals_and_scores_are_not_actions():
    state = dealt(Stacked(), 2)
    state = after(state, (0, ChooseFaceUp(state.hands[0][:3])))
    last, reveal = decided(state, 1, ChooseFaceUp(state.hands[1][:3]))
    assert last.cause() == (1, ChooseFaceUp(state.hands[1][:3]))
    events = (reveal, *GAME.deal(state, Stacked()), *GAME.score_round(replace(state, finished=(0,))))
    assert [event.cause() for event in events] == [None] * 3
