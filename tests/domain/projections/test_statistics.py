"""Statistics: counts of tables, rounds and actions of each game."""

from importlib import import_module

from hoodwink.domain.projections import COUNTERS, STATISTICS, phase_counter
from hoodwink.domain.tables.commands import (
    AbandonTable,
    CloseTable,
    VoidTable,
)
from hoodwink.domain.tables.state import Phase
from tests.domain.projections.contents import projected
from tests.domain.tables.sitting import Sitting, playing
from tests.domain.tables.test_forks import IN_ROUND_TWO, PARENT, forked


def counted(*sittings: Sitting, game: str = "blindside") -> dict[str, int]:
    counters = projected(STATISTICS, *sittings).counters
    return {counter: counters[f"{game}|{counter}"] for counter in COUNTERS}


def actions_of(sitting: Sitting) -> int:
    return sum(
        entry.by.startswith(("player:", "bot:")) for entry in sitting.entries if "table." not in entry.type
    )


def test_a_table_is_counted_from_opening_to_end():
    sitting = playing("ada", "bo", "bot", rounds=2).play_out()
    assert counted(sitting) == {
        "tables_opened": 1,
        "tables_started": 1,
        "rounds_scored": 2,
        "rounds_voided": 0,
        "actions": actions_of(sitting),
        "tables_ended": 1,
        "tables_voided": 0,
    }


def test_v_1_a_void_removes_the_scored_rounds_from_the_count():
    sitting = playing("ada", "bo", "bot", rounds=2).play_out()
    before = counted(sitting)
    sitting.do(VoidTable("olga", "A shared screen."), by="admin")
    assert counted(sitting) == before | {"rounds_scored": 0, "tables_voided": 1}


def test_the_actions_of_an_unfinished_round_count_in_the_end():
    sitting = playing("ada", "bo", "bot", rounds=2)
    for _ in range(5):
        sitting.step()
    assert counted(sitting)["actions"] == 0
    sitting.do(AbandonTable())
    assert counted(sitting)["actions"] == 5


def test_g_15_void_rounds_are_counted_separately(monkeypatch):
    monkeypatch.setattr(import_module("hoodwink.domain.tables.deciding.decide"), "MAX_ACTIONS_PER_ROUND", 4)
    sitting = playing("ada", "bo", "bot", rounds=2).play_out()
    assert counted(sitting)["rounds_voided"] == 2
    assert counted(sitting)["actions"] == 8


def phases(*sittings: Sitting) -> list[int]:
    counters = projected(STATISTICS, *sittings).counters
    return [counters[phase_counter("blindside", phase)] for phase in Phase]


def test_each_table_is_counted_in_its_phase():
    waiting, closed = (Sitting(seats=2).sit("ada") for _ in range(2))
    closed.do(CloseTable())
    in_play, ended = playing("ada", "bo"), playing("ada", "bo").play_out()
    assert phases(waiting) == [1, 0, 0]
    assert phases(waiting, closed, in_play, ended) == [1, 1, 2]


def test_a_fork_counts_only_in_its_phase():
    fork = forked(PARENT, IN_ROUND_TWO, "ada", "bob", "cid").start().play_out()
    assert {name: count for name, count in projected(STATISTICS, fork).counters.items() if count} == {
        phase_counter("blindside", Phase.ENDED): 1
    }


def test_games_are_counted_separately():
    tables = playing("ada", "bo"), playing("ada", "bo", game="coconut")
    assert counted(*tables, game="coconut")["tables_started"] == 1
    assert counted(*tables, game="double_blind")["tables_started"] == 0
