"""The pace of a table: what its opening says, when bots move, the pauses between rounds, and what is waited for."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.domain.kernel import InvalidOptions, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.due import asking_times, work_due
from hoodwink.domain.tables.events import PlayerReady, RoundVoided, TableStarted
from hoodwink.domain.tables.evolve import table_after
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.pace import (
    ALONE_PATIENCE_MS,
    BOT_DELAY_MS,
    PATIENCE_MS,
    ROUND_PAUSE_MS,
    THINKING_MS,
    TURN_SECONDS,
    bot_chances,
    bot_moves_at,
    is_played_by_people,
    pause_until,
    thinking_times,
    thinks,
)
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import (
    MAX_ACTIONS_PER_ROUND,
    MISSED_TURNS_BEFORE_BOT,
    Phase,
    deadline_of,
    is_played_by_bot,
    policy_of,
    stage_of,
    turn_of,
    waits_until,
)
from hoodwink.domain.tables.view import view_table
from hoodwink.domain.tables.waiting import waiting_of
from tests.domain.tables.forger import rechained
from tests.domain.tables.sitting import Sitting, playing

GRACE_MS = 5_000
UNDECIDED: dict[str, Any] = {"turn_seconds": None, "bot_delay": None, "round_pause": None}


@pytest.mark.parametrize(
    ("players", "decided"),
    [
        (("bot", "bot"), (0, 0, 0)),
        (("ada", "bot"), (0, BOT_DELAY_MS, ROUND_PAUSE_MS)),
        (("ada", "bo"), (TURN_SECONDS, BOT_DELAY_MS, ROUND_PAUSE_MS)),
    ],
)
def test_unset_times_follow_from_the_people_at_the_table(players, decided):
    sitting = Sitting(seats=len(players), **UNDECIDED).sit(*players)
    assert sitting.do(commands.StartTable(), by="host") == (TableStarted(*decided),)
    table = sitting.table
    assert (table.turn_seconds, table.bot_delay, table.round_pause) == decided


def test_times_set_at_the_opening_stay():
    sitting = Sitting(seats=2, turn_seconds=0, bot_delay=5, round_pause=None).sit("ada", "bo")
    assert sitting.do(commands.StartTable(), by="host") == (TableStarted(None, None, ROUND_PAUSE_MS),)
    table = sitting.table
    assert (table.turn_seconds, table.bot_delay, table.round_pause) == (0, 5, ROUND_PAUSE_MS)


@pytest.mark.parametrize("name", list(UNDECIDED))
def test_a_negative_time_is_refused(name):
    with pytest.raises(InvalidOptions, match=name):
        Sitting(**{**UNDECIDED, name: -1})


# ------------------------------------------------------------------------------------ bots wait

DELAY = 1_000


def paced(*players: str, **opening: Any) -> Sitting:
    return playing(*players, **{"bot_delay": DELAY} | opening)


def test_g_9_a_bot_moves_once_its_delay_is_over_and_not_before():
    sitting = paced("bot", "bot", "bot", five_card=True)
    (seat,) = turn_of(sitting.table).owes
    at = bot_moves_at(sitting.table, seat)
    assert 0.6 * DELAY <= at - sitting.now <= 1.4 * DELAY
    assert work_due(sitting.table) == WorkDue(at, is_for_bots=True)


def test_g_9_delays_differ_from_turn_to_turn_and_between_tables_and_seats():
    delays = set()
    for table in ("t1", "t2"):
        sitting = paced("bot", "bot", "bot", table=table)  # everybody passes a card at the same time
        for after_ms in (0, 1):
            moved = replace(sitting.table, owing_since=(sitting.now + after_ms,) * 3)
            delays |= {bot_moves_at(moved, seat) - sitting.now - after_ms for seat in range(3)}
    assert len(delays) == 12
    assert min(delays) >= 0.6 * DELAY
    assert max(delays) <= 1.4 * DELAY


def test_g_9_a_bot_waits_once_for_its_turn_and_takes_its_further_steps_immediately():
    sitting = paced("bot", "bot", five_card=True)
    first = sitting.owing()
    for _ in range(2):
        at = bot_moves_at(sitting.table, first)
        sitting.act(first, after_ms=max(0, at - sitting.now))  # draws, then keeps
        assert (work_due(sitting.table), bot_moves_at(sitting.table, first)) == (
            WorkDue(IMMEDIATELY, is_for_bots=True),
            IMMEDIATELY,
        )
    sitting.act(first)  # discards
    assert bot_moves_at(sitting.table, sitting.owing()) >= sitting.now + 0.6 * DELAY


def test_g_15_the_clock_of_a_person_begins_again_with_each_step():
    sitting = paced("ada", "bo", five_card=True, turn_seconds=10)
    seat = sitting.owing()
    sitting.act(seat, after_ms=7_000)
    assert deadline_of(sitting.table, seat) == sitting.now + 10_000


def test_g_9_a_player_who_takes_the_seat_back_in_mid_turn_has_the_full_time():
    sitting = paced("ada", "bo", five_card=True, turn_seconds=10)
    seat = sitting.owing()
    sitting.table = replace(sitting.table, missed_turns=(3, 3))
    sitting.act(seat, by=f"player:{seat}", after_ms=7_000)
    assert deadline_of(sitting.table, seat) == sitting.now + 10_000


def test_g_13_a_stand_in_waits_like_any_bot():
    sitting = paced("ada", "bo", "cy", five_card=True)
    seat = sitting.owing()
    sitting.resign(seat)
    assert work_due(sitting.table) == WorkDue(bot_moves_at(sitting.table, seat))
    assert bot_moves_at(sitting.table, seat) > sitting.now


@pytest.mark.parametrize(
    "changes",
    [
        {"resigned": (0,)},
        {"missed_turns": (MISSED_TURNS_BEFORE_BOT, 0)},
        {"resigned": (0,), "no_shows": (0,)},
    ],
    ids=["resigned", "away", "no-show"],
)
def test_g_13_g_14_steady_plays_for_absent_players_whoever_else_plays(changes):
    sitting = Sitting(seats=2, game="blind_don").sit("ada")
    sitting.do(commands.TakeSeat(player="bot:expert", policy="expert", seat=1), by="host")
    table = replace(sitting.start().table, **changes)
    assert is_played_by_bot(table, 0)
    assert [(policy_of(table, seat), thinks(table, seat)) for seat in (0, 1)] == [
        ("steady", False),
        ("expert", True),
    ]


@pytest.mark.parametrize(
    ("other", "wait", "patience"), [("ada", THINKING_MS, PATIENCE_MS), ("bot", 0, ALONE_PATIENCE_MS)]
)
def test_g_9_a_bot_that_thinks_is_asked_at_three_times_and_shows_no_others(other, wait, patience):
    sitting = Sitting(seats=2, game="blind_don")
    sitting.do(commands.TakeSeat(player="bot:expert", policy="expert", seat=0), by="host")
    table = sitting.sit(other).start().deal().play_to_turn_of(0).table
    began = sitting.now
    times = (began, began + wait, began + wait + patience)

    assert thinking_times(table, 0) == asking_times(table) == times
    asked = [work_due(table, asked_until=at).at for at in (-1, *times)]
    assert asked == [began, *(times[1:] if wait else (times[2],) * 2), times[2]]
    assert asking_times(sitting.play_to_turn_of(1).table) == ()
    assert asking_times(sitting.play_out().table) == ()


def test_a_bot_that_owes_nothing_has_no_time_to_move_but_the_wait_of_the_game():
    sitting = graced("bot", "bot", "bot", sneak_grace_ms=5_000)
    (seat, *_) = {0, 1, 2} - {*turn_of(sitting.table).owes}

    assert bot_moves_at(sitting.table, seat) == waits_until(sitting.table)


@pytest.mark.parametrize("changes", [{"resigned": {0}}, {"missed_turns": (3, 0)}], ids=["resigned", "kept"])
def test_work_is_for_bots_once_no_person_moves_for_any_seat(changes):
    table = paced("ada", "bot", turn_seconds=10).table
    assert (is_played_by_people(table), work_due(table).is_for_bots) == (True, False)
    left = replace(table, **changes)
    assert (is_played_by_people(left), work_due(left).is_for_bots) == (False, True)


def test_work_that_is_not_due_is_for_nobody():
    sitting = Sitting(seats=2).sit("bot", "bot")
    assert work_due(sitting.table) == NOTHING_DUE


def test_g_9_bots_and_clocks_of_a_simultaneous_phase_are_all_waited_for():
    sitting = paced("ada", "bot", "bot", turn_seconds=1)
    moments = [bot_moves_at(sitting.table, seat) for seat in (1, 2)]
    deadline = deadline_of(sitting.table, 0)
    assert deadline is not None
    assert work_due(sitting.table) == WorkDue(min(*moments, deadline))
    for seat in (1, 2):
        sitting.act(seat)
    assert work_due(sitting.table) == WorkDue(deadline)


def test_co_37_a_bot_leaves_the_time_for_a_sneak_however_short_its_delay():
    sitting = graced("bot", "bot", "bot", sneak_grace_ms=5_000)
    until = sitting.table.rulebook.waits_until(sitting.table.state)
    assert until == waits_until(sitting.table) == sitting.now + 5_000
    assert bot_moves_at(sitting.table, sitting.owing()) == until


def test_co_37_no_table_waits_before_its_start_or_after_its_end():
    sitting = Sitting(seats=3, game="coconut", sneak_grace_ms=5_000).sit("bot", "bot", "bot")
    assert waits_until(sitting.table) is None
    assert waits_until(sitting.start().deal().play_out().table) is None


# ------------------------------------------------------------------------- bots act out of turn


def graced(*players: str, bot_delay: int = DELAY, **opening: Any) -> Sitting:
    """Returns a table of Coconut with cards on the pile, so that seats may sneak."""
    sitting = paced(*players, game="coconut", bot_delay=bot_delay, **opening)
    while not turn_of(sitting.table).may:
        sitting.act(sitting.owing())
    sitting.now = sitting.table.moved_at
    return sitting


def test_g_9_co_36_every_bot_that_may_sneak_has_its_moment_with_any_cards():
    sitting = graced("bot", "bot", "bot", "bot")
    chances = bot_chances(sitting.table)
    assert sorted(seat for _, seat in chances) == list(turn_of(sitting.table).may)
    times = [at - sitting.now for at, _ in chances]
    assert times == sorted(times)
    assert min(times) >= 0.3 * DELAY
    assert max(times) <= 0.9 * DELAY
    state = sitting.table.state
    others = replace(sitting.table, state=replace(state, hands=(("AS", "AH", "AD"),) * 4))
    assert (bot_chances(others), work_due(others)) == (chances, work_due(sitting.table))


def test_g_9_the_moments_of_bots_come_due_one_after_the_other_and_then_the_turn():
    sitting = graced("bot", "bot", "bot", "bot")
    (first, _), (second, _) = bot_chances(sitting.table)
    moves_at = bot_moves_at(sitting.table, sitting.owing())
    table = sitting.table
    assert work_due(table) == WorkDue(min(first, moves_at), is_for_bots=True)
    assert work_due(table, asked_until=first) == WorkDue(min(second, moves_at), is_for_bots=True)
    assert work_due(table, asked_until=second) == WorkDue(moves_at, is_for_bots=True)


def test_g_9_without_a_delay_bots_are_asked_immediately_and_in_an_order_that_changes():
    orders = set()
    sitting = graced("bot", "bot", "bot", "bot", bot_delay=0)
    for after_ms in range(20):
        chances = bot_chances(replace(sitting.table, moved_at=sitting.now + after_ms))
        assert {at for at, _ in chances} == {sitting.now + after_ms}
        orders.add(tuple(seat for _, seat in chances))
    assert len(orders) == 2


def test_g_9_stand_ins_have_a_moment_and_people_have_none():
    sitting = graced("ada", "bo", "cy", "dee")
    assert bot_chances(sitting.table) == ()
    assert work_due(sitting.table) == NOTHING_DUE
    (seat, *_) = turn_of(sitting.table).may
    sitting.resign(seat)
    assert [seat for _, seat in bot_chances(sitting.table)] == [seat]


def test_db_34_an_offence_is_no_chance_for_a_bot():
    sitting = paced(*["bot"] * 5, game="double_blind", exposure_actions=True)
    assert turn_of(sitting.table).may
    assert bot_chances(sitting.table) == ()


# ----------------------------------------------------------------------- pauses between rounds

PAUSE = 8_000


def paused(*players: str, **opening: Any) -> Sitting:
    """Returns a table whose first round has just been scored."""
    sitting = playing(*players, round_pause=PAUSE, rounds=2, five_card=True, **opening)
    sitting.play_to(Stage.TO_SCORE).do(commands.ScoreRound())
    return sitting


def test_the_first_deal_never_waits():
    sitting = Sitting(seats=2, round_pause=PAUSE).sit("ada", "bo").start()
    assert (pause_until(sitting.table), work_due(sitting.table)) == (None, WorkDue(IMMEDIATELY))


def test_the_next_deal_waits_for_the_pause():
    sitting = paused("ada", "bo")
    until = sitting.now + PAUSE
    assert (pause_until(sitting.table), work_due(sitting.table)) == (until, WorkDue(until))
    sitting.now = until - 1
    assert sitting.refusal(commands.DealRound()) == "pause_running"
    sitting.now = until
    sitting.deal()
    assert (sitting.table.round, pause_until(sitting.table)) == (2, None)
    assert verify_log(sitting.play_out().log()).valid


def test_no_clock_runs_in_a_pause():
    sitting = paused("ada", "bo", turn_seconds=5)
    assert [deadline_of(sitting.table, seat) for seat in (0, 1)] == [None, None]
    sitting.now += PAUSE
    sitting.deal()
    assert deadline_of(sitting.table, sitting.owing()) == sitting.now + 5_000


def test_the_pause_ends_once_everybody_is_ready():
    sitting = paused("ada", "bo", "bot")
    assert sitting.do(commands.SayReady(1), by="player:1") == (PlayerReady(1),)
    assert sitting.refusal(commands.SayReady(1)) == "already_ready"
    assert sitting.refusal(commands.DealRound()) == "pause_running"
    sitting.do(commands.SayReady(0), by="player:0")
    assert (pause_until(sitting.table), work_due(sitting.table)) == (None, WorkDue(IMMEDIATELY))
    assert sitting.refusal(commands.SayReady(0)) == "already_ready"
    sitting.deal()
    assert sitting.table.ready == ()
    assert sitting.refusal(commands.SayReady(0)) == "not_awaited"
    assert verify_log(sitting.play_out().log()).valid


def test_a_pause_does_not_wait_for_resigned_or_absent_players():
    sitting = paused("ada", "bo", "cy")
    sitting.resign(0)
    assert sitting.refusal(commands.SayReady(0)) == "not_awaited"
    sitting.table = replace(sitting.table, missed_turns=(0, 3, 0))
    assert sitting.refusal(commands.SayReady(1)) == "not_awaited"
    assert pause_until(sitting.table) == sitting.now + PAUSE
    sitting.do(commands.SayReady(2), by="player:2")
    assert pause_until(sitting.table) is None


def test_bots_alone_need_no_pause_and_the_last_round_has_none():
    assert pause_until(paused("bot", "bot").table) is None
    sitting = paused("ada", "bo")
    sitting.now += PAUSE
    sitting.deal().play_out()
    assert (sitting.table.phase, pause_until(sitting.table)) == (Phase.ENDED, None)


def test_g_15_a_void_round_is_followed_by_a_pause():
    sitting = playing("ada", "bo", round_pause=PAUSE, rounds=2, five_card=True)
    sitting.table = replace(sitting.table, round_actions=MAX_ACTIONS_PER_ROUND - 1)
    sitting.act(sitting.owing(), after_ms=5)
    assert isinstance(decode_event(sitting.entries[-1].type, sitting.entries[-1].data), RoundVoided)
    assert pause_until(sitting.table) == sitting.now + PAUSE


def test_a_log_whose_deal_came_too_early_does_not_verify():
    sitting = paused("ada", "bo")
    version, until = sitting.table.version, sitting.now + PAUSE
    sitting.now = until
    entries = sitting.deal().play_out().entries
    entries[version] = replace(entries[version], at=until - 1)
    finding = verify_log(rechained(entries)).finding
    assert finding is not None
    assert (finding.code, finding.version) == ("illegal", version + 1)
    assert "pause" in finding.detail


# ------------------------------------------------------------------------ what a table waits for


def waits(sitting: Sitting) -> tuple[Any, ...] | None:
    waiting = waiting_of(sitting.table, stage_of(sitting.table), turn_of(sitting.table), sitting.now)
    assert view_table(sitting.table, "spectator", now=sitting.now).waiting == waiting
    return None if waiting is None else (waiting.for_, waiting.until, waiting.seats)


def test_a_table_waits_for_nothing_before_its_start_and_after_its_end():
    sitting = Sitting(seats=2, rounds=1).sit("bot", "bot")
    assert waits(sitting) is None
    assert waits(sitting.start()) is None, "the service deals"
    assert waits(sitting.deal()) is None, "bots move"
    assert waits(sitting.play_to(Stage.TO_SCORE)) is None, "the service scores"
    assert waits(sitting.play_out()) is None


def test_a_table_waits_for_seeds():
    sitting = Sitting(seats=2, seed_commitment=commitment("0" * 32)).sit_committed("ada", "a" * 32).sit("bo")
    assert waits(sitting.start()) == ("seeds", sitting.now + REVEAL_MS, (0,))


def test_a_table_waits_for_players_until_the_first_clock_runs_out():
    assert waits(playing("ada", "bot", "cy")) == ("players", None, (0, 2))
    sitting = playing("ada", "bo", turn_seconds=9)
    assert waits(sitting) == ("players", sitting.now + 9_000, (0, 1))


def test_a_table_waits_for_a_bot_until_its_moment():
    sitting = paced("bot", "bot", five_card=True)
    seat = sitting.owing()
    assert waits(sitting) == ("bot", bot_moves_at(sitting.table, seat), (seat,))


def test_co_37_a_table_waits_for_interrupts():
    sitting = graced("ada", "bo", "cy", "dee", sneak_grace_ms=GRACE_MS)
    assert waits(sitting) == ("interrupts", sitting.now + GRACE_MS, turn_of(sitting.table).may)


def test_co_37_after_the_time_for_interrupts_a_table_waits_for_the_seat_to_move():
    sitting = graced("ada", "bo", "cy", "dee", sneak_grace_ms=GRACE_MS, turn_seconds=9)
    (seat,) = turn_of(sitting.table).owes
    until = sitting.now + GRACE_MS
    sitting.now = until - 1
    assert waits(sitting) == ("interrupts", until, turn_of(sitting.table).may)
    sitting.now = until
    assert waits(sitting) == ("players", until + 9_000, (seat,))


@pytest.mark.parametrize("bot_delay", [0, 2 * GRACE_MS])
def test_co_37_after_the_time_for_interrupts_a_table_waits_for_a_bot_that_moves_later(bot_delay):
    sitting = graced("bot", "bot", "bot", "bot", sneak_grace_ms=GRACE_MS, bot_delay=bot_delay)
    (seat,) = turn_of(sitting.table).owes
    sitting.now += GRACE_MS
    moves_at = bot_moves_at(sitting.table, seat)
    assert waits(sitting) == (("bot", moves_at, (seat,)) if bot_delay else None)


def test_a_table_waits_in_a_pause_for_those_who_are_not_ready():
    sitting = paused("ada", "bo", "bot")
    until = sitting.now + PAUSE
    assert waits(sitting) == ("round_pause", until, (0, 1))
    sitting.do(commands.SayReady(0), by="player:0", after_ms=1)
    assert waits(sitting) == ("round_pause", until, (1,))
    sitting.do(commands.SayReady(1), by="player:1")
    assert waits(sitting) is None


def test_waiting_has_its_wire_names():
    table = playing("ada", "bo").table
    waiting = waiting_of(table, stage_of(table), turn_of(table), 0)
    assert msgspec.json.encode(waiting) == b'{"for":"players","until":null,"seats":[0,1]}'


def test_a_table_waits_for_nobody_between_two_events_of_one_commit():
    sitting = playing("ada", "bo", game="coconut")
    for seat in (0, 1):
        sitting.act(seat)
    chosen = table_after(sitting.entries[:-1])  # and not revealed yet
    turn = turn_of(chosen)
    assert (stage_of(chosen), turn.owes, waiting_of(chosen, stage_of(chosen), turn, sitting.now)) == (
        Stage.IN_PLAY,
        (),
        None,
    )
