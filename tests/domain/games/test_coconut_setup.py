"""Coconut: the table, the deal, and the secret choice of the face-up cards."""

from itertools import chain

import msgspec
import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.games.coconut import GAME
from hoodwink.domain.games.coconut.events import FaceUpChosen, FaceUpRevealed, RoundDealt
from hoodwink.domain.games.coconut.options import Options, check_options
from hoodwink.domain.games.coconut.state import initial
from hoodwink.domain.kernel import CardChoice, Stage, Turn
from tests.domain.games.coconut_table import (
    PICK_UP,
    Stacked,
    after,
    all_cards,
    cards,
    choose,
    chosen,
    dealt,
    decided,
    flip,
    fold,
    legal,
    play,
    refusal,
    scored,
    sneak,
    table,
    whole_pack,
)

SEATS = (2, 3, 4)
# Two seats, dealer 0, so seat 1 gets the first card of each lap.
DOWN = "3C 3D 4C 4D 5C 5D "
UP = "6C 6D 7C 7D 8C 8D 9C 9D TC TD JC JD"


def test_co_1_the_game_is_called_coconut():
    assert GAMES["coconut"] is GAME
    assert (GAME.name, GAME.title, GAME.unit) == ("coconut", "Coconut", "point")


@pytest.mark.parametrize(("seats", "packs"), [(2, 1), (3, 2), (4, 2)])
def test_co_3_co_30_one_pack_for_two_and_two_packs_for_more_without_jokers(seats, packs):
    in_the_game = all_cards(dealt(Stacked(), seats))
    assert len(in_the_game) == 52 * packs
    assert in_the_game == whole_pack(seats)
    assert "JK" not in in_the_game


def test_co_30_two_to_four_play():
    assert GAME.seats == (2, 4)
    for seats in SEATS:
        check_options(Options(), seats)


@pytest.mark.parametrize(("seats", "deck"), [(2, 34), (3, 77), (4, 68)])
def test_co_30_three_face_down_six_in_hand_the_rest_is_the_deck(seats, deck):
    state = dealt(Stacked(), seats)
    assert {len(hand) for hand in state.hands} == {6}
    assert {len(row) for row in state.face_down} == {3}
    assert len(state.stock) == deck


def test_co_31_cards_are_dealt_singly_from_the_dealers_left_into_slots_0_to_2():
    state = dealt(Stacked(DOWN + UP + " QS"), 2)
    assert state.face_down == (cards("3D 4D 5D"), cards("3C 4C 5C"))
    assert state.hands == (cards("6D 7D 8D 9D TD JD"), cards("6C 7C 8C 9C TC JC"))
    assert state.stock[0] == "QS"


def test_co_31_a_slot_keeps_its_number_when_another_is_emptied():
    state = after(table("", "9C", face_up=("", "JC"), face_down=("9C TC QC", "")), (0, flip(1)), (0, flip(0)))
    assert state.face_down[0] == (None, None, "QC")


@pytest.mark.parametrize("seats", SEATS)
def test_co_4_g_12_the_drawn_dealer_deals_first_and_the_left_neighbour_opens(seats):
    state = dealt(Stacked(dealer=seats - 1), seats)
    assert (state.dealer, state.to_move) == (seats - 1, 0)
    assert chosen(state).to_move == 0


def test_co_4_the_deal_moves_to_the_left():
    state = dealt(Stacked(dealer=2), 3, rounds=2)
    state = scored(msgspec.structs.replace(state, stage=Stage.TO_SCORE, finished=(1,)))
    again = fold(state, Stacked())
    assert (again.dealer, again.to_move, again.round) == (0, 1, 2)


def test_g_6_deck_r_serves_round_r_and_its_event_names_dealer_and_round():
    state = dealt(Stacked("3C", "4C", dealer=1), 2, rounds=2)
    state = scored(msgspec.structs.replace(state, stage=Stage.TO_SCORE, finished=(1,)))
    (event,) = GAME.deal(state, Stacked("3C", "4C"))
    assert isinstance(event, RoundDealt)
    assert (event.round, event.dealer, event.face_down[1][0]) == (2, 0, "4C")


def test_co_5_all_choose_three_of_six_at_the_same_time():
    state = dealt(Stacked(DOWN + UP), 2)
    assert GAME.turn(state) == Turn((0, 1))
    choice = CardChoice(type="choose_face_up", cards=cards("6D 7D 8D 9D TD JD"), at_least=3, at_most=3)
    assert legal(state, 0) == (choice,)


def test_co_5_a_choice_is_final_and_waits_for_the_others():
    state = after(dealt(Stacked(DOWN + UP), 2), (0, choose("TD 6D JD")))
    assert GAME.turn(state) == Turn((1,))
    assert legal(state, 0) == ()
    assert refusal(state, 0, choose("6D 7D 8D")) == "already_committed"
    assert state.hands[0] == cards("6D 7D 8D 9D TD JD")
    assert state.face_up == ((), ())


def test_co_5_the_last_choice_reveals_all_of_them_together():
    state = after(dealt(Stacked(DOWN + UP), 2), (0, choose("TD 6D JD")))
    events = decided(state, 1, choose("TC JC 9C"))
    assert events == (
        FaceUpChosen(1, cards("TC JC 9C")),
        FaceUpRevealed((cards("TD 6D JD"), cards("TC JC 9C"))),
    )
    state = after(state, (1, choose("TC JC 9C")))
    assert state.face_up == (cards("TD 6D JD"), cards("TC JC 9C"))
    assert state.hands == (cards("7D 8D 9D"), cards("6C 7C 8C"))
    assert state.chosen == (None, None)


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("6D 7D", "not_three_cards"),
        ("6D 7D 8D 9D", "not_three_cards"),
        ("6D 7D 6C", "card_not_held"),
        ("6D 7D 7D", "card_not_held"),
        ("6D 7D 3D", "card_not_held"),
    ],
)
def test_co_5_exactly_three_different_cards_of_the_players_own_six(named, code):
    assert refusal(dealt(Stacked(DOWN + UP), 2), 0, choose(named)) == code


def test_co_5_g_5_two_copies_of_a_face_may_both_be_chosen():
    state = dealt(Stacked("3C 3D 3H 4C 4D 4H 5C 5D 5H 9S 6C 7C 9S 6D 7D QH 6H 7H"), 3)
    assert after(state, (1, choose("9S 9S QH"))).chosen[1] == cards("9S 9S QH")


@pytest.mark.parametrize("action", [play("6D"), sneak("6D"), PICK_UP, flip(0)])
def test_g_10_nothing_is_played_before_all_have_chosen(action):
    state = dealt(Stacked(DOWN + UP), 2)
    assert refusal(state, 0, action) == "wrong_phase"
    assert refusal(state, 1, action) == "wrong_phase"


def test_g_10_nothing_is_chosen_once_play_has_begun():
    state = chosen(dealt(Stacked(DOWN + UP), 2))
    assert refusal(state, 0, choose("9D TD JD")) == "wrong_phase"


def test_g_2_before_the_first_deal_nobody_may_do_anything():
    state = initial(Options(), 3)
    assert GAME.stage(state) is Stage.TO_DEAL
    assert GAME.turn(state) == Turn()
    assert legal(state, 0) == ()
    assert refusal(state, 0, PICK_UP) == "round_not_in_play"


def test_g_6_rounds_count_from_1():
    assert (initial(Options(), 2).round, dealt(Stacked(), 2).round) == (0, 1)


def test_g_4_every_option_has_a_default_a_meaning_and_its_bounds():
    schema = msgspec.json.schema(Options)["$defs"]["Options"]["properties"]
    assert {name: entry["default"] for name, entry in schema.items()} == {
        "opening": "lowest_nonwild",
        "two_plays_again": False,
        "clear_plays_again": True,
        "voluntary_pickup": False,
        "sneak": True,
        "sneak_grace_ms": 0,
        "play_for_places": False,
        "rounds": 3,
    }
    assert all(entry["description"] for entry in schema.values())


@pytest.mark.parametrize(
    "wrong",
    [
        {"opening": "lowest"},
        {"rounds": 0},
        {"rounds": 11},
        {"sneak_grace_ms": -1},
        {"sneak_grace_ms": 60_001},
        {"sneak": 1},
        {"jokers": 2},
    ],
)
def test_g_4_co_29_co_37_unknown_options_and_values_are_refused(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_co_30_the_deal_holds_every_card_once():
    (event,) = GAME.deal(initial(Options(), 4), Stacked())
    assert isinstance(event, RoundDealt)
    dealt_cards = [*chain(*event.hands), *chain(*event.face_down), *event.stock]
    assert sorted(dealt_cards) == whole_pack(4)
