"""The Double Blind: tied hats, half interest and drop-outs."""

import pytest

from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import PlayPocket
from hoodwink.domain.games.double_blind.events import (
    ContendersDropped,
    HalfInterestPaid,
    HatLost,
    HatTaken,
    InterestPaid,
    TrickCalled,
)
from hoodwink.domain.games.double_blind.rules import credit
from hoodwink.domain.kernel import Stage
from tests.domain.games.double_blind_table import (
    Stacked,
    after,
    bribe,
    cards,
    events,
    fold,
    kinds,
    only,
    pocket,
    scored,
    shown,
    situation,
)

# Order 2, 1, 0. Slot 0 ties seats 2 and 1, slot 1 ties them again, slot 2 is for seat 1.
POCKETS = ("KC 7C AC 5C 6C", "KD 7D 8D 9D TD", "2H 3H 4H 5H 6H")
SLEEVES = ("2S 3S 4S", "5S 6S 7S", "8S 9S TS")
BANK = "2C 3C 4C 5C 6C 7C 8C 9C"


def table(bank=BANK, **changes):
    return situation(POCKETS, SLEEVES, bank, hatter=2, **changes)


def go(state, *slots):
    """Returns the state after everybody waiting has played these slots of their targets' pockets."""
    for slot in slots:
        state = after(state, (state.waiting[0], PlayPocket(slot)))
    return state


def last_play(state, *slots):
    """Returns the events of the last of these plays."""
    state = go(state, *slots[:-1])
    return events(state, state.waiting[0], PlayPocket(slots[-1]))


def test_db_10_a_tie_for_the_highest_makes_a_trick():
    state = go(table(), 0, 0, 0)
    assert (state.contenders, state.waiting, state.bonus) == ((2, 1), (2, 1), 10)
    assert state.loot == ((), (), ())


def test_db_10_ties_below_the_top_are_irrelevant():
    state = situation(("2C", "2D", "3H"), SLEEVES, hatter=2)
    assert go(state, 0, 0, 0).loot[0] == cards("2D 2C 3H")


def test_db_10_any_two_jokers_tie():
    state = situation(("JK 2C", "JK 3D", "AH 4H"), SLEEVES, hatter=2)
    assert go(state, 0, 0, 0).contenders == (2, 1)


def test_db_11_every_tie_adds_ten():
    state = go(table(), 0, 0, 0, 1, 1)
    assert state.bonus == 20
    assert only(last_play(state, 2, 2), HatTaken).bonus == 20
    assert go(state, 2, 2).loot_bonus == (0, 20, 0)


def test_db_12_after_a_second_tie_only_its_best_go_on():
    pockets = ("KC 9C 2C", "KD 9D 3D", "KH 4H 5H")
    state = go(situation(pockets, SLEEVES, hatter=2), 0, 0, 0, 1, 1, 1)
    assert state.contenders == (2, 1)


def test_db_12_the_first_cards_of_a_trick_no_longer_count():
    pockets = ("KC 2C", "KD 3D", "QH 4H")
    state = go(situation(pockets, SLEEVES, hatter=2), 0, 0, 0, 1, 1)
    assert state.loot[2] == cards("KD KC QH 3D 2C")


def test_db_13_the_tied_go_again_in_the_order_of_the_hat():
    pockets = ("2C 3C", "KD 3D", "KH 4H")
    state = go(situation(pockets, SLEEVES, hatter=2), 0, 0, 0)
    assert state.waiting == (2, 0)
    pockets = ("KC 3C", "2D 3D", "KH 4H")
    assert go(situation(pockets, SLEEVES, hatter=2), 0, 0, 0).waiting == (1, 0)


def test_db_14_the_winner_takes_replays_and_bonus_too():
    event = only(last_play(table(), 0, 0, 0, 1, 1, 2, 2), HatTaken)
    assert (event.seat, event.cards, event.bonus) == (1, cards("KD KC 2H 7D 7C 8D AC"), 20)


def test_db_15_nothing_is_refilled_between_replays():
    assert kinds(last_play(table(), 0, 0, 0)) == ["PocketPlayed", "TrickCalled"]
    state = go(table(), 0, 0, 0)
    assert (state.pockets[1], len(state.bank)) == (pocket("-- 7D 8D 9D TD"), 8)


def test_db_15_interest_follows_the_trick():
    assert kinds(last_play(table(), 0, 0, 0, 2, 2)) == ["PocketPlayed", "HatTaken", "InterestPaid"]


def test_everybody_plays_again_in_the_hat_after_a_trick():
    state = go(table(), 0, 0, 0, 2, 2)
    assert (state.contenders, state.waiting, state.bonus) == ((1, 0, 2), (1, 0, 2), 0)


def test_a_replay_may_be_a_bribe():
    state = after(go(table(), 0, 0, 0), (2, bribe("TS")), (1, bribe("5S")))
    assert state.loot[2] == cards("KD KC 2H TS 5S")


# Seats 2 and 1 are about to tie with the last card each of them may play.
SPENT = (("KC", "KD", "2H 3H 4H 5H 6H"), ("2S 3S 4S", "", ""))


def test_db_19_half_interest_is_paid_while_there_is_a_bank():
    dealt = last_play(situation(*SPENT, BANK + " TC JC QC KC", hatter=2), 0, 0, 0)
    assert kinds(dealt) == ["PocketPlayed", "TrickCalled", "HalfInterestPaid"]


def test_db_19_without_a_bank_a_contender_out_of_credit_drops_out():
    state = situation(("KC", "KD 3D", "KH 4H"), ("2S", "", ""), hatter=2)
    dropped = only(last_play(state, 0, 0, 0), ContendersDropped)
    assert dropped.seats == (1,)
    assert go(state, 0, 0, 0).waiting == (2, 0)


def test_db_20_contenders_run_out_of_credit_together_while_there_is_a_bank():
    state = table(" ".join([BANK] * 3))
    for slot in range(5):
        state = go(state, *[slot] * len(state.waiting))
        assert len({credit(state, seat) for seat in state.contenders}) == 1


def test_db_21_half_interest_fills_only_the_pockets_of_the_contenders_targets():
    state = go(situation(*SPENT, " ".join([BANK] * 2), hatter=2), 0, 0, 0)
    assert state.pockets == (cards("7C 8C 9C 2C 3C"), cards("2C 3C 4C 5C 6C"), pocket("-- 3H 4H 5H 6H"))
    assert state.sleeves == (cards("2S 3S 4S"), (), ())
    assert len(state.bank) == 6


def test_db_21_half_interest_goes_in_interest_order_as_far_as_the_bank_lasts():
    played = last_play(situation(*SPENT, "2C 3C 4C 5C 6C 7C", hatter=2), 0, 0, 0)
    assert only(played, HalfInterestPaid).pockets == (cards("7C"), cards("2C 3C 4C 5C 6C"), ())


def test_db_21_the_madd_hatters_own_pocket_is_the_last_in_interest_order():
    # Seats 1 and 0 tie; their targets are seat 0 and the Madd Hatter, seat 2.
    state = situation(("KC", "2D 3D", "KH"), ("", "", "2S"), "2C 3C 4C", hatter=2)
    assert only(last_play(state, 0, 0, 0), HalfInterestPaid).pockets == (cards("2C 3C 4C"), (), ())


def test_db_21_a_contender_who_gets_nothing_of_a_short_bank_drops_out():
    played = last_play(situation(*SPENT, "2C 3C", hatter=2), 0, 0, 0)
    assert kinds(played) == [
        "PocketPlayed",
        "TrickCalled",
        "HalfInterestPaid",
        "ContendersDropped",
        "HatTaken",
    ]
    assert only(played, ContendersDropped).seats == (1,)


def test_db_22_the_last_contender_wins_without_playing():
    state = situation(("KC", "KD 3D", "2H 4H"), ("2S", "", ""), hatter=2)
    played = last_play(state, 0, 0, 0)
    assert only(played, HatTaken).seat == 2
    assert only(played, HatTaken).cards == cards("KD KC 2H")
    assert go(state, 0, 0, 0).loot_bonus == (0, 0, 10)


def test_db_23_out_together_the_last_in_the_order_of_the_hat_wins():
    played = last_play(situation(*SPENT, hatter=2), 0, 0, 0)
    assert kinds(played) == ["PocketPlayed", "TrickCalled", "ContendersDropped", "HatTaken"]
    assert only(played, ContendersDropped).seats == (2,)
    assert only(played, HatTaken).seat == 1


def test_db_23_db_46_void_nobody_wins_the_exhausted_trick():
    state = situation(*SPENT, hatter=2, exhausted_trick="void")
    event = only(last_play(state, 0, 0, 0), HatLost)
    assert (event.cards, event.bonus) == (cards("KD KC 2H"), 10)
    state = go(state, 0, 0, 0)
    assert (state.loot, state.loot_bonus) == (((), (), ()), (0, 0, 0))
    assert (state.lost, state.middle, state.bonus) == (cards("KD KC 2H"), (), 0)


def test_db_46_a_lost_hat_ends_the_caper_by_itself():
    state = go(situation(*SPENT, hatter=2, exhausted_trick="void"), 0, 0, 0)
    assert (state.stage, state.madd_hatter) == (Stage.TO_SCORE, 1)


def test_db_46_lost_cards_are_dealt_again_with_all_others():
    state = go(situation(*SPENT, hatter=2, exhausted_trick="void"), 0, 0, 0)
    assert fold(scored(state), GAME.deal, Stacked()).lost == ()


def test_db_46_void_does_not_touch_a_trick_that_somebody_can_go_on_with():
    state = situation(("KC", "KD 3D", "2H 4H"), ("2S", "", ""), hatter=2, exhausted_trick="void")
    assert only(last_play(state, 0, 0, 0), HatTaken).seat == 2


def test_db_46_void_waits_for_half_interest():
    state = situation(*SPENT, BANK, hatter=2, exhausted_trick="void")
    assert kinds(last_play(state, 0, 0, 0)) == ["PocketPlayed", "TrickCalled", "HalfInterestPaid"]


def test_db_17_the_trick_of_the_last_hat_is_played_out():
    state = situation(("KC 3C", "KD", "2H 3H"), ("", "", "4S"), hatter=2)
    state = go(state, 0, 0, 0)
    assert (state.stage, state.waiting, state.pockets[1]) == (Stage.IN_PLAY, (2, 1), pocket(""))
    state = after(state, (2, bribe("4S")), (1, PlayPocket(1)))
    assert (state.stage, state.loot_bonus) == (Stage.TO_SCORE, (0, 0, 10))


def test_a_trick_tied_again_after_half_interest_goes_on():
    state = go(situation(*SPENT, "8C 2C 3C 4C 5C 8D 2D 3D 4D 5D", hatter=2), 0, 0, 0)
    assert state.bank == ()
    event = only(last_play(state, 0, 0), TrickCalled)
    assert event.contenders == (2, 1)


@pytest.mark.parametrize("seats", [2, 3])
def test_no_interest_is_paid_from_an_empty_bank(seats):
    state = situation(POCKETS[:seats], SLEEVES[:seats], hatter=seats - 1)
    state = go(state, *[3] * seats)
    assert state.bank == ()
    assert state.middle == ()
    assert not any(isinstance(event, InterestPaid) for event in last_play(state, *[2] * seats))


def test_g_1_a_trick_is_public_and_its_half_interest_is_not():
    played = last_play(situation(*SPENT, "2C 3C", hatter=2), 0, 0, 0)
    paid = only(played, HalfInterestPaid)
    assert [event for event in played if shown(event, "spectator") != event] == [paid]
    assert shown(paid, "spectator").pockets == ((), cards("?? ??"), ())
    assert shown(paid, 1).pockets == ((), cards("?? ??"), ())
    assert shown(paid, 2) == paid
