"""A log with any change is refused, and the finding names the line."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from hoodwink.domain.tables import commands, events
from hoodwink.domain.tables.fairness import SeedStatus
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.domain.tables.proving.verify import (
    _BEGINNINGS,
    TABLE,
    Verdict,
    verify_log,
)
from tests.domain.tables.sitting import Sitting


def test_every_event_of_a_table_tells_which_command_it_begins():
    by_hand = {events.TableOpened, events.NoShow, events.ClockRanOut, events.TableEnded}
    by_the_stage = {events.TableForked, events.DealShared, events.RoundScored}  # like the events of the games

    assert set(events.TABLE_EVENTS) == _BEGINNINGS.keys() | by_hand | by_the_stage


def small_table() -> Sitting:
    """A table of two players with one round dealt, which one of them soon resigns."""
    sitting = Sitting(seats=2, table="small").sit("ada", "bo").start().deal()
    for _ in range(4):
        sitting.step()
    sitting.resign(1)
    return sitting


def eventful_table() -> Sitting:
    """A table with every kind of event."""
    sitting = Sitting(seats=4, turn_seconds=1, table="eventful", rounds=3).sit("ada", "bo", "cy", "bot")
    sitting.do(commands.LeaveSeat(2), by="player:2")
    sitting.sit("dee").start().deal()
    while sitting.table.missed_turns[0] < 3:
        if sitting.owing() == 0:
            sitting.do(commands.ExpireClock(0, sitting.choice(0)), by="bot:0", after_ms=1_000)
        else:
            sitting.step()
    sitting.step()
    sitting.do(commands.Return(0), by="player:0")
    sitting.play_to_turn_of(0).do(commands.ExpireClock(0, sitting.choice(0)), by="bot:0", after_ms=1_000)
    sitting.do(commands.ClaimSeat(0), by="player:1")
    sitting.step()
    sitting.resign(2)
    return sitting.play_out()


SMALL = small_table().log()
EVENTFUL = eventful_table().log()
LINES = EVENTFUL.split(b"\n")[:-1]


def line_of(log: bytes, index: int) -> int:
    """Returns the line, from 1, in which a byte stands."""
    return log.count(b"\n", 0, index) + 1


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def refused_at(log: bytes) -> int | None:
    """Returns the line at fault."""
    verdict = verify_log(log)
    finding = verdict.finding
    assert not verdict.valid
    assert finding is not None
    assert (verdict.table, verdict.game, verdict.events, verdict.rounds) == (None, None, 0, 0)
    assert (verdict.edition, verdict.host_seed, verdict.player_seeds) == (None, None, ())
    assert finding.version is None or finding.line == finding.version + 1
    return finding.line


@pytest.mark.parametrize("sitting", [small_table(), eventful_table()], ids=lambda sitting: sitting.table.id)
def test_a_log_played_by_the_rules_is_valid(sitting):
    table = sitting.table
    assert verify_log(sitting.log()) == Verdict(
        valid=True,
        table=table.id,
        game="blindside",
        edition=3,
        events=table.version,
        rounds=table.round,
        host_seed=SeedStatus.NONE,
        player_seeds=(SeedStatus.NONE,) * len(table.seats),
        voided=None,
        parent=None,
        generations=1,
        finding=None,
    )


def test_a_table_that_was_closed_before_it_began_is_valid():
    sitting = Sitting().sit("ada", "bot")
    sitting.do(commands.LeaveSeat(1), by="host")
    sitting.do(commands.CloseTable(), by="host")
    assert verify_log(sitting.log()).valid


@pytest.mark.parametrize("bit", range(8))
def test_no_bit_of_any_byte_can_be_changed(bit):
    for index in range(len(SMALL)):
        changed = bytearray(SMALL)
        changed[index] ^= 1 << bit
        assert refused_at(bytes(changed)) == line_of(SMALL, index), (index, bit)


def test_no_byte_of_a_long_log_can_be_changed():
    for index in range(0, len(EVENTFUL), 7):
        changed = bytearray(EVENTFUL)
        changed[index] ^= 1
        assert refused_at(bytes(changed)) == line_of(EVENTFUL, index), index


def test_no_byte_can_be_left_out_or_doubled():
    for index in range(len(SMALL)):
        for changed in (
            SMALL[:index] + SMALL[index + 1 :],
            SMALL[:index] + SMALL[index:][:1] + SMALL[index:],
        ):
            assert refused_at(changed) in {line_of(SMALL, index), line_of(SMALL, index) + 1}, index


def test_a_log_cut_off_anywhere_is_refused():
    for index in range(len(SMALL)):
        assert refused_at(SMALL[:index])


def test_no_event_can_be_dropped():
    for number in range(1, len(LINES)):
        assert refused_at(joined(LINES[:number] + LINES[number + 1 :])) == number + 1, number


def test_no_event_can_be_doubled():
    for number in range(1, len(LINES)):
        assert refused_at(joined(LINES[: number + 1] + LINES[number:])) == number + 2, number


def test_no_two_events_can_be_swapped():
    for number in range(2, len(LINES)):
        swapped = [*LINES[: number - 1], LINES[number], LINES[number - 1], *LINES[number + 1 :]]
        assert refused_at(joined(swapped)) == number, number


def test_no_event_can_be_moved():
    for number in range(1, len(LINES)):
        rest = LINES[:number] + LINES[number + 1 :]
        for target in {1, len(LINES) // 2, len(LINES) - 1} - {number}:
            moved = [*rest[:target], LINES[number], *rest[target:]]
            assert refused_at(joined(moved)) == min(number, target) + 1, number


def test_a_header_alone_is_no_log():
    assert refused_at(LINES[0] + b"\n") == 1


def test_a_header_of_another_log_does_not_fit():
    assert refused_at(joined([SMALL.split(b"\n")[0], *LINES[1:]])) == 1
    promise = LINES[0].replace(b'"version":%d' % (len(LINES) - 1), b'"version":7')
    assert refused_at(joined([promise, *LINES[1:]])) == 1


def test_an_extra_event_at_the_end_is_found():
    surplus = LINES[-1].replace(b'"version":%d' % (len(LINES) - 1), b'"version":%d' % len(LINES))
    assert refused_at(joined([*LINES, surplus])) == len(LINES) + 1


def test_a_table_of_another_name_is_found():
    assert refused_at(SMALL.replace(b'"table":"small"', b'"table":"other"', 1)) == 1


@pytest.mark.parametrize("log", [b"", b"\n", b"{}\n", b"\x00\xff\n" * 9, b"[" * 99_999 + b"\n"])
def test_any_bytes_lead_to_a_verdict(log):
    assert refused_at(log) == 1


# ------------------------------------------------------------------- logs that have not ended


def commit_ends() -> list[int]:
    """Returns the versions at which a log may stand in the store."""
    entries = eventful_table().entries
    return [entry.version for entry, after in pairwise(entries) if entry.cmd != after.cmd] + [len(entries)]


def test_a_log_that_stops_after_any_commit_is_valid_so_far():
    entries = eventful_table().entries
    assert {check_entries(TABLE, "eventful", entries[:version]) for version in commit_ends()} == {None}


def test_a_log_that_stops_within_a_commit_is_incomplete():
    entries = eventful_table().entries
    for version in set(range(1, len(entries))) - set(commit_ends()):
        finding = check_entries(TABLE, "eventful", entries[:version])
        assert finding is not None
        assert finding.code in {"incomplete", "illegal"}


@pytest.mark.parametrize("version", [1, 5, 12])
def test_a_log_that_forks_is_refused_at_the_first_event_of_the_other_branch(version):
    entries = eventful_table().entries
    forked = [*entries[: version - 1], replace(entries[version - 1], hash="0" * 64), *entries[version:]]
    finding = check_entries(TABLE, "eventful", forked)
    assert finding is not None
    assert (finding.code, finding.version) == ("chain_broken", version)


def test_a_gap_in_a_log_is_found():
    entries = eventful_table().entries
    finding = check_entries(TABLE, "eventful", [*entries[:4], *entries[5:]])
    assert finding is not None
    assert (finding.code, finding.version) == ("chain_broken", 5)


def test_a_log_under_the_name_of_another_table_is_found():
    finding = check_entries(TABLE, "t1", small_table().entries)
    assert finding is not None
    assert finding.code == "wrong_table"


def test_a_log_without_events_is_incomplete():
    finding = check_entries(TABLE, "t1", [])
    assert finding is not None
    assert finding.code == "incomplete"
