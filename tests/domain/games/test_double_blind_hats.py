"""The Double Blind: playing a hat, interest, and the end of a caper."""

import pytest

from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import ExposePocket, PlayPocket
from hoodwink.domain.games.double_blind.events import (
    BribePlayed,
    CaperDealt,
    HatTaken,
    InterestPaid,
    PocketPlayed,
)
from hoodwink.domain.kernel import Stage
from tests.domain.games.double_blind_table import (
    Stacked,
    after,
    bribe,
    cards,
    dealt,
    events,
    finished,
    kinds,
    look,
    only,
    pocket,
    refusal,
    show,
    shown,
    situation,
)

# Seat 2 starts and plays from the pocket of seat 1, seat 1 from that of seat 0, seat 0 from that of seat 2.
POCKETS = ("9C 8C 7C 6C 5C", "2D 3D 4D 5D 6D", "KH QH JH TH 9H")
SLEEVES = ("2S 3S 4S", "5S 6S AS", "7S 8S 9S")
BANK = "2C 3C 4C TC JC QC KC"


def table(bank=BANK, **changes):
    return situation(POCKETS, SLEEVES, bank, hatter=2, **changes)


def full_hat(state):
    return after(state, (2, PlayPocket(0)), (1, PlayPocket(0)), (0, PlayPocket(0)))


def test_db_7_the_madd_hatter_may_bribe_on_the_first_card():
    [event] = events(table(), 2, bribe("8S"))
    assert event == BribePlayed(2, *cards("8S"))


def test_db_8_a_bribe_is_announced_to_everybody():
    [event] = events(table(), 2, bribe("8S"))
    state = after(table(), (2, bribe("8S")), (1, PlayPocket(0)))
    for viewer in (0, 1, 2, "spectator"):
        assert shown(event, viewer) == event
        assert [play.bribed for play in look(state, viewer).middle] == [True, False]


def test_db_9_the_player_sees_the_targets_pocket_when_choosing():
    state = table()
    assert look(state, 2).pockets[1] == cards(POCKETS[1])
    legal = GAME.legal_actions(state, 2, 0)
    assert [PlayPocket(slot) for slot in range(5)] == list(legal[:5])


def test_a_played_card_leaves_its_slot_empty_and_lies_in_the_middle():
    state = after(table(), (2, PlayPocket(3)))
    assert state.pockets[1] == pocket("2D 3D 4D -- 6D")
    assert [(play.seat, play.card) for play in state.middle] == [(2, "5D")]
    assert GAME.turn(state).owes == (1,)


def test_a_bribe_leaves_the_sleeve():
    assert after(table(), (2, bribe("8S"))).sleeves[2] == cards("7S 9S")


def test_the_hat_goes_round_counter_clockwise():
    state = table()
    for seat in (2, 1, 0):
        assert GAME.turn(state).owes == (seat,)
        state = after(state, (seat, PlayPocket(4)))


def test_the_highest_card_wins_the_hat_and_the_next_target_starts():
    state = full_hat(table())
    assert state.loot == (cards("2D 9C KH"), (), ())
    assert (state.madd_hatter, state.waiting, state.middle) == (1, (1, 0, 2), ())


def test_db_48_the_hats_event_names_cards_and_bonus_but_no_points():
    state = after(table(), (2, PlayPocket(0)), (1, PlayPocket(0)))
    event = only(events(state, 0, PlayPocket(0)), HatTaken)
    assert (event.seat, event.cards, event.bonus) == (0, cards("2D 9C KH"), 0)
    taken = full_hat(table())
    assert look(taken, 1).loot_counts == (3, 0, 0)
    assert look(taken, 1).scores == (0, 0, 0)


def test_db_38_a_loot_bag_is_a_number_of_cards_even_to_its_owner():
    state = full_hat(table())
    for viewer in (0, 1, 2, "spectator"):
        assert look(state, viewer).loot is None
        assert look(state, viewer).loot_counts == (3, 0, 0)


def test_db_16_interest_fills_pocket_then_sleeve_player_by_player():
    state = after(table(), (2, bribe("7S")), (1, PlayPocket(0)))
    paid = only(events(state, 0, PlayPocket(0)), InterestPaid)
    # Target of seat 2 first: seat 1 lacks nothing, seat 0 a pocket card, seat 2 a pocket and a sleeve card.
    assert paid.pockets == (cards("2C"), (), cards("3C"))
    assert paid.sleeves == ((), (), cards("4C"))


def test_db_16_a_short_bank_serves_the_pocket_before_the_sleeve():
    state = after(table("2C 3C"), (2, bribe("7S")), (1, PlayPocket(0)))
    paid = only(events(state, 0, PlayPocket(0)), InterestPaid)
    assert (paid.pockets, paid.sleeves) == ((cards("2C"), (), cards("3C")), ((), (), ()))


def test_db_16_a_player_is_filled_up_completely_before_the_next():
    state = after(table("2C 3C"), (2, PlayPocket(0)), (1, bribe("AS")))
    paid = only(events(state, 0, PlayPocket(0)), InterestPaid)
    # The target of the Madd Hatter, seat 1, gets pocket and sleeve; nothing is left for seat 2.
    assert (paid.pockets, paid.sleeves) == (((), cards("2C"), ()), ((), cards("3C"), ()))


def test_db_16_the_madd_hatter_is_served_last():
    state = after(table("2C 3C"), (2, PlayPocket(0)), (1, PlayPocket(0)))
    paid = only(events(state, 0, PlayPocket(0)), InterestPaid)
    assert paid.pockets == (cards("3C"), cards("2C"), ())


def test_db_40_cards_keep_their_slots_and_interest_fills_the_empty_one():
    state = after(table(), (2, PlayPocket(2)), (1, PlayPocket(4)), (0, PlayPocket(0)))
    assert state.pockets[1] == cards("2D 3D 2C 5D 6D")
    assert state.pockets[0] == cards("9C 8C 7C 6C 3C")
    assert state.pockets[2] == cards("4C QH JH TH 9H")


def test_db_40_interest_fills_the_lowest_empty_slot_first():
    state = situation(("-- 8C -- 6C", "2D", "KH"), ("", "", ""), "2C 3C 4C", hatter=1)
    state = after(state, (1, PlayPocket(3)), (0, PlayPocket(0)), (2, PlayPocket(0)))
    assert state.pockets[0] == pocket("2C 8C 3C 4C --")


def test_db_40_a_sleeve_is_a_set_new_cards_come_last():
    state = after(table(), (2, bribe("7S")), (1, PlayPocket(0)), (0, PlayPocket(0)))
    assert state.sleeves[2] == cards("8S 9S 4C")


def test_db_18_an_empty_pocket_does_not_end_the_caper_while_the_bank_can_refill_it():
    state = situation(("9C", "2D", "KH"), ("", "", ""), "2C 3C 4C 5C", hatter=2)
    state = full_hat(state)
    assert (state.stage, state.bank) == (Stage.TO_SCORE, ())
    state = situation(("9C", "2D", "KH"), ("", "", ""), " ".join(["2C 3C 4C"] * 9), hatter=2)
    assert full_hat(state).stage is Stage.IN_PLAY


def test_db_18_the_end_is_checked_after_interest():
    state = situation(("9C 8C", "2D", "KH QH"), ("", "", ""), "2C", hatter=0)
    state = after(state, (0, PlayPocket(0)), (2, PlayPocket(0)), (1, PlayPocket(0)))
    assert state.pockets == (pocket("-- 8C"), pocket(""), pocket("2C QH"))
    assert state.stage is Stage.TO_SCORE


def test_db_17_a_hat_that_empties_a_pocket_is_finished():
    state = situation(("9C 8C", "2D", "KH QH"), SLEEVES, hatter=2)
    state = after(state, (2, PlayPocket(0)))
    assert (state.pockets[1], state.stage) == (pocket(""), Stage.IN_PLAY)
    state = after(state, (1, PlayPocket(0)))
    assert state.stage is Stage.IN_PLAY
    assert after(state, (0, PlayPocket(0))).stage is Stage.TO_SCORE


def test_without_a_bank_hats_go_on_until_a_pocket_is_empty():
    state = full_hat(table(""))
    assert state.stage is Stage.IN_PLAY
    assert kinds(events(after(table(""), (2, PlayPocket(0)), (1, PlayPocket(0))), 0, PlayPocket(0))) == [
        "PocketPlayed",
        "HatTaken",
    ]


def test_db_41_each_filled_slot_of_the_target_is_one_action():
    state = situation(("9C", "2D -- 2D -- 3D", "KH"), ("", "", "5S 5S"), hatter=2, exposure_limit=0)
    assert GAME.legal_actions(state, 2, 0) == (PlayPocket(0), PlayPocket(2), PlayPocket(4), bribe("5S"))


def test_g_5_equal_faces_of_a_sleeve_are_one_action_and_one_card_is_played():
    state = situation(("9C", "2D", "KH"), ("", "", "5S 5S"), hatter=2)
    assert after(state, (2, bribe("5S"))).sleeves[2] == cards("5S")


@pytest.mark.parametrize("slot", [1, 5, -1])
def test_db_41_an_empty_slot_cannot_be_played(slot):
    state = situation(("9C", "2D", "KH"), SLEEVES, hatter=2)
    assert refusal(state, 2, PlayPocket(slot)) == "slot_empty"


def test_db_41_a_bribe_must_be_in_the_players_own_sleeve():
    assert refusal(table(), 2, bribe("2S")) == "card_not_held"


def test_g_10_turn_is_checked_before_the_card():
    assert refusal(table(), 1, PlayPocket(4)) == "not_your_turn"
    assert refusal(table(), 1, bribe("KC")) == "not_your_turn"


@pytest.mark.parametrize("stage", [Stage.TO_DEAL, Stage.TO_SCORE, Stage.OVER])
def test_g_2_no_action_is_accepted_outside_play(stage):
    state = table(stage=stage)
    for action in (PlayPocket(0), bribe("7S"), ExposePocket(2, 0), show("7S")):
        assert refusal(state, 2, action) == "round_not_in_play"
    assert GAME.legal_actions(state, 2, 0) == ()
    assert GAME.turn(state).owes == GAME.turn(state).may == ()


def test_g_2_the_last_action_decides_the_end_without_showing_it():
    state = situation(("9C 8C", "2D", "KH QH"), SLEEVES, hatter=2)
    state = full_hat(state)
    assert state.stage is Stage.TO_SCORE
    view = look(state, 0)
    assert (view.pockets[0], view.sleeves[1], view.to_move) == (pocket("-- ??"), cards("?? ?? ??"), None)
    assert view.scores == (0, 0, 0)


def test_g_8_a_hats_cards_are_named_from_its_starter():
    state = after(table(), (2, PlayPocket(4)), (1, PlayPocket(4)))
    assert only(events(state, 0, PlayPocket(4)), HatTaken).cards == cards("6D 5C 9H")


def test_the_event_of_a_play_names_slot_and_card():
    [event] = events(table(), 2, PlayPocket(1))
    assert event == PocketPlayed(2, 1, *cards("3D"))


def test_g_15_a_void_caper_scores_nothing_and_passes_the_deal():
    state = dealt(3, draws=Stacked(first=2), exposure_actions=True)
    state = after(state, (1, PlayPocket(0)), (0, PlayPocket(0)), (2, PlayPocket(0)), (0, ExposePocket(0, 0)))
    void = GAME.void_round(state)
    assert (void.stage, void.totals, void.capers) == (Stage.TO_DEAL, (0, 0, 0), 0)
    assert (void.exposures, void.joker_counts) == ((0, 0, 0), (0, 0, 0))
    following = only(GAME.deal(void, Stacked(first=1)), CaperDealt)
    assert (following.round, following.mastermind) == (2, 1)


def test_g_15_a_void_caper_reveals_nothing():
    void = GAME.void_round(full_hat(dealt(3)))
    for viewer in (0, 1, 2, "spectator", "everybody"):
        view = look(void, viewer)
        assert (set(view.pockets), set(view.sleeves)) == ({pocket("")}, {()})
        assert (view.stock_count, view.loot_counts, view.middle, view.bonus) == (0, (0, 0, 0), (), 0)


def test_g_15_db_30_a_void_caper_does_not_count_against_the_queens_fool():
    state = GAME.void_round(finished((1, 2, 3), capers=1, joker_counts=(1, 0, 0), target_score=1))
    assert (state.capers, state.joker_counts) == (1, (1, 0, 0))


def test_g_15_db_47_a_void_extra_caper_is_followed_by_another():
    extra = finished((1, 2, 3), totals=(90, 90, 5), target_score=100, end_reached=True, capers=2)
    void = GAME.void_round(extra)
    assert (void.stage, void.end_reached, void.totals) == (Stage.TO_DEAL, True, (90, 90, 5))
