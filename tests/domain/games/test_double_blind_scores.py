"""The Double Blind: the score of a caper, the Joker, the Queen's Fool and the end of the game."""

import pytest

from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import PlayPocket
from hoodwink.domain.games.double_blind.events import CaperScored, StashesRevealed
from hoodwink.domain.kernel import Stage
from tests.domain.games.double_blind_table import (
    Stacked,
    after,
    cards,
    finished,
    fold,
    kinds,
    look,
    only,
    pocket,
    scored,
    shown,
    situation,
)

LEFT_OVER = {
    "stage": Stage.TO_SCORE,
    "waiting": (),
    "loot": (cards("AC KC"), cards("2C"), cards("JK")),
    "loot_bonus": (10, 0, 20),
}


def left_over(**changes):
    return situation(("9C -- 8C", "", "KH"), ("2S", "", "AS QS"), **(LEFT_OVER | changes))


def score(state):
    return only(GAME.score_round(state), CaperScored)


def test_db_24_cards_left_in_pockets_are_turned_up_and_count_for_nobody():
    event = only(GAME.score_round(left_over()), StashesRevealed)
    assert event.pockets == (pocket("9C -- 8C"), pocket(""), pocket("KH"))
    assert score(left_over()).points == (39, 2, 61)


def test_db_24_pockets_and_sleeves_are_open_after_the_caper():
    state, revealed = scored(left_over()), only(GAME.score_round(left_over()), StashesRevealed)
    for viewer in (0, 1, 2, "spectator"):
        assert shown(revealed, viewer) == revealed
        assert look(state, viewer).pockets[0] == pocket("9C -- 8C")
        assert look(state, viewer).sleeves[2] == cards("AS QS")


def test_cards_left_in_a_sleeve_count_for_their_owner():
    assert score(left_over()).points == (14 + 13 + 10 + 2, 2, 15 + 20 + 14 + 12)


def test_db_37_loot_does_not_carry_over_but_points_do():
    state = fold(scored(left_over(totals=(100, 200, 300))), GAME.deal, Stacked())
    assert (state.loot, state.loot_bonus) == (((), (), ()), (0, 0, 0))
    assert state.totals == (139, 217, 361)


def test_db_25_the_joker_is_lowest_in_the_capers_score():
    event = score(finished((50, 20, 40), totals=(0, 500, 100)))
    assert (event.jokers, event.totals) == ((1,), (50, 535, 140))


def test_db_25_db_45_the_joker_may_be_lowest_in_the_total_before_joker_and_penalty():
    event = score(finished((50, 20, 40), totals=(0, 500, 100), joker_basis="total"))
    assert event.jokers == (0,)
    event = score(finished((50, 20, 40), totals=(0, 31, 100), joker_basis="total", exposures=(0, 3, 0)))
    assert (event.jokers, event.totals) == ((0,), (65, 6, 140))


def test_db_26_several_lowest_are_all_jokers():
    assert score(finished((50, 20, 20))).totals == (50, 35, 35)


def test_db_26_nobody_is_joker_if_all_tie():
    event = score(finished((20, 20, 20)))
    assert (event.jokers, event.totals) == ((), (20, 20, 20))


def test_db_26_two_players_who_tie_have_no_joker():
    assert score(finished((20, 20))).jokers == ()


def test_db_27_penalties_come_after_the_joker_and_totals_may_fall_below_zero():
    event = score(finished((30, 20, 25), exposures=(3, 0, 2)))
    assert (event.jokers, event.penalties) == ((1,), (45, 0, 30))
    assert event.totals == (-15, 35, -5)


def test_db_36_each_exposure_costs_fifteen():
    assert score(finished((30, 20), exposures=(1, 0))).penalties == (15, 0)
    assert score(finished((30, 20), exposures=(2, 0))).penalties == (30, 0)


@pytest.mark.parametrize(
    ("points", "exposures", "stage"),
    [
        ((100, 20, 30), (0, 0, 0), Stage.OVER),
        ((99, 20, 30), (0, 0, 0), Stage.TO_DEAL),
        ((100, 20, 30), (1, 0, 0), Stage.TO_DEAL),
        ((90, 30, 85), (0, 0, 0), Stage.TO_DEAL),
        ((90, 85, 95), (0, 0, 0), Stage.OVER),
    ],
)
def test_db_28_the_target_is_checked_after_joker_and_penalties(points, exposures, stage):
    state = finished(points, exposures=exposures, target_score=100, capers=1)
    assert scored(state).stage is stage


def test_db_28_reaching_the_target_in_mid_caper_ends_nothing():
    state = situation(("9C 8C", "2D 3D", "KH QH"), ("", "", ""), target_score=10, loot_bonus=(900, 0, 0))
    state = after(state, (0, PlayPocket(0)), (2, PlayPocket(0)), (1, PlayPocket(0)))
    assert [len(loot) for loot in state.loot] == [3, 0, 0]
    assert (state.stage, state.end_reached, state.totals) == (Stage.IN_PLAY, False, (0, 0, 0))


def test_db_28_the_default_target_is_a_thousand():
    assert scored(finished((10, 0, 5), totals=(990, 0, 0))).stage is Stage.OVER
    assert scored(finished((9, 0, 5), totals=(990, 0, 0))).stage is Stage.TO_DEAL


def test_db_29_the_highest_total_wins_and_the_queens_fool_bonus_can_decide_it():
    state = finished((30, 20, 25), totals=(80, 75, 0), capers=4, joker_counts=(0, 4, 0), target_score=100)
    event = score(state)
    assert (event.queens_fools, event.queens_fool_points) == ((1,), 75)
    assert GAME.scores(scored(state)) == (110, 185, 25)


def test_db_30_the_queens_fool_was_joker_in_every_caper():
    state = finished((300, 20, 25), capers=2, joker_counts=(0, 1, 1), target_score=100)
    assert score(state).queens_fools == ()


def test_db_30_several_may_be_queens_fools_alone_or_tied_as_jokers():
    state = finished((300, 20, 20), capers=2, joker_counts=(0, 2, 2), target_score=100)
    event = score(state)
    assert (event.queens_fools, event.totals) == ((1, 2), (300, 80, 80))


def test_db_30_a_caper_without_a_joker_leaves_no_queens_fool():
    state = scored(finished((20, 20, 20), target_score=100))
    assert (state.capers, state.joker_counts) == (1, (0, 0, 0))
    following = finished((100, 20, 30), target_score=100, capers=1, joker_counts=state.joker_counts)
    assert score(following).queens_fools == ()


def test_db_31_the_bonus_is_paid_only_when_the_game_would_end():
    assert score(finished((50, 20, 40))).queens_fools == ()


def test_db_31_in_a_game_of_one_caper_its_joker_is_queens_fool():
    event = score(finished((100, 20, 40), target_score=100))
    assert (event.queens_fools, event.queens_fool_points, event.totals) == ((1,), 15, (100, 50, 40))


def test_db_31_without_a_queens_fool_there_are_no_points_for_one():
    event = score(finished((100, 20, 40), target_score=100, capers=1))
    assert (event.queens_fools, event.queens_fool_points) == ((), 0)


def test_db_32_a_shared_top_adds_a_caper_and_keeps_the_totals():
    state = scored(finished((100, 100, 40), target_score=100, capers=1))
    assert (state.stage, state.end_reached, state.totals) == (Stage.TO_DEAL, True, (100, 100, 55))
    state = fold(state, GAME.deal, Stacked())
    assert (state.stage, state.totals, len(state.contenders)) == (Stage.IN_PLAY, (100, 100, 55), 3)


def test_db_32_extra_capers_repeat_while_the_top_is_shared():
    extra = finished((30, 30, 40), totals=(100, 100, 55), target_score=100, end_reached=True, capers=2)
    assert scored(extra).stage is Stage.TO_DEAL
    extra = finished((31, 30, 40), totals=(100, 100, 55), target_score=100, end_reached=True, capers=2)
    assert scored(extra).stage is Stage.OVER


def test_db_32_a_third_player_may_win_the_extra_caper():
    extra = finished((10, 20, 90), totals=(100, 100, 55), target_score=100, end_reached=True, capers=2)
    assert GAME.scores(scored(extra)) == (125, 120, 145)


def test_db_33_no_queens_fool_bonus_is_paid_twice_but_a_joker_is():
    first = finished((85, 40, 100), target_score=100, capers=2, joker_counts=(0, 2, 0), totals=(15, 0, 0))
    state = scored(first)
    assert (state.totals, state.stage) == ((100, 100, 100), Stage.TO_DEAL)
    extra = finished(
        (50, 10, 30),
        totals=state.totals,
        target_score=100,
        end_reached=True,
        capers=3,
        joker_counts=(0, 3, 0),
    )
    event = score(extra)
    assert (event.jokers, event.queens_fools, event.queens_fool_points) == ((1,), (), 0)
    assert event.totals == (150, 125, 130)


def test_db_47_in_an_extra_caper_only_a_unique_top_counts():
    extra = finished(
        (5, 0, 4), totals=(100, 100, 90), target_score=100, end_reached=True, exposures=(3, 3, 3), capers=2
    )
    state = scored(extra)
    assert (state.totals, state.stage) == ((60, 70, 49), Stage.OVER)


def test_joker_counts_and_capers_grow_with_each_score():
    state = scored(finished((50, 20, 20), capers=2, joker_counts=(1, 1, 0)))
    assert (state.capers, state.joker_counts) == (3, (1, 2, 1))


def test_the_score_is_recorded_in_two_events_that_everybody_sees():
    scoring = GAME.score_round(left_over())
    assert kinds(scoring) == ["StashesRevealed", "CaperScored"]
    assert all(shown(event, "spectator") == event for event in scoring)


def test_g_2_revealed_stashes_are_shown_only_with_the_scoring():
    state = left_over()
    assert look(state, "spectator").pockets[0] == pocket("?? -- ??")
    assert look(state, "spectator").sleeves[2] == cards("?? ??")
