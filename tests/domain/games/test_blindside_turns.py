"""Blindside: the turns, their checks in order, and the end of the round."""

from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.bots import pick_action
from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.games.blindside import GAME
from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from hoodwink.domain.games.blindside.events import CardDiscarded, CardKept, DiscardDrawn, StockDrawn
from hoodwink.domain.games.blindside.state import Step
from hoodwink.domain.kernel import RuleViolation, SharedCode, Stage, Turn
from tests.domain.games.blindside_table import (
    PASSES_AND_NOT,
    Stacked,
    act,
    cards,
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
    step_with_first,
    take_turn,
    to_score,
)

STOCK, DISCARD_PILE = DrawCard("stock"), DrawCard("discard")


@pytest.mark.parametrize("dealer", range(4))
def test_bs_13_play_starts_left_of_the_dealer_and_goes_clockwise(dealer):
    state = dealt(4, Stacked(dealer))
    state = pass_all(state, " ".join(hand[0] for hand in state.hands))
    movers = []
    while state.stage is Stage.IN_PLAY:
        if state.step is Step.DRAW:
            movers.append(GAME.turn(state).owes[0])
        state = step_with_first(state)
    assert movers == [(dealer + 1 + turn) % 4 for turn in range(12)]


def test_bs_4_the_top_card_of_the_stock_or_of_the_discard_pile_is_drawn():
    state = in_turn(("AS 3D 4D", "5D 6D 7D"), stock="9C TC", discard_pile="2C KH")
    assert GAME.legal_actions(state, 0, 0) == (STOCK, DISCARD_PILE)
    assert events_of(state, 0, STOCK) == StockDrawn(0, Card("9C"))
    assert events_of(state, 0, DISCARD_PILE) == DiscardDrawn(0, Card("KH"))
    from_stock, from_pile = act(state, 0, STOCK), act(state, 0, DISCARD_PILE)
    assert (from_stock.hands[0], from_stock.stock) == (cards("AS 3D 4D 9C"), cards("TC"))
    assert (from_pile.hands[0], from_pile.discard_pile) == (cards("AS 3D 4D KH"), cards("2C"))


def test_bs_4_the_first_player_may_take_the_turn_up():
    state = dealt(3)
    state = pass_all(state, " ".join(hand[0] for hand in state.hands))
    assert events_of(state, 1, DISCARD_PILE).card == build_pack()[12]


@pytest.mark.parametrize("seats", [2, 5, 6, 10])
@pytest.mark.parametrize("options", PASSES_AND_NOT)
def test_bs_4_the_discard_pile_is_never_empty_at_a_draw(seats, options):
    state = dealt(seats, seeded(3, seats), **options)
    draws = 0
    while state.stage is Stage.IN_PLAY:
        seat = GAME.turn(state).owes[0]
        if state.step is Step.DRAW:
            assert state.discard_pile
            draws += 1
        # A player who always takes the discard keeps the pile as low as possible.
        state = fold(state, GAME.decide(state, seat, GAME.legal_actions(state, seat, 0)[-1], 0))
    assert draws == (4 if options else 3) * seats


@pytest.mark.parametrize("seats", range(2, 11))
def test_bs_14_three_turns_each_empty_the_hands(seats):
    state = play_round(dealt(seats, seeded(2, seats)))
    assert state.stage is Stage.TO_SCORE
    assert state.hands == ((),) * seats
    assert {len(pile) for pile in state.keepers} == {3}


def test_bs_14_each_turn_leaves_one_hand_card_less():
    state = in_turn(("2S 3S 4S", "2H 3H 4H"), stock="5C 6C 7C 8C 9C TC")
    sizes = []
    for _ in range(6):
        drawn = state.stock[0]
        state = take_turn(state, "stock", state.hands[state.to_move][0], drawn)
        sizes.append([len(hand) for hand in state.hands])
    assert sizes == [[2, 3], [2, 2], [1, 2], [1, 1], [0, 1], [0, 0]]
    assert state.stage is Stage.TO_SCORE


@pytest.mark.parametrize("seats", range(2, 11))
def test_bs_15_the_five_card_variation_has_four_turns_and_four_keepers(seats):
    state = play_round(dealt(seats, seeded(2, seats), five_card=True))
    assert state.hands == ((),) * seats
    assert {len(pile) for pile in state.keepers} == {4}
    assert None not in state.blindsides


def test_bs_17_a_turn_is_draw_then_keep_then_discard():
    state = in_turn(("AS 3D 4D", "5D 6D 7D"), stock="9C")
    draw, keep, discard = STOCK, KeepCard(Card("AS")), DiscardCard(Card("3D"))
    for step, action, later in (
        (Step.DRAW, draw, keep),
        (Step.KEEP, keep, discard),
        (Step.DISCARD, discard, draw),
    ):
        assert state.step is step
        assert refusal(state, 0, later) == "wrong_step"
        state = act(state, 0, action)
    assert (state.step, GAME.turn(state)) == (Step.DRAW, Turn((1,)))


def test_bs_17_the_card_just_drawn_may_be_kept_or_discarded():
    state = act(in_turn(("AS 3D 4D", "5D 6D 7D"), stock="9C"), 0, STOCK)
    assert KeepCard(Card("9C")) in GAME.legal_actions(state, 0, 0)
    kept = act(state, 0, KeepCard(Card("9C")))
    assert (kept.keepers[0], kept.hands[0]) == (cards("9C"), cards("AS 3D 4D"))
    thrown = act(state, 0, KeepCard(Card("AS")), DiscardCard(Card("9C")))
    assert thrown.discard_pile == cards("2C 9C")


def test_bs_17_a_card_taken_from_the_discard_pile_may_be_discarded():
    state = act(in_turn(("AS 3D 4D", "5D 6D 7D")), 0, DISCARD_PILE, KeepCard(Card("AS")))
    assert DiscardCard(Card("2C")) in GAME.legal_actions(state, 0, 0)
    assert act(state, 0, DiscardCard(Card("2C"))).discard_pile == cards("2C")


def test_bs_18_any_hand_card_may_be_kept():
    state = act(in_turn(("AS 3D 4D", "5D 6D 7D"), stock="9C"), 0, STOCK)
    assert GAME.legal_actions(state, 0, 0) == tuple(map(KeepCard, cards("AS 3D 4D 9C")))
    assert events_of(state, 0, KeepCard(Card("3D"))) == CardKept(0, Card("3D"))


def test_bs_17_any_hand_card_may_be_discarded():
    state = act(in_turn(("AS 3D 4D", "5D 6D 7D"), stock="9C"), 0, STOCK, KeepCard(Card("AS")))
    assert GAME.legal_actions(state, 0, 0) == tuple(map(DiscardCard, cards("3D 4D 9C")))
    assert events_of(state, 0, DiscardCard(Card("4D"))) == CardDiscarded(0, Card("4D"))


def test_g_9_one_seat_owes_a_turn_and_nobody_may_interrupt():
    state = in_turn(("AS 3D 4D", "5D 6D 7D", "8D 9D TD"), to_move=2)
    assert GAME.turn(state) == Turn(owes=(2,), may=())
    assert [bool(GAME.legal_actions(state, seat, 0)) for seat in range(3)] == [False, False, True]


@pytest.mark.parametrize("stage", [Stage.TO_DEAL, Stage.TO_SCORE, Stage.OVER])
@pytest.mark.parametrize("action", [PassBlindside(Card("AS")), STOCK, DISCARD_PILE, KeepCard(Card("AS"))])
def test_g_2_g_10_no_action_is_accepted_between_the_rounds(stage, action):
    state = replace(in_turn(("AS 3D 4D", "5D 6D 7D"), stock="9C"), stage=stage)
    assert refusal(state, 0, action) == "round_not_in_play"
    assert GAME.turn(state) == Turn()
    assert GAME.legal_actions(state, 0, 0) == ()


def test_g_10_the_phase_is_checked_before_the_turn():
    passing = dealt(3)
    outsider = Card("ZZ")
    for action in (STOCK, KeepCard(outsider), DiscardCard(outsider)):
        assert [refusal(passing, seat, action) for seat in range(3)] == ["wrong_phase"] * 3
    playing = in_turn(("AS 3D 4D", "5D 6D 7D"))
    assert [refusal(playing, seat, PassBlindside(outsider)) for seat in (0, 1)] == ["wrong_phase"] * 2


def test_g_10_the_turn_is_checked_before_the_step():
    state = in_turn(("AS 3D 4D", "5D 6D 7D"))
    for action in (STOCK, KeepCard(Card("5D")), DiscardCard(Card("ZZ"))):
        assert refusal(state, 1, action) == "not_your_turn"


def test_g_10_the_step_is_checked_before_the_card():
    state = in_turn(("AS 3D 4D", "5D 6D 7D"))
    assert refusal(state, 0, KeepCard(Card("ZZ"))) == "wrong_step"
    assert refusal(state, 0, DiscardCard(Card("AS"))) == "wrong_step"


def test_g_10_the_card_is_checked_last_and_only_in_the_players_own_hand():
    keeping = in_turn(("AS 3D 4D", "5D 6D 7D"), step=Step.KEEP)
    discarding = replace(keeping, step=Step.DISCARD)
    for face in ("5D", "2C", "ZZ", "KC"):
        assert refusal(keeping, 0, KeepCard(Card(face))) == "card_not_held"
        assert refusal(discarding, 0, DiscardCard(Card(face))) == "card_not_held"


def test_g_10_the_commitment_is_checked_before_the_card():
    state = dealt(3)
    state = act(state, 0, PassBlindside(state.hands[0][0]))
    assert refusal(state, 0, PassBlindside(Card("ZZ"))) == "already_committed"
    assert refusal(state, 1, PassBlindside(Card("ZZ"))) == "card_not_held"


def test_g_10_a_refusal_names_no_card():
    state = in_turn(("AS 3D 4D", "5D 6D 7D"), step=Step.KEEP)
    with pytest.raises(RuleViolation) as refused:
        GAME.decide(state, 0, KeepCard(Card("5D")), 0)
    assert refused.value.detail == SharedCode.CARD_NOT_HELD.meaning


@pytest.mark.parametrize("options", PASSES_AND_NOT)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_every_legal_action_is_accepted_and_everything_else_refused(seats, options):
    chance = Random(f"{seats}{options}")
    state = dealt(seats, seeded(9, seats), **options)
    kinds = (PassBlindside, KeepCard, DiscardCard)
    universe = [STOCK, DISCARD_PILE, *[kind(card) for kind in kinds for card in build_pack()]]
    while state.stage is Stage.IN_PLAY:
        for seat in range(seats):
            accepted = {action for action in universe if refusal(state, seat, action) == "accepted"}
            legal = GAME.legal_actions(state, seat, 0)
            assert len(legal) == len(accepted)
            assert set(legal) == accepted
        seat = chance.choice(GAME.turn(state).owes)
        action = pick_action(GAME, chance.choice(GAME.legal_actions(state, seat, 0)), chance)
        state = fold(state, GAME.decide(state, seat, action, 0))


@pytest.mark.parametrize("options", PASSES_AND_NOT)
def test_every_action_is_the_cause_of_its_event(options):
    state = dealt(3, seeded(9, 3), **options)
    start = GAME.initial(state.options, 3)
    chance = Random(4)
    while state.stage is Stage.IN_PLAY:
        seat = GAME.turn(state).owes[0]
        action = pick_action(GAME, chance.choice(GAME.legal_actions(state, seat, 0)), chance)
        (event,) = GAME.decide(state, seat, action, 0)
        assert event.cause() == (seat, action)
        state = GAME.evolve(state, event)
    no_action = (*GAME.deal(start, seeded(9, 3)), *GAME.score_round(state))
    assert [event.cause() for event in no_action] == [None, None, None]


def test_g_5_of_two_copies_one_is_kept_and_one_discarded():
    state = in_turn(("KS KS 2D", *["3C 3D 3H"] * 5), step=Step.KEEP)
    state = act(state, 0, KeepCard(Card("KS")), DiscardCard(Card("KS")))
    assert (state.hands[0], state.keepers[0], state.discard_pile) == (
        cards("2D"),
        cards("KS"),
        cards("2C KS"),
    )


def test_g_15_a_void_round_moves_no_token_passes_the_deal_and_reveals_nothing():
    state = in_turn(
        ("AS 3D 4D", "5D 6D 7D", "8D 9D TD"), tokens=(4, -2, -2), dealer=1, keepers=piles("2H", "", "")
    )
    void = GAME.void_round(state)
    assert (void.tokens, void.stage, void.round) == ((4, -2, -2), Stage.TO_DEAL, 1)
    assert (void.hands, void.keepers, void.blindsides) == (((),) * 3, ((),) * 3, (None,) * 3)
    assert (void.stock, void.discard_pile, void.passed) == ((), (), (None,) * 3)
    (event,) = GAME.deal(void, seeded(1, 3))
    assert fold(void, (event,)).dealer == 2


def test_g_15_a_void_last_round_ends_the_table():
    assert GAME.void_round(in_turn(("AS", "5D"), round=2)).stage is Stage.OVER
    assert score(to_score("AS KS", "2C", "3C", round=1)).stage is Stage.TO_DEAL
