"""Blind Don: what each viewer sees, at every step of a round."""

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN, Card, build_pack
from hoodwink.domain.games.blind_don import GAME
from hoodwink.domain.games.blind_don.events import RoundDealt
from hoodwink.domain.games.blind_don.options import Options
from hoodwink.domain.games.blind_don.state import Laid, State
from hoodwink.domain.games.blind_don.view import view
from hoodwink.domain.kernel import Stage, redact
from tests.domain.games.blind_don_table import (
    PLAYERS_AND_SPECTATOR,
    VIEWERS,
    Stacked,
    cards,
    deal_events,
    dealt,
    may_play,
    play,
    play_round,
    refusal,
    row,
    score,
    seeded,
    situation,
    to_score,
)

FLIPS = pytest.mark.parametrize("flip", ["after_trick", "immediate"])


def steps(flip, seed=7):
    """Yields every state of one round, from the deal to the score."""
    state = dealt(seeded(seed), flip=flip)
    yield state
    while state.stage is Stage.IN_PLAY:
        state = play(state, may_play(state, state.to_move)[-1])
        yield state
    yield score(state)


def hidden_faces(state):
    down = [card for cards_down in state.face_down for card in cards_down if card is not None]
    return {*down, *state.aside}


@FLIPS
@pytest.mark.parametrize("viewer", PLAYERS_AND_SPECTATOR)
def test_bd_7_bd_20_no_view_shows_a_face_down_card_or_one_aside(flip, viewer):
    for state in steps(flip):
        shown = msgspec.json.encode(view(state, viewer)).decode()
        assert not [face for face in hidden_faces(state) if face in shown]


@FLIPS
def test_g_1_players_and_spectator_see_the_same(flip):
    for state in steps(flip):
        assert view(state, 0) == view(state, 1) == view(state, "spectator")


@FLIPS
def test_g_7_the_number_of_cards_in_every_zone_is_public(flip):
    for state in steps(flip):
        seen = view(state, "spectator")
        assert len(seen.aside) == 16
        for shown, real in zip(seen.face_down, state.face_down, strict=True):
            assert shown == tuple(None if card is None else HIDDEN for card in real)


@FLIPS
def test_bd_24_face_up_and_captured_cards_trump_scores_and_the_lead_are_public(flip):
    for state in steps(flip):
        seen = view(state, "spectator")
        assert (seen.face_up, seen.captured, seen.lead) == (state.face_up, state.captured, state.lead)
        assert (seen.scores, seen.trump, seen.round) == (state.scores, state.trump or None, 1)


def test_bd_24_captured_cards_are_listed():
    state = situation(("", ""), captured=(cards("AS KS"), ()))
    assert view(state, 1).captured == (cards("AS KS"), ())


@FLIPS
def test_g_3_everybody_sees_all_cards_once_the_table_is_over(flip):
    for state in steps(flip):
        seen = view(state, "everybody")
        assert (seen.face_down, seen.aside) == (state.face_down, state.aside)


def test_g_3_bd_20_the_cards_aside_stay_hidden_in_the_ordinary_views_after_the_end():
    over = score(replace(play_round(dealt(seeded(2))), round=4))
    assert over.stage is Stage.OVER
    assert all(view(over, viewer).aside == (HIDDEN,) * 16 for viewer in PLAYERS_AND_SPECTATOR)
    assert view(over, "everybody").aside == over.aside


@pytest.mark.parametrize("viewer", PLAYERS_AND_SPECTATOR)
def test_bd_20_the_deal_hides_the_lower_layer_and_the_cards_aside_from_all(viewer):
    _, event = deal_events(GAME.initial(Options(), 2), Stacked({0: "2C 3C"}))
    shown = redact(event, viewer)
    assert isinstance(shown, RoundDealt)
    assert shown.face_down == ((HIDDEN,) * 9,) * 2
    assert shown.aside == (HIDDEN,) * 16
    assert (shown.face_up, shown.dealer, shown.round) == (event.face_up, 0, 1)


@FLIPS
def test_every_event_after_the_deal_is_public(flip):
    state = dealt(seeded(3), flip=flip)
    while state.stage is Stage.IN_PLAY:
        (action, *_) = GAME.legal_actions(state, state.to_move, 0)
        (event,) = GAME.decide(state, state.to_move, action, 0)
        assert all(redact(event, viewer) == event for viewer in PLAYERS_AND_SPECTATOR)
        state = GAME.evolve(state, event)
    (event,) = GAME.score_round(state)
    assert redact(event, "spectator") == event


def test_bd_9_the_leaders_new_card_is_shown_after_the_trick():
    state = play(situation(("KS", "AS"), ("4D", "5D")), 0)
    assert view(state, 1).face_up == (row(""), row("AS"))
    assert view(state, 1).face_down == (row(HIDDEN), row(HIDDEN))
    assert view(play(state, 0), 1).face_up == (row("4D"), row("5D"))


def test_bd_23_immediate_shows_the_leaders_new_card_to_the_follower():
    state = play(situation(("KS", "AS"), ("4D", "5D"), flip="immediate"), 0)
    assert view(state, 1).face_up == (row("4D"), row("AS"))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_view_before_the_first_deal_is_empty(viewer):
    seen = view(GAME.initial(Options(), 2), viewer)
    assert (seen.round, seen.dealer, seen.to_move, seen.trump, seen.lead) == (0, None, None, None, None)
    assert (seen.face_up, seen.face_down, seen.aside) == ((row(""), row("")), (row(""), row("")), ())


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_view_shows_whose_turn_it_is_while_a_round_is_in_play(viewer):
    state = play(situation(("KS", "AS")), 0)
    assert view(state, viewer).to_move == 1
    assert view(state, viewer).lead == Laid(0, 0, Card("KS"))
    assert view(to_score(("AS", "2S")), viewer).to_move is None


@FLIPS
def test_cards_are_conserved_at_every_step(flip):
    for state in steps(flip):
        held = [card for layer in (*state.face_up, *state.face_down) for card in layer if card is not None]
        led = [] if state.lead is None else [state.lead.card]
        assert sorted((*held, *led, *state.captured[0], *state.captured[1], *state.aside)) == sorted(
            build_pack()
        )


@FLIPS
def test_events_and_states_round_trip_through_codecs(flip):
    events = list(GAME.deal(GAME.initial(Options(flip=flip), 2), seeded(9)))
    state = dealt(seeded(9), flip=flip)
    while state.stage is Stage.IN_PLAY:
        (action, *_) = GAME.legal_actions(state, state.to_move, 0)
        events += GAME.decide(state, state.to_move, action, 0)
        state = GAME.evolve(state, events[-1])
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    events += GAME.score_round(state)
    assert {type(event) for event in events} == set(GAME.events)
    for event in events:
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
    wires = [kind.wire for kind in GAME.events]
    assert len(set(wires)) == len(wires)
    assert all(wire.startswith("blind_don.") for wire in wires)


@FLIPS
def test_every_legal_action_is_accepted_and_everything_else_refused(flip):
    for state in steps(flip, seed=12):
        for seat in (0, 1):
            accepted = [at for at in range(-1, 11) if refusal(state, seat, at) == "accepted"]
            assert accepted == may_play(state, seat)
