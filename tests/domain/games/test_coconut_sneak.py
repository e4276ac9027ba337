"""Coconut: completing four of a kind out of turn, and the grace period for it."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.games.coconut import GAME
from hoodwink.domain.games.coconut.events import CardsPlayed, CardsSneaked
from hoodwink.domain.games.coconut.state import CHOOSE
from hoodwink.domain.games.coconut.view import view
from hoodwink.domain.kernel import CardChoice, Turn
from tests.domain.games.coconut_table import (
    NOW,
    PICK_UP,
    after,
    cards,
    choose,
    decided,
    evolved,
    flip,
    legal,
    play,
    refusal,
    sneak,
    table,
)

GRACE = 3_000


def laid(pile: str, *hands: str, **given):
    """Returns a table at which seat 3 played the cards of the pile and seat 0 is to move."""
    return table("4C", *(hands or ("4D", "4H", "4S")), pile=pile, laid_by=3, **given)


# ---------------------------------------------------------------------------------- completing four


def test_co_17_co_20_two_5s_complete_two_5s():
    state = laid("5C 5D", "5H 5S 9C", "4H", "4S")
    assert legal(state, 1) == (CardChoice(type="sneak", cards=cards("5H 5S"), at_least=2, at_most=2),)
    assert decided(state, 1, sneak("5S 5H")) == (CardsSneaked(1, cards("5S 5H"), ()),)


def test_co_17_the_whole_run_counts_no_matter_who_played_it():
    state = table("5C 4C", "5D 5S 9C", "5H 4H", "4S")
    state = after(state, (0, play("5C")), (1, play("5D")), (2, play("5H")))
    assert legal(state, 1) == (sneak("5S"),)
    assert after(state, (1, sneak("5S"))).set_aside == cards("5C 5D 5H 5S")


def test_co_17_only_the_run_on_top_counts():
    state = laid("5C 5D 9C 5H", "5S 5S 4D", "4H", "4S")
    assert legal(state, 1) == ()
    assert refusal(state, 1, sneak("5S 5S")) == "not_four"


@pytest.mark.parametrize(("held", "at_most"), [("5S 5S", 2), ("5S 5S 5H", 3)])
def test_co_16_co_17_run_and_cards_make_four_or_more(held, at_most):
    state = laid("5C 5D", held, "4H", "4S")
    (choice,) = legal(state, 1)
    assert choice == CardChoice(type="sneak", cards=cards(held), at_least=2, at_most=at_most)
    assert after(state, (1, sneak(held))).pile == ()


def test_co_17_four_2s_are_completed_like_any_other():
    assert after(laid("9C 2C 2D 2H", "2S 4D", "4H", "4S"), (1, sneak("2S"))).pile == ()


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("5H", "not_four"),
        ("9C 9D", "not_top_rank"),
        ("2C 2D", "not_top_rank"),
        ("TC", "not_top_rank"),
        ("5H 9C", "mixed_ranks"),
        ("5H 5D", "card_not_held"),
        ("", "no_cards"),
    ],
)
def test_co_17_co_32_cards_that_complete_nothing_are_refused(named, code):
    assert refusal(laid("5C 5D", "5H 5S 9C 9D 2C 2D TC", "4H", "4S"), 1, sneak(named)) == code


def test_co_32_sneaked_cards_are_played_in_the_order_named():
    state = after(laid("5C 5D", "5H 5S 9C", "4H", "4S"), (1, sneak("5S 5H")))
    assert state.set_aside == cards("5C 5D 5S 5H")


# -------------------------------------------------------------------------- who may sneak, and when


def test_co_19_players_cannot_sneak_on_their_own_cards():
    state = laid("5C 5D", "4D", "4H", "5H 5S")
    assert 3 not in GAME.turn(state).may
    assert legal(state, 3) == ()
    assert refusal(state, 3, sneak("5H 5S")) == "own_cards"


def test_co_18_co_36_the_player_to_move_completes_by_playing():
    state = replace(laid("5C 5D"), hands=(cards("5H 5S"), *map(cards, ("4D", "4H", "4S"))))
    assert refusal(state, 0, sneak("5H 5S")) == "your_turn"
    assert after(state, (0, play("5H 5S"))).to_move == 0


@pytest.mark.parametrize(("layer", "may"), [(0, (2, 3)), (1, (0, 3)), (2, (0, 1)), (3, (1, 2))])
def test_co_19_co_36_the_player_of_the_last_cards_and_the_player_to_move_may_not_sneak(layer, may):
    state = after(
        table("5C 4C", "5D 4D", "5H 4H", "5S 4S", to_move=layer), (layer, play(f"5{'CDHS'[layer]}"))
    )
    assert GAME.turn(state) == Turn(((layer + 1) % 4,), may)


def test_co_20_face_up_cards_may_be_sneaked_once_the_hand_is_empty():
    state = laid("5C 5D", "", "4H", "4S", face_up=("", "5H 9C 5S", "", ""))
    assert legal(state, 1) == (CardChoice(type="sneak", cards=cards("5H 5S"), at_least=2, at_most=2),)
    assert after(state, (1, sneak("5H 5S"))).face_up[1] == cards("9C")


def test_co_20_face_up_cards_may_not_be_sneaked_while_cards_are_in_hand():
    state = laid("5C 5D", "5H", "4H", "4S", face_up=("", "5S 9C", "", ""))
    assert legal(state, 1) == ()
    assert refusal(state, 1, sneak("5H 5S")) == "card_not_held"


def test_co_20_face_down_cards_may_never_be_sneaked():
    state = laid("5C 5D", "", "4H", "4S", face_up=("",) * 4, face_down=("4H", "5H 5S", "4H", "4H"))
    assert legal(state, 1) == ()
    assert refusal(state, 1, sneak("5H 5S")) == "wrong_zone"
    assert refusal(state, 1, sneak("9H")) == "wrong_zone"


@pytest.mark.parametrize("hands", [("5H 5S", "4H", "4S"), ("4D", "4H", "4S"), ("", "5S 5H", "5D")])
def test_co_36_the_right_to_interrupt_does_not_depend_on_cards(hands):
    assert GAME.turn(laid("5C 5D", *hands)) == Turn((0,), (1, 2))


def test_co_36_even_a_lone_card_opens_the_window():
    assert GAME.turn(laid("5C")).may == (1, 2)


def test_co_36_nobody_may_interrupt_on_an_empty_pile():
    state = laid("")
    assert GAME.turn(state) == Turn((0,))
    assert refusal(state, 1, sneak("4D")) == "pile_empty"


def test_co_36_at_a_table_of_two_nobody_is_left_to_interrupt():
    assert GAME.turn(table("4C", "4D", pile="5C")) == Turn((0,))
    assert GAME.turn(table("4C", "4D", pile="5C 2C", laid_by=0, two_plays_again=True)) == Turn((0,), (1,))


def test_co_36_players_who_are_out_may_not_interrupt():
    state = laid("5C 5D", "", "4H", "4S", play_for_places=True, finished=(1,))
    assert GAME.turn(state).may == (2,)
    assert refusal(state, 1, sneak("5H 5S")) == "already_out"


def test_co_36_only_the_player_who_can_interrupt_sees_the_action():
    state = laid("5C 5D", "5H 5S", "4H", "4S")
    assert [bool(legal(state, seat)) for seat in range(4)] == [True, True, False, False]


def test_co_36_a_refused_action_does_not_close_the_window():
    state = laid("5C 5D", "5H 5S", "4H", "4S")
    assert refusal(state, 0, play("9C")) == "card_not_held"
    assert refusal(state, 2, sneak("4H")) == "not_top_rank"
    assert after(state, (1, sneak("5H 5S"))).to_move == 1


def test_co_21_the_window_opens_after_every_play_that_does_not_clear_the_pile():
    state = table("5C 4C", "4D", "4H", "4S")
    assert GAME.turn(state).may == ()
    assert GAME.turn(after(state, (0, play("5C")))) == Turn((1,), (2, 3))


def test_co_21_a_flip_opens_the_window_too():
    state = table("", "4D", "4H", "4S", face_up=("",) * 4, face_down=("5C 6C --",) * 4)
    assert GAME.turn(after(state, (0, flip(0)))) == Turn((1,), (2, 3))


def test_co_21_the_window_closes_when_the_next_player_plays():
    state = after(table("4C 9C", "4D", "5H 5S", "4S", pile="5C 5D", laid_by=1), (0, play("9C")))
    assert refusal(state, 2, sneak("5H 5S")) == "not_top_rank"


def test_co_21_a_pick_up_closes_the_window():
    state = after(table("4C", "4D", "5H 5S", "4S", pile="5C 5D", laid_by=1), (0, PICK_UP))
    assert GAME.turn(state) == Turn((1,))
    assert refusal(state, 2, sneak("5H 5S")) == "pile_empty"


def test_co_21_a_failed_flip_closes_the_window():
    state = table("", "4D", "5H 5S", "4S", face_up=("",) * 4, face_down=("4C",) * 4, pile="5C 5D", laid_by=1)
    assert GAME.turn(after(state, (0, flip(0)))).may == ()


def test_co_21_the_first_sneak_wins():
    state = after(laid("5C 5D", "5H 5S 9C", "5H 5S 9D", "4S"), (1, sneak("5H 5S")))
    assert refusal(state, 2, sneak("5H 5S")) == "pile_empty"


def test_co_21_sneaking_can_be_switched_off():
    state = laid("5C 5D", "5H 5S", "4H", "4S", sneak=False, sneak_grace_ms=GRACE)
    assert GAME.turn(state) == Turn((0,))
    assert legal(state, 1) == ()
    assert refusal(state, 1, sneak("5H 5S")) == "sneak_off"
    assert legal(state, 0) == (PICK_UP,)


def test_g_10_nobody_sneaks_while_the_face_up_cards_are_chosen():
    assert refusal(table("4C", "4D", step=CHOOSE), 1, sneak("4D")) == "wrong_phase"


# ------------------------------------------------------------------------------------ after a sneak


def test_co_22_the_sneaker_draws_and_moves_next_and_others_are_skipped():
    state = laid("5C 5D", "4D", "5H 5S 9C", "4S", stock="KS KD KH")
    state = after(state, (2, sneak("5H 5S")))
    assert (state.to_move, state.hands[2], state.stock) == (2, cards("9C KS KD"), cards("KH"))
    assert after(state, (2, play("9C"))).to_move == 3


@pytest.mark.parametrize("clear_plays_again", [True, False])
def test_co_34_a_sneaker_moves_next_with_either_option(clear_plays_again):
    state = laid("5C 5D", "5H 5S 9C", "4H", "4S", clear_plays_again=clear_plays_again)
    assert after(state, (1, sneak("5H 5S"))).to_move == 1


def test_co_38_others_may_sneak_on_a_2_before_its_player_plays_again():
    state = table("2C 2D 2H 4C", "2S 4D", "4H", two_plays_again=True)
    state = after(state, (0, play("2C 2D 2H")))
    assert state.to_move == 0
    assert refusal(state, 0, sneak("4C")) == "your_turn"
    assert after(state, (1, sneak("2S"))).to_move == 1


# ------------------------------------------------------------------------------------- grace period


def test_co_37_the_player_to_move_still_owes_but_cannot_act_during_the_wait():
    state = laid("5C 5D", sneak_grace_ms=GRACE)
    assert GAME.turn(state) == Turn((0,), (1, 2))
    assert legal(state, 0, NOW + GRACE - 1) == ()


@pytest.mark.parametrize("action", [play("4C"), PICK_UP, flip(0), sneak("4C"), choose("4C")])
def test_co_37_actions_during_the_wait_are_refused_with_their_own_code(action):
    state = laid("5C 5D", sneak_grace_ms=GRACE)
    assert refusal(state, 0, action, NOW) == "sneak_grace"
    assert refusal(state, 0, action, NOW + GRACE - 1) == "sneak_grace"


def test_co_37_the_wait_ends_after_the_grace_period():
    state = laid("5C 5D", sneak_grace_ms=GRACE)
    assert legal(state, 0, NOW + GRACE) == (PICK_UP,)
    assert after(state, (0, PICK_UP), now=NOW + GRACE).to_move == 1


def test_co_37_the_others_may_sneak_during_the_wait():
    state = laid("5C 5D", "5H 5S 9C", "4H", "4S", sneak_grace_ms=GRACE)
    assert refusal(state, 2, play("4H")) == "not_your_turn"
    assert after(state, (1, sneak("5H 5S"))).to_move == 1


def test_co_37_the_time_of_the_play_is_recorded_in_the_event():
    state = table("5C 4C", "4D", "4H", sneak_grace_ms=GRACE)
    (event,) = decided(state, 0, play("5C"), NOW + 7)
    assert event == CardsPlayed(0, cards("5C"), (), NOW + 7)
    assert legal(evolved(state, (event,)), 1, NOW + 6 + GRACE) == ()
    assert legal(evolved(state, (event,)), 1, NOW + 7 + GRACE) != ()


def test_co_37_the_time_of_a_flip_is_recorded_too():
    state = table(
        "", "4D", "4H", face_up=("", "", ""), face_down=("5C 6C --",) * 3, laid_at=0, sneak_grace_ms=GRACE
    )
    state = after(state, (0, flip(0)), now=NOW + 9)
    assert view(state, 1).waits_until == NOW + 9 + GRACE


def test_co_37_nobody_waits_on_an_empty_pile():
    state = after(laid("5C 5D", "5H 5S 9C", "4H", "4S", sneak_grace_ms=GRACE), (1, sneak("5H 5S")))
    assert legal(state, 1, NOW) == (play("9C"),)


def test_co_37_nobody_waits_for_players_with_only_face_down_cards():
    state = laid("5C 5D", "", "", "4S", face_up=("",) * 4, sneak_grace_ms=GRACE)
    assert GAME.turn(state).may == (1, 2)
    assert legal(state, 0, NOW) == (PICK_UP,)


@pytest.mark.parametrize(("hands", "face_up"), [(("", "4H", "4S"), ""), (("", "", "4S"), "9C")])
def test_co_37_the_wait_applies_if_one_player_has_a_hand_or_face_up_cards(hands, face_up):
    state = laid("5C 5D", *hands, face_up=("", "", face_up, ""), sneak_grace_ms=GRACE)
    assert legal(state, 0, NOW) == ()


def test_co_37_two_players_do_not_wait_for_each_other():
    assert legal(table("4C", "4D", pile="5C", sneak_grace_ms=GRACE), 0, NOW) == (PICK_UP,)


def test_co_37_co_38_the_player_of_a_2_waits_before_playing_again():
    state = table("2C 4C", "4D", two_plays_again=True, sneak_grace_ms=GRACE)
    state = after(state, (0, play("2C")))
    assert (legal(state, 0, NOW), legal(state, 0, NOW + GRACE)) == ((), (play("4C"),))
