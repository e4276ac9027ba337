"""Exact play near the end of a round (G-19)."""

from typing import Any

from hoodwink.domain.bots.exact import _deals, best_move
from hoodwink.domain.cards import Card
from hoodwink.domain.games import GAMES
from hoodwink.domain.games.coconut.actions import PlayCards
from hoodwink.domain.kernel import Knowledge
from tests.domain.bots.positions.imagined import known_at
from tests.domain.games.coconut_table import cards, table

COCONUT = GAMES["coconut"]
HERE: Any = {"face_up": ("", ""), "face_down": ("-- -- --", "-- -- --")}


def best(state: Any, *, positions: int = 5_000) -> Any:
    known = known_at(COCONUT, state, 0)
    lookahead: Any = COCONUT.lookahead
    return best_move(COCONUT, known, 0, lookahead.moves(known.state, 0), positions=positions)


def test_it_keeps_the_card_that_the_other_cannot_beat():
    """Both last cards beat the pile. After the 5, the other goes out with the 9; after the jack, it picks up."""
    state = table("5C JC", "9D", pile="4S", **HERE)
    assert best(state) == PlayCards(cards("JC"))


def test_too_many_positions_or_unknown_cards_are_left_to_search():
    state = table("5C JC", "9D", pile="4S", **HERE)
    assert best(state, positions=1) is None
    assert best(table("5C JC", "9D 8D 7D 6D", pile="4S", **HERE)) is None


def test_co_17_an_action_out_of_turn_is_part_of_exact_play():
    """Both 5s at once would let seat 2 complete four of a kind with its last cards, before seat 1 moves."""
    left: Any = {"pile": "4H", "face_up": ("", "6D 7D", ""), "face_down": ("-- -- --",) * 3}
    assert best(table("5C 5D KC", "", "5H 5S", **left)) == PlayCards(cards("5C"))
    assert best(table("5C 5D KC", "", "5H 5S", sneak=False, **left)) == PlayCards(cards("5C 5D"))


def test_g_15_cards_that_are_passed_on_and_on_are_left_to_search():
    down: Any = {"face_up": ("", "9S"), "face_down": ("-- -- --", "5H 5C QC")}
    state, lookahead = table("4C 7S", "8C QH", **down), COCONUT.lookahead
    assert lookahead is not None
    known = Knowledge(0, state)
    assert best_move(COCONUT, known, 0, lookahead.moves(state, 0), positions=50_000) is None


def test_every_deal_that_agrees_with_the_knowledge_is_tried():
    marks = (Card("?0"), Card("?1"), Card("?2"))
    unseen = cards("9C 9D KS")
    state = table("5C", "", **HERE)
    state = state.__class__(
        **{**{name: getattr(state, name) for name in state.__struct_fields__}, "stock": marks}
    )
    free = Knowledge(0, state, marks, unseen)
    assert sorted(deal.stock for deal in _deals(free, marks)) == sorted(
        (a, b, c) for a in unseen for b in unseen for c in unseen if len({a, b, c}) == 3
    )
    limited = Knowledge(0, state, marks, unseen, limits=((frozenset(cards("KS")), marks[:1]),))
    assert all(deal.stock[0] != "KS" for deal in _deals(limited, marks))
    among = Knowledge(0, state, marks, unseen, among=((Card("KS"), marks[1:2]),))
    assert {deal.stock[1] for deal in _deals(among, marks)} == {"KS"}
