"""Every seat gets its full time even if the machine's wall clock is changed."""

import pytest

from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.events import ClockRanOut
from hoodwink.domain.tables.state import deadline_of, turn_of
from hoodwink.service.adapters.store.clock import clock_on
from hoodwink.service.application.work.dispatch import RETRY_MS
from hoodwink.service.settings import Settings
from tests.service.application.world import HOUR_MS, World
from tests.service.databases import new_redis
from tests.service.machine import MINUTE_MS, TEN_MINUTES_MS, Machine

TURN_MS = MINUTE_MS


@pytest.fixture
def machine(monkeypatch):
    return Machine(monkeypatch)


@pytest.fixture
def api(machine):
    """The API process."""
    return start_process(new_redis())


def start_process(client):
    """Starts a process on this store with the machine's clocks."""
    return World(client, clock_on(client=client, partitions=Settings().partitions), abandon_hours=24)


def dealt(api, workers):
    """Returns a table of two people with a turn clock, waiting for an action."""
    table = api.table("ada", "bo", turn_seconds=TURN_MS // 1_000, five_card=True)
    workers.settle()
    return table


def deadline(process, table):
    now = process.now_at(table)
    return deadline_of(now, turn_of(now).owes[0])


def act(process, table):
    """Plays a legal action of the seat to move."""
    seat = turn_of(process.now_at(table)).owes[0]
    process.do(table, Act(seat, process.choice(table, seat)), by=f"player:{seat}")


def clocks_run_out(process, table):
    """Runs the workers; returns the number of turn clocks expired so far."""
    process.dispatcher.tick()
    process.settle()
    return sum(isinstance(recorded.event, ClockRanOut) for recorded in process.service.tables.history(table))


def assert_time_runs_out(machine, workers, table, in_ms):
    before = clocks_run_out(workers, table)
    machine.wait(in_ms - 1)
    assert clocks_run_out(workers, table) == before
    machine.wait(1)
    assert clocks_run_out(workers, table) == before + 1


@pytest.mark.parametrize("passed", [0, 1, TURN_MS // 2, TURN_MS - 1])
def test_setting_the_wall_clock_back_does_not_extend_a_turn(machine, api, passed):
    table = dealt(api, api)
    machine.wait(passed)
    machine.wall -= TEN_MINUTES_MS
    assert_time_runs_out(machine, api, table, TURN_MS - passed)
    assert_time_runs_out(machine, api, table, TURN_MS)


@pytest.mark.parametrize("passed", [0, 1, TURN_MS // 2, TURN_MS - 1])
def test_workers_started_after_the_setback_do_not_extend_a_turn(machine, api, passed):
    table = dealt(api, start_process(api.client))
    machine.wall -= TEN_MINUTES_MS
    machine.wait(passed)
    assert_time_runs_out(machine, start_process(api.client), table, TURN_MS - passed)


@pytest.mark.parametrize("idle", [MINUTE_MS, 3 * TEN_MINUTES_MS])
def test_workers_started_after_a_long_silence_do_not_extend_a_turn(machine, api, idle):
    machine.wall -= TEN_MINUTES_MS
    machine.wait(idle)
    workers = start_process(api.client)
    table = dealt(api, workers)
    machine.wait(1_000)
    act(api, table)
    workers.settle()
    assert deadline(api, table) == api.service.clock.now_ms() + TURN_MS
    assert_time_runs_out(machine, workers, table, TURN_MS)


def test_setting_the_clock_forward_and_back_shortens_no_later_turn(machine, api):
    workers = start_process(api.client)
    machine.wall += TEN_MINUTES_MS
    table = dealt(api, workers)
    machine.wall -= TEN_MINUTES_MS
    assert_time_runs_out(machine, workers, table, TURN_MS)
    assert_time_runs_out(machine, start_process(api.client), table, TURN_MS)


def test_g_14_an_abandoned_table_is_noticed_on_time(machine, api):
    table = api.table("ada", "bo")
    api.settle()
    machine.wall -= TEN_MINUTES_MS
    machine.wait(24 * HOUR_MS - 1)
    api.dispatcher.tick()
    assert api.work() == 0
    machine.wait(1)
    api.dispatcher.tick()
    assert api.work() == 1
    assert api.now_at(table).result.outcome == "abandoned"


@pytest.mark.parametrize("jump", [-TEN_MINUTES_MS, TEN_MINUTES_MS])
def test_a_late_task_is_sent_again_regardless_of_the_wall_clock(machine, api, jump):
    api.table("bot", "bot")
    api.dispatch()
    assert api.broker.sent == ["t1"]
    api.broker.tasks.clear()
    machine.wall += jump
    machine.wait(RETRY_MS - 1)
    api.dispatcher.tick()
    assert api.broker.sent == ["t1"]
    machine.wait(1)
    api.dispatcher.tick()
    assert api.broker.sent == ["t1", "t1"]


def test_a_dispatcher_sends_immediately_on_a_freshly_booted_machine(machine, api):
    machine.steady = 0
    machine.wall += 1
    workers = start_process(api.client)
    workers.table("bot", "bot")
    workers.dispatch()
    workers.dispatcher = workers.new_dispatcher()
    workers.dispatcher.tick()
    assert workers.broker.sent == ["t1", "t1"]
