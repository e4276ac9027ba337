"""Every seat gets its full time, even when the wall clock of the machine is changed."""

import pytest

from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.events import ClockRanOut
from hoodwink.domain.tables.state import deadline_of, turn_of
from hoodwink.service.adapters.store.clock import clock_on
from hoodwink.service.application.work.dispatch import RETRY_MS
from hoodwink.service.settings import Settings
from tests.service.application.world import HOUR_MS, World, fake_redis
from tests.service.machine import MINUTE_MS, TEN_MINUTES_MS, Machine

TURN_MS = MINUTE_MS


@pytest.fixture
def machine(monkeypatch):
    return Machine(monkeypatch)


@pytest.fixture
def api(machine):
    """The API process."""
    return started(fake_redis())


def started(client):
    """Starts a process on that store with the clocks of the machine."""
    return World(client, clock_on(client=client, partitions=Settings().partitions), abandon_hours=24)


def dealt(api, workers):
    """Returns a table of two people with a turn clock, at which a seat has to act."""
    table = api.table("ada", "bo", turn_seconds=TURN_MS // 1_000, five_card=True)
    workers.settle()
    return table


def deadline(process, table):
    now = process.now_at(table)
    return deadline_of(now, turn_of(now).owes[0])


def act(process, table):
    """Plays a legal action of the seat that has to act."""
    seat = turn_of(process.now_at(table)).owes[0]
    process.do(table, Act(seat, process.choice(table, seat)), by=f"player:{seat}")


def clocks_run_out(process, table):
    """Runs the workers, and counts the turn clocks that have run out so far."""
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
def test_a_wall_clock_put_back_in_mid_turn_gives_the_seat_no_more_time(machine, api, passed):
    table = dealt(api, api)
    machine.wait(passed)
    machine.wall -= TEN_MINUTES_MS
    assert_time_runs_out(machine, api, table, TURN_MS - passed)
    assert_time_runs_out(machine, api, table, TURN_MS)


@pytest.mark.parametrize("passed", [0, 1, TURN_MS // 2, TURN_MS - 1])
def test_nor_do_workers_that_start_only_then(machine, api, passed):
    table = dealt(api, started(api.client))
    machine.wall -= TEN_MINUTES_MS
    machine.wait(passed)
    assert_time_runs_out(machine, started(api.client), table, TURN_MS - passed)


@pytest.mark.parametrize("idle", [MINUTE_MS, 3 * TEN_MINUTES_MS])
def test_nor_do_workers_that_start_when_nobody_has_played_for_long(machine, api, idle):
    machine.wall -= TEN_MINUTES_MS
    machine.wait(idle)
    workers = started(api.client)
    table = dealt(api, workers)
    machine.wait(1_000)
    act(api, table)
    workers.settle()
    assert deadline(api, table) == api.service.clock.now_ms() + TURN_MS
    assert_time_runs_out(machine, workers, table, TURN_MS)


def test_a_wall_clock_put_forward_and_back_takes_no_time_from_the_turns_to_come(machine, api):
    workers = started(api.client)
    machine.wall += TEN_MINUTES_MS
    table = dealt(api, workers)
    machine.wall -= TEN_MINUTES_MS
    assert_time_runs_out(machine, workers, table, TURN_MS)
    assert_time_runs_out(machine, started(api.client), table, TURN_MS)


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
def test_a_task_is_sent_again_when_it_is_late_whatever_the_wall_clock_shows(machine, api, jump):
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


def test_a_dispatcher_sends_immediately_on_a_machine_that_was_just_started(machine, api):
    machine.steady = 0
    machine.wall += 1
    workers = started(api.client)
    workers.table("bot", "bot")
    workers.dispatch()
    workers.dispatcher = workers.new_dispatcher()
    workers.dispatcher.tick()
    assert workers.broker.sent == ["t1", "t1"]
