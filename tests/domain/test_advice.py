"""Hints and reviews: what *Expert* would do with what the seat knows (G-21)."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain import advice
from hoodwink.domain.advice import Review, check_review, hint, review
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import RuleViolation, Stage, without_name
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.knowing import knowledge_of
from hoodwink.domain.tables.state import Phase
from tests.domain.tables.sitting import Sitting, playing
from tests.domain.tables.test_forks import dealt_at, forked, parent_of


def events_of(sitting: Sitting) -> Any:
    return decoded(sitting.entries, decode_event)


def hinted(sitting: Sitting, seat: int = 0, **changes: Any) -> Any:
    table = replace(sitting.table, **changes)
    return hint(table, knowledge_of(events_of(sitting), seat), seat, now=sitting.now, names=str.title)


def reviewed(sitting: Sitting, seat: int = 0, most: int = 1_000) -> Review:
    return review(events_of(sitting), seat, without_name, lambda done, _all: done < most)


@pytest.mark.parametrize("game", GAMES)
def test_g_21_a_hint_depends_on_nothing_that_the_seat_does_not_know(game):
    sitting = playing("ada", "bot", game=game, rated=False).play_to_turn_of(0)
    known, rulebook = knowledge_of(events_of(sitting), 0), sitting.table.rulebook
    other = rulebook.imagine(known, Random(7))
    assert other != sitting.table.state
    found = hinted(sitting)
    assert found == hinted(sitting, state=other, server_seed="0" * 64)
    assert sitting.do(commands.Act(0, found.action), by="player:0")


def refusal(sitting: Sitting, seat: int = 0, **changes: Any) -> str:
    with pytest.raises(RuleViolation) as refused:
        hinted(sitting, seat, **changes)
    return refused.value.code


def test_co_37_nobody_gets_a_hint_while_they_have_to_wait():
    sitting = playing("ada", "bot", "bot", game="coconut", rated=False, sneak_grace_ms=60_000)
    while not sitting.table.rulebook.waits_until(sitting.table.state) or sitting.owing():
        sitting.step()
    assert refusal(sitting) == "not_your_turn"


def test_g_21_hints_are_only_for_somebody_alone_with_bots_at_an_unrated_table():
    assert refusal(playing("ada", "bot", game="coconut", rated=True)) == "no_hints"
    assert refusal(playing("ada", "bob", game="coconut", rated=False)) == "no_hints"
    alone, place = playing("ada", "bot", game="coconut", rated=False), SimpleNamespace()
    assert refusal(alone, 1) == "no_hints"
    assert refusal(alone, tournament=place) == "no_hints"
    assert hinted(alone)


def test_g_21_a_hint_is_for_the_own_turn_of_a_player_who_is_there():
    sitting = playing("ada", "bot", game="blind_don", rated=False).play_to_turn_of(0)
    assert hinted(sitting)
    assert refusal(sitting, missed_turns=(3, 0)) == "not_your_turn"
    assert refusal(sitting, phase=Phase.OPEN) == "table_not_started"
    assert refusal(sitting, phase=Phase.ENDED) == "table_over"
    assert refusal(sitting.play_to_turn_of(1)) == "not_your_turn"


def test_a_game_without_lookahead_has_no_review():
    with pytest.raises(RuleViolation) as refused:
        reviewed(playing("ada", "bot", game="blindside").play_out())
    assert refused.value.code == "no_review"
    with pytest.raises(RuleViolation, match="no_review"):
        check_review(Sitting(game="blindside").table)
    check_review(Sitting(game="coconut").table)


def test_g_21_a_review_compares_moves_with_what_was_known_then():
    sitting = playing("ada", "bot", game="coconut", rounds=1).play_out()
    found = reviewed(sitting, most=4)
    own = [entry.version for entry in sitting.entries if entry.by == "player:0"]
    assert {move.version for move in found.moves} < set(own)
    assert (found.table, found.seat, found.version) == ("t1", 0, sitting.table.version)
    assert found.left_out > 0
    # Later events, such as the cards shown at the end, change nothing about earlier moves.
    earlier = review(events_of(sitting)[: found.moves[1].version], 0, without_name)
    assert earlier.moves == found.moves[:2]
    assert not earlier.left_out


def test_g_21_moves_of_others_for_the_seat_and_offences_are_left_out(monkeypatch):
    monkeypatch.setattr(advice, "compare", lambda game, seen, played, moment: (played, 0.5, 0.5))
    sitting = playing("ada", "bob", "cy", game="double_blind", exposure_actions=True).play_to_turn_of(0)
    offences = sitting.table.rulebook.offences
    sitting.act(0, next(action for action in sitting.legal(0) if isinstance(action, offences)))
    played = next(action for action in sitting.legal(0) if not isinstance(action, offences))
    sitting.act(0, played)
    sitting.resign(0)
    sitting.play_to(Stage.TO_SCORE)
    found = reviewed(sitting)
    assert [(move.played, move.quality) for move in found.moves] == [(played, "best")]


def test_g_20_a_move_that_was_taken_back_is_not_reviewed(monkeypatch):
    monkeypatch.setattr(advice, "compare", lambda game, seen, played, moment: (played, 0.5, 0.5))
    sitting = playing("ada", "bob", "cy", game="double_blind", take_backs=True)
    seat = sitting.owing()
    first, second, *_ = sitting.legal(seat)
    sitting.act(seat, first)
    sitting.do(commands.TakeBack(seat), by=f"player:{seat}")
    sitting.act(seat, second)
    sitting.resign(seat)
    assert [move.played for move in reviewed(sitting, seat).moves] == [second]


def test_g_21_a_review_of_a_long_table_goes_on_where_another_was_cut_off(monkeypatch):
    monkeypatch.setattr(advice, "compare", lambda game, seen, played, moment: (played, 0.4, 0.5))
    sitting, told = playing("ada", "bot", game="blind_don", rounds=2).play_out(), list[tuple[int, int]]()

    def done(count: int, total: int) -> bool:
        told.append((count, total))
        return count < 3

    found = review(events_of(sitting), 1, without_name, done)
    total = 3 + found.left_out
    assert told == [(1, total), (2, total), (3, total)]
    assert total > 3
    assert {move.quality for move in found.moves} == {"slip"}
    rest = review(events_of(sitting), 1, without_name, after=found.moves[-1].version)
    assert found.moves + rest.moves == review(events_of(sitting), 1, without_name).moves
    assert (len(rest.moves), rest.left_out) == (total - 3, 0)


def test_g_21_a_review_of_a_fork_begins_with_it(monkeypatch):
    monkeypatch.setattr(advice, "compare", lambda game, seen, played, moment: (played, 0.48, 0.5))
    parent = parent_of(game="coconut", seats=2, rounds=2)
    fork = forked(parent, dealt_at(parent, 1) + 5, "Ada", "Bob").start()
    fork.play_out()
    found = reviewed(fork, 1)
    assert min(move.version for move in found.moves) > 3
    assert {move.quality for move in found.moves} == {"fine"}
