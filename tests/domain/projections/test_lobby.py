"""The lobby: one row for each table, listed by phase and for each of its players."""

from hoodwink.domain.kernel import Stage
from hoodwink.domain.projections import LOBBY, LobbyRow, LobbySeat, ended_index, live_index, phase_indexes
from hoodwink.domain.projections.lobby import ALONE
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.state import (
    Phase,
    Result,
    Voided,
)
from hoodwink.domain.tables.view import view_table
from tests.domain.projections.contents import Contents, projected
from tests.domain.tables.sitting import START, Sitting, playing
from tests.domain.tables.test_tournament_table import GRACE, opening


def row_of(sitting: Sitting) -> LobbyRow:
    (row,) = projected(LOBBY, sitting).rows.values()
    assert isinstance(row, LobbyRow)
    return row


def lists_of(contents: Contents) -> set[str]:
    return {index for index, keys in contents.indexes.items() if keys}


def phases_of(sitting: Sitting) -> set[str]:
    return {index for index in lists_of(projected(LOBBY, sitting)) if not index.startswith("player:")}


def players_of(sitting: Sitting) -> set[str]:
    return {index for index in lists_of(projected(LOBBY, sitting)) if index.startswith("player:")}


def test_an_open_table_is_listed_with_its_free_seats():
    sitting = Sitting(turn_seconds=30).sit("ada", "bot")
    assert row_of(sitting) == LobbyRow(
        id="t1",
        game="blindside",
        phase=Phase.OPEN,
        host="holly",
        options={},
        seats=(LobbySeat("ada", None, False), LobbySeat("bot:random", "random", False), None),
        free_seats=(2,),
        turn_seconds=30,
        parent=None,
        round=0,
        result=None,
        voided=None,
        changed_at=START,
    )
    assert phases_of(sitting) == set(phase_indexes(Phase.OPEN, "blindside"))


def test_a_seat_that_was_left_is_free():
    sitting = Sitting().sit("ada")
    sitting.do(commands.LeaveSeat(0))
    assert row_of(sitting).seats == (None, None, None)


def test_a_seat_that_was_resigned_is_marked():
    sitting = playing("ada", "bo", "bot")
    sitting.do(commands.Resign(1))
    seats = row_of(sitting).seats
    assert [seat.resigned for seat in seats if seat] == [False, True, False]


def test_t_6_a_seat_whose_entrant_did_not_appear_is_marked_as_resigned():
    sitting = Sitting(opening("ada", "bo", "cy"))
    for seat in (0, 1):
        sitting.do(commands.SayReady(seat), by=f"player:{seat}")
    sitting.do(commands.MissStart((2,)), by="worker", after_ms=GRACE)
    seats = row_of(sitting).seats
    assert [seat.resigned for seat in seats if seat] == [False, False, True]


def test_only_options_that_differ_from_the_defaults_are_listed():
    assert row_of(Sitting(five_card=True, rounds=2, start_tokens=0)).options == {
        "five_card": True,
        "rounds": 2,
    }


def test_only_an_open_table_has_free_seats():
    sitting = Sitting().sit("ada")
    assert row_of(sitting).free_seats == (1, 2)
    sitting.do(commands.CloseTable())
    assert row_of(sitting).free_seats == ()


def test_a_table_is_listed_only_under_its_phase():
    sitting = playing("ada", "bo", "bot", rounds=2)
    assert phases_of(sitting) == {"phase:playing", "game:blindside:playing"}
    sitting.play_out()
    assert phases_of(sitting) == {"phase:ended", "game:blindside:ended"}


def test_a_table_against_bots_alone_is_listed_apart():
    sitting = playing("ada", "bot", "bot", rounds=2)
    assert phases_of(sitting) == set(phase_indexes(ALONE, "blindside"))
    sitting.play_out()
    assert phases_of(sitting) == {"phase:ended", "game:blindside:ended"}


def test_a_private_table_is_never_listed():
    sitting = Sitting(private=True, rated=False).sit("ada", "bot", "bot")
    assert phases_of(sitting) == set()
    assert phases_of(sitting.start()) == set()
    assert row_of(sitting).phase is Phase.PLAYING


def test_a_public_table_with_limited_watching_is_listed_until_it_starts():
    sitting = Sitting(watch="nobody", rated=False).sit("ada", "bot", "bot")
    assert phases_of(sitting) == set(phase_indexes(Phase.OPEN, "blindside"))
    assert phases_of(sitting.start()) == set()


def test_a_table_is_listed_for_its_host_and_for_those_in_its_seats():
    sitting = Sitting(seats=2)
    assert players_of(sitting) == {live_index("holly")}
    sitting.sit("ada", "bot")
    assert players_of(sitting) == {live_index("holly"), live_index("ada")}


def test_a_table_is_not_listed_for_a_player_who_left():
    sitting = Sitting(seats=2).sit("ada", "bo")
    sitting.do(commands.LeaveSeat(0), by="player:0")
    assert players_of(sitting) == {live_index("holly"), live_index("bo")}
    sitting.sit("ada")
    assert players_of(sitting) == {live_index("holly"), live_index("bo"), live_index("ada")}


def test_a_table_stays_listed_for_a_host_who_left_the_seat():
    sitting = Sitting(seats=2).sit("holly")
    sitting.do(commands.LeaveSeat(0), by="player:0")
    assert players_of(sitting) == {live_index("holly")}


def test_an_offered_seat_is_not_free_and_the_table_is_listed_for_its_player():
    sitting = Sitting(seats=2, private=True, rated=False)
    sitting.do(commands.OfferSeat("bo", 0), by="host")
    assert row_of(sitting).free_seats == (1,)
    assert players_of(sitting) == {live_index("holly"), live_index("bo")}
    sitting.do(commands.WithdrawOffer(0), by="host")
    assert players_of(sitting) == {live_index("holly")}


def test_a_table_is_not_listed_for_a_host_who_handed_over_without_a_seat():
    sitting = Sitting(seats=2).sit("ada")
    sitting.do(commands.ChangeHost("ada"), by="host")
    assert row_of(sitting).host == "ada"
    assert players_of(sitting) == {live_index("ada")}


def test_ended_tables_are_listed_separately():
    sitting = playing("ada", "bo", "bot", rounds=2).play_out()
    assert players_of(sitting) == {ended_index("holly"), ended_index("ada"), ended_index("bo")}


def test_the_round_matches_the_view():
    sitting = playing("ada", "bo", "bot", rounds=2)
    for stage in (Stage.IN_PLAY, Stage.TO_SCORE, Stage.TO_DEAL, Stage.IN_PLAY):
        sitting.play_to(stage)
        shown = view_table(sitting.table, "spectator")
        assert row_of(sitting).round == shown.round == shown.view.round
    assert sitting.table.round == 2


def test_the_row_follows_the_result():
    sitting = playing("ada", "bo", "bot", rounds=2)
    row = row_of(sitting.play_out())
    assert (row.round, row.result) == (2, sitting.table.result)
    assert row.changed_at == sitting.now


def test_a_closed_table_has_ended():
    sitting = Sitting()
    sitting.do(commands.CloseTable())
    row = row_of(sitting)
    assert (row.phase, row.result) == (Phase.ENDED, Result("closed", None, None))


def test_v_1_a_void_table_is_marked_and_stays_listed_as_ended():
    sitting = playing("ada", "bo", "bot", rounds=2).play_out()
    before = row_of(sitting)
    sitting.do(commands.VoidTable("olga", "A shared screen."), by="admin", after_ms=1_000)
    row = row_of(sitting)
    assert (before.voided, row.voided) == (None, Voided("olga", "A shared screen.", sitting.now))
    assert (row.result, row.changed_at) == (before.result, sitting.now)
    assert phases_of(sitting) == {"phase:ended", "game:blindside:ended"}


def test_the_latest_change_is_listed_first():
    early, late = Sitting(table="early"), Sitting(table="late")
    early.sit("ada")
    late.now += 5
    late.sit("bo")
    assert projected(LOBBY, late, early).listed("phase:open") == ["late", "early"]
