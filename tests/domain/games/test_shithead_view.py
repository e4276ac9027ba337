"""Shithead: what each viewer sees."""

import pytest

from hoodwink.domain.cards import HIDDEN
from hoodwink.domain.games.shithead import GAME
from hoodwink.domain.games.shithead.events import CardsPlayed, PileBurned, RoundDealt
from hoodwink.domain.games.shithead.options import Options
from hoodwink.domain.games.shithead.state import Step, initial
from tests.domain.games.shithead_table import (
    StackedDraws,
    after,
    cards,
    dealt,
    deck_for,
    joker,
    play,
    redact,
    table,
    view,
)

DEALT = table("4C 5C", "KD", face_up=["6C", "JK"], blind=["7C - 9C", "TC"], pile="4S 9S", stock="AC AD")


@pytest.mark.parametrize("viewer", [0, 1, "spectator"])
def test_g_7_owners_see_hands_and_nobody_sees_blind_cards_or_stock(viewer):
    seen = view(DEALT, viewer)
    assert seen.hands == (
        cards("4C 5C") if viewer == 0 else ("??", "??"),
        cards("KD") if viewer == 1 else ("??",),
    )
    assert seen.face_up == (cards("6C"), cards("JK"))
    assert seen.blind == (("??", None, "??"), ("??", None, None))
    assert (seen.stock_count, seen.stock, seen.removed) == (2, None, None)
    assert seen.pile == cards("4S 9S")


def test_g_3_everybody_sees_all_cards():
    seen = view(DEALT, "everybody")
    assert (seen.hands, seen.blind) == (DEALT.hands, DEALT.blind)
    assert (seen.stock, seen.removed) == (cards("AC AD"), ())


def test_g_7_burned_cards_are_counted():
    seen = view(after(table("TC 4C", "KD", pile="9S"), (0, play("TC"))), 1)
    assert (seen.removed_count, seen.pile) == (2, ())


def test_the_view_shows_whose_turn_it_is_and_what_is_owed():
    seen = view(after(table("JK 4C", "KD", "KH", "", pile="9S", direction=-1), (0, joker(2))), "spectator")
    assert (seen.round, seen.dealer, seen.step, seen.to_move) == (1, 0, Step.ANSWER, 2)
    assert (seen.direction, seen.jokers_laid, seen.finished) == (-1, (0,), (3,))


def test_g_2_once_the_round_has_ended_nobody_is_to_move():
    seen = view(after(table("4C", "KD"), (0, play("4C"))), 1)
    assert (seen.step, seen.to_move) == (None, None)


def test_the_view_before_a_deal_and_during_the_swaps():
    seen = view(initial(Options(), 2), 0)
    assert (seen.round, seen.dealer, seen.step, seen.to_move) == (0, None, None, None)
    state = dealt(deck_for(["4C 5C 6C", "KD KH KS"]), seats=2)
    seen = view(state, 0)
    assert (seen.step, seen.to_move, seen.ready) == (Step.SWAP, None, ())


@pytest.mark.parametrize(("viewer", "shown"), [(0, [0]), (1, [1]), ("spectator", [])])
def test_g_3_the_deal_shows_face_up_cards_and_the_viewers_own_hand(viewer, shown):
    (event,) = GAME.deal(initial(Options(), 2), StackedDraws())
    assert isinstance(event, RoundDealt)
    redacted = redact(event, viewer)
    assert redacted.face_up == event.face_up
    assert [seat for seat in (0, 1) if redacted.hands[seat] == event.hands[seat]] == shown
    assert [len(hand) for hand in redacted.hands] == [3, 3]
    assert redacted.blind == ((HIDDEN,) * 3,) * 2
    assert redacted.stock == (HIDDEN,) * 36


@pytest.mark.parametrize("kind", [CardsPlayed, PileBurned])
def test_g_7_the_number_of_drawn_cards_is_public(kind):
    event = kind(0, cards("6C 6D"), cards("9C JK"))
    assert redact(event, 0) == event
    assert redact(event, 1) == kind(0, cards("6C 6D"), ("??", "??"))
