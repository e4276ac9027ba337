"""The machine's clock keeps its pace when the wall clock is set back."""

import threading
import time

import pytest

from hoodwink.service.adapters.process.system import SystemClock
from tests.service.machine import BOOTED_MS, DAY_MS, START_MS, TEN_MINUTES_MS, Machine


@pytest.fixture
def machine(monkeypatch):
    return Machine(monkeypatch)


@pytest.fixture
def clock(machine):
    return SystemClock()


def test_the_clock_shows_wall_clock_time(machine, clock):
    assert clock.now_ms() == START_MS
    machine.wait(1_500)
    assert clock.now_ms() == START_MS + 1_500


def test_a_wall_clock_setback_does_not_affect_the_clock(machine, clock):
    machine.wall -= TEN_MINUTES_MS
    assert clock.now_ms() == START_MS
    for passed in (1, 30_000, TEN_MINUTES_MS, DAY_MS):
        before = clock.now_ms()
        machine.wait(passed)
        assert clock.now_ms() == before + passed


def test_the_clock_follows_jumps_forward_but_not_back(machine, clock):
    machine.wall += TEN_MINUTES_MS
    assert clock.now_ms() == START_MS + TEN_MINUTES_MS
    machine.wall -= TEN_MINUTES_MS
    machine.wait(7)
    assert clock.now_ms() == START_MS + TEN_MINUTES_MS + 7


def test_after_a_setback_the_clock_follows_only_later_wall_times(machine, clock):
    machine.wall -= TEN_MINUTES_MS
    machine.wall += TEN_MINUTES_MS + 40
    assert clock.now_ms() == START_MS + 40


def test_the_clock_includes_time_of_a_suspended_machine(machine, clock):
    machine.wall -= TEN_MINUTES_MS
    machine.wait(DAY_MS)  # its clocks keep running
    assert clock.now_ms() == START_MS + DAY_MS


def test_a_thread_delayed_between_readings_does_not_advance_the_clock(machine, clock, monkeypatch):
    def held_up():
        now = machine.wall
        machine.wait(TEN_MINUTES_MS)
        return now * 1_000_000

    with monkeypatch.context() as slow:
        slow.setattr(clock, "_wall_ns", held_up)
        clock.now_ms()

    assert clock.now_ms() == START_MS + TEN_MINUTES_MS


def test_durations_do_not_depend_on_the_wall_clock(machine, clock):
    began = clock.elapsed_ms()
    machine.wall += DAY_MS
    machine.steady += 250
    assert clock.elapsed_ms() - began == 250
    assert began == BOOTED_MS


@pytest.mark.parametrize(
    ("moments", "ahead"),
    [
        ([], 0),
        ([START_MS - 1], 0),
        ([START_MS + 9, START_MS + TEN_MINUTES_MS, START_MS + 5], TEN_MINUTES_MS),
        ([START_MS + DAY_MS], DAY_MS),
        ([START_MS + DAY_MS + 1], 0),
        ([START_MS + 365 * DAY_MS, START_MS + 3], 3),
    ],
)
def test_the_clock_follows_recorded_times_unless_absurd(machine, clock, moments, ahead):
    clock.keep_up_with(moments)
    assert clock.now_ms() == START_MS + ahead
    machine.wait(1)
    assert clock.now_ms() == START_MS + ahead + 1


def test_the_clock_never_goes_back_in_any_thread(machine, clock):
    faults = []

    def read():
        before = clock.now_ms()
        for _ in range(2_000):
            now = clock.now_ms()
            if now < before:
                faults.append((before, now))
            before = now

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for jump in range(200):
        machine.wall += (-1) ** jump * 1_000
        machine.steady += 1
    for thread in threads:
        thread.join()
    assert faults == []


def test_the_real_clock_agrees_with_the_wall_clock():
    clock = SystemClock()
    assert time.time_ns() // 1_000_000 - 60_000 < clock.now_ms() < time.time_ns() // 1_000_000 + 60_000
    assert clock.elapsed_ms() <= clock.elapsed_ms()
