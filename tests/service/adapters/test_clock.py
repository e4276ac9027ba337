"""The clock of a new process starts at the time of other processes' clocks."""

import gc
import threading
from typing import Any

import pytest
from fakeredis import FakeRedis, FakeServer
from msgspec.structs import replace

from hoodwink.service.adapters.store import clock as clocks
from hoodwink.service.adapters.store.clock import clock_on
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StoreUnavailable, StreamId
from tests.service.adapters.commits import commit
from tests.service.machine import DAY_MS, MINUTE_MS, START_MS, TEN_MINUTES_MS, Machine
from tests.service.processes import await_true


@pytest.fixture
def machine(monkeypatch):
    return Machine(monkeypatch)


@pytest.fixture
def started(client):
    """Starts a process; returns its clock."""
    return lambda: clock_on(client=client, partitions=16)


@pytest.fixture
def elsewhere(monkeypatch, machine):
    """Starts a process on another machine with the same wall clock; returns the time of its clock."""

    def start(started):
        with monkeypatch.context() as other:
            other.setattr(clocks, "_machine", lambda: "other")
            other.setattr(machine, "steady", machine.steady // 2)
            return started().now_ms()

    return start


def append_event(store, at, *, table="t1", version=0, is_quiet=False):
    made = commit(version, stream=StreamId("table", table), is_quiet=is_quiet)
    store.append(replace(made, entries=tuple(replace(entry, at=at) for entry in made.entries)))


def test_without_stored_time_the_wall_clock_applies(machine, started):
    assert started().now_ms() == START_MS


@pytest.mark.parametrize("idle", [1, 30_000, 3 * TEN_MINUTES_MS])
def test_a_process_started_after_a_clock_setback_is_not_behind(machine, started, idle):
    before = started()
    machine.wall -= TEN_MINUTES_MS
    machine.wait(idle)

    after = started()

    assert after.now_ms() == before.now_ms() == START_MS + idle
    machine.wait(MINUTE_MS)
    assert after.now_ms() == before.now_ms()


def test_a_second_process_started_after_a_clock_setback_is_not_behind(machine, started):
    first = started()
    for _ in range(5):
        machine.wall -= TEN_MINUTES_MS
        machine.wait(1)
        started()
    assert started().now_ms() == first.now_ms()


def test_a_rebooted_machine_starts_with_its_wall_clock(machine, started, monkeypatch):
    started()
    machine.wait(DAY_MS)
    machine.steady = 1_000
    monkeypatch.setattr(clocks, "_machine", lambda: "after the start")
    assert started().now_ms() == START_MS + DAY_MS


def test_a_rebooted_machine_known_by_name_starts_with_its_wall_clock(machine, started):
    started()
    machine.wait(DAY_MS)
    machine.steady = 1_000
    assert started().now_ms() == START_MS + DAY_MS


def test_a_wildly_wrong_clock_value_is_discarded(machine, started):
    machine.wall += 365 * DAY_MS
    started()
    machine.wall -= 365 * DAY_MS
    assert started().now_ms() == START_MS
    machine.wall -= TEN_MINUTES_MS
    assert started().now_ms() == START_MS


def test_a_damaged_clock_value_is_ignored(machine, started, client):
    started()
    (name,) = [key for key in client.hkeys("hw:clocks") if not key.endswith(b":check")]
    client.hincrby("hw:clocks", name, TEN_MINUTES_MS)
    assert started().now_ms() == START_MS


def test_an_unread_clock_follows_the_wall_clock_and_shares_it(machine, started, client):
    idle = started()
    machine.wall += TEN_MINUTES_MS
    await_true(lambda: START_MS + TEN_MINUTES_MS - machine.steady in map(int, client.hvals("hw:clocks")))
    machine.wall -= TEN_MINUTES_MS
    assert idle.now_ms() == started().now_ms() == START_MS + TEN_MINUTES_MS


def test_an_unavailable_store_receives_the_value_later(machine, started, monkeypatch):
    clock, refusals = started(), []

    def refuse(*_):
        refusals.append(1)
        raise StoreUnavailable("down")

    with monkeypatch.context() as broken:
        broken.setattr("hoodwink.service.adapters.redis.transport.Transport.call", refuse)
        machine.wall += TEN_MINUTES_MS
        await_true(lambda: refusals)
    machine.wall -= TEN_MINUTES_MS
    await_true(lambda: started().now_ms() == clock.now_ms() == START_MS + TEN_MINUTES_MS)


def test_a_deleted_clock_is_no_longer_watched():
    others = set(threading.enumerate())
    client: Any = FakeRedis(server=FakeServer(version=(7,)), protocol=2)
    # The traceback of its last error also references it.
    client.user = clock_on(client=client, partitions=16)
    watching = set(threading.enumerate()) - others
    assert watching
    del client
    gc.collect()
    await_true(lambda: not any(thread.is_alive() for thread in watching))


@pytest.mark.parametrize("is_quiet", [False, True])
def test_another_machine_continues_from_the_newest_event(machine, started, elsewhere, store, is_quiet):
    for number in range(40):
        append_event(store, START_MS - number, table=f"old{number}")
    append_event(store, START_MS, is_quiet=is_quiet)
    machine.wall -= TEN_MINUTES_MS

    assert elsewhere(started) == START_MS


def test_malformed_entries_of_streams_and_feeds_are_ignored(machine, started, elsewhere, store, client):
    keys, (intact, broken) = Keys(16), (StreamId("table", table) for table in ("t1", "t2"))
    append_event(store, START_MS, table=intact.id)
    append_event(store, START_MS, table=broken.id)
    for key in (keys.stream(broken), *keys.quiet):
        client.xadd(key, {"a": "b"})
    machine.wall -= TEN_MINUTES_MS

    assert elsewhere(started) == START_MS


def test_events_from_the_far_future_are_not_trusted(machine, started, store):
    append_event(store, START_MS + 365 * DAY_MS, table="wild")
    append_event(store, START_MS + 5, table="t1")
    assert started().now_ms() == START_MS + 5


def test_a_store_that_does_not_answer_raises_unavailable():
    server = FakeServer(version=(7,))
    server.connected = False
    with pytest.raises(StoreUnavailable):
        clock_on(client=FakeRedis(server=server, protocol=2), partitions=16)
