"""Blind Don: legal cards, tricks, and the cards that are turned up."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import Card
from hoodwink.domain.games.blind_don import GAME
from hoodwink.domain.games.blind_don.actions import PlayCard
from hoodwink.domain.games.blind_don.events import CardLed, TrickTaken, Uncovered
from hoodwink.domain.games.blind_don.rules import is_beaten
from hoodwink.domain.games.blind_don.state import Laid
from hoodwink.domain.kernel import RuleViolation, Stage, Turn
from tests.domain.games.blind_don_table import (
    Stacked,
    act,
    cards,
    deal,
    dealt,
    may_play,
    play,
    play_round,
    refusal,
    rows,
    score,
    seeded,
    situation,
    to_score,
)


def test_bd_18_the_non_dealer_leads_first():
    for deck, leader in (("2C 3C", 1), ("3C 2C", 0)):
        state = dealt(Stacked({0: deck}))
        assert GAME.turn(state) == Turn((leader,))
        assert may_play(state, leader) == list(range(9))
        assert may_play(state, 1 - leader) == []


@pytest.mark.parametrize(("follower", "winner"), [("9S", 0), ("AS", 1)])
def test_bd_18_the_winner_of_a_trick_leads_to_the_next(follower, winner):
    state = play(situation(("TS 2C", f"{follower} 2D")), 0, 0)
    assert GAME.turn(state) == Turn((winner,))
    assert state.lead is None


def test_bd_5_the_first_card_led_fixes_trump_for_the_round():
    state = situation(("KS 2H", "AS 3H"))
    assert state.trump == ""
    state = play(state, 0)
    assert state.trump == "S"
    state = play(state, 0, 1)
    assert (state.lead, state.trump) == (Laid(1, 1, Card("3H")), "S")


def test_bd_5_the_next_round_has_no_trump_until_its_first_lead():
    state = deal(score(play_round(dealt())), Stacked())
    assert state.trump == ""
    lead = state.face_up[state.to_move][4]
    assert lead is not None
    assert play(state, 4).trump == lead[1]


def test_bd_6_without_the_led_suit_any_face_up_card_may_be_played():
    state = play(situation(("KS", "AH -- 2D 3C")), 0)
    assert may_play(state, 1) == [0, 2, 3]


def test_bd_7_the_led_suit_is_followed_with_any_card_of_it():
    state = play(situation(("KS", "AH 2S 3C AS")), 0)
    assert may_play(state, 1) == [1, 3]
    assert refusal(state, 1, 0) == "must_follow_suit"
    assert refusal(state, 1, 3) == "accepted"


def test_bd_7_face_down_cards_neither_bind_nor_can_be_played():
    state = play(situation(("KS", "AH -- 2D"), ("", "3S 4S")), 0)
    assert may_play(state, 1) == [0, 2]
    assert refusal(state, 1, 1) == "card_not_held"


def test_bd_7_the_leader_may_lead_any_face_up_card():
    state = situation(("KS -- 2H", "AH"), ("-- 4C", ""), trump="D")
    assert may_play(state, 0) == [0, 2]
    assert refusal(state, 0, 1) == "card_not_held"


def test_bd_8_nobody_has_to_trump():
    state = situation(("KH", "2S 3D"), trump="S", lead=Laid(0, 4, Card("KH")), to_move=1)
    assert may_play(state, 1) == [0, 1]


def test_bd_8_nobody_has_to_win():
    state = situation(("", "2H AH"), lead=Laid(0, 4, Card("KH")), trump="S", to_move=1)
    assert may_play(state, 1) == [0, 1]


@pytest.mark.parametrize(
    ("led", "card", "trump", "beaten"),
    [
        ("9H", "TH", "S", True),
        ("9H", "8H", "S", False),
        ("KH", "AH", "H", True),
        ("AH", "KH", "H", False),
        ("AH", "2S", "S", True),
        ("2S", "AH", "S", False),
        ("2H", "AC", "S", False),
    ],
)
def test_the_highest_trump_takes_the_trick_or_else_the_highest_of_the_led_suit(led, card, trump, beaten):
    assert is_beaten(led, card, trump) is beaten
    state = situation(("", card), lead=Laid(0, 0, led), trump=trump, to_move=1)
    assert act(state, 1, 0).taker == int(beaten)


def test_bd_9_uncovered_cards_are_turned_up_after_the_trick_both_together():
    state = situation(("KS", "AS"), ("4D", "5D"))
    led = act(state, 0, 0)
    assert led == CardLed(0, 0, Card("KS"), ())
    state = GAME.evolve(state, led)
    assert (state.face_up, state.face_down) == (rows("", "AS"), rows("4D", "5D"))
    taken = act(state, 1, 0)
    assert taken.uncovered == (Uncovered(0, 0, Card("4D")), Uncovered(1, 0, Card("5D")))
    state = GAME.evolve(state, taken)
    assert (state.face_up, state.face_down) == (rows("4D", "5D"), rows("", ""))


def test_bd_9_the_turned_up_card_may_be_played_from_the_next_trick_on():
    state = play(situation(("KS", "AS"), ("4D", "5D")), 0, 0)
    assert may_play(state, 1) == [0]
    assert GAME.turn(play(state, 0, 0)).owes == (1,)


def test_bd_9_bd_23_immediately_means_before_the_follower_plays():
    state = situation(("KS", "AS"), ("4D", "5D"), flip="immediate")
    led = act(state, 0, 0)
    assert led == CardLed(0, 0, Card("KS"), (Uncovered(0, 0, Card("4D")),))
    state = GAME.evolve(state, led)
    assert (state.face_up, state.face_down) == (rows("4D", "AS"), rows("", "5D"))
    taken = act(state, 1, 0)
    assert taken.uncovered == (Uncovered(1, 0, Card("5D")),)
    assert GAME.evolve(state, taken).face_up == rows("4D", "5D")


@pytest.mark.parametrize("flip", ["after_trick", "immediate"])
def test_bd_10_turning_up_is_automatic_and_all_eighteen_tricks_are_played(flip):
    state = dealt(seeded(3), flip=flip)
    for trick in range(1, 19):
        state = play(state, may_play(state, state.to_move)[0])
        state = play(state, may_play(state, state.to_move)[-1])
        assert sum(map(len, state.captured)) == 2 * trick
        bare = [
            up is None and down is not None
            for up_row, down_row in zip(state.face_up, state.face_down, strict=True)
            for up, down in zip(up_row, down_row, strict=True)
        ]
        assert not any(bare)
    assert state.stage is Stage.TO_SCORE
    assert (state.face_up, state.face_down) == (rows("", ""), rows("", ""))


def test_bd_10_a_stack_that_is_used_up_uncovers_nothing():
    state = situation(("KS", "AS"), ("", "5D"))
    assert act(play(state, 0), 1, 0).uncovered == (Uncovered(1, 0, Card("5D")),)
    state = situation(("KS", "AS"), ("", ""), flip="immediate")
    assert act(state, 0, 0).uncovered == ()
    assert act(play(state, 0), 1, 0).uncovered == ()


def test_bd_12_g_8_the_taker_gets_both_cards_the_leaders_first():
    state = play(situation(("KS 2S", "AS 3S")), 0, 0)
    assert state.captured == ((), cards("KS AS"))
    assert play(state, 1, 1).captured == ((), cards("KS AS 3S 2S"))


def test_g_5_an_action_names_the_position():
    state = situation(("KS QS", "AS"))
    assert GAME.legal_actions(state, 0, 0) == (PlayCard(0), PlayCard(1))
    assert act(state, 0, 1) == CardLed(0, 1, Card("QS"), ())


def test_g_9_nobody_may_act_out_of_turn():
    state = dealt()
    assert GAME.turn(state).may == ()
    assert GAME.turn(play(state, 0)) == Turn((0,))


def test_g_10_checks_run_from_the_phase_over_the_turn_to_the_card():
    state = play(situation(("KS", "AH 2S")), 0)
    between = replace(state, stage=Stage.TO_DEAL)
    assert refusal(between, 0, 0) == "round_not_in_play"
    assert refusal(state, 0, 0) == "not_your_turn"
    assert refusal(state, 1, 5) == "card_not_held"
    assert refusal(state, 1, 0) == "must_follow_suit"
    assert refusal(state, 1, 1) == "accepted"


@pytest.mark.parametrize("position", [-1, -9, 9, 17])
def test_g_10_a_position_outside_the_row_holds_no_card(position):
    assert refusal(dealt(), 1, position) == "card_not_held"


@pytest.mark.parametrize("stage", [Stage.TO_DEAL, Stage.TO_SCORE, Stage.OVER])
def test_g_2_no_action_is_accepted_between_the_rounds(stage):
    state = replace(dealt(), stage=stage)
    assert GAME.turn(state) == Turn()
    assert [may_play(state, seat) for seat in (0, 1)] == [[], []]
    assert [refusal(state, seat, 0) for seat in (0, 1)] == ["round_not_in_play"] * 2


def test_g_10_a_refusal_reveals_no_hidden_card():
    state = play(situation(("KS", "AH 2S"), ("TD", "9C 8C")), 0)
    with pytest.raises(RuleViolation) as refused:
        GAME.decide(state, 1, PlayCard(0), 0)
    assert not any(face in str(refused.value) for face in ("TD", "9C", "8C"))


def test_every_play_is_caused_by_the_action_it_records():
    state = dealt(seeded(8))
    while state.stage is Stage.IN_PLAY:
        seat, position = state.to_move, may_play(state, state.to_move)[-1]
        event = act(state, seat, position)
        assert isinstance(event, CardLed | TrickTaken)
        assert event.cause() == (seat, PlayCard(position))
        state = GAME.evolve(state, event)
    no_action = (*GAME.deal(GAME.initial(state.options, 2), seeded(8)), *GAME.score_round(state))
    assert [event.cause() for event in no_action] == [None, None, None]
    assert to_score(("", "")).stage is Stage.TO_SCORE
