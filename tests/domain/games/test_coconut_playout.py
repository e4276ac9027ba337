"""Coconut: whole tables at random, over all seat counts and options."""

from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from domain.bots import pick_action
from domain.games.coconut import GAME
from domain.games.coconut.events import RoundDealt
from domain.games.coconut.options import Options
from domain.games.coconut.state import State, initial
from domain.games.coconut.view import view
from domain.kernel import Event, Stage
from tests.domain.games.coconut_table import Shuffled, all_cards, whole_pack

MOST_ACTIONS = 20_000  # G-15


def random_options(chance: Random) -> Options:
    return Options(
        opening=chance.choice(("lowest_nonwild", "lowest_literal", "free")),
        two_plays_again=chance.random() < 0.3,
        clear_plays_again=chance.random() < 0.7,
        voluntary_pickup=chance.random() < 0.2,
        sneak=chance.random() < 0.8,
        sneak_grace_ms=chance.choice((0, 0, 1_000)),
        play_for_places=chance.random() < 0.5,
        rounds=chance.choice((1, 1, 2)),
    )


class Sitting:
    """A random table, checked at every step."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.seats = 2 + seed % 3
        self.start = self.state = initial(random_options(self.chance), self.seats)
        self.draws = Shuffled(self.chance)
        self.log: list[Event] = []
        self.states: list[State] = []
        self.now = 0

    def record(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)
            self.states.append(self.state)

    def play(self) -> None:
        for _ in range(self.state.options.rounds):
            self.record(GAME.deal(self.state, self.draws))
            for _ in range(MOST_ACTIONS):
                if self.state.stage is not Stage.IN_PLAY:
                    break
                self.act()
            self.record(GAME.score_round(self.state))

    def act(self) -> None:
        turn = GAME.turn(self.state)
        seat = self.chance.choice(turn.owes)
        if turn.may and self.chance.random() < 0.5:
            seat = self.chance.choice([at for at in turn.may if self.legal(at)] or [seat])
        if not self.legal(seat):
            self.now = view(self.state, seat).waits_until or self.now
        legal = self.legal(seat)
        for listed in legal:  # each is accepted, and one of them is what happens
            GAME.decide(self.state, seat, pick_action(GAME, listed, self.chance), self.now)
        action = pick_action(GAME, self.chance.choice(legal), self.chance)
        events = GAME.decide(self.state, seat, action, self.now)
        assert GAME.cause(events[0]) == (seat, action)
        assert [GAME.cause(event) for event in events[1:]] == [None] * len(events[1:])
        self.record(events)

    def legal(self, seat: int) -> tuple[Any, ...]:
        return GAME.legal_actions(self.state, seat, self.now)


@cache
def played(seed: int) -> Sitting:
    table = Sitting(seed)
    table.play()
    return table


@pytest.fixture(params=range(30))
def sitting(request):
    return played(request.param)


def test_co_28_co_29_random_tables_come_to_their_end(sitting):
    assert sitting.state.stage is Stage.OVER
    assert sitting.state.round == sitting.state.options.rounds


def test_co_10_co_13_co_25_cards_are_conserved(sitting):
    pack = whole_pack(sitting.seats)
    assert all(all_cards(state) == pack for state in sitting.states[:: max(1, len(sitting.states) // 200)])
    assert all_cards(sitting.state) == pack


def test_co_10_a_hand_of_fewer_than_three_means_an_empty_deck(sitting):
    for state in sitting.states:
        if state.stage is Stage.IN_PLAY:
            assert not state.stock or min(map(len, state.hands)) >= 3


def test_a_log_read_from_bytes_replays_to_the_same_states(sitting):
    state = sitting.start
    for event, live in zip(sitting.log, sitting.states, strict=True):
        read = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
        state = GAME.evolve(state, read)
        assert state == live


def test_co_17_a_standing_pile_never_bears_four_of_a_kind_or_a_10(sitting):
    for state in sitting.states:
        if state.pile and state.stage is Stage.IN_PLAY:
            assert state.pile[-1][0] != "T"
            assert len({card[0] for card in state.pile[-4:]}) > 1 or len(state.pile) < 4


def test_co_4_every_round_names_the_next_dealer(sitting):
    dealers = [event.dealer for event in sitting.log if isinstance(event, RoundDealt)]
    assert dealers == [(dealers[0] + lap) % sitting.seats for lap in range(len(dealers))]
