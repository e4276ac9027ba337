"""The history of each player: the tables that have ended."""

import msgspec
from msgspec.structs import replace

from hoodwink.domain.projections import HISTORY, HistoryRow
from hoodwink.domain.tables.commands import (
    AbandonTable,
    CloseTable,
    VoidTable,
)
from hoodwink.domain.tables.events import TableEnded
from tests.domain.projections.contents import Contents, projected
from tests.domain.tables.sitting import Sitting, playing


def test_every_person_at_an_ended_table_has_a_row():
    sitting = playing("ada", "bo", "bot", rounds=2).play_out()
    result = sitting.table.result
    assert result is not None
    assert result.places is not None
    assert result.scores is not None
    contents = projected(HISTORY, sitting)
    assert set(contents.rows) == {"ada:t1", "bo:t1"}
    assert contents.rows["bo:t1"] == HistoryRow(
        player="bo",
        table="t1",
        game="blindside",
        seat=1,
        seats=3,
        outcome="played_out",
        place=result.places[1],
        score=result.scores[1],
        resigned=False,
        ended_at=sitting.now,
    )
    assert contents.listed("player:ada") == ["ada:t1"]


def test_a_table_in_play_has_no_history():
    assert projected(HISTORY, playing("ada", "bo")).rows == {}


def test_g_13_a_resignation_is_recorded():
    sitting = playing("ada", "bo")
    sitting.resign(1)
    rows = projected(HISTORY, sitting).rows
    assert [(rows[key].place, rows[key].resigned) for key in ("ada:t1", "bo:t1")] == [(1, False), (2, True)]


def test_g_14_a_table_without_result_has_no_places():
    abandoned = playing("ada", "bo")
    abandoned.do(AbandonTable())
    closed = Sitting(table="t2").sit("ada")
    closed.do(CloseTable())
    rows = projected(HISTORY, abandoned, closed).rows
    assert {(row.outcome, row.place, row.score) for row in rows.values()} == {
        ("abandoned", None, None),
        ("closed", None, None),
    }


def test_v_2_a_void_table_is_listed_as_ended_without_result():
    sitting = playing("ada", "bo", "bot", rounds=2)
    sitting.resign(0)
    sitting.play_out()
    (ended,) = [entry for entry in sitting.entries if entry.type == TableEnded.wire]
    nothing = msgspec.json.encode(TableEnded("no_result", None, None))
    other = playing("ada", "bo", "bot", rounds=2)
    other.entries = [
        replace(entry, data=msgspec.Raw(nothing)) if entry is ended else entry for entry in sitting.entries
    ]
    sitting.do(VoidTable("olga", "A shared screen."), by="admin", after_ms=60_000)
    assert everything(projected(HISTORY, sitting)) == everything(projected(HISTORY, other))
    row = projected(HISTORY, sitting).rows["ada:t1"]
    assert (row.outcome, row.place, row.score, row.resigned) == ("no_result", None, None, True)


def everything(contents: Contents) -> object:
    rows = {key: msgspec.json.encode(row) for key, row in contents.rows.items()}
    return rows, {name: dict(keys) for name, keys in contents.indexes.items()}, contents.counters
