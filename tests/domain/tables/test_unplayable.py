"""Cards that a seat may not play say why, and nothing more."""

from random import Random

import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import fields_by_seat, plays_among
from hoodwink.domain.tables.deciding.unplayable import unplayable_of
from hoodwink.domain.tables.state import Phase, Table
from tests.domain.games import coconut_table, shithead_table
from tests.domain.tables.sitting import Sitting, playing

TOGETHER = {"pass", "choose", "swap"}
"""The steps in which all seats owe an action at once."""

every_game = pytest.mark.parametrize("game", GAMES)


def at(sitting: Sitting, seat: int) -> dict[str, str]:
    """Returns the cards that a seat may not play, with the codes."""
    table = sitting.table
    return {found.card: found.code for found in unplayable_of(table, seat, sitting.legal(seat), sitting.now)}


def own_cards(table: Table, seat: int) -> set[str]:
    """Returns the faces that a seat sees in zones of its own."""
    view = table.rulebook.view(table.state, seat)
    zones = [getattr(view, name)[seat] for name in fields_by_seat(type(view)) if getattr(view, name)]
    return {card for zone in zones if isinstance(zone, tuple) for card in zone if card not in {None, HIDDEN}}


@every_game
def test_g_10_only_cards_that_the_seat_sees_in_its_own_zones_are_named(game):
    players = ("ada", "bo") if game == "blind_don" else ("ada", "bo", "cy")
    sitting, chance = playing(*players, game=game), Random(7)
    while sitting.table.phase is Phase.PLAYING and sitting.table.version < 130:
        sitting.step()
        seat = chance.randrange(len(players))
        legal = sitting.legal(seat)
        found = unplayable_of(sitting.table, seat, legal, sitting.now)
        assert {one.card for one in found} <= own_cards(sitting.table, seat)
        playable = {getattr(play, "card", None) for play in plays_among(sitting.table.rulebook, legal)}
        assert not playable & {one.card for one in found}
        assert all(one.rule.endswith(".") and one.code for one in found)


@every_game
def test_a_seat_may_play_no_card_out_of_turn(game):
    players = ("ada", "bo") if game == "blind_don" else ("ada", "bo", "cy")
    sitting = playing(*players, game=game)
    while getattr(sitting.table.state, "step", "") in TOGETHER:
        sitting.step()
    idle = (sitting.owing() + 1) % len(players)
    assert set(at(sitting, idle).values()) == {"not_your_turn"}


def test_bd_7_cards_that_do_not_follow_suit_say_so():
    sitting = playing("ada", "bo", game="blind_don")
    while sitting.table.state.lead is None or len(at(sitting, sitting.owing())) == 0:
        sitting.step()
    seat = sitting.owing()
    row = [card for card in sitting.table.state.face_up[seat] if card is not None]
    suit = sitting.table.state.lead.card[-1]
    assert at(sitting, seat) == {card: "must_follow_suit" for card in row if card[-1] != suit}


def test_cards_that_are_too_low_say_so_and_face_up_cards_wait_for_the_hand():
    state = coconut_table.table("4H 9C KD", "5C", "6C", face_up=("QH", "KH", "KH"), pile="8S", to_move=0)
    sitting = playing("ada", "bo", "cy", game="coconut")
    sitting.table = replace(sitting.table, options=state.options, state=state)
    assert at(sitting, 0) == {"4H": "too_low", "QH": "card_not_held"}
    assert unplayable_of(sitting.table, 0, sitting.legal(0), sitting.now)[-1].rule == (
        "You cannot play that card now: play your hand first, then your face-up cards."
    )


def test_cards_that_complete_four_out_of_turn_are_playable():
    state = coconut_table.table("9H", "KC QC", "6C", "4C 4D", pile="9S 9D 9C", laid_by=3, to_move=1)
    sitting = playing("ada", "bo", "cy", "dee", game="coconut")
    sitting.table = replace(sitting.table, options=state.options, state=state)
    assert "9H" not in at(sitting, 0)
    assert at(sitting, 2)["6C"] == "not_your_turn"


@pytest.mark.parametrize("hand", ["6C 9D JK", "6C"])
def test_a_card_that_may_only_be_picked_up_is_not_playable(hand):
    state = shithead_table.table("", hand, "4C", face_up=("5C 6D", "", ""), pile="KS", to_move=0)
    sitting = playing("ada", "bo", "cy", game="shithead")
    sitting.table = replace(sitting.table, options=state.options, state=state)
    assert at(sitting, 0) == {"5C": "not_playable", "6D": "not_playable"}
    assert set(at(sitting, 1).values()) == {"not_your_turn"}


def test_a_final_choice_is_the_reason_given_for_every_card():
    sitting = playing("ada", "bo", "cy", game="coconut")
    assert at(sitting, 1) == {}
    sitting.act(1)
    assert set(at(sitting, 1).values()) == {"already_committed"}
    sitting = playing("ada", "bo", "cy", game="shithead")
    assert at(sitting, 0) == {}
    sitting.act(0, shithead_table.READY)
    assert set(at(sitting, 0).values()) == {"already_committed"}


def test_no_reasons_are_given_after_resigning_or_the_end():
    sitting = playing("ada", "bo", "cy")
    sitting.resign(0)
    assert at(sitting, 0) == {}
    sitting.resign(1)
    assert at(sitting, 2) == {}
