"""G-18: a time without service moves every open deadline of a table by its length, and nothing else."""

import pytest
from msgspec.structs import replace

from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.allowed_actors import allowed_actors
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import ClocksMoved
from hoodwink.domain.tables.outages import pending_move
from hoodwink.domain.tables.pace import bot_moves_at, pause_until
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import (
    deadline_of,
    grace_until,
    reveals_until,
    turn_of,
    waits_until,
)
from hoodwink.domain.tables.waiting import waiting_of
from tests.domain.tables.forger import changed, entries_of, rechained, version_of
from tests.domain.tables.sitting import Sitting, playing
from tests.domain.tables.test_tournament_table import GRACE, sitting_of

GAP = 19_000
SEED = "a1" * 16


def deadline(sitting: Sitting, seat: int | None = None) -> int:
    """Returns when the clock of the seat runs out, by default that of the first that owes an action."""
    at = deadline_of(sitting.table, sitting.owing() if seat is None else seat)
    assert at is not None
    return at


def wait(sitting: Sitting) -> int:
    """Returns until when nobody may act, or 0."""
    return waits_until(sitting.table) or 0


def away(sitting: Sitting, *, since: int = 0, lasts: int = GAP) -> commands.MoveClocks:
    """Lets the service be away from `since` ms ago on; returns the command that follows."""
    began = sitting.now - since
    sitting.now = began + lasts
    return commands.MoveClocks(began, began + lasts)


def test_g_18_a_turn_has_as_much_time_left_as_before_the_outage():
    sitting = playing("ada", "bo", "cy", turn_seconds=10)
    seat = sitting.owing()
    before = deadline(sitting, seat)
    sitting.now += 4_000
    gap = away(sitting)
    assert sitting.do(gap) == (ClocksMoved(gap.since, gap.until),)
    assert deadline(sitting, seat) == before + GAP == sitting.now + 6_000
    assert sitting.refusal(commands.ExpireClock(seat, sitting.choice(seat))) == "clock_running"
    waiting = waiting_of(sitting.table, Stage.IN_PLAY, turn_of(sitting.table), sitting.now)
    assert waiting is not None
    assert waiting.until == work_due(sitting.table).at == sitting.now + 6_000
    sitting.do(commands.ExpireClock(seat, sitting.choice(seat)), by=f"bot:{seat}", after_ms=6_000)
    assert verify_log(sitting.play_out().log()).valid


def test_g_18_a_turn_that_began_after_the_last_sign_of_life_has_its_whole_time():
    sitting = playing("ada", "bo", "cy", turn_seconds=10)
    sitting.do(away(sitting, since=700))
    assert deadline(sitting) == sitting.now + 10_000


def test_g_18_seeds_can_be_revealed_for_as_long_as_before():
    sitting = Sitting(seats=2).sit_committed("ada", SEED).sit("bo").start()
    sitting.now += 2_500
    gap = away(sitting)
    sitting.do(gap)
    assert reveals_until(sitting.table) == sitting.now + 7_500
    assert sitting.refusal(commands.MissSeed(0)) == "reveal_running"
    sitting.do(commands.RevealSeed(0, SEED), by="player:0", after_ms=7_499)
    assert verify_log(sitting.play_out().log()).valid


def test_g_18_the_pause_after_a_round_goes_on_after_the_outage():
    sitting = playing("ada", "bo", round_pause=8_000, rounds=2).play_to(Stage.TO_SCORE)
    sitting.step()
    sitting.now += 3_000
    sitting.do(away(sitting))
    assert pause_until(sitting.table) == sitting.now + 5_000
    assert sitting.refusal(commands.DealRound()) == "pause_running"
    sitting.do(commands.DealRound(), after_ms=5_000)


def test_g_18_the_time_for_a_sneak_and_the_clock_after_it_go_on_after_the_outage():
    sitting = playing("ada", "bo", "cy", game="coconut", turn_seconds=30, sneak_grace_ms=10_000, sneak=True)
    while wait(sitting) <= sitting.now:
        sitting.step()
    seat, left = sitting.owing(), wait(sitting) - sitting.now
    before = deadline(sitting, seat)
    sitting.do(away(sitting))
    assert wait(sitting) == sitting.now + left
    assert deadline(sitting, seat) == before + GAP
    assert not sitting.legal(seat)


def test_g_18_nothing_moves_where_no_deadline_is_open():
    sitting = playing("ada", "bo", "cy")
    assert sitting.refusal(away(sitting)) == "no_clock_moved"
    bots = playing("bot", "bot", "bot", turn_seconds=10)
    assert bots.refusal(away(bots)) == "no_clock_moved"
    opened = Sitting(seats=2, turn_seconds=10)
    assert opened.refusal(away(opened)) == "no_clock_moved"


def test_g_18_a_bot_moves_as_soon_as_the_service_is_back():
    sitting = playing("ada", "bot", "bot", turn_seconds=10, bot_delay=1_000)
    assert turn_of(sitting.table).owes == (0, 1, 2)
    moves_at = [bot_moves_at(sitting.table, seat) for seat in (1, 2)]
    sitting.do(away(sitting))
    assert [bot_moves_at(sitting.table, seat) for seat in (1, 2)] == moves_at


def test_g_18_an_outage_counts_once_and_outages_add_up():
    sitting = playing("ada", "bo", "cy", turn_seconds=10)
    first = away(sitting)
    sitting.do(first)
    assert sitting.refusal(first) == "no_clock_moved"
    overlapping = commands.MoveClocks(first.until - 1, first.until + GAP)
    sitting.now += GAP
    assert sitting.refusal(overlapping) == "no_clock_moved"
    sitting.now -= GAP
    second = away(sitting)
    sitting.do(second)
    assert deadline(sitting) == sitting.now + 10_000
    assert (
        pending_move(sitting.table, [(first.since, first.until), (second.since, second.until)], sitting.now)
        is None
    )


@pytest.mark.parametrize(
    ("since", "until"), [(0, 2_999), (19_000, 0), (0, 19_001)], ids=["short", "backwards", "not over"]
)
def test_g_18_only_an_outage_that_is_over_and_lasted_moves_a_deadline(since, until):
    sitting = playing("ada", "bo", "cy", turn_seconds=10)
    began = sitting.now
    sitting.now += GAP
    assert sitting.refusal(commands.MoveClocks(began + since, began + until)) == "no_clock_moved"


def test_g_18_an_outage_before_the_turn_moves_nothing():
    sitting = playing("ada", "bo", "cy", turn_seconds=10)
    gap = away(sitting)
    for _ in turn_of(sitting.table).owes:
        sitting.act(sitting.owing())
    assert turn_of(sitting.table).owes
    assert pending_move(sitting.table, [(gap.since, gap.until)], sitting.now) is None


def test_g_18_only_an_outage_after_the_start_of_a_table_in_play_is_pending():
    sitting = playing("ada", "bo", "cy", turn_seconds=10)
    earlier = (sitting.now - 2 * GAP, sitting.now - GAP)
    gap = away(sitting)
    short = (gap.since, gap.since + 1)

    assert pending_move(sitting.table, [earlier, short], sitting.now) is None
    assert pending_move(sitting.table, [earlier, short, (gap.since, gap.until)], sitting.now) == gap
    over = sitting.play_out()
    assert pending_move(over.table, [(gap.since, over.now + GAP)], over.now + GAP) is None


def test_g_18_co_37_an_outage_before_the_wait_for_a_sneak_moves_nothing():
    sitting = playing("ada", "bo", "cy", game="coconut", sneak_grace_ms=10_000, sneak=True)
    gap = away(sitting)
    while wait(sitting) <= sitting.now:
        sitting.step()
    assert sitting.refusal(gap) == "no_clock_moved"


def test_g_18_a_game_in_which_nobody_waits_has_no_times_to_move():
    table = playing("ada", "bo").table
    assert table.rulebook.postpone(table.state, 0, GAP) is table.state


def test_g_18_nobody_but_the_service_moves_a_clock():
    sitting = playing("ada", "bo", "cy", turn_seconds=10)
    assert allowed_actors(sitting.table, commands.MoveClocks(0, 1)) == ("worker",)


def clocked_log() -> bytes:
    """Returns a log in which a clock ran out in the very moment to which an outage had moved it."""
    sitting = playing("ada", "bo", "cy", turn_seconds=10)
    seat = sitting.owing()
    sitting.now += 4_000
    sitting.do(away(sitting))
    sitting.do(commands.ExpireClock(seat, sitting.choice(seat)), by=f"bot:{seat}", after_ms=6_000)
    return sitting.play_out().log()


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"since": -1}, "table.clock_ran_out"),  # it says that the clock ran out a moment too early
        ({"until": 1}, "table.clocks_moved"),
        ({"since": GAP - 2_999}, "table.clocks_moved"),
        ({"until": -2 * GAP}, "table.clocks_moved"),
    ],
)
def test_g_18_deadlines_move_exactly_as_far_as_the_log_says(change, at):
    log = clocked_log()
    assert verify_log(log).valid
    version = version_of(log, "table.clocks_moved")
    forged = changed(
        log, version, lambda fields: fields.update({name: fields[name] + by for name, by in change.items()})
    )
    finding = verify_log(forged).finding
    assert finding is not None
    assert (finding.code, finding.version) == ("illegal", version_of(log, at))


def test_g_18_a_log_in_which_a_player_moves_the_clock_is_refused():
    log = clocked_log()
    entries, version = entries_of(log), version_of(log, "table.clocks_moved")
    entries[version - 1] = replace(entries[version - 1], by=Actor("player:0"))
    finding = verify_log(rechained(entries)).finding
    assert finding is not None
    assert finding.version == version


def test_g_18_t_6_entrants_may_appear_for_as_long_as_before():
    sitting = sitting_of("ada", "bo", "cy")
    sitting.now += 5_000
    sitting.do(away(sitting))
    assert grace_until(sitting.table) == sitting.now + GRACE - 5_000
    assert work_due(sitting.table).report_at == sitting.now + GRACE - 5_000
    assert sitting.refusal(commands.MissStart((0,))) == "grace_running"
    sitting.do(commands.MissStart((0,)), after_ms=GRACE - 5_000)
