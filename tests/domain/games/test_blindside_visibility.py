"""Blindside: what each viewer sees, at every step of a round."""

import re
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.bots import pick_action
from hoodwink.domain.cards import HIDDEN, Card
from hoodwink.domain.games.blindside import GAME
from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from hoodwink.domain.games.blindside.events import CardKept, StockDrawn
from hoodwink.domain.games.blindside.options import Options
from hoodwink.domain.games.blindside.state import State
from hoodwink.domain.games.blindside.view import view
from hoodwink.domain.kernel import Stage, left, redact
from tests.domain.games.blindside_table import (
    PASSES_AND_NOT,
    act,
    cards,
    deal_event,
    dealt,
    events_of,
    fold,
    in_turn,
    piles,
    score,
    seeded,
    to_score,
    viewers,
)

OPTIONS = pytest.mark.parametrize("options", PASSES_AND_NOT)
SEATS = pytest.mark.parametrize("seats", [2, 3, 5])


def steps(seats, options, seed=11):
    """Yields every state and event of one random round, from the deal to the end of the score."""
    chance = Random(seed)
    state = GAME.initial(Options(**options), seats)
    while True:
        if state.stage is Stage.TO_DEAL:
            seat, events = None, GAME.deal(state, seeded(seed, seats))
        elif state.stage is Stage.TO_SCORE:
            seat, events = None, GAME.score_round(state)
        else:
            seat = chance.choice(GAME.turn(state).owes)
            action = pick_action(GAME, chance.choice(GAME.legal_actions(state, seat, 0)), chance)
            events = GAME.decide(state, seat, action, 0)
        for event in events:
            before, state = state, GAME.evolve(state, event)
            yield before, event, state
        if state.stage in (Stage.TO_DEAL, Stage.OVER):
            return


def states(seats, options):
    return [state for _, _, state in steps(seats, options)]


def faces(shown):
    return set(re.findall(r'"([2-9TJQKA][CDHS])"', msgspec.json.encode(shown).decode()))


def faces_known(state, seat):
    """With one pack and no reveal: what a seat holds, kept or passed, and the top of the discard pile."""
    known = {*state.hands[seat], *state.keepers[seat], *state.discard_pile[-1:]}
    given = None if state.options.five_card else state.blindsides[left(seat, state.seats)]
    return known | {given} - {None}


@OPTIONS
@SEATS
def test_bs_19_bs_26_a_player_sees_only_own_cards_and_the_top_discard(seats, options):
    for state in states(seats, options):
        if state.stage is Stage.IN_PLAY or (state.stage is Stage.TO_SCORE and not state.are_blindsides_up):
            for seat in range(seats):
                assert faces(view(state, seat)) == faces_known(state, seat)


@OPTIONS
@SEATS
def test_g_1_a_spectator_sees_only_the_top_discard_before_the_reveal(seats, options):
    for state in states(seats, options):
        if not state.are_blindsides_up:
            top = set(state.discard_pile[-1:])
            assert faces(view(state, "spectator")) == top
            assert set(sum(view(state, "spectator").hands, ())) <= {HIDDEN}


@OPTIONS
@SEATS
def test_g_7_the_number_of_cards_in_every_zone_is_public(seats, options):
    for state in states(seats, options):
        for viewer in viewers(seats):
            seen = view(state, viewer)
            assert list(map(len, seen.hands)) == list(map(len, state.hands))
            assert list(map(len, seen.keepers)) == list(map(len, state.keepers))
            assert (seen.stock_count, seen.discard_count) == (len(state.stock), len(state.discard_pile))
            assert [card is None for card in seen.blindsides] == [card is None for card in state.blindsides]


@OPTIONS
@SEATS
def test_g_7_round_dealer_turn_step_commitments_and_tokens_are_public(seats, options):
    for state in states(seats, options):
        seen = [view(state, viewer) for viewer in viewers(seats)]
        public = {
            (
                shown.round,
                shown.dealer,
                shown.step,
                shown.to_move,
                shown.committed,
                shown.scores,
                shown.discard_top,
            )
            for shown in seen
        }
        assert len(public) == 1


@OPTIONS
@SEATS
def test_bs_19_a_keeper_pile_is_seen_by_its_owner_alone_until_contest_2(seats, options):
    for state in states(seats, options):
        is_scored = state.stage in (Stage.TO_DEAL, Stage.OVER)
        for viewer in viewers(seats):
            for seat, pile in enumerate(view(state, viewer).keepers):
                is_shown = is_scored or viewer in (seat, "everybody")
                assert pile == (state.keepers[seat] if is_shown else (HIDDEN,) * len(pile))


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_bs_6_before_the_reveal_only_the_giver_knows_a_blindside_card(viewer):
    state = in_turn(("AS", "KS", "QS"), blindsides=cards("2H 3H 4H"))
    known = {0: (HIDDEN, "3H", HIDDEN), 1: (HIDDEN, HIDDEN, "4H"), 2: ("2H", HIDDEN, HIDDEN)}
    assert view(state, viewer).blindsides == known.get(viewer, (HIDDEN,) * 3)


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_bs_15_bs_16_in_the_five_card_variation_nobody_knows_a_blindside_card(viewer):
    state = in_turn(("AS", "KS", "QS"), blindsides=cards("2H 3H 4H"), five_card=True)
    assert view(state, viewer).blindsides == (HIDDEN,) * 3


@OPTIONS
def test_g_2_nothing_is_shown_between_the_last_action_and_the_scoring(options):
    state = to_score("2H 3H 4H", "AS", "KS", "QS", **options)
    assert not faces(view(state, "spectator")) - {"2C"}
    assert view(state, 0).keepers == (cards("AS"), (HIDDEN,), (HIDDEN,))
    assert (view(state, 0).step, view(state, 0).to_move) == (None, None)


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_bs_27_contest_1_opens_the_blindside_cards_and_contest_2_the_keepers(viewer):
    state = to_score("2H 3H", "AS", "KS")
    blindsides_up, keepers_up = GAME.score_round(state)
    state = GAME.evolve(state, blindsides_up)
    assert view(state, viewer).blindsides == cards("2H 3H")
    assert HIDDEN in sum(view(state, viewer).keepers, ())
    state = GAME.evolve(state, keepers_up)
    assert view(state, viewer).blindsides == cards("2H 3H")
    assert view(state, viewer).keepers == piles("AS", "KS")


def test_bs_27_the_next_deal_hides_the_cards_again():
    state = score(to_score("2H 3H", "AS", "KS"))
    state = fold(state, GAME.deal(state, seeded(1, 2)))
    assert view(state, "spectator").keepers == ((), ())
    assert view(state, "spectator").blindsides == (None, None)
    variation = score(to_score("2H 3H", "AS", "KS", five_card=True))
    variation = fold(variation, GAME.deal(variation, seeded(1, 2)))
    assert view(variation, "spectator").blindsides == (HIDDEN, HIDDEN)


def test_bs_27_a_view_shows_the_top_and_count_of_the_discard_pile():
    state = in_turn(("AS", "KS"), discard_pile="2C 9H 4D")
    for viewer in viewers(2):
        seen = view(state, viewer)
        assert (seen.discard_top, seen.discard_count) == ("4D", 3)
        assert not {"2C", "9H"} & faces(seen)


def test_bs_27_an_empty_discard_pile_has_no_top():
    state = act(in_turn(("AS 2S", "KS 3S")), 0, DrawCard("discard"))
    assert (view(state, 1).discard_top, view(state, 1).discard_count) == (None, 0)


@OPTIONS
@SEATS
def test_g_3_everybody_sees_all_cards_at_every_version(seats, options):
    for state in states(seats, options):
        seen = view(state, "everybody")
        assert (seen.hands, seen.keepers, seen.blindsides) == (state.hands, state.keepers, state.blindsides)
        assert seen.stock == state.stock


@OPTIONS
def test_g_3_the_unused_stock_stays_hidden_in_the_ordinary_views(options):
    *_, over = states(2, options)
    for viewer in (0, 1, "spectator"):
        assert view(over, viewer).stock is None
        assert not faces(view(over, viewer)) & set(over.stock)


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
@OPTIONS
def test_bs_16_bs_20_the_deal_shows_owners_their_hands_and_all_the_turn_up(viewer, options):
    event = deal_event(GAME.initial(Options(**options), 3), seeded(2, 3))
    shown = redact(event, viewer)
    expected = replace(
        event,
        hands=tuple(hand if seat == viewer else (HIDDEN,) * 4 for seat, hand in enumerate(event.hands)),
        blindsides=(HIDDEN,) * len(event.blindsides),
        stock=(HIDDEN,) * len(event.stock),
    )
    assert shown == expected


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_bs_5_bs_19_only_its_owner_sees_a_passed_a_drawn_or_a_kept_card(viewer):
    state = dealt(3)
    passed = events_of(state, 1, PassBlindside(state.hands[1][0]))
    for event in (passed, StockDrawn(1, Card("AS")), CardKept(1, Card("AS"))):
        assert redact(event, viewer) == (event if viewer == 1 else replace(event, card=HIDDEN))


@pytest.mark.parametrize("viewer", [0, 1, 2, "spectator"])
def test_bs_4_everybody_sees_a_discard_taken_or_laid(viewer):
    state = in_turn(("AS 2S", "KS 3S", "QS 4S"))
    taken = events_of(state, 0, DrawCard("discard"))
    state = act(state, 0, DrawCard("discard"), KeepCard(Card("AS")))
    laid = events_of(state, 0, DiscardCard(Card("2S")))
    assert [redact(event, viewer) for event in (taken, laid)] == [taken, laid]


@OPTIONS
def test_bs_27_everybody_sees_the_scoring(options):
    events = GAME.score_round(to_score("2H 3H", "AS", "KS", **options))
    for viewer in (0, 1, "spectator"):
        assert tuple(redact(event, viewer) for event in events) == events


@OPTIONS
@SEATS
def test_redacted_events_name_only_faces_known_to_the_viewer(seats, options):
    for before, event, after in steps(seats, options):
        for viewer in (*range(seats), "spectator"):
            own = [faces(view(state, viewer)) for state in (before, after) if state.round]
            assert faces(redact(event, viewer)) <= set().union(*own)


@OPTIONS
def test_legal_actions_name_only_cards_of_the_players_own_hand(options):
    for state in states(3, options):
        for seat in range(3):
            assert faces(GAME.legal_actions(state, seat, 0)) <= set(state.hands[seat])


@pytest.mark.parametrize("viewer", [0, 1, "spectator", "everybody"])
def test_the_view_before_the_first_deal_is_empty(viewer):
    seen = view(GAME.initial(Options(start_tokens=9), 2), viewer)
    assert (seen.round, seen.dealer, seen.step, seen.to_move, seen.discard_top) == (0, None, None, None, None)
    assert (seen.hands, seen.keepers, seen.blindsides, seen.scores) == (
        ((), ()),
        ((), ()),
        (None, None),
        (9, 9),
    )


def test_in_the_pass_phase_nobody_is_to_move():
    state = dealt(3)
    assert (view(state, 0).step, view(state, 0).to_move) == ("pass", None)
    assert (view(in_turn(("AS", "KS")), 1).step, view(in_turn(("AS", "KS")), 1).to_move) == ("draw", 0)


@OPTIONS
def test_events_and_states_round_trip_through_codecs(options):
    seen = set()
    for _, event, state in steps(3, options):
        seen.add(type(event))
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
    assert seen <= set(GAME.events)
    wires = [kind.wire for kind in GAME.events]
    assert len(set(wires)) == len(wires)
    assert all(wire.startswith("blindside.") for wire in wires)


@OPTIONS
@SEATS
def test_cards_are_conserved_and_tokens_sum_to_zero_at_every_step(seats, options):
    for state in states(seats, options):
        zones = [*state.hands, *state.keepers, state.stock, state.discard_pile]
        laid = [card for card in state.blindsides if card is not None]
        assert len(set(sum(zones, tuple(laid)))) == sum(map(len, zones)) + len(laid) == 52
        assert sum(state.tokens) == 0
