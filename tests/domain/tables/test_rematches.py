"""Rematches: the same people at another table, each one seat further on."""

from typing import Any

import pytest
from msgspec.structs import replace

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.deciding.rematches import MAX_REMATCHES, rematch_of
from hoodwink.domain.tables.events import RematchOpened, SeatOffered, SeatTaken, TableOpened
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import Table
from tests.domain.tables.forger import changed, entries_of, rechained, version_of
from tests.domain.tables.sitting import SEED, Sitting, playing
from tests.domain.tables.test_tournament_table import sitting_of


def ended(*players: str, **opening: Any) -> Sitting:
    return playing(*players, **opening).play_out()


def command(table: Table, host: str = "ada") -> commands.OpenRematch:
    return rematch_of(table, opened="t2", host=host, server_seed=SEED)


def rematch(table: Table, host: str = "ada") -> Sitting:
    return Sitting(command(table, host))


def refusal(table: Table) -> str:
    with pytest.raises(RuleViolation) as refused:
        command(table)
    return refused.value.code


def test_the_people_sit_one_seat_further_on():
    table = rematch(ended("ada", "bo", "bot", rounds=1).table, "bo").table

    assert [seat and seat.player for seat in table.seats] == ["bot:random", None, "bo"]
    assert table.offered == (None, "ada", None)
    assert (table.host, table.rematch_of, table.first_dealer) == ("bo", "t1", None)


def test_the_rematch_is_played_like_the_table_before():
    before = ended("ada", "bo", rounds=2, turn_seconds=30, private=True, watch="nobody", rated=False).table
    after = rematch(before).table

    for what in (
        "game",
        "options",
        "turn_seconds",
        "bot_delay",
        "round_pause",
        "private",
        "watch",
        "rated",
        "take_backs",
    ):
        assert getattr(after, what) == getattr(before, what)


def test_resigned_players_are_offered_their_seats():
    sitting = playing("ada", "bo", "cy")
    sitting.resign(1)
    assert rematch(sitting.play_out().table).table.offered == ("cy", None, "bo")


def test_only_a_table_that_was_played_has_a_rematch():
    assert refusal(playing("ada", "bo").table) == "table_not_over"
    closed = Sitting()
    closed.do(commands.CloseTable(), by="host")
    assert refusal(closed.table) == "no_rematch"


def test_a_table_of_a_tournament_has_no_rematch():
    assert refusal(sitting_of("ada", "bo").play_out().table) == "no_rematch"


def test_the_ended_table_is_linked_to_its_latest_rematch():
    sitting = ended("ada", "bo", "bot", rounds=1)
    announce = commands.AnnounceRematch("t2")
    assert allowed_actors(sitting.table, announce) == ("player:0", "player:1")
    assert sitting.do(announce, by="player:1") == (RematchOpened("t2"),)
    assert sitting.table.rematch == "t2"
    assert sitting.refusal(announce) == "rematch_opened"
    sitting.do(commands.AnnounceRematch("t3"), by="player:0")
    assert (sitting.table.rematch, sitting.table.rematches) == ("t3", 2)
    assert verify_log(sitting.log()).valid
    assert playing("ada", "bo").refusal(announce) == "table_not_over"


def test_no_rematch_is_opened_after_too_many_closed_ones():
    sitting = ended("ada", "bo", rounds=1)
    for number in range(MAX_REMATCHES):
        sitting.do(commands.AnnounceRematch(f"r{number}"), by="player:0")
    assert sitting.refusal(commands.AnnounceRematch("t2")) == refusal(sitting.table) == "no_rematch"


@pytest.mark.parametrize("is_void_first", [False, True])
def test_a_log_with_a_rematch_is_complete_and_verifies_voided_or_not(is_void_first):
    sitting = ended("ada", "bo", rounds=1)
    steps: list[tuple[commands.TableCommand, str]] = [
        (commands.AnnounceRematch("t2"), "player:0"),
        (commands.VoidTable("olga", "It rained."), "admin"),
    ]
    for step, by in reversed(steps) if is_void_first else steps:
        sitting.do(step, by=by)
        assert verify_log(sitting.log()).valid


def test_the_log_of_a_rematch_verifies():
    sitting = rematch(ended("ada", "bo", "bot", rounds=1).table)
    sitting.do(commands.TakeSeat(player="bo"), by="player:2")
    log = sitting.start().play_out().log()

    assert verify_log(log).valid
    entries = entries_of(log)
    assert [entry.type for entry in entries[:4]] == [
        TableOpened.wire,
        SeatTaken.wire,
        SeatTaken.wire,
        SeatOffered.wire,
    ]
    assert {entry.cmd for entry in entries[:4]} == {"c0"}


def test_a_forged_rematch_seats_nobody_but_its_host():
    sitting = rematch(ended("ada", "bo", rounds=1).table)
    sitting.do(commands.TakeSeat(player="bo"), by="player:0")
    log = sitting.start().play_out().log()
    version = version_of(log, SeatTaken.wire)

    finding = verify_log(changed(log, version, lambda fields: fields.update(player="cy"))).finding

    assert finding is not None
    assert (finding.code, finding.version) == ("illegal", 1)


def test_a_forged_rematch_is_announced_only_by_a_player_of_the_table():
    sitting = ended("ada", "bo", rounds=1)
    sitting.do(commands.AnnounceRematch("t2"), by="player:0")
    *entries, announced = entries_of(sitting.log())

    assert not verify_log(rechained([*entries, replace(announced, by="host")])).valid
