"""Coconut tables played at random over all seat counts and options: what holds at every version."""

from random import Random

import pytest

from domain.games.coconut import GAME
from domain.games.coconut.events import RoundDealt
from domain.kernel import Stage
from tests.domain.laws.playout import play
from tests.domain.laws.universe import expand, verdict


@pytest.fixture(scope="module", params=range(30))
def played(request):
    return play(GAME, request.param, most_entries=2_000)


def in_play(played):
    return [entry.state for entry in played.entries if entry.state.stage is Stage.IN_PLAY]


def test_co_10_a_hand_of_fewer_than_three_means_an_empty_deck(played):
    for state in in_play(played):
        assert not state.stock or min(map(len, state.hands)) >= 3


def test_co_17_a_standing_pile_never_bears_four_of_a_kind_or_a_10(played):
    for pile in filter(None, [state.pile for state in in_play(played)]):
        assert pile[-1][0] != "T"
        assert len(pile) < 4 or len({card[0] for card in pile[-4:]}) > 1


def test_co_4_every_round_names_the_next_dealer(played):
    dealers = [entry.event.dealer for entry in played.entries if isinstance(entry.event, RoundDealt)]
    assert dealers == [(dealers[0] + lap) % played.seats for lap in range(len(dealers))]


def test_g_5_all_that_is_listed_is_accepted_at_every_version(played):
    chance = Random(played.seed)
    for entry in played.entries:
        for seat in range(played.seats):
            legal = GAME.legal_actions(entry.state, seat, entry.now)
            for action in expand(GAME, legal, chance):
                assert verdict(GAME, entry.state, seat, action, entry.now) is None
