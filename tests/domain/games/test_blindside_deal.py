"""Blindside: the table and its options, the deal, and the pass."""

import msgspec
import pytest

from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.games.blindside import GAME
from hoodwink.domain.games.blindside.actions import PassBlindside
from hoodwink.domain.games.blindside.events import BlindsidePassed, RoundDealt
from hoodwink.domain.games.blindside.options import Options, check_options
from hoodwink.domain.games.blindside.rules import value_of
from hoodwink.domain.games.blindside.state import Step
from hoodwink.domain.games.blindside.view import view
from hoodwink.domain.kernel import Stage, Turn
from tests.domain.games.blindside_table import (
    PASSES_AND_NOT,
    Stacked,
    act,
    cards,
    deal_event,
    dealt,
    events_of,
    fold,
    in_turn,
    pass_all,
    piles,
    play_round,
    refusal,
    score,
    seeded,
)

# RULES 1.1: stack after the turn-up, basic and five-card.
STACKS = {2: (43, 41), 3: (39, 36), 4: (35, 31), 5: (31, 26), 6: (79, 73), 10: (63, 53)}
SEATS = range(2, 11)


@pytest.mark.parametrize("seats", SEATS)
def test_bs_1_one_pack_per_five_players_rounded_up(seats):
    draws = Stacked()
    state = dealt(seats, draws)
    packs = 1 if seats <= 5 else 2
    assert draws.asked == [(1, 52 * packs)]
    everything = [*sum(state.hands, ()), *state.stock, *state.discard_pile]
    assert sorted(everything) == sorted(build_pack() * packs)


@pytest.mark.parametrize(
    ("ranks", "value"), [*((rank, int(rank)) for rank in "23456789"), ("T", 10), ("JQK", 10), ("A", 11)]
)
def test_a_card_counts_its_number_ten_or_eleven_and_the_suit_never_matters(ranks, value):
    assert {value_of(Card(rank + suit)) for rank in ranks for suit in "CDHS"} == {value}


def test_bs_2_two_to_ten_play():
    assert GAME.seats == (2, 10)


def test_bs_2_with_two_the_left_neighbour_is_the_right_one():
    state = pass_all(dealt(2, Stacked(top="KC KD")), "KD KC")
    assert state.blindsides == cards("KC KD")


@pytest.mark.parametrize(("seats", "stacks"), STACKS.items())
def test_bs_3_the_stack_after_the_turn_up(seats, stacks):
    assert len(dealt(seats).stock) == stacks[0]
    assert len(dealt(seats, five_card=True).stock) == stacks[1]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("options", PASSES_AND_NOT)
def test_bs_3_the_stack_outlasts_every_draw(seats, options):
    check_options(Options(**options), seats)
    start = dealt(seats, **options)
    state = play_round(start)  # the first legal draw is from the stack
    turns = 4 if options else 3
    assert len(start.stock) - len(state.stock) == turns * seats
    assert state.stock


def test_bs_5_everybody_passes_one_card_in_any_order():
    state = dealt(3)
    assert GAME.turn(state) == Turn((0, 1, 2))
    for seat, waiting in ((1, (0, 2)), (2, (0,)), (0, (1,))):
        state = act(state, seat, PassBlindside(state.hands[seat][0]))
        assert GAME.turn(state) == Turn(waiting)


def test_bs_5_a_commitment_is_final():
    state = dealt(3)
    card, other = state.hands[1][:2]
    state = act(state, 1, PassBlindside(card))
    assert refusal(state, 1, PassBlindside(other)) == "already_committed"
    assert refusal(state, 1, PassBlindside(card)) == "already_committed"
    assert GAME.legal_actions(state, 1, 0) == ()


def test_bs_5_the_received_card_is_not_taken_into_the_hand():
    before = dealt(3)
    state = pass_all(before, " ".join(hand[0] for hand in before.hands))
    assert state.hands == tuple(hand[1:] for hand in before.hands)


def test_bs_5_each_hand_card_may_be_passed_and_no_other():
    state = dealt(3)
    assert GAME.legal_actions(state, 1, 0) == tuple(map(PassBlindside, state.hands[1]))
    assert refusal(state, 1, PassBlindside(state.hands[0][0])) == "card_not_held"


def test_bs_5_bs_26_a_committed_card_stays_in_the_hand_until_the_last_commitment():
    before = dealt(3)
    state = before
    for seat in (2, 0):
        state = act(state, seat, PassBlindside(state.hands[seat][1]))
        assert (state.hands, state.blindsides) == (before.hands, (None,) * 3)
    state = act(state, 1, PassBlindside(state.hands[1][1]))
    assert [len(hand) for hand in state.hands] == [3, 3, 3]
    assert None not in state.blindsides
    assert state.passed == (None,) * 3


def test_bs_26_the_owner_sees_the_choice_and_others_only_its_commitment():
    state = dealt(3)
    card = state.hands[1][2]
    state = act(state, 1, PassBlindside(card))
    assert view(state, 1).passed == card
    assert [view(state, viewer).passed for viewer in (0, 2, "spectator", "everybody")] == [None] * 4
    assert {view(state, viewer).committed for viewer in (0, 1, 2, "spectator")} == {(False, True, False)}
    assert {len(hand) for hand in view(state, 0).hands} == {4}


@pytest.mark.parametrize("seats", SEATS)
def test_bs_6_the_card_of_each_player_lies_in_front_of_the_left_neighbour(seats):
    before = dealt(seats, seeded(1, seats))
    passed = tuple(hand[3] for hand in before.hands)
    state = pass_all(before, " ".join(passed))
    assert state.blindsides == (passed[-1], *passed[:-1])


def test_bs_12_every_player_deals_once_by_default():
    for seats in (2, 3, 10):
        assert rounds_played(seats) == seats
    assert rounds_played(3, rounds=1) == 1
    assert rounds_played(2, rounds=20) == 20


def rounds_played(seats, **options):
    state = GAME.initial(Options(**options), seats)
    while state.stage is Stage.TO_DEAL:
        state = score(play_round(fold(state, GAME.deal(state, Stacked()))))
    assert state.stage is Stage.OVER
    return state.round


@pytest.mark.parametrize("first", range(4))
def test_bs_13_g_12_the_first_dealer_is_drawn_and_then_the_deal_passes_left(first):
    state = GAME.initial(Options(), 4)
    dealers = []
    while state.stage is Stage.TO_DEAL:
        event = deal_event(state, Stacked(first))
        dealers.append(event.dealer)
        state = score(play_round(GAME.evolve(state, event)))
    assert dealers == [(first + passed) % 4 for passed in range(4)]


@pytest.mark.parametrize("dealer", range(3))
def test_bs_13_cards_go_singly_from_the_dealers_left(dealer):
    event = deal_event(GAME.initial(Options(), 3), Stacked(dealer))
    pack = build_pack()
    for turn in range(3):
        assert event.hands[(dealer + 1 + turn) % 3] == pack[turn:12:3]
    assert (event.turn_up, event.stock) == (pack[12], pack[13:])


@pytest.mark.parametrize("dealer", range(3))
def test_bs_16_bs_22_the_fifth_cards_are_dealt_from_the_dealers_left_again(dealer):
    event = deal_event(GAME.initial(Options(five_card=True), 3), Stacked(dealer))
    pack = build_pack()
    for turn in range(3):
        seat = (dealer + 1 + turn) % 3
        assert (event.hands[seat], event.blindsides[seat]) == (pack[turn:12:3], pack[12 + turn])
    assert (event.turn_up, event.stock) == (pack[15], pack[16:])


def test_bs_15_in_the_five_card_variation_nothing_is_passed():
    state = dealt(3, five_card=True)
    assert (state.step, GAME.turn(state)) == (Step.DRAW, Turn((1,)))
    assert None not in state.blindsides
    assert refusal(state, 1, PassBlindside(state.hands[1][0])) == "wrong_phase"


def test_bs_20_the_card_is_turned_up_before_the_pass():
    state = dealt(3)
    assert state.step is Step.PASS
    assert {view(state, viewer).discard_top for viewer in (0, 1, 2, "spectator")} == {build_pack()[12]}


def test_bs_21_the_game_is_called_blindside():
    assert (GAME.name, GAME.title, GAME.unit) == ("blindside", "Blindside", "token")


def test_g_6_rounds_count_from_1_and_deck_r_serves_round_r():
    draws = Stacked()
    state = dealt(2, draws)
    assert state.round == 1
    state = fold(score(play_round(state)), GAME.deal(score(play_round(state)), draws))
    assert (state.round, [number for number, _ in draws.asked]) == (2, [1, 2])


def test_g_12_the_event_that_starts_a_round_names_its_dealer():
    event = deal_event(GAME.initial(Options(), 4), Stacked(2))
    assert isinstance(event, RoundDealt)
    assert (event.round, event.dealer) == (1, 2)


def test_g_8_a_passed_card_is_logged_at_commitment_under_its_giver():
    state, log = dealt(3), list[BlindsidePassed]()
    passed = [(seat, state.hands[seat][1]) for seat in (2, 0, 1)]
    for seat, card in passed:
        log.append(events_of(state, seat, PassBlindside(card)))
        state = fold(state, (log[-1],))
    assert log == [BlindsidePassed(seat, card) for seat, card in passed]


def test_g_5_two_copies_of_a_face_give_one_legal_action():
    state = dealt(6, Stacked(5, "KS 2C 2D 2H 2S 3C KS"))
    assert state.hands[0][:2] == cards("KS KS")
    legal = GAME.legal_actions(state, 0, 0)
    assert legal.count(PassBlindside(Card("KS"))) == 1
    assert len(legal) == 3
    rest = in_turn(("KS KS 2D", *[""] * 5), step=Step.KEEP)
    assert len(GAME.legal_actions(rest, 0, 0)) == 2


def test_g_5_passing_one_of_two_copies_leaves_the_other():
    state = dealt(6, Stacked(5, "KS 2C 2D 2H 2S 3C KS"))
    others = [hand[0] for hand in state.hands[1:]]
    state = pass_all(state, " ".join(["KS", *others]))
    assert state.hands[0].count(Card("KS")) == 1
    assert state.blindsides[1] == "KS"


@pytest.mark.parametrize(
    "right",
    [
        {},
        {"five_card": True},
        {"rounds": 1},
        {"rounds": 20},
        {"rounds": None},
        {"blindside_compare": "rank"},
        {"start_tokens": -1_000_000},
        {"start_tokens": 1_000_000},
    ],
)
def test_g_4_values_named_by_the_rules_are_accepted(right):
    options = msgspec.convert(right, Options)
    assert {name: getattr(options, name) for name in right} == right


@pytest.mark.parametrize(
    "wrong",
    [
        {"five_card": 1},
        {"five_card": "on"},
        {"rounds": 0},
        {"rounds": 21},
        {"rounds": 1.5},
        {"rounds": True},
        {"blindside_compare": "suit"},
        {"start_tokens": 1_000_001},
        {"start_tokens": -1_000_001},
        {"start_tokens": "0"},
        {"jokers": 2},
    ],
)
def test_g_4_an_unknown_option_or_value_refuses_the_table(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_the_defaults_are_those_of_the_rules():
    assert Options() == Options(five_card=False, rounds=None, blindside_compare="value", start_tokens=0)
    assert piles("", "") == GAME.initial(Options(), 2).hands
