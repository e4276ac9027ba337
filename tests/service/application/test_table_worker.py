"""The service's work at a table."""

from itertools import cycle

import pytest

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.kernel import Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.events import ClockRanOut
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.state import (
    Phase,
    deadline_of,
    is_played_by_bot,
    stage_of,
    turn_of,
)
from hoodwink.service.application.errors import Busy, BusyCode
from hoodwink.service.application.work.dispatch import RETRY_MS
from hoodwink.service.application.work.due import Due
from hoodwink.service.application.work.table_worker import STEPS_PER_VISIT, Visit, chosen_action
from hoodwink.service.application.work.tasks import Task
from tests.service.application.world import HOUR_MS, NOW, World


@pytest.fixture
def world():
    return World()


def owing_seat(world: World, table: str = "t1") -> int:
    return turn_of(world.now_at(table)).owes[0]


def act(world: World, seat: int, table: str = "t1") -> None:
    world.do(table, commands.Act(seat, world.choice(table, seat)), by=f"player:{seat}")


# -------------------------------------------------------------------------- bots, deals, scores


@pytest.mark.parametrize("game", ["blindside", "coconut", "double_blind"])
def test_bots_play_a_table_to_its_end_through_feed_and_tasks(world, game):
    table = world.table("bot", "bot", "bot", game=game)
    world.settle()
    ended = world.now_at(table)
    assert ended.phase is Phase.ENDED
    assert world.is_valid(table)
    assert work_due(ended) == NOTHING_DUE


def test_db_34_bots_never_commit_enabled_offences(world):
    table = world.table(*["bot"] * 5, game="double_blind", exposure_actions=True, target_score=100)
    world.settle()
    assert world.now_at(table).phase is Phase.ENDED
    played = {entry.type for entry in world.service.tables.entries(table)}
    assert "double_blind.pocket_played" in played
    assert not played & {"double_blind.pocket_exposed", "double_blind.sleeve_exposed"}


def test_a_visit_ends_when_a_person_has_to_move(world):
    table = world.table("ada", "bot", rounds=5)
    world.settle()
    assert owing_seat(world) == 0
    for _ in range(4):
        act(world, 0)
        world.settle()
        assert owing_seat(world) == 0
    assert [recorded.entry.by for recorded in world.service.tables.history(table)].count("bot:1") > 1


def test_a_second_visit_finds_nothing_to_do(world):
    table = world.table("ada", "bot")
    world.settle()
    version = world.now_at(table).version
    assert world.service.table_worker.run_due(table) == Visit(0)
    assert world.now_at(table).version == version


def test_a_visit_does_not_read_the_table_after_its_last_step(world, monkeypatch):
    table, store, calls = world.table("ada", "bob"), world.service.store, list[str]()

    def note(name: str) -> None:
        call = getattr(store, name)

        def noted(*given: object, **more: object) -> object:
            calls.append(name)
            return call(*given, **more)

        monkeypatch.setattr(store, name, noted)

    note("read")
    note("append")
    assert world.visit(table) == Visit(1)
    assert calls.count("append") == 1
    assert calls[-1] == "append"


def test_two_workers_at_one_table_act_once(world):
    table = world.table("bot", "bot", rounds=3)
    visitors = [world, World(world.client)]
    monkey = iter(range(10_000))
    while any(one_step(visitors[next(monkey) % 2], table) for _ in range(2)):
        pass
    assert world.is_valid(table)


def one_step(visitor: World, table: str) -> bool:
    """Ends a worker's visit after one step, as if another worker took over."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hoodwink.service.application.work.table_worker.STEPS_PER_VISIT", 1)
        return visitor.visit(table).steps == 1


def test_a_visit_is_bounded(world, monkeypatch):
    table = world.table("ada", "bot", rounds=20)
    monkeypatch.setattr("hoodwink.service.application.work.table_worker.STEPS_PER_VISIT", 1)
    assert world.service.table_worker.run_due(table) == Visit(1, Task.RUN_TABLE)
    assert world.now_at(table).phase is Phase.PLAYING
    assert STEPS_PER_VISIT == 100


def test_bot_tables_are_left_to_low_priority_visits(world):
    table = world.table("bot", "bot", rounds=20)
    version = world.now_at(table).version
    assert world.service.table_worker.run_due(table) == Visit(0, Task.RUN_BOTS)
    assert world.now_at(table).version == version
    resigned = world.table("ada", "bot", "bot", table="t2", rounds=20)
    assert world.service.table_worker.run_due(resigned).next_task is None
    world.do(resigned, commands.Resign(0), by="player:0")
    assert world.service.table_worker.run_due(resigned) == Visit(0, Task.RUN_BOTS)


def test_g_17_a_table_of_an_absent_person_counts_as_a_bot_table(
    world,
):
    table = world.table("ada", "bot", rounds=20, turn_seconds=1)
    run_due = world.service.table_worker.run_due
    assert run_due(table).next_task is None
    while not is_played_by_bot(world.now_at(table), 0):
        world.clock.now += 1_000
        run_due(table)
    version = world.now_at(table).version
    assert run_due(table) == Visit(0, Task.RUN_BOTS)
    assert world.now_at(table).version == version
    world.do(table, commands.Return(0), by="player:0")
    assert run_due(table).next_task is None


def test_a_visit_to_a_bot_table_takes_a_step_and_ends_in_time(world, monkeypatch):
    table, worker = world.table("bot", "bot", rounds=20), world.service.table_worker
    assert worker.run_bots(table, until=world.clock.elapsed_ms()) == Visit(1, Task.RUN_BOTS)
    assert worker.run_bots(table, until=world.clock.elapsed_ms() + 1) == Visit(100, Task.RUN_BOTS)
    began = world.clock.elapsed_ms()
    monkeypatch.setattr(world.clock, "elapsed_ms", iter(range(began, began + 100)).__next__)
    assert worker.run_bots(table, until=began + 6) == Visit(7, Task.RUN_BOTS)


def test_a_table_with_repeated_conflicts_is_left_for_later(world, monkeypatch):
    table = world.table("bot", "bot")
    world.dispatch()

    def lose_the_race(*_: object) -> None:
        raise Busy(BusyCode.TABLE_BUSY)

    with monkeypatch.context() as busy:
        busy.setattr(world.service.tables, "execute_due", lose_the_race)
        assert world.work() == 0
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert world.work() > 0
    assert world.now_at(table).phase is Phase.ENDED


def test_a_vanished_table_is_no_longer_due(world):
    table = world.table("bot", "bot")
    world.dispatch()
    world.client.delete(*world.client.keys("hw:*:table:*"))
    forgetful = World(world.client)
    forgetful.service.table_worker.run_due(table)
    assert world.client.keys("hw:*:due:*") == []


def test_bots_choose_the_same_move_at_the_same_version(world):
    table = world.table("ada", "bot")
    loaded = world.now_at(table)
    world.settle()
    loaded = world.now_at(table)
    seat = owing_seat(world)
    assert chosen_action(loaded, seat, NOW) == chosen_action(loaded, seat, NOW)


# ------------------------------------------------------------------------------------- clocks


def test_an_expired_clock_forces_a_move(world):
    table = world.table("ada", "bo", turn_seconds=10, five_card=True)
    world.settle()
    late, deadline = owing_seat(world), NOW + 10_000
    assert deadline_of(world.now_at(table), late) == deadline
    world.clock.now = deadline - 1
    world.dispatcher.tick()
    assert world.work() == 0
    world.clock.now = deadline
    world.dispatcher.tick()
    assert world.work() == 1
    history = world.service.tables.history(table)
    assert history[-2].event == ClockRanOut(late)
    assert history[-2].entry.by == history[-1].entry.by == f"bot:{late}"
    assert world.now_at(table).missed_turns[late] == 1


def test_a_player_who_moved_first_keeps_the_move(world):
    table = world.table("ada", "bo", turn_seconds=10, five_card=True)
    world.settle()
    world.clock.now += 10_000
    act(world, owing_seat(world))
    world.dispatcher.tick()
    assert world.work() == 0
    assert world.now_at(table).missed_turns == (0, 0)


def test_every_clock_counts_in_a_simultaneous_phase(world):
    table = world.table("ada", "bo", "cy", game="coconut", turn_seconds=10)
    world.settle()
    act(world, 1)
    world.dispatch()
    world.clock.now += 10_000
    world.dispatcher.tick()
    assert world.work() == 2
    assert world.now_at(table).missed_turns == (1, 0, 1)


def test_g_15_in_the_swap_phase_late_players_are_ready(world):
    table = world.table("ada", "bo", game="shithead", turn_seconds=10)
    world.settle()
    world.clock.now += 10_000
    world.dispatcher.tick()
    world.work()
    types = [recorded.event.wire for recorded in world.service.tables.history(table)]
    assert types.count("table.clock_ran_out") == types.count("shithead.seat_ready") == 2


def run_out(world: World) -> None:
    """Waits until the next clock expires and its move is made."""
    while not world.broker.tasks:
        world.clock.now += 1_000
        world.dispatcher.tick()
    world.settle()


def test_three_expired_clocks_give_the_seat_to_a_bot_until_return(world):
    table = world.table("ada", "bo", turn_seconds=10, rounds=20)
    world.settle()
    while world.now_at(table).missed_turns[0] < 3:
        if owing_seat(world) == 0:
            run_out(world)
        else:
            act(world, 1)
            world.settle()
    version, time = world.now_at(table).version, world.clock.now
    for _ in range(12):
        assert owing_seat(world) == 1
        act(world, 1)
        world.settle()
    assert world.clock.now == time
    assert world.now_at(table).version > version + 12
    assert is_played_by_bot(world.now_at(table), 0)
    world.do(table, commands.Return(0), by="player:0")
    world.settle()
    while owing_seat(world) == 1:
        act(world, 1)
        world.settle()
    assert deadline_of(world.now_at(table), 0) == world.clock.now + 10_000


def test_a_table_left_by_all_players_is_played_to_its_end(world):
    table = world.table("ada", "bo", turn_seconds=10)
    world.settle()
    while world.now_at(table).phase is Phase.PLAYING:
        run_out(world)
    assert world.is_valid(table)
    assert world.now_at(table).missed_turns == (3, 3)


# -------------------------------------------------------------------------------- committed seeds

HOSTS, ADAS = "0" * 32, "a" * 64


def table_awaiting_seeds(world: World, *, turn_seconds: int = 0) -> str:
    """Returns a table of ada and a bot that waits for the seeds of ada and the host."""
    table = world.table("ada", "bot", committed={"holly": HOSTS, "ada": ADAS}, turn_seconds=turn_seconds)
    world.settle()
    return table


def types_of(world: World, table: str) -> list[str]:
    return [recorded.event.wire for recorded in world.service.tables.history(table)]


def test_the_deal_follows_the_last_reveal_immediately(world):
    table = table_awaiting_seeds(world)
    assert stage_of(world.now_at(table)) is Stage.TO_DEAL
    world.do(table, commands.RevealSeed(0, ADAS), by="player:0")
    world.settle()
    assert stage_of(world.now_at(table)) is Stage.TO_DEAL
    world.do(table, commands.RevealSeed(None, HOSTS), by="host")
    world.settle()
    assert stage_of(world.now_at(table)) is Stage.IN_PLAY
    assert world.clock.now == NOW


@pytest.mark.parametrize("turn_seconds", [0, 1])
def test_the_deal_follows_when_unrevealed_seeds_are_missed(world, turn_seconds):
    table = table_awaiting_seeds(world, turn_seconds=turn_seconds)
    world.do(table, commands.RevealSeed(None, HOSTS), by="host")
    world.settle()
    sent = len(world.broker.sent)
    while world.clock.now < NOW + REVEAL_MS - 1:
        world.clock.now += 1_111
        world.dispatcher.tick()
        assert len(world.broker.sent) == sent, "nobody is kept busy by the wait"
    world.clock.now += 1
    world.dispatcher.tick()
    world.settle()
    types = types_of(world, table)
    assert types[5:7] == ["table.player_seed_missed", "blindside.round_dealt"]
    assert world.now_at(table).seats[0].seed.status == "missed"
    world.do(table, commands.Resign(0), by="player:0")
    assert world.is_valid(table)


def test_a_seed_is_missed_even_if_every_process_died(world):
    table = table_awaiting_seeds(world)
    world.broker.tasks.clear()
    survivor = World(world.client)
    survivor.clock.now = NOW + REVEAL_MS
    survivor.dispatcher.tick()
    assert survivor.work() >= 3
    assert types_of(survivor, table)[4:7] == [
        "table.player_seed_missed",
        "table.player_seed_missed",
        "blindside.round_dealt",
    ]


def test_an_early_worker_schedules_the_next_visit(world):
    table = table_awaiting_seeds(world)
    world.broker.add(table)
    assert world.work() == 0
    assert list(world.service.due_times.due_by("work", NOW + REVEAL_MS - 1, count=9)) == []
    assert list(world.service.due_times.due_by("work", NOW + REVEAL_MS, count=9)) == [table]


def test_two_workers_miss_a_seed_once(world):
    table = table_awaiting_seeds(world)
    world.clock.now += REVEAL_MS
    other = World(world.client)
    other.clock.now = world.clock.now
    turns = cycle([world, other])
    while any(one_step(next(turns), table) for _ in range(2)):
        pass
    assert types_of(world, table).count("table.player_seed_missed") == 2


def test_g_13_resigning_to_the_last_seat_ends_the_wait_for_seeds(world):
    table = table_awaiting_seeds(world)
    world.do(table, commands.Resign(0), by="player:0")
    world.clock.now += REVEAL_MS
    world.settle()
    world.dispatcher.tick()
    assert world.now_at(table).phase is Phase.ENDED
    assert world.work() == 0
    assert world.is_valid(table)


def test_g_14_a_table_can_be_abandoned_while_seeds_are_awaited():
    world = World(abandon_hours=0)
    table = table_awaiting_seeds(world)
    world.clock.now += 1_000
    world.service.table_worker.run_due(table)
    assert types_of(world, table)[-2:] == ["table.ended", "table.seed_revealed"]
    assert world.is_valid(table)


# -------------------------------------------------------------------------------- waiting by the rules


def test_co_37_bots_wait_without_busy_loop_and_move_on_time(world):
    grace = 20_000
    table = world.table("bot", "bot", "bot", game="coconut", sneak_grace_ms=grace)
    world.settle()
    waiting = world.now_at(table)
    until = waiting.rulebook.waits_until(waiting.state)
    assert until == waiting.state.laid_at + grace
    sent = len(world.broker.sent)
    while world.clock.now < until:
        world.dispatcher.tick()
        assert len(world.broker.sent) == sent
        world.clock.now += 250
    world.dispatcher.tick()
    assert world.work() > 0


def test_co_37_an_early_visit_to_a_bot_schedules_the_next(world):
    table = world.table("bot", "bot", "bot", game="coconut", sneak_grace_ms=20_000)
    world.settle()
    world.broker.add(table)
    assert world.work() == 0
    assert list(world.service.due_times.due_by("work", world.clock.now, count=9)) == []
    assert list(world.service.due_times.due_by("work", world.clock.now + 20_000, count=9)) == [table]
    assert world.service.due_times.backlogs(world.clock.now)["bots"].recorded == 1


def test_co_37_a_clock_expires_only_after_the_wait(world):
    table = world.table("ada", "bo", "cy", game="coconut", sneak_grace_ms=20_000, turn_seconds=1)
    world.settle()
    loaded = world.now_at(table)
    while (until := loaded.rulebook.waits_until(loaded.state)) is None:
        act(world, owing_seat(world))
        loaded = world.now_at(table)
    world.settle()
    version = loaded.version
    world.clock.now = until + 999
    world.dispatcher.tick()
    world.work()
    assert world.now_at(table).version == version
    world.clock.now = until + 1_000
    world.dispatcher.tick()
    world.work()
    assert world.now_at(table).version > version


# --------------------------------------------------------------------------- resigned, abandoned


def test_g_13_a_stand_in_plays_for_a_resigned_player(world):
    table = world.table("ada", "bo", "bot")
    world.settle()
    world.do(table, commands.Resign(0), by="player:0")
    world.settle()
    while world.now_at(table).phase is Phase.PLAYING:
        assert owing_seat(world) == 1
        act(world, 1)
        world.settle()
    result = world.now_at(table).result
    assert result is not None
    assert result.places is not None
    assert result.places[0] == 3
    assert world.is_valid(table)


def test_g_14_a_table_without_active_people_ends_without_result():
    world = World(abandon_hours=2)
    table = world.table("ada", "bo", rounds=2)
    world.settle()
    while stage_of(world.now_at(table)) is Stage.IN_PLAY and world.now_at(table).round == 1:
        world.clock.now += 1_000
        act(world, owing_seat(world))
        world.settle()
    acted = world.now_at(table).person_acted_at
    assert world.now_at(table).rounds_scored == 1
    world.clock.now = acted + 2 * HOUR_MS - 1
    world.dispatcher.tick()
    world.work()
    assert world.now_at(table).phase is Phase.PLAYING
    world.clock.now = acted + 2 * HOUR_MS + RETRY_MS
    world.dispatcher.tick()
    world.work()
    result = world.now_at(table).result
    assert result is not None
    assert (result.outcome, result.places, result.scores) == ("abandoned", None, None)
    assert world.is_valid(table)


def test_g_14_a_visit_to_an_active_table_only_postpones_the_next():
    world = World(abandon_hours=1)
    table = world.table("ada", "bo", rounds=20)
    world.settle()
    for _ in range(5):
        world.clock.now += HOUR_MS // 2
        act(world, owing_seat(world))
        world.settle()
        world.dispatcher.tick()
        world.work()
        assert world.now_at(table).phase is Phase.PLAYING
    rests = list(world.service.due_times.due_by("rest", world.clock.now, count=9))
    assert rests == []
    assert list(world.service.due_times.due_by("rest", world.clock.now + HOUR_MS, count=9)) == [table]


@pytest.mark.parametrize("opened_before", [False, True], ids=["now", "by an earlier release"])
def test_g_17_an_unstarted_table_ends_without_result(opened_before):
    world = World(open_hours=2)
    table = world.table("ada", "bo", start=False)
    world.settle()
    if opened_before:
        world.client.delete(*world.client.keys("hw:*:due:rest*"))
        world.service.due_audit().rebuild()
    world.clock.now += 2 * HOUR_MS - 1
    world.dispatcher.tick()
    world.work()
    assert world.now_at(table).phase is Phase.OPEN
    world.clock.now += 1
    world.dispatcher.tick()
    world.settle()
    result = world.now_at(table).result
    assert result is not None
    assert (result.outcome, result.places, result.scores) == ("expired", None, None)
    assert world.is_valid(table)
    assert {key for key in world.client.keys("hw:*:due:*") if not key.endswith(b":versions")} == set()


def test_g_17_a_table_started_in_time_does_not_expire():
    world = World(open_hours=1, abandon_hours=5)
    table = world.table("ada", "bo")
    world.settle()
    world.clock.now += 2 * HOUR_MS
    world.dispatcher.tick()
    world.settle()
    assert world.now_at(table).phase is Phase.PLAYING


def test_g_17_a_visit_before_expiry_only_postpones_the_next():
    world = World(open_hours=1)
    table = world.table("ada", "bo", start=False)
    world.settle()
    world.service.due_times.record({"rest": {table: Due(world.now_at(table).version, "", NOW)}})
    world.dispatcher.tick()
    world.work()
    assert list(world.service.due_times.due_by("rest", NOW + HOUR_MS - 1, count=9)) == []
    assert list(world.service.due_times.due_by("rest", NOW + HOUR_MS, count=9)) == [table]


def test_g_14_bots_do_not_keep_a_table_alive():
    world = World(abandon_hours=1)
    table = world.table("ada", "bot", "bot", rounds=20)
    world.settle()
    world.do(table, commands.Resign(0), by="player:0")
    world.clock.now += 2 * HOUR_MS
    world.settle()
    result = world.now_at(table).result
    assert result is not None
    assert result.outcome == "played_out"
