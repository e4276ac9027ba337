"""Exact play near the end of a round (G-19)."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots.exact import _deals, best_moves, exact_results
from hoodwink.domain.cards import Card
from hoodwink.domain.games import GAMES
from hoodwink.domain.games.coconut.actions import PlayCards
from hoodwink.domain.kernel import Knowledge, Stage
from tests.domain.bots.positions.imagined import known_at
from tests.domain.games.coconut_table import cards, play, table

COCONUT = GAMES["coconut"]
LOOKAHEAD: Any = COCONUT.lookahead
HERE: Any = {"face_up": ("", ""), "face_down": ("-- -- --", "-- -- --")}


def best(state: Any, *, positions: int = 5_000) -> Any:
    known = known_at(COCONUT, state, 0)
    return best_moves(COCONUT, known, 0, LOOKAHEAD.moves(known.state, 0), positions=positions)


def test_it_keeps_the_card_that_the_other_cannot_beat():
    """Both last cards beat the pile. After the 5, the other goes out with the 9; after the jack, it picks up."""
    state = table("5C JC", "9D", pile="4S", **HERE)
    assert best(state) == [PlayCards(cards("JC"))]


def test_too_many_positions_or_unknown_cards_are_left_to_search():
    state = table("5C JC", "9D", pile="4S", **HERE)
    assert best(state, positions=1) == ()
    assert best(table("5C JC", "9D 8D 7D 6D", pile="4S", **HERE)) == ()


def test_equal_moves_without_a_gain_are_left_to_search():
    lost = table("4C 6D", "9D", **HERE)
    assert best(lost) == [PlayCards(cards("4C")), PlayCards(cards("6D"))]
    endless = table("8C QC", "AC 9S 3D AS", **HERE)
    legal = LOOKAHEAD.moves(endless, 0)
    assert best_moves(COCONUT, Knowledge(0, endless), 0, legal, positions=2_000) == list(legal)
    assert len(legal) == 2


def test_it_wins_as_soon_as_it_can():
    """Every lead wins, but after the 10 the seat moves again, and goes out with both 5s."""
    assert best(table("TC 5D 5S", "QS 2D 9H", **HERE)) == [PlayCards(cards("TC"))]


def test_co_17_an_action_out_of_turn_is_part_of_exact_play():
    """Both 5s at once would let seat 2 complete four of a kind with its last cards, before seat 1 moves."""
    left: Any = {"pile": "4H", "face_up": ("", "6D 7D", ""), "face_down": ("-- -- --",) * 3}
    assert best(table("5C 5D KC", "", "5H 5S", **left)) == [PlayCards(cards("5C"))]
    assert best(table("5C 5D KC", "", "5H 5S", sneak=False, **left)) == [PlayCards(cards("5C 5D"))]


def test_g_15_many_positions_are_left_to_search():
    down: Any = {"face_up": ("", "9S"), "face_down": ("-- -- --", "5H 5C QC")}
    state = table("4C 7S", "8C QH", **down)
    known = Knowledge(0, state)
    assert best_moves(COCONUT, known, 0, LOOKAHEAD.moves(state, 0), positions=2_000) == ()


@pytest.mark.parametrize(
    ("hands", "pile", "moves", "expected"),
    [
        (("AC 6C 9S", "QD 9D 9H"), "", "6C 9S", 1),  # after the ace, the other wins
        (("3C QC 9D", "9H 3H"), "TH 6C", "9D", 1),
        (
            ("TC 9H QH AH", "AC 4H KH"),
            "KC",
            "TC",
            0.5,
        ),  # after the ace, the other wins; after the 10, nobody can
        (("4S JD 3D JC", "4D"), "6C", "JD", 0.5),  # both jacks together lose
    ],
)
def test_cards_may_be_passed_on_and_on(hands, pile, moves, expected):
    known = known_at(COCONUT, table(*hands, pile=pile, **HERE), 0)
    legal = LOOKAHEAD.moves(known.state, 0)
    results = exact_results(COCONUT, known, 0, legal, positions=2_000)
    assert results is not None
    assert {move: round(result, 3) for move, (result, *_) in results.items()} == {
        move: expected if move in map(play, moves.split()) else 0 for move in legal
    }


def test_exact_play_agrees_with_forced_wins():
    """In random endings of two hands, a seat gets everything where it can force the end, and both the same elsewhere."""
    chance, solved = Random(1), Counter[float]()
    pack = [f"{rank}{suit}" for rank in "3456789TJQKA2" for suit in "CDHS"]
    while sum(solved.values()) < 500:
        dealt = chance.sample(pack, chance.randint(4, 8))
        first, pile = chance.randint(2, len(dealt) - 2), chance.randint(0, 1)
        hands = " ".join(dealt[:first]), " ".join(dealt[first : len(dealt) - pile])
        state = table(*hands, pile=" ".join(dealt[len(dealt) - pile :]), sneak=False, **HERE)
        moves = LOOKAHEAD.moves(state, 0)
        results = exact_results(COCONUT, Knowledge(0, state), 0, moves, positions=300)
        if results is None:
            continue
        won, lost = (forced_by(seat, state) for seat in (0, 1))
        for move, (result, *_) in results.items():
            after = LOOKAHEAD.apply(state, 0, move)
            assert round(result, 3) == (1 if after in won else 0 if after in lost else 0.5)
            solved[round(result, 3)] += 1
    assert set(solved) == {0, 0.5, 1}


def forced_by(seat: int, state: Any) -> set[Any]:
    """Returns the positions, from this one on, in which the seat can force its win."""
    after, waiting = dict[Any, tuple[int, list[Any]]](), [state]
    while waiting:
        found = waiting.pop()
        if found not in after:
            mover, follow = seat, list[Any]()
            if COCONUT.stage(found) is Stage.IN_PLAY:
                (mover,) = COCONUT.turn(found).owes
                follow = [LOOKAHEAD.apply(found, mover, move) for move in LOOKAHEAD.moves(found, mover)]
            after[found] = mover, follow
            waiting += follow
    won = {found for found, (_, follow) in after.items() if not follow and LOOKAHEAD.value(found)[seat] == 1}
    while new := {
        found
        for found, (mover, follow) in after.items()
        if follow
        and found not in won
        and (any if mover == seat else all)(after_that in won for after_that in follow)
    }:
        won |= new
    return won


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
