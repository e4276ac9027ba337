"""The Double Blind: seats, packs, options, the deal and the dealer."""

import msgspec
import pytest

from hoodwink.domain.cards import JOKER
from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import PlayPocket
from hoodwink.domain.games.double_blind.events import CaperDealt, PocketPlayed
from hoodwink.domain.games.double_blind.options import Options, check_options
from hoodwink.domain.games.double_blind.rules import value_of
from hoodwink.domain.games.double_blind.view import View
from hoodwink.domain.kernel import Stage
from tests.domain.games.double_blind_table import (
    Stacked,
    cards,
    dealt,
    fold,
    look,
    only,
    scored,
    table_cards,
)

BANKS = {2: 38, 3: 30, 4: 76, 5: 68, 6: 60, 7: 106, 8: 98, 9: 90}


@pytest.mark.parametrize(("seats", "bank"), BANKS.items())
def test_db_1_one_pack_per_three_players_rounded_up(seats, bank):
    state = dealt(seats)
    assert len(state.bank) == bank
    assert len(table_cards(state)) == 54 * -(-seats // 3)


def test_db_2_two_to_nine_play_and_two_are_each_others_target():
    assert GAME.seats == (2, 9)
    state = dealt(2)
    assert state.contenders == (1, 0)
    for seat in (0, 1):
        assert look(state, seat).pockets[1 - seat] == state.pockets[1 - seat]
    played = only(GAME.decide(state, 1, PlayPocket(2), 0), PocketPlayed)
    assert played.card == state.pockets[0][2]


@pytest.mark.parametrize(("jokers", "points"), [(2, 446), (1, 431), (0, 416)])
def test_db_3_jokers_in_a_pack_and_the_points_of_a_pack(jokers, points):
    faces = table_cards(dealt(3, jokers_per_deck=jokers))
    assert faces.count(JOKER) == jokers
    assert sum(map(value_of, faces)) == points


def test_db_3_a_joker_beats_an_ace():
    assert [value_of(card) for card in cards("2C TC JC QC KC AC JK")] == [2, 10, 11, 12, 13, 14, 15]


def test_db_4_seven_capers_is_no_limit():
    state = dealt(2, target_score=100_000)
    for number in range(1, 9):
        assert state.round == number
        state = scored(msgspec.structs.replace(state, stage=Stage.TO_SCORE))
        assert state.stage is Stage.TO_DEAL
        state = fold(state, GAME.deal, Stacked())


def test_db_5_g_12_the_first_mastermind_is_drawn_and_the_deal_names_it():
    event = only(GAME.deal(GAME.initial(Options(), 5), Stacked(first=3)), CaperDealt)
    assert (event.mastermind, event.round) == (3, 1)
    assert dealt(5, draws=Stacked(first=3)).madd_hatter == 2


@pytest.mark.parametrize(("rotation", "following"), [("right", 2), ("left", 1), ("fixed", 0)])
def test_db_5_the_deal_passes_to_the_target_by_default(rotation, following):
    state = dealt(3, dealer_rotation=rotation)
    state = scored(msgspec.structs.replace(state, stage=Stage.TO_SCORE))
    assert fold(state, GAME.deal, Stacked(first=1)).mastermind == following


def test_db_5_a_mastermind_of_seat_0_hands_on_to_the_last_seat():
    state = dealt(4, draws=Stacked(first=0))
    assert state.contenders == (3, 2, 1, 0)
    state = scored(msgspec.structs.replace(state, stage=Stage.TO_SCORE))
    assert fold(state, GAME.deal, Stacked()).mastermind == 3


def test_db_6_sleeves_then_pockets_in_packets_from_the_masterminds_target():
    deck = "2C 3C 4C 5C 6C 7C 8C 9C TC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H"
    state = dealt(3, draws=Stacked(first=1, deck=deck))
    assert state.sleeves == (cards("2C 3C 4C"), cards("8C 9C TC"), cards("5C 6C 7C"))
    assert state.pockets == (cards("2D 3D 4D 5D 6D"), cards("QD KD AD 2H 3H"), cards("7D 8D 9D TD JD"))
    assert state.bank[0] == "JC"


def test_db_39_the_place_of_the_bank_has_no_effect():
    for mastermind in range(3):
        state = dealt(3, draws=Stacked(first=mastermind))
        assert len(state.bank) == look(state, mastermind).stock_count == 30


def test_g_4_options_have_the_bounds_and_names_of_the_rules():
    assert msgspec.convert({}, Options) == Options(
        jokers_per_deck=2,
        target_score=1000,
        dealer_rotation="right",
        joker_basis="caper",
        exhausted_trick="last_in_order",
        exposure_actions=False,
        exposure_limit=3,
    )


@pytest.mark.parametrize(
    "right",
    [
        {"jokers_per_deck": 0},
        {"jokers_per_deck": 1},
        {"target_score": 1},
        {"target_score": 100_000},
        {"dealer_rotation": "left"},
        {"dealer_rotation": "fixed"},
        {"joker_basis": "total"},
        {"exhausted_trick": "void"},
        {"exposure_actions": True},
        {"exposure_limit": 0},
        {"exposure_limit": 5},
    ],
)
def test_g_4_values_named_by_the_rules_are_accepted(right):
    options = msgspec.convert(right, Options)
    assert {name: getattr(options, name) for name in right} == right


@pytest.mark.parametrize(
    "wrong",
    [
        {"jokers_per_deck": -1},
        {"jokers_per_deck": 3},
        {"exposure_limit": -1},
        {"target_score": 0},
        {"target_score": 100_001},
        {"dealer_rotation": "up"},
        {"joker_basis": "hat"},
        {"exhausted_trick": "share"},
        {"exposure_actions": 1},
        {"exposure_limit": 6},
        {"jokers": 2},
    ],
)
def test_g_4_other_values_refuse_the_table(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_g_4_every_setting_leaves_a_bank():
    for seats in range(2, 10):
        check_options(Options(jokers_per_deck=0), seats)


def test_g_6_deck_r_serves_round_r():
    class Numbered(Stacked):
        def deck(self, pack, number):
            numbers.append(number)
            return super().deck(pack, number)

    numbers: list[int] = []
    state = dealt(3, draws=Numbered())
    state = scored(msgspec.structs.replace(state, stage=Stage.TO_SCORE))
    event = only(GAME.deal(state, Numbered()), CaperDealt)
    assert (numbers, event.round) == ([1, 2], 2)


def test_a_table_before_its_first_deal_shows_nobody_to_play():
    state = GAME.initial(Options(), 3)
    view: View = look(state, 0)
    assert (view.dealer, view.leader, view.to_move) == (None, None, None)
    assert (GAME.stage(state), GAME.scores(state)) == (Stage.TO_DEAL, (0, 0, 0))
    assert GAME.turn(state).owes == GAME.turn(state).may == ()


def test_the_rules_are_written_in_prose():
    assert "Madd Hatter" in GAME.rules
    assert GAME.unit == "point"
