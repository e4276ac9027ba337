"""The counters of one process, with a clock set by the tests."""

import sys
from threading import Thread

import pytest

from hoodwink.service.adapters.limits.counters import MAX_COUNTED, Counters
from hoodwink.service.application.errors import LimitReached
from hoodwink.service.application.limits import Bound, Limit, Rate

COMMANDS, TABLES, STREAMS = (
    Limit.COMMANDS_PER_PLAYER,
    Limit.TABLES_PER_PLAYER,
    Limit.STREAMS_PER_ADDRESS,
)


class FakeClock:
    """A stopped clock in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def counters(clock):
    bounds: dict[Limit, Bound] = {COMMANDS: Rate(5, 1), TABLES: Rate(60, 3600), STREAMS: 2}
    return Counters(bounds, clock=clock, max_counted=3)


def admitted(counters, limit, who, *, attempts):
    """Returns the number of simultaneous attempts that are admitted."""
    count = 0
    for _ in range(attempts):
        try:
            counters.admit(limit, who)
        except LimitReached:
            continue
        count += 1
    return count


def refusal(call, *given):
    with pytest.raises(LimitReached) as refused:
        call(*given)
    return refused.value


# ------------------------------------------------------------------------------------------ rates


def test_a_rate_allows_its_whole_number_at_once(counters):
    assert admitted(counters, COMMANDS, "ada", attempts=20) == 5


def test_each_share_of_the_period_admits_one_more(counters, clock):
    admitted(counters, COMMANDS, "ada", attempts=5)

    clock.now += 0.19
    assert admitted(counters, COMMANDS, "ada", attempts=2) == 0
    clock.now += 0.02
    assert admitted(counters, COMMANDS, "ada", attempts=2) == 1
    clock.now += 3600
    assert admitted(counters, COMMANDS, "ada", attempts=20) == 5


def test_a_long_pause_admits_no_more_than_the_rate(counters, clock):
    count = 0
    for _ in range(1_000):
        clock.now += 0.01
        count += admitted(counters, COMMANDS, "ada", attempts=3)

    assert 50 <= count <= 55


@pytest.mark.parametrize(("passed", "seconds"), [(0.0, 60), (30.0, 30), (59.5, 1)])
def test_a_refusal_names_the_limit_and_the_seconds_to_wait(counters, clock, passed, seconds):
    admitted(counters, TABLES, "ada", attempts=60)
    clock.now += passed

    refused = refusal(counters.admit, TABLES, "ada")

    assert (refused.limit, refused.bound, refused.retry_after) == (TABLES, Rate(60, 3600), seconds)
    clock.now += seconds
    counters.admit(TABLES, "ada")


def test_refusals_are_not_counted(counters, clock):
    admitted(counters, COMMANDS, "ada", attempts=1_000)
    clock.now += 0.21

    counters.admit(COMMANDS, "ada")


@pytest.mark.parametrize("full", [TABLES, COMMANDS])
def test_a_refusal_by_one_of_several_limits_counts_against_none(counters, clock, full):
    together = [(TABLES, "ada"), (COMMANDS, "192.0.2.1")]
    who = dict(together)[full]
    room = {TABLES: 60, COMMANDS: 5}
    admitted(counters, full, who, attempts=60)
    for counter in counters.rates.values():
        counter.take_unsent()

    for _ in range(100):
        assert refusal(counters.admit_all, together).limit is full

    for limit, counted in together:
        assert admitted(counters, limit, counted, attempts=100) == (0 if limit is full else room[limit])
    clock.now += 3600
    counters.admit_all(together)
    assert [counter.take_unsent() for counter in counters.rates.values()] == [
        [(who, 1 if limit is full else room[limit] + 1)] for limit, who in together[::-1]
    ]


def test_a_budget_is_used_until_spent_and_can_be_overdrawn(counters, clock):
    counters.draw(TABLES, "ada", 59.5)
    counters.check_budget(TABLES, "ada")
    counters.draw(TABLES, "ada", 10.5)

    assert refusal(counters.check_budget, TABLES, "ada").retry_after == 600
    counters.check_budget(TABLES, "bob")
    clock.now += 600
    assert refusal(counters.check_budget, TABLES, "ada").retry_after == 1
    clock.now += 1
    counters.check_budget(TABLES, "ada")
    assert counters.rates[TABLES].take_unsent() == [("ada", 70.0)]


def test_a_disabled_budget_is_unlimited(counters):
    counters.draw(Limit.READS_PER_PLAYER, "ada", 1e9)
    counters.check_budget(Limit.READS_PER_PLAYER, "ada")


def test_counts_sent_to_other_processes_stay_counted(counters):
    counters.admit(COMMANDS, "ada")
    rate = counters.rates[COMMANDS]
    rate.take_unsent()

    rate.take_back("ada")

    assert rate.take_unsent() == []
    assert admitted(counters, COMMANDS, "ada", attempts=20) == 4


def test_tournament_sizes_are_compared_without_counting():
    counters = Counters({Limit.BOTS_PER_TOURNAMENT: 2})

    counters.check(Limit.BOTS_PER_TOURNAMENT, 1)
    refused = refusal(counters.check, Limit.BOTS_PER_TOURNAMENT, 2)

    assert (refused.bound, refused.retry_after, "try again" in refused.detail) == (2, 60, False)
    assert (counters.rates, counters.levels) == ({}, {})
    Counters({}).check(Limit.BOTS_PER_TOURNAMENT, 1_000)


def test_players_and_limits_are_counted_separately(counters):
    admitted(counters, COMMANDS, "ada", attempts=20)

    counters.admit(COMMANDS, "bob")
    counters.admit(TABLES, "ada")


def test_a_disabled_limit_admits_everything(counters):
    for _ in range(1_000):
        counters.admit(Limit.COMMANDS_PER_ADDRESS, "192.0.2.1")
        counters.hold(Limit.STREAMS_PER_PLAYER, "ada").release()


def test_a_flood_of_addresses_uses_bounded_memory(counters):
    for number in range(100):
        counters.admit(COMMANDS, f"192.0.2.{number}")

    rate = counters.rates[COMMANDS]
    assert list(rate.levels) == ["192.0.2.97", "192.0.2.98", "192.0.2.99"]
    assert rate.take_unsent() == [("192.0.2.97", 1), ("192.0.2.98", 1), ("192.0.2.99", 1)]


def test_a_full_counter_takes_a_few_megabytes():
    counters = Counters({COMMANDS: Rate(5, 1)})
    for number in range(MAX_COUNTED + 10):
        counters.admit(COMMANDS, f"2001:db8:{number:x}::")

    levels = counters.rates[COMMANDS].levels
    each = [sys.getsizeof(who) + sys.getsizeof(at) + 48 for who, at in levels.items()]
    assert len(levels) == MAX_COUNTED
    assert sys.getsizeof(levels) + sum(each) < 3_500_000


def test_concurrent_threads_lose_no_counts():
    counters = Counters({COMMANDS: Rate(1_000, 3600)}, clock=lambda: 0.0)
    found = list[int]()
    threads = [
        Thread(target=lambda: found.append(admitted(counters, COMMANDS, "ada", attempts=500)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(found) == 1_000


# ----------------------------------------------------------------------------------------- levels


def test_a_level_counts_unreleased_places(counters):
    first = counters.hold(STREAMS, "192.0.2.1")
    counters.hold(STREAMS, "192.0.2.1")

    refused = refusal(counters.hold, STREAMS, "192.0.2.1")
    assert (refused.limit, refused.bound, refused.retry_after) == (STREAMS, 2, 5)
    counters.hold(STREAMS, "192.0.2.2")
    first.release()
    counters.hold(STREAMS, "192.0.2.1")


def test_releasing_twice_counts_once(counters):
    first = counters.hold(STREAMS, "ada")
    counters.hold(STREAMS, "ada")
    first.release()
    first.release()

    counters.hold(STREAMS, "ada")
    refusal(counters.hold, STREAMS, "ada")


def test_an_unused_level_is_dropped(counters):
    level = counters.levels[STREAMS]
    counters.hold(STREAMS, "ada").release()

    assert level.take_changed(and_all_others=True) == [("ada", 0)]
    assert level.take_changed(and_all_others=True) == []
