"""The Double Blind: exposing cards."""

import pytest

from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.actions import Bribe, ExposePocket, ExposeSleeve, PlayPocket
from hoodwink.domain.games.double_blind.events import PocketExposed, SleeveExposed
from hoodwink.domain.games.double_blind.options import Options
from hoodwink.domain.kernel import offences_among, plays_among
from tests.domain.games.double_blind_table import (
    Stacked,
    after,
    cards,
    events,
    finished,
    fold,
    look,
    refusal,
    scored,
    show,
    shown,
    situation,
)

ON = {"exposure_actions": True}

POCKETS = ("9C 8C 7C 6C 5C", "2D 3D 4D 5D 6D", "KH QH JH TH 9H")
SLEEVES = ("2S 3S 4S", "5S 6S 7S", "8S 9S TS")
BANK = "2C 3C 4C"

PEEK = ExposePocket(1, 2)
REVEAL = ExposePocket(0, 4)
SHOW = show("6S")

VIEWERS = (0, 1, 2, "spectator")


def table(bank=BANK, **changes):
    return situation(POCKETS, SLEEVES, bank, hatter=2, **(ON | changes))


def test_db_34_any_player_may_expose_at_any_time():
    state = table()
    for seat in range(3):
        assert PEEK in GAME.legal_actions(state, seat, 0)
        assert after(state, (seat, PEEK)).exposures[seat] == 1
    assert GAME.turn(state).may == (0, 1)


def test_db_34_every_pocket_card_and_the_players_own_sleeve_may_be_exposed():
    state = situation(("9C", "-- 3D", "KH"), SLEEVES, hatter=2, **ON)
    assert GAME.legal_actions(state, 0, 0) == (
        ExposePocket(0, 0),
        ExposePocket(1, 1),
        ExposePocket(2, 0),
        show("2S"),
        show("3S"),
        show("4S"),
    )


def test_db_34_exposing_does_not_use_up_the_turn():
    state = after(table(), (2, PEEK))
    assert GAME.turn(state).owes == (2,)


@pytest.mark.parametrize("options", [{}, {"exposure_actions": False}, {"exposure_limit": 5}])
def test_db_34_exposing_is_refused_unless_enabled(options):
    state = situation(POCKETS, SLEEVES, BANK, hatter=2, **options)
    assert GAME.legal_actions(state, 0, 0) == ()
    assert {type(action) for action in GAME.legal_actions(state, 2, 0)} == {PlayPocket, Bribe}
    assert GAME.turn(state).may == ()
    for seat, action in ((1, PEEK), (1, SHOW), (2, REVEAL)):
        assert refusal(state, seat, action) == "exposures_off"


def test_db_34_exposures_are_offences_and_nothing_else_is():
    legal = GAME.legal_actions(table(), 2, 0)
    assert {type(action) for action in plays_among(GAME, legal)} == {PlayPocket, Bribe}
    assert {type(action) for action in offences_among(GAME, legal)} == {ExposePocket, ExposeSleeve}


@pytest.mark.parametrize(
    ("options", "entered"),
    [
        ({}, ()),
        ({"exposure_actions": True}, (ExposePocket,)),
        ({"exposure_actions": True, "exposure_limit": 0}, ()),
    ],
)
def test_db_34_db_42_a_host_enters_only_pocket_cards_and_only_if_enabled(options, entered):
    assert GAME.host_offences(Options(**options)) == entered


def test_db_35_the_top_of_the_bank_comes_in_and_the_exposed_card_goes_to_its_bottom():
    state = after(table(), (1, PEEK))
    assert state.pockets[1] == cards("2D 3D 2C 5D 6D")
    assert state.bank == cards("3C 4C 4D")


def test_db_35_a_sleeve_card_is_switched_in_its_place():
    state = after(table(), (1, SHOW))
    assert state.sleeves[1] == cards("5S 2C 7S")
    assert state.bank == cards("3C 4C 6S")


def test_db_35_a_bank_of_one_card_is_switched_too():
    assert after(table("2C"), (1, PEEK)).bank == cards("4D")


def test_db_35_db_44_with_an_empty_bank_the_card_stays_and_the_penalty_stands():
    state = after(table(""), (1, PEEK), (1, SHOW))
    assert (state.pockets, state.sleeves) == (table("").pockets, table("").sleeves)
    assert state.exposures == (0, 2, 0)


def test_db_44_with_an_empty_bank_the_zone_stays_hidden_and_may_be_exposed_again():
    state = after(table(""), (1, PEEK))
    assert look(state, 1).pockets[1] == cards("?? ?? ?? ?? ??")
    assert look(after(table(""), (1, SHOW)), 0).sleeves[1] == cards("?? ?? ??")
    assert after(state, (1, PEEK)).exposures == (0, 2, 0)


def test_db_36_every_exposure_is_counted_once():
    state = after(table(), (1, PEEK), (1, SHOW), (0, REVEAL))
    assert state.exposures == (1, 2, 0)


def test_db_36_the_same_slot_may_be_exposed_twice_at_fifteen_each():
    state = after(table(), (1, PEEK), (1, PEEK))
    assert (state.exposures[1], state.pockets[1][2]) == (2, "3C")


def test_db_41_an_exposure_names_owner_and_slot():
    [event] = events(table(), 1, PEEK)
    assert event == PocketExposed(1, 1, 2, *cards("4D 2C"))
    [event] = events(table(), 1, SHOW)
    assert event == SleeveExposed(1, *cards("6S 2C"))


def test_db_41_two_copies_in_two_slots_are_two_actions():
    state = situation(("9C 9C", "3D", "KH"), ("", "", "8S 8S"), hatter=2, **ON)
    legal = GAME.legal_actions(state, 2, 0)
    assert [action for action in legal if isinstance(action, ExposePocket) and action.owner == 0] == [
        ExposePocket(0, 0),
        ExposePocket(0, 1),
    ]
    assert legal.count(show("8S")) == 1


@pytest.mark.parametrize("action", [PEEK, REVEAL, SHOW])
def test_db_42_an_exposure_is_public(action):
    [event] = events(table(), 1, action)
    for viewer in VIEWERS:
        seen = shown(event, viewer)
        assert (type(seen), seen.seat) == (type(event), 1)
        assert look(after(table(), (1, action)), viewer).exposures == (0, 1, 0)


def test_db_42_a_peek_shows_the_old_card_to_all_players_but_no_spectator():
    [event] = events(table(), 1, PEEK)
    assert [shown(event, viewer).card for viewer in VIEWERS] == ["4D", "4D", "4D", "??"]


def test_db_42_a_reveal_shows_the_old_card_to_all():
    for action, card in ((REVEAL, "5C"), (SHOW, "6S")):
        [event] = events(table(), 1, action)
        assert [shown(event, viewer).card for viewer in VIEWERS] == [card] * 4


@pytest.mark.parametrize(
    ("action", "seen"), [(PEEK, "2C ?? 2C ??"), (REVEAL, "?? 2C 2C ??"), (SHOW, "?? 2C ?? ??")]
)
def test_db_42_the_new_card_is_as_visible_as_its_zone(action, seen):
    [event] = events(table(), 1, action)
    assert [shown(event, viewer).replacement for viewer in VIEWERS] == [*cards(seen)]


@pytest.mark.parametrize("action", [PEEK, SHOW])
def test_db_42_without_a_replacement_there_is_nothing_to_hide(action):
    [event] = events(table(""), 1, action)
    assert {shown(event, viewer).replacement for viewer in VIEWERS} == {None}


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_db_43_a_further_exposure_is_refused(limit):
    state = after(table(exposure_limit=limit), *[(1, PEEK)] * limit)
    assert refusal(state, 1, PEEK) == refusal(state, 1, SHOW) == "exposure_limit_reached"
    assert GAME.legal_actions(state, 1, 0) == ()
    assert 1 not in GAME.turn(state).may


def test_db_43_each_player_has_three_exposures_a_caper_by_default():
    state = after(table(), *[(1, PEEK)] * 3)
    assert refusal(state, 1, SHOW) == "exposure_limit_reached"
    assert after(state, (0, REVEAL)).exposures == (1, 3, 0)


def test_db_43_the_player_to_play_can_still_play_at_the_limit():
    state = after(table(), *[(2, PEEK)] * 3)
    legal = GAME.legal_actions(state, 2, 0)
    assert {type(action) for action in legal} == {PlayPocket, Bribe}


def test_db_43_a_new_caper_begins_without_exposures():
    state = scored(finished((30, 20, 10), exposures=(3, 2, 1)))
    assert state.exposures == (3, 2, 1)
    assert fold(state, GAME.deal, Stacked()).exposures == (0, 0, 0)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (ExposePocket(3, 0), "no_such_seat"),
        (ExposePocket(-1, 0), "no_such_seat"),
        (ExposePocket(0, 1), "slot_empty"),
        (ExposePocket(0, 5), "slot_empty"),
        (show("2S"), "card_not_held"),
    ],
)
def test_g_10_a_card_that_is_not_there_cannot_be_exposed(action, code):
    state = situation(("9C", "3D", "KH"), ("2S", "3S", "4S"), hatter=2, **ON)
    assert refusal(state, 1, action) == code


def test_g_9_a_seat_that_owes_is_not_listed_as_one_that_may():
    state = table()
    assert (GAME.turn(state).owes, GAME.turn(state).may) == ((2,), (0, 1))
    state = after(state, *[(0, PEEK)] * 3)
    assert GAME.turn(state).may == (1,)


@pytest.mark.parametrize(
    ("pockets", "may"), [(("", "-- 3D", ""), (0, 1)), (("", "", ""), (1,)), (("9C", "", ""), (0, 1))]
)
def test_g_9_a_seat_without_a_card_to_expose_is_not_listed_as_one_that_may(pockets, may):
    state = situation(pockets, ("", "3S", "4S"), hatter=2, **ON)
    assert (GAME.turn(state).owes, GAME.turn(state).may) == ((2,), may)
    for seat in (0, 1):
        assert bool(GAME.legal_actions(state, seat, 0)) is (seat in may)


@pytest.mark.parametrize("action", [PEEK, show("9S")])
def test_g_9_a_seat_that_owes_a_play_gains_no_time_by_exposing(action):
    [exposed] = events(table(), 2, action)
    [played] = events(table(), 2, PlayPocket(0))
    assert (exposed.restarts_clock, played.restarts_clock) == (False, True)
