"""Blind Don: trick points, the tally for the eight, and the end of the game."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import Card, build_pack
from hoodwink.domain.games.blind_don import GAME
from hoodwink.domain.games.blind_don.events import CardsTallied
from hoodwink.domain.games.blind_don.rules import card_points, tally
from hoodwink.domain.games.blind_don.state import Laid
from hoodwink.domain.kernel import Stage, places
from tests.domain.games.blind_don_table import (
    Stacked,
    act,
    cards,
    deal,
    dealt,
    may_play,
    play,
    play_round,
    rows,
    score,
    seeded,
    situation,
    tallied,
    to_score,
)

TRUMP_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1, "9": 9, "5": 10}


@pytest.mark.parametrize("rank", "23456789TJQKA")
@pytest.mark.parametrize("trump", "CDHS")
def test_bd_11_trump_cards_and_the_other_fives_bring_points(rank, trump):
    assert card_points(rank + trump, trump) == TRUMP_POINTS.get(rank, 0)
    plain = {card_points(rank + suit, trump) for suit in "CDHS" if suit != trump}
    assert plain == {5 if rank == "5" else 0}


def test_bd_11_the_trump_five_is_ten_in_all_and_a_pack_has_44():
    assert card_points(Card("5S"), "S") == 10
    for trump in "CDHS":
        assert sum(card_points(card, trump) for card in build_pack()) == 44


@pytest.mark.parametrize(
    ("led", "card", "taker", "points"),
    [
        ("5S", "AS", 1, 14),  # the leader's five goes to the follower
        ("AS", "5S", 0, 14),
        ("9S", "5D", 0, 14),
        ("5H", "9S", 1, 14),
        ("5H", "5D", 0, 10),
        ("KH", "AH", 1, 0),  # neither is a trump
        ("KS", "QS", 0, 5),
        ("JS", "2S", 0, 1),
    ],
)
def test_bd_12_the_taker_gets_the_points_of_both_cards_immediately(led, card, taker, points):
    state = situation(("", card), lead=Laid(0, 0, led), trump="S", to_move=1, scores=(20, 30))
    event = act(state, 1, 0)
    assert (event.taker, event.points) == (taker, points)
    expected = [20, 30]
    expected[taker] += points
    assert GAME.scores(GAME.evolve(state, event)) == tuple(expected)


def test_bd_12_the_score_runs_on_after_each_trick():
    state = situation(("KS 2H 5D", "QS 5H 9S"))
    running = []
    for positions in ((0, 0), (1, 1), (2, 2)):
        state = play(state, *positions)
        running.append(state.scores)
    assert running == [(5, 0), (5, 5), (5, 19)]


@pytest.mark.parametrize(
    ("face", "count"), [("A", 4), ("K", 3), ("Q", 2), ("J", 1), ("T", 10), ("9", 0), ("5", 0), ("2", 0)]
)
def test_bd_13_the_tally_counts_every_suit_alike_and_only_tens_and_court_cards(face, count):
    assert [tally((face + suit,)) for suit in "CDHS"] == [count] * 4


def test_bd_13_the_whole_pack_tallies_80():
    assert tally(build_pack()) == 80


@pytest.mark.parametrize(
    ("captured", "event", "scores"),
    [
        (("TS 2C", "AS KS"), CardsTallied((10, 7), 0), (48, 50)),
        (("AS KS QS", "TH JH"), CardsTallied((9, 11), 1), (40, 58)),
    ],
)
def test_bd_13_the_higher_tally_earns_eight_points(captured, event, scores):
    state = to_score(captured, trump="S", scores=(40, 50))
    assert tallied(state) == event
    assert GAME.scores(score(state)) == scores


def test_bd_14_equal_tallies_earn_nobody_the_eight():
    state = to_score(("AS KS 2C", "AH QH JD"), scores=(40, 50))
    assert tallied(state) == CardsTallied((7, 7), None)
    assert score(state).scores == (40, 50)


def test_bd_15_cards_aside_count_for_nobody():
    state = to_score(("JS", "2S"), aside=cards("TC TD TH TS AC AD AH AS"))
    assert tallied(state) == CardsTallied((1, 0), 0)


def test_bd_16_the_higher_score_wins_after_the_last_round():
    state = score(to_score(("JS", "2S"), round=4, scores=(60, 67)))
    assert (state.stage, state.scores) == (Stage.OVER, (68, 67))
    assert places(GAME.scores(state)) == (1, 2)


def test_bd_16_bd_22_g_11_equal_scores_are_a_draw_and_share_first_place():
    state = score(to_score(("JS", "JH"), round=4, scores=(60, 60)))
    assert state.stage is Stage.OVER
    assert places(GAME.scores(state)) == (1, 1)


def tie(number, scores=(60, 60)):
    return score(to_score(("JS", "JH"), round=number, scores=scores, final_tie="two_more_rounds"))


def test_bd_16_bd_22_two_more_rounds_are_played_until_the_scores_differ():
    stages = [tie(number).stage for number in range(3, 9)]
    assert stages == [Stage.TO_DEAL] * 6
    assert [tie(number, (60, 61)).stage for number in range(3, 9)] == [
        Stage.TO_DEAL,
        Stage.OVER,
        Stage.TO_DEAL,  # the fifth round is one of two
        Stage.OVER,
        Stage.TO_DEAL,
        Stage.OVER,
    ]


def test_bd_22_the_deal_alternates_on():
    dealers = [deal(replace(tie(number), dealer=number % 2), Stacked()).dealer for number in (4, 5, 6)]
    assert dealers == [1, 0, 1]


@pytest.mark.parametrize("flip", ["after_trick", "immediate"])
def test_bd_11_bd_13_a_round_has_44_trick_points_and_52_points_in_all_at_most(flip):
    for seed in range(60):
        state = play_round(dealt(seeded(seed), flip=flip))
        assert sum(state.scores) == sum(card_points(card, state.trump) for card in sum(state.captured, ()))
        assert sum(state.scores) <= 44
        assert sum(score(state).scores) <= 52
        assert sum(tallied(state).tallies) == 80 - tally(state.aside)


def test_g_2_the_last_trick_ends_the_play_and_the_eight_comes_with_the_scoring():
    state = dealt(seeded(5))
    while sum(map(len, state.captured)) < 34:
        state = play(state, may_play(state, state.to_move)[0])
    state = play(state, may_play(state, state.to_move)[0])
    assert state.stage is Stage.IN_PLAY
    state = play(state, may_play(state, state.to_move)[0])
    assert state.stage is Stage.TO_SCORE
    assert sum(score(state).scores) - sum(state.scores) in (0, 8)


def test_g_15_a_void_round_undoes_its_points_uses_up_a_round_and_passes_the_deal():
    first = score(play_round(dealt(seeded(4))))
    second = deal(first, seeded(4))
    for _ in range(20):
        second = play(second, may_play(second, second.to_move)[0])
    assert second.scores != first.scores
    void = GAME.void_round(second)
    assert (void.scores, void.stage, void.round) == (first.scores, Stage.TO_DEAL, 2)
    assert deal(void, seeded(4)).dealer == first.dealer
    assert deal(void, seeded(4)).round == 3


def test_g_15_a_void_round_leaves_nothing_on_the_table():
    void = GAME.void_round(play(dealt(seeded(4)), 0))
    assert (void.face_up, void.face_down, void.aside) == (rows("", ""), rows("", ""), ())
    assert (void.captured, void.lead, void.trump) == (((), ()), None, "")


@pytest.mark.parametrize("final_tie", ["draw", "two_more_rounds"])
def test_g_15_a_table_of_void_rounds_ends(final_tie):
    state = GAME.void_round(dealt(final_tie=final_tie))
    for _ in range(3):
        assert state.stage is Stage.TO_DEAL
        state = GAME.void_round(deal(state, Stacked()))
    assert (state.stage, state.round, state.scores) == (Stage.OVER, 4, (0, 0))


@pytest.mark.parametrize(("number", "stage"), [(3, Stage.TO_DEAL), (4, Stage.OVER), (6, Stage.OVER)])
def test_g_15_bd_22_after_a_void_last_round_a_tie_adds_no_further_rounds(number, stage):
    in_play = replace(deal(tie(number - 1), Stacked()), round=number)
    void = GAME.void_round(in_play)
    assert (len(set(void.scores)), void.stage) == (1, stage)


def test_g_15_bd_22_a_void_fifth_round_is_still_followed_by_the_sixth():
    fifth = deal(tie(4), Stacked())
    assert GAME.void_round(fifth).stage is Stage.TO_DEAL
    sixth = deal(GAME.void_round(fifth), Stacked())
    assert GAME.void_round(sixth).stage is Stage.OVER
