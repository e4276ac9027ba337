"""Coconut: the opening, legal plays, drawing, picking up, and clearing the pile."""

from itertools import combinations_with_replacement

import pytest

from hoodwink.domain.cards import RANKS
from hoodwink.domain.games.coconut import GAME
from hoodwink.domain.games.coconut.events import CardsPlayed, PilePickedUp
from hoodwink.domain.games.coconut.state import MOVE, OPEN
from hoodwink.domain.kernel import CardChoice, Turn
from tests.domain.games.coconut_table import (
    NOW,
    PICK_UP,
    after,
    cards,
    choose,
    decided,
    flip,
    legal,
    play,
    refusal,
    table,
)

ORDER = "3456789JQKA"  # CO-2


def opening(hand: str, **options):
    return table(hand, "3C", step=OPEN, **options)


def choice(text: str) -> CardChoice:
    return CardChoice(type="play", cards=cards(text), at_least=1, at_most=len(cards(text)))


# ---------------------------------------------------------------------------------- the opening


def test_co_6_the_lowest_rank_in_hand_opens():
    state = opening("9C 4C QC")
    assert legal(state, 0) == (play("4C"),)
    assert refusal(state, 0, play("9C")) == "not_lowest"


def test_co_6_any_number_of_copies_opens():
    state = opening("4C 9C 4D")
    assert legal(state, 0) == (choice("4C 4D"),)
    assert after(state, (0, play("4C"))).pile == cards("4C")
    assert after(state, (0, play("4D 4C"))).pile == cards("4D 4C")


def test_co_7_wild_cards_do_not_count_as_lowest():
    state = opening("2C TC QC")
    assert legal(state, 0) == (play("QC"),)
    assert refusal(state, 0, play("2C")) == "not_lowest"
    assert refusal(state, 0, play("TC")) == "not_lowest"


@pytest.mark.parametrize(("hand", "opens"), [("TC 2C TD", "2C"), ("TC TD TH", "TC TD TH")])
def test_co_7_with_only_wild_cards_the_lowest_number_opens(hand, opens):
    state = opening(hand)
    assert [action.cards for action in legal(state, 0)] == [cards(opens)]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("hand", "opens"), [("3C 2C TD", "2C"), ("9C TC JC", "9C"), ("TC JC KC", "TC"), ("AC KC QC", "QC")]
)
def test_co_33_lowest_literal_counts_every_rank_from_2_up(hand, opens):
    assert legal(opening(hand, opening="lowest_literal"), 0) == (play(opens),)


def test_co_33_free_lets_any_one_rank_open():
    state = opening("2C KC KD", opening="free")
    assert legal(state, 0) == (play("2C"), choice("KC KD"))
    assert refusal(state, 0, play("2C KC")) == "mixed_ranks"


def test_co_33_the_opening_binds_the_first_play_of_the_round_only():
    state = after(opening("4C TC QC", stock="KC 9C"), (0, play("4C")))
    assert state.step is MOVE
    assert legal(after(table("TC QC 5C", "3C"), (0, play("TC"))), 0) == (play("QC"), play("5C"))


# ------------------------------------------------------------------------ what may lie on what


@pytest.mark.parametrize(("under", "over"), [*combinations_with_replacement(ORDER, 2)])
def test_co_2_match_it_or_play_a_higher_card_with_the_ace_high(under, over):
    after(table(over + "C 3H 3S", "3C", pile=under + "D"), (0, play(over + "C")))
    if under != over:
        assert refusal(table(under + "C 3C", "3C", pile=over + "D"), 0, play(under + "C")) == "too_low"


@pytest.mark.parametrize("top", [*ORDER, "2"])
@pytest.mark.parametrize("wild", ["2C", "TC"])
def test_co_2_wild_cards_go_on_anything(top, wild):
    after(table(wild + " 3C", "3C", pile=top + "D"), (0, play(wild)))


@pytest.mark.parametrize("rank", RANKS)
def test_co_2_co_12_anything_follows_a_2(rank):
    after(table(rank + "C 3C", "3C", pile="AD 2D"), (0, play(rank + "C")))


@pytest.mark.parametrize("rank", RANKS)
def test_co_9_anything_goes_on_an_empty_pile(rank):
    after(table(rank + "C 3C", "3C"), (0, play(rank + "C")))


def test_co_11_several_cards_of_one_rank_are_one_choice():
    state = table("9C 5D 9D 4C", "3C", pile="5S")
    assert legal(state, 0) == (choice("9C 9D"), play("5D"))
    after(state, (0, play("9D 9C")))


def test_co_11_cards_of_one_play_have_one_rank():
    assert refusal(table("9C JC", "3C", pile="5S"), 0, play("9C JC")) == "mixed_ranks"


def test_co_11_zones_are_never_mixed():
    state = table("9C", "3C", face_up=("9D 9H", ""), pile="5S")
    assert legal(state, 0) == (play("9C"),)
    assert refusal(state, 0, play("9C 9D")) == "card_not_held"
    assert refusal(state, 0, play("9D")) == "card_not_held"


@pytest.mark.parametrize(
    ("named", "code"), [("", "no_cards"), ("9H", "card_not_held"), ("1X", "card_not_held")]
)
def test_g_10_a_play_names_cards_that_are_held(named, code):
    assert refusal(table("9C JC", "3C"), 0, play(named)) == code


def test_co_32_cards_are_laid_in_the_order_named():
    assert after(table("9C 9D 9H 4C", "3C", pile="5S"), (0, play("9H 9C"))).pile == cards("5S 9H 9C")


def test_co_32_g_5_a_face_may_be_named_as_often_as_it_is_held():
    state = table("9C 9C 4C", "3C", "3C")
    assert legal(state, 0) == (choice("9C 9C"), play("4C"))
    assert after(state, (0, play("9C 9C"))).pile == cards("9C 9C")
    assert refusal(state, 0, play("9C 9C 9C")) == "card_not_held"


def test_the_turn_passes_to_the_left():
    state = after(table("9C 9D", "3C", "3D", "3H"), (0, play("9C")))
    assert state.to_move == 1
    assert after(table("3C", "9C 9D", to_move=1), (1, play("9C"))).to_move == 0


def test_g_9_only_the_player_to_move_plays():
    state = table("9C", "9D", "9H", pile="5S")
    assert GAME.turn(state).owes == (0,)
    for action in (play("9D"), PICK_UP, flip(0)):
        assert refusal(state, 1, action) == "not_your_turn"
    assert legal(state, 1) == ()


# -------------------------------------------------------------------------------------- drawing


@pytest.mark.parametrize(
    ("hand", "named", "drawn"),
    [
        ("9C 5C 4C", "9C", "KS"),
        ("9C 9D 4C", "9C 9D", "KS KD"),
        ("9C 9D 9H", "9C 9D 9H", "KS KD KH"),
        ("9C 5C 4C 3C", "9C", ""),
        ("9C 9D 4C 3C", "9C 9D", "KS"),
        ("9C 8C 7C 6C 5C", "9C", ""),
    ],
)
def test_co_10_after_a_lay_the_hand_is_filled_up_to_three(hand, named, drawn):
    (event,) = decided(table(hand, "3C", stock="KS KD KH KC"), 0, play(named))
    assert event == CardsPlayed(0, cards(named), cards(drawn), NOW)


def test_co_10_a_short_deck_gives_what_is_left():
    state = after(table("9C 9D 4C", "3C", stock="KS"), (0, play("9C 9D")))
    assert (state.hands[0], state.stock) == (cards("4C KS"), ())


def test_co_10_drawing_comes_before_the_extra_play():
    state = after(table("TC 5C 4C", "3C", pile="9S", stock="KS KD"), (0, play("TC")))
    assert (state.to_move, state.hands[0]) == (0, cards("5C 4C KS"))


def test_co_10_nobody_draws_after_picking_up():
    state = after(table("4C", "3C", pile="9S", stock="KS KD"), (0, PICK_UP))
    assert (state.hands[0], len(state.stock)) == (cards("4C 9S"), 2)


# ----------------------------------------------------------------------------------- picking up


def test_co_8_a_player_who_cannot_play_picks_up_the_whole_pile():
    state = table("4C 3C", "5C", pile="7D 8D")
    assert legal(state, 0) == (PICK_UP,)
    assert decided(state, 0, PICK_UP) == (PilePickedUp(0),)
    state = after(state, (0, PICK_UP))
    assert (state.hands[0], state.pile) == (cards("4C 3C 7D 8D"), ())


@pytest.mark.parametrize("hand", ["4C 9C", "4C 2C", "4C TC", "4C 8C"])
def test_co_8_a_player_who_can_play_may_not_pick_up(hand):
    state = table(hand, "5C", pile="7D 8D")
    assert refusal(state, 0, PICK_UP) == "must_play"
    assert PICK_UP not in legal(state, 0)


def test_co_9_the_next_player_leads_with_any_cards():
    state = after(table("4C", "3C 3D AC", pile="9S"), (0, PICK_UP))
    assert state.to_move == 1
    assert legal(state, 1) == (choice("3C 3D"), play("AC"))


@pytest.mark.parametrize("voluntary", [False, True])
def test_co_9_co_35_there_is_nothing_to_pick_up_from_an_empty_pile(voluntary):
    state = table("4C", "3C", voluntary_pickup=voluntary)
    assert refusal(state, 0, PICK_UP) == "pile_empty"
    assert legal(state, 0) == (play("4C"),)


@pytest.mark.parametrize(("hand", "face_up"), [("9C 4C", "KC"), ("", "9C 4C")])
def test_co_35_voluntary_pickup_with_hand_or_face_up_cards(hand, face_up):
    state = table(hand, "3C", face_up=(face_up, ""), pile="7D", voluntary_pickup=True)
    assert legal(state, 0) == (play("9C"), PICK_UP)
    assert after(state, (0, PICK_UP)).to_move == 1


def test_co_35_no_voluntary_pickup_with_face_down_cards():
    state = table("", "3C", face_up=("", ""), pile="7D", voluntary_pickup=True)
    assert legal(state, 0) == (flip(0), flip(1), flip(2))
    assert refusal(state, 0, PICK_UP) == "wrong_zone"


# ----------------------------------------------------------------------------- 2, 10 and fours


def test_co_12_the_turn_passes_after_a_2_and_the_pile_stays():
    state = after(table("2C 4C", "3C", pile="9S"), (0, play("2C")))
    assert (state.to_move, state.pile) == (1, cards("9S 2C"))
    assert legal(state, 1) == (play("3C"),)


def test_co_38_two_plays_again_after_drawing_with_the_window_open():
    state = table("2C 4C 5C", "3C", "3D", pile="9S", stock="KS", two_plays_again=True)
    state = after(state, (0, play("2C")))
    assert (state.to_move, state.hands[0]) == (0, cards("4C 5C KS"))
    assert GAME.turn(state) == Turn((0,), (1, 2))
    assert legal(state, 0) == (play("4C"), play("5C"), play("KS"))


def test_co_38_two_plays_again_in_the_opening():
    state = opening("2C TC 5C", opening="lowest_literal", two_plays_again=True)
    assert after(state, (0, play("2C"))).to_move == 0


def test_co_38_two_plays_again_after_a_flip():
    state = table("", "3C", face_up=("", ""), face_down=("2C 4C --", ""), pile="9S", two_plays_again=True)
    assert after(state, (0, flip(0))).to_move == 0


def test_co_38_a_2_that_is_not_laid_now_gives_no_further_turn():
    state = table("2C 4C 5C", "3C", pile="9S", two_plays_again=True)
    assert after(state, (0, play("2C")), (0, play("4C"))).to_move == 1


@pytest.mark.parametrize(("clear_plays_again", "following"), [(True, 0), (False, 1)])
def test_co_38_a_fourth_2_clears_the_pile_and_has_no_effect_as_a_2(clear_plays_again, following):
    state = table("2C 4C", "3C", pile="2S 2D 2H", two_plays_again=True, clear_plays_again=clear_plays_again)
    state = after(state, (0, play("2C")))
    assert (state.to_move, state.pile) == (following, ())


def test_co_13_the_player_of_a_10_leads_the_new_pile():
    state = after(table("TC 4C", "3C", pile="9S KS"), (0, play("TC")))
    assert (state.to_move, state.pile, state.set_aside) == (0, (), cards("9S KS TC"))
    assert legal(state, 0) == (play("4C"),)


@pytest.mark.parametrize(("pile", "named"), [("", "TC"), ("9S", "TC TD"), ("", "TC TD TH")])
def test_co_14_any_number_of_10s_clears_on_any_pile(pile, named):
    state = after(table(named + " 4C", "3C", pile=pile), (0, play(named)))
    assert (state.pile, state.set_aside) == ((), cards(f"{pile} {named}"))


def test_co_13_set_aside_cards_stay_out_of_the_game():
    state = after(table("TC TD 4C", "3C", pile="9S"), (0, play("TC")), (0, play("TD")))
    assert state.set_aside == cards("9S TC TD")


def test_co_15_four_of_a_kind_from_the_hand_clears_and_the_same_player_goes_on():
    state = after(table("7C 7D 7H 7S 4C", "3C", pile="5S"), (0, play("7C 7D 7H 7S")))
    assert (state.to_move, state.pile, state.set_aside) == (0, (), cards("5S 7C 7D 7H 7S"))


def test_co_15_four_of_a_kind_must_match_or_beat_the_top_card():
    state = table("7C 7D 7H 7S", "3C", pile="8S")
    assert refusal(state, 0, play("7C 7D 7H 7S")) == "too_low"
    assert legal(state, 0) == (PICK_UP,)


@pytest.mark.parametrize("named", ["7C 7D 7H 7S", "7C 7C 7D 7H 7S", "7C 7C 7D 7D 7H 7H 7S 7S"])
def test_co_16_four_or_more_clear(named):
    assert after(table(named + " 4C", "3C", "3D", pile="5S"), (0, play(named))).pile == ()


def test_co_16_three_do_not_clear():
    state = after(table("7C 7D 7H 4C", "3C"), (0, play("7C 7D 7H")))
    assert (state.pile, state.to_move) == (cards("7C 7D 7H"), 1)


@pytest.mark.parametrize(
    ("pile", "named", "is_cleared"),
    [
        ("7C 7D 7H", "7S", True),
        ("5C 7C 7D", "7H 7S", True),
        ("7C 7D", "7S", False),
        ("7C 7D 2C 7H", "7S", False),
    ],
)
def test_co_18_completing_the_run_in_turn_clears_the_pile(pile, named, is_cleared):
    state = after(table(named + " 4C", "3C", pile=pile), (0, play(named)))
    assert (state.pile == ()) is is_cleared
    assert state.to_move == (0 if is_cleared else 1)


def test_co_18_a_flip_completes_the_run_too():
    state = table("", "3C", face_up=("", ""), face_down=("7C 4C --", ""), pile="7D 7H 7S")
    state = after(state, (0, flip(0)))
    assert (state.pile, state.to_move) == ((), 0)


@pytest.mark.parametrize("named", ["TC", "7C 7D 7H 7S"])
def test_co_34_without_clear_plays_again_the_left_neighbour_leads_the_empty_pile(named):
    state = table(named + " 4C", "3C", "3D", pile="5S", clear_plays_again=False)
    state = after(state, (0, play(named)))
    assert (state.to_move, state.pile) == (1, ())


def test_co_34_without_clear_plays_again_a_flipped_10_passes_the_turn():
    state = table("", "3C", face_up=("", ""), face_down=("TC 4C --", ""), pile="5S", clear_plays_again=False)
    assert after(state, (0, flip(0))).to_move == 1


def test_choosing_face_up_cards_is_refused_during_play():
    assert refusal(table("9C", "3C"), 0, choose("9C 9D 9H")) == "wrong_phase"
