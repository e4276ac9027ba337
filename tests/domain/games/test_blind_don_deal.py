"""Blind Don: the table, the cut for the deal, and the deal."""

from itertools import chain
from typing import Any

import msgspec
import pytest

from hoodwink.domain.cards import build_pack
from hoodwink.domain.games.blind_don import GAME
from hoodwink.domain.games.blind_don.actions import PlayCard
from hoodwink.domain.games.blind_don.events import DealerCut, RoundDealt
from hoodwink.domain.games.blind_don.options import Options, check_options
from hoodwink.domain.kernel import Stage, redact
from tests.domain.games.blind_don_table import (
    Stacked,
    cards,
    deal,
    deal_events,
    dealt,
    fold,
    play_round,
    score,
    seeded,
    to_score,
)


def cut(deck):
    event, _ = deal_events(GAME.initial(Options(), 2), Stacked({0: deck}))
    return event


def dealers(state, draws):
    while state.stage is not Stage.OVER:
        state = deal(state, draws)
        yield state.dealer
        state = score(play_round(state))


def test_bd_19_two_play_with_one_pack():
    draws = Stacked()
    GAME.deal(GAME.initial(Options(), 2), draws)
    assert GAME.seats == (2, 2)
    assert draws.asked == [(0, 52), (1, 52)]
    assert "JK" not in draws.deck(build_pack(), 1)


def test_bd_1_each_row_has_nine_cards_in_two_layers_and_sixteen_are_set_aside():
    state = dealt(seeded(1))
    layers: list[Any] = [*state.face_down, *state.face_up]
    assert [len(layer) for layer in layers] == [9, 9, 9, 9]
    assert len(state.aside) == 16
    assert sorted(chain(*layers, state.aside)) == sorted(build_pack())


@pytest.mark.parametrize(
    ("deck", "dealer"), [("2C 3C", 0), ("KS QS", 1), ("AC KD", 1), ("2D AS", 0), ("TH 9H", 1), ("TH JH", 0)]
)
def test_bd_2_the_lower_card_deals_first_and_the_ace_is_high(deck, dealer):
    assert cut(deck) == DealerCut((cards(deck),), dealer)


def test_bd_2_bd_21_equal_ranks_are_set_aside_and_two_more_are_drawn():
    event = cut("7C 7D AS AH 9C 4S 2C 3C")
    assert event == DealerCut((cards("7C 7D"), cards("AS AH"), cards("9C 4S")), 1)


def test_bd_21_seat_0_cuts_deck_0_first_in_public():
    draws = Stacked({0: "9C 8C", 1: "2C 3C"})
    events = GAME.deal(GAME.initial(Options(), 2), draws)
    assert [type(event) for event in events] == [DealerCut, RoundDealt]
    assert draws.asked == [(0, 52), (1, 52)]
    assert all(redact(events[0], viewer) == events[0] for viewer in (0, 1, "spectator"))


def test_bd_21_seat_0_deals_when_the_pack_runs_out_in_equal_pairs():
    pairs: Any = [(rank + first, rank + second) for rank in "23456789TJQKA" for first, second in ("CD", "HS")]
    event = cut(" ".join(chain(*pairs)))
    assert event == DealerCut(tuple(pairs), 0)


def test_bd_21_g_12_the_cut_names_the_dealer_of_the_round_that_follows():
    cut_event, deal_event = deal_events(GAME.initial(Options(), 2), Stacked({0: "9C 8C"}))
    assert (cut_event.dealer, deal_event.dealer, deal_event.round) == (1, 1, 1)
    after_cut = fold(GAME.initial(Options(), 2), (cut_event,))
    assert (after_cut.stage, after_cut.dealer, after_cut.round) == (Stage.TO_DEAL, 1, 0)


@pytest.mark.parametrize(("deck", "order"), [("2C 3C", [0, 1, 0, 1]), ("3C 2C", [1, 0, 1, 0])])
def test_bd_3_the_deal_alternates_from_the_first_dealer(deck, order):
    assert list(dealers(GAME.initial(Options(), 2), Stacked({0: deck}))) == order


def test_bd_3_only_the_first_round_is_cut_for():
    draws = Stacked({0: "2C 3C"})
    state = score(play_round(dealt(draws)))
    (event,) = deal_events(state, draws)
    assert (event.round, event.dealer) == (2, 1)
    assert [number for number, _ in draws.asked] == [0, 1, 2]


@pytest.mark.parametrize(("deck", "dealer"), [("2C 3C", 0), ("3C 2C", 1)])
def test_bd_4_g_6_cards_go_singly_from_the_non_dealer_along_both_rows_layer_by_layer(deck, dealer):
    pack = build_pack()
    state = dealt(Stacked({0: deck}))
    other = 1 - dealer
    assert state.dealer == dealer
    assert (state.face_down[other], state.face_down[dealer]) == (pack[0:18:2], pack[1:18:2])
    assert (state.face_up[other], state.face_up[dealer]) == (pack[18:36:2], pack[19:36:2])
    assert state.aside == pack[36:]


def test_bd_17_four_rounds_by_default_and_no_score_ends_them_early():
    assert Options().rounds == 4
    ahead = to_score(("AS", "KS"), round=3, scores=(150, 10))
    assert score(ahead).stage is Stage.TO_DEAL
    assert score(msgspec.structs.replace(ahead, round=4)).stage is Stage.OVER


@pytest.mark.parametrize("rounds", range(2, 21, 2))
def test_bd_17_every_even_number_of_rounds_can_be_played(rounds):
    options = msgspec.convert({"rounds": rounds}, Options)
    check_options(options, 2)
    assert len(list(dealers(GAME.initial(options, 2), seeded(rounds)))) == rounds


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 0},
        {"rounds": 3},
        {"rounds": 22},
        {"rounds": -2},
        {"rounds": 4.5},
        {"rounds": "4"},
        {"rounds": True},
        {"rounds": None},
        {"flip": "later"},
        {"flip": True},
        {"final_tie": "two more rounds"},
        {"target_score": 121},
    ],
)
def test_g_4_bd_17_an_unknown_option_or_value_refuses_the_table(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


@pytest.mark.parametrize("position", [-1, 9, 1.5, "0", True, None])
def test_g_6_positions_run_from_0_to_8(position):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "play", "position": position}, PlayCard)
