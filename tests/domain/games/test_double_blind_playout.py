"""The Double Blind: whole tables by random play, over all seat counts and many options."""

from random import Random

import msgspec
import pytest

from hoodwink.domain.bots import play_steady
from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.options import Options, exposures_allowed, pack_for
from hoodwink.domain.games.double_blind.rules import credit
from hoodwink.domain.kernel import Observation, RuleViolation, Stage
from tests.domain.games.double_blind_table import (
    look,
    table_cards,
)

_DECODERS = {kind.wire: msgspec.json.Decoder(kind) for kind in GAME.events}


class Shuffled:
    first_dealer = None  # it is drawn

    def __init__(self, chance):
        self.chance = chance

    def seat(self, seats):
        return self.chance.randrange(seats)

    def deck(self, pack, number):
        return tuple(self.chance.sample(pack, len(pack)))


def some_options(chance):
    return Options(
        jokers_per_deck=chance.randint(0, 2),
        target_score=chance.choice((1, 200, 500)),
        dealer_rotation=chance.choice(("right", "left", "fixed")),
        joker_basis=chance.choice(("caper", "total")),
        exhausted_trick=chance.choice(("last_in_order", "void")),
        exposure_actions=chance.random() < 0.8,
        exposure_limit=chance.randint(0, 5),
    )


def play_table(options, seats, chance, move, look):
    """Plays to the end and returns the last state and the log; `look` is called with every state."""
    state, log = GAME.initial(options, seats), []
    while state.stage is not Stage.OVER:
        for event in next_events(state, chance, move):
            state = GAME.evolve(state, event)
            log.append(event)
        look(state)
    return state, log


def next_events(state, chance, move):
    if state.stage is Stage.TO_DEAL:
        return GAME.deal(state, Shuffled(chance))
    if state.stage is Stage.TO_SCORE:
        return GAME.score_round(state)
    seat, action = move(state, chance)
    events = GAME.decide(state, seat, action, 0)
    assert [event.cause() for event in events] == [(seat, action)] + [None] * (len(events) - 1)
    return events


def anybody(state, chance):
    """Returns a random action of a random seat that has one, in turn or out of turn."""
    turn = GAME.turn(state)
    able = [seat for seat in (*turn.owes, *turn.may) if GAME.legal_actions(state, seat, 0)]
    seat = chance.choice(able)
    return seat, chance.choice(GAME.legal_actions(state, seat, 0))


def steady(state, chance):
    [seat] = GAME.turn(state).owes
    legal = GAME.legal_actions(state, seat, 0)
    observation = Observation(seat, state.options, look(state, seat), legal)
    return seat, play_steady(GAME, observation, chance)


def check_laws(state):
    if state.stage is not Stage.IN_PLAY:
        return
    assert table_cards(state) == sorted(pack_for(state.options, state.seats))
    assert all(credit(state, seat) for seat in state.waiting)
    assert max(state.exposures) <= exposures_allowed(state.options)
    if state.bank:
        check_stashes(state)


def check_stashes(state):
    if not state.middle:
        assert {len(sleeve) for sleeve in state.sleeves} == {3}
        assert not any(None in pocket for pocket in state.pockets)
    if state.waiting == state.contenders:
        assert len({credit(state, seat) for seat in state.contenders}) == 1


@pytest.mark.parametrize("seed", range(32))
def test_db_2_db_20_random_tables_end_and_keep_the_invariants(seed):
    chance = Random(seed)
    seats = 2 + seed % 8
    state, log = play_table(some_options(chance), seats, chance, anybody, check_laws)
    assert state.totals.count(max(state.totals)) == 1
    assert state.capers == state.round
    assert replayed(state.options, seats, log) == state


def replayed(options, seats, log):
    state = GAME.initial(options, seats)
    for event in log:
        coded = msgspec.json.encode(event)
        state = GAME.evolve(state, _DECODERS[event.wire].decode(coded))
    return state


@pytest.mark.parametrize("seed", range(4))
def test_every_legal_action_is_accepted_and_every_other_refused(seed):
    chance = Random(seed)
    options = msgspec.structs.replace(some_options(chance), target_score=1)
    play_table(options, 2 + seed, chance, anybody, check_offers)


def check_offers(state):
    universe = [kind(*arguments) for kind in GAME.actions for arguments in fields_of(kind, state)]
    for seat in range(state.seats):
        accepted = [action for action in universe if is_accepted(state, seat, action)]
        legal = GAME.legal_actions(state, seat, 0)
        assert set(accepted) == set(legal)
        assert len(set(legal)) == len(legal)


def fields_of(kind, state):
    faces = sorted(set(pack_for(state.options, state.seats)))
    slots = range(-1, 6)
    if kind.__struct_fields__ == ("card",):
        return [(card,) for card in faces]
    if kind.__struct_fields__ == ("slot",):
        return [(slot,) for slot in slots]
    return [(owner, slot) for owner in range(-1, state.seats + 1) for slot in slots]


def is_accepted(state, seat, action):
    try:
        GAME.decide(state, seat, action, 0)
    except RuleViolation:
        return False
    return True


@pytest.mark.parametrize("seats", range(2, 10))
def test_steady_bots_end_every_table(seats):
    chance = Random(seats)
    state, _ = play_table(Options(), seats, chance, steady, check_laws)
    assert state.exposures == (0,) * seats
    assert max(state.totals) >= 1000


def test_a_steady_bot_beats_random_ones():
    won = 0
    for seed in range(24):
        me = seed % 3

        def move(state, chance, me=me):
            return steady(state, chance) if GAME.turn(state).owes == (me,) else random_in_turn(state, chance)

        totals = play_table(Options(exposure_actions=False), 3, Random(seed), move, check_laws)[0].totals
        won += totals[me] == max(totals)
    assert won >= 18


def random_in_turn(state, chance):
    [seat] = GAME.turn(state).owes
    return seat, chance.choice(GAME.legal_actions(state, seat, 0))
