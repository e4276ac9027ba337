"""Jokers in Shithead: naming a target, answering, picking up, and being out afterwards."""

import pytest

from hoodwink.domain.cards import HIDDEN
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.events import BlindJokerTurned, JokerCountered, JokerPlayed, PileAccepted
from hoodwink.domain.games.shithead.state import Step
from hoodwink.domain.kernel import Stage, Turn
from tests.domain.games.shithead_table import (
    ACCEPT,
    PICK_UP,
    READY,
    after,
    can,
    cards,
    counter,
    events_of,
    flip,
    joker,
    play,
    redact,
    refusal,
    table,
    view,
)

NEXT = {"pickup_restart": "next"}
PICKED_UP = {"joker_fate": "picked_up"}


def test_sh_36_the_target_takes_the_pile_not_the_stock():
    state = after(table("JK 9C", "KD", "KH", pile="4S 9S", stock="6C 6D"), (0, joker(2)), (2, ACCEPT))
    assert (state.hands[2], state.pile) == (cards("KH 4S 9S"), ())
    assert state.stock == ()
    assert state.hands[0] == cards("9C 6C 6D")


@pytest.mark.parametrize("pile", ["", "4S", "7S", "AS", "2S", "8S"])
def test_sh_37_sh_46_a_joker_is_played_on_anything_at_any_other_player(pile):
    state = table("JK 4C", "KD", "KH", pile=pile)
    assert can(state, 0, joker(1))
    assert can(state, 0, joker(2))
    for nobody in (0, 3, -1):
        assert refusal(state, 0, joker(nobody)) == "wrong_target"


def test_sh_37_a_joker_is_played_in_turn_and_only_if_held():
    state = table("4C", "JK KD", "KH", pile="9S")
    assert refusal(state, 1, joker(2)) == "not_your_turn"
    assert refusal(state, 0, joker(2)) == "card_not_held"
    state = table("4C", "KD", face_up=["JK"], blind=["JK"], pile="9S")
    assert refusal(state, 0, joker(1)) == "card_not_held"
    assert refusal(table("", "KD", blind=["JK"]), 0, joker(1)) == "wrong_zone"


def test_sh_37_a_face_up_joker_may_be_played():
    state = after(table("", "KD", face_up=["JK 4C"], pile="9S"), (0, joker(1)), (1, ACCEPT))
    assert (state.face_up[0], state.hands[1], state.to_move) == (cards("4C"), cards("KD 9S"), 1)


def test_sh_38_used_jokers_leave_the_game():
    state = table("JK 9C", "JK KD", "KH", pile="4S")
    state = after(state, (0, joker(1)), (1, counter(2)), (2, ACCEPT))
    assert (state.removed, state.hands[2]) == (cards("JK JK"), cards("KH 4S"))


@pytest.mark.parametrize("pile", ["", "4S 9S"])
def test_sh_38_sh_59_used_jokers_may_go_to_the_last_target_even_on_an_empty_pile(pile):
    state = table("JK 9C", "JK KD", "KH", pile=pile, options=PICKED_UP)
    state = after(state, (0, joker(1)), (1, counter(2)), (2, ACCEPT))
    assert (state.removed, state.hands[2]) == ((), cards(f"KH {pile} JK JK"))


def test_sh_59_a_hand_of_jokers_can_only_be_passed_on_forever():
    state = table("JK", "", blind=["4C", "5C"], options=PICKED_UP)
    for seat in (0, 1, 0, 1):
        assert GAME.legal_actions(state, seat, 0) == (joker(1 - seat),)
        state = after(state, (seat, joker(1 - seat)))
    assert (state.hands, state.stage) == ((cards("JK"), ()), Stage.IN_PLAY)


def test_sh_39_the_player_named_counters_and_names_anyone_else():
    state = after(table("JK 9C", "JK JK KD", "KH", pile="4S"), (0, joker(1)))
    assert (state.step, GAME.turn(state)) == (Step.ANSWER, Turn((1,)))
    assert GAME.legal_actions(state, 1, 0) == (ACCEPT, counter(0), counter(2))
    assert refusal(state, 1, counter(1)) == "wrong_target"
    assert refusal(state, 2, ACCEPT) == "not_your_turn"
    state = after(state, (1, counter(0)), (0, ACCEPT))
    assert (state.hands[0], state.to_move) == (cards("9C 4S"), 0)


def test_sh_39_the_counter_comes_from_the_active_zone():
    state = after(table("JK 9C", "KD", face_up=["", "JK"], pile="4S"), (0, joker(1)))
    assert refusal(state, 1, counter(0)) == "card_not_held"
    state = after(table("JK 9C", "", face_up=["", "JK QD"], pile="4S"), (0, joker(1)), (1, counter(0)))
    assert (state.face_up[1], state.to_move) == (cards("QD"), 0)


def test_sh_39_only_a_joker_is_answered():
    state = after(table("JK 9C", "JK KD", pile="4S"), (0, joker(1)))
    for playing in (play("KD"), joker(0), PICK_UP, flip(0)):
        assert refusal(state, 1, playing) == "wrong_step"
    assert refusal(state, 1, READY) == "wrong_phase"
    state = table("JK 9C", "JK KD", pile="4S")
    for answer in (ACCEPT, counter(1)):
        assert refusal(state, 0, answer) == "wrong_step"


def test_sh_39_both_draw_up_to_three():
    state = after(table("JK 9C 9D", "JK KD KC", pile="4S", stock="6C 6D 6H"), (0, joker(1)), (1, counter(0)))
    assert state.hands == (cards("9C 9D 6C"), cards("KD KC 6D"))


def test_sh_39_events_show_everything_but_the_cards_drawn():
    state = table("JK 9C 9D", "JK KD KC", pile="4S", stock="6C 6D 6H")
    (played,) = events_of(state, 0, joker(1))
    assert played == JokerPlayed(0, 1, cards("6C"))
    assert redact(played, 1) == JokerPlayed(0, 1, (HIDDEN,))
    (countered,) = events_of(after(state, (0, joker(1))), 1, counter(0))
    assert countered == JokerCountered(1, 0, cards("6D"))
    assert redact(countered, "spectator") == JokerCountered(1, 0, (HIDDEN,))
    (accepted,) = events_of(after(state, (0, joker(1))), 1, ACCEPT)
    assert redact(accepted, "spectator") == accepted == PileAccepted(1)


def test_sh_40_the_target_restarts():
    state = after(table("JK 9C", "KD", "KH", pile="4S"), (0, joker(2)), (2, ACCEPT))
    assert (state.step, state.to_move) == (Step.PLAY, 2)
    assert after(state, (2, play("4S"))).to_move == 0


def test_sh_40_sh_56_the_player_after_the_target_may_restart():
    state = table("JK 9C", "KD", "KH", "KS", pile="4S", options=NEXT)
    assert after(state, (0, joker(2)), (2, ACCEPT)).to_move == 3


def test_sh_56_the_next_player_is_found_after_those_who_are_out_have_gone_out():
    state = table("JK", "KD", "KH", pile="4S", options=NEXT)
    state = after(state, (0, joker(2)), (2, ACCEPT))
    assert (state.finished, state.to_move) == ((0,), 1)


def test_sh_56_on_an_empty_pile_the_target_leads_with_either_option():
    for options in ({}, NEXT):
        state = after(table("JK 9C", "KD", "KH", options=options), (0, joker(1)), (1, ACCEPT))
        assert (state.to_move, state.hands[1], state.removed) == (1, cards("KD"), cards("JK"))


def test_sh_41_a_finished_player_is_brought_back_and_loses_the_place():
    state = table("JK 9C", "", "KH", "", pile="4S 9S", finished=(3, 1))
    state = after(state, (0, joker(3)))
    assert (state.hands[3], state.finished) == (cards("4S 9S"), (1,))
    assert (state.step, state.to_move) == (Step.PLAY, 3)


def test_sh_42_a_joker_on_an_empty_pile_makes_the_target_lead():
    state = after(table("JK", "KD", "KH", blind=["4C"]), (0, joker(2)), (2, ACCEPT))
    assert (state.to_move, state.hands[2]) == (2, cards("KH"))


def test_sh_42_sh_57_nobody_without_cards_is_named_on_an_empty_pile():
    state = table("JK 9C", "", "KH")
    assert refusal(state, 0, joker(1)) == "wrong_target"
    assert GAME.legal_actions(state, 0, 0) == (play("9C"), joker(2))


def test_sh_57_jokers_in_the_procedure_do_not_form_a_pile():
    state = after(table("JK", "JK KD", "KH"), (0, joker(1)))
    assert refusal(state, 1, counter(0)) == "wrong_target"
    assert GAME.legal_actions(state, 1, 0) == (ACCEPT, counter(2))


def test_sh_57_with_two_players_there_may_be_nobody_left_to_name():
    state = after(table("JK", "JK KD"), (0, joker(1)))
    assert GAME.legal_actions(state, 1, 0) == (ACCEPT,)
    assert GAME.stage(after(state, (1, ACCEPT))) is Stage.TO_SCORE


def test_sh_43_a_joker_as_last_card_finishes_after_the_answers():
    state = after(table("JK", "JK KD", "KH", pile="4S"), (0, joker(1)))
    assert state.finished == ()
    assert after(state, (1, ACCEPT)).finished == (0,)
    state = after(state, (1, counter(0)))
    assert (state.finished, state.hands[0], state.to_move) == ((), cards("4S"), 0)


def test_sh_43_sh_44_the_round_is_not_over_before_the_answer():
    state = after(table("JK", "JK KD", pile="4S"), (0, joker(1)))
    assert GAME.stage(state) is Stage.IN_PLAY
    assert GAME.stage(after(state, (1, counter(0)))) is Stage.IN_PLAY
    assert GAME.stage(after(state, (1, ACCEPT))) is Stage.TO_SCORE


def test_sh_53_a_blind_joker_stays_in_front_until_it_names_somebody():
    state = table("", "KD", "KH", blind=["JK 4C"], pile="9S")
    assert events_of(state, 0, flip(0)) == (BlindJokerTurned(0, 0),)
    state = after(state, (0, flip(0)))
    assert (state.step, state.blind[0], GAME.turn(state)) == (
        Step.NAME_TARGET,
        ("JK", "4C", None),
        Turn((0,)),
    )
    assert GAME.legal_actions(state, 0, 0) == (joker(1), joker(2))
    for action in (flip(1), play("JK"), PICK_UP, ACCEPT, counter(1)):
        assert refusal(state, 0, action) == "wrong_step"
    assert refusal(state, 0, joker(0)) == "wrong_target"
    assert view(state, 2).blind[0] == ("JK", "??", None)
    state = after(state, (0, joker(2)), (2, ACCEPT))
    assert (state.blind[0], state.hands[2], state.turned) == ((None, "4C", None), cards("KH 9S"), None)


def test_sh_53_a_blind_joker_as_last_card():
    state = after(table("", "KD", "KH", blind=["JK"], pile="9S"), (0, flip(0)), (0, joker(1)), (1, ACCEPT))
    assert state.finished == (0,)


def test_sh_53_a_turned_joker_still_names_only_those_with_cards_on_an_empty_pile():
    state = after(table("", "KD", "", blind=["JK 4C"]), (0, flip(0)))
    assert GAME.legal_actions(state, 0, 0) == (joker(1),)


def test_sh_54_a_target_with_blind_cards_only_is_not_asked():
    state = after(table("JK 9C", "", "KH", blind=["", "JK 4C"], pile="9S"), (0, joker(1)))
    assert (state.step, state.hands[1], state.to_move) == (Step.PLAY, cards("9S"), 1)


def test_sh_54_on_an_empty_pile_that_target_leads():
    state = after(table("JK 9C", "", "KH", blind=["", "5C 4C"]), (0, joker(1)))
    assert (state.step, state.hands[1], state.to_move) == (Step.PLAY, (), 1)


def test_sh_54_everybody_else_answers_even_if_only_accepting_is_possible():
    state = after(table("JK 9C", "KD", "", face_up=["", "", "KH"], pile="9S"), (0, joker(2)))
    assert GAME.legal_actions(state, 2, 0) == (ACCEPT,)


def test_sh_58_players_out_by_jokers_go_out_in_the_order_of_laying():
    state = after(table("JK", "JK", "KH", "KS", pile="9S"), (0, joker(1)), (1, counter(2)), (2, ACCEPT))
    assert state.finished == (0, 1)


def test_sh_58_the_last_joker_laid_counts():
    state = table("JK JK", "JK", "KH", "KS", pile="9S")
    state = after(state, (0, joker(1)), (1, counter(0)), (0, counter(2)), (2, ACCEPT))
    assert state.finished == (1, 0)


def test_sh_38_sh_58_a_later_question_ignores_earlier_ones():
    state = after(table("JK", "JK KD", "KH", "KS", pile="9S"), (0, joker(1)), (1, ACCEPT))
    assert (state.jokers, state.jokers_laid, state.finished) == ((), (), (0,))
    state = after(state, (1, joker(2)), (2, ACCEPT))
    assert (state.removed, state.finished) == (cards("JK JK"), (0,))


def test_sh_58_a_player_who_picks_up_does_not_go_out():
    state = after(table("JK", "JK", "KH", "KS", pile="9S"), (0, joker(1)), (1, counter(0)))
    assert (state.finished, state.to_move, state.hands[0]) == ((1,), 0, cards("9S"))


def test_sh_44_all_but_one_out_by_jokers_ends_the_round():
    state = after(table("JK", "JK", "KH", pile="9S"), (0, joker(1)), (1, counter(2)), (2, ACCEPT))
    assert GAME.stage(state) is Stage.TO_SCORE
