"""The lobby: one row for each table, listed by phase."""

from domain.kernel import Stage
from domain.projections import LOBBY, LobbyRow, LobbySeat, phase_indexes
from domain.tables import CloseTable, LeaveSeat, Phase, Result, Voided, VoidTable
from tests.domain.projections.contents import Contents, projected
from tests.domain.tables.sitting import START, Sitting, playing


def row_of(sitting: Sitting) -> LobbyRow:
    (row,) = projected(LOBBY, sitting).rows.values()
    assert isinstance(row, LobbyRow)
    return row


def lists_of(contents: Contents) -> set[str]:
    return {index for index, keys in contents.indexes.items() if keys}


def test_an_open_table_is_listed_with_its_free_seats():
    sitting = Sitting(turn_seconds=30).sit("ada", "bot")
    assert row_of(sitting) == LobbyRow(
        id="t1",
        game="blindside",
        phase=Phase.OPEN,
        host="holly",
        seats=(LobbySeat("ada", "Ada", None), LobbySeat("bot:random", "Bot", "random"), None),
        turn_seconds=30,
        parent=None,
        round=0,
        result=None,
        voided=None,
        changed_at=START,
    )
    assert lists_of(projected(LOBBY, sitting)) == set(phase_indexes(Phase.OPEN, "blindside"))


def test_a_seat_that_was_left_is_free():
    sitting = Sitting().sit("ada")
    sitting.do(LeaveSeat(0))
    assert row_of(sitting).seats == (None, None, None)


def test_a_table_is_listed_by_its_phase_alone():
    sitting = playing("ada", "bo", "bot", rounds=2)
    assert lists_of(projected(LOBBY, sitting)) == {"phase:playing", "game:blindside:playing"}
    sitting.play_out()
    assert lists_of(projected(LOBBY, sitting)) == {"phase:ended", "game:blindside:ended"}


def test_a_private_table_is_never_listed():
    sitting = Sitting(private=True, rated=False).sit("ada", "bot", "bot")
    assert lists_of(projected(LOBBY, sitting)) == set()
    assert lists_of(projected(LOBBY, sitting.start())) == set()
    assert row_of(sitting).phase is Phase.PLAYING


def test_a_public_table_that_few_may_watch_is_listed_until_it_starts():
    sitting = Sitting(watch="nobody", rated=False).sit("ada", "bot", "bot")
    assert lists_of(projected(LOBBY, sitting)) == set(phase_indexes(Phase.OPEN, "blindside"))
    assert lists_of(projected(LOBBY, sitting.start())) == set()


def test_the_row_follows_the_rounds_and_the_result():
    sitting = playing("ada", "bo", "bot", rounds=2).play_to(Stage.TO_DEAL)
    assert row_of(sitting).round == 1
    row = row_of(sitting.play_out())
    assert (row.round, row.result) == (2, sitting.table.result)
    assert row.changed_at == sitting.now


def test_a_closed_table_has_ended():
    sitting = Sitting()
    sitting.do(CloseTable())
    row = row_of(sitting)
    assert (row.phase, row.result) == (Phase.ENDED, Result("closed", None, None))


def test_v_1_a_void_table_is_marked_and_stays_among_the_ended_ones():
    sitting = playing("ada", "bo", "bot", rounds=2).play_out()
    before = row_of(sitting)
    sitting.do(VoidTable("olga", "A shared screen."), by="admin", after_ms=1_000)
    row = row_of(sitting)
    assert (before.voided, row.voided) == (None, Voided("olga", "A shared screen.", sitting.now))
    assert (row.result, row.changed_at) == (before.result, sitting.now)
    assert lists_of(projected(LOBBY, sitting)) == {"phase:ended", "game:blindside:ended"}


def test_the_latest_change_is_listed_first():
    early, late = Sitting(table="early"), Sitting(table="late")
    early.sit("ada")
    late.now += 5
    late.sit("bo")
    assert projected(LOBBY, late, early).listed("phase:open") == ["late", "early"]
