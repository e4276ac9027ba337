"""When tables are due, on each shape of Redis."""

import pytest

from service.adapters.due_times import RedisDueTimes
from service.application.dispatch import Due


@pytest.fixture
def due_times(client):
    return RedisDueTimes(client=client)


def due(due_times: RedisDueTimes, now_ms: int = 1_000, count: int = 100) -> list[str]:
    return due_times.due_by("work", now_ms, count=count)


def test_a_table_is_due_from_its_time_on(due_times):
    due_times.record("work", {"t1": Due(1, 500)})
    assert (due(due_times, 499), due(due_times, 500)) == ([], ["t1"])


def test_what_is_longest_due_comes_first_over_all_partitions(due_times):
    due_times.record("work", {f"t{number}": Due(1, 900 - number) for number in range(40)})
    assert due(due_times) == [f"t{number}" for number in reversed(range(40))]
    assert due(due_times, count=3) == ["t39", "t38", "t37"]


def test_a_later_version_overrules_an_earlier_one_and_not_the_other_way(due_times):
    due_times.record("work", {"t1": Due(7, 100)})
    due_times.record("work", {"t1": Due(6, None)})
    assert due(due_times) == ["t1"]
    due_times.record("work", {"t1": Due(6, 2_000)})
    assert due(due_times) == ["t1"]
    due_times.record("work", {"t1": Due(10, 2_000)})
    assert due(due_times) == []


def test_the_same_version_may_be_looked_at_again(due_times):
    due_times.record("work", {"t1": Due(7, 100)})
    due_times.record("work", {"t1": Due(7, 2_000)})
    assert due(due_times) == []
    due_times.record("work", {"t1": Due(7, None)})
    assert due(due_times, 9_999) == []


def test_kinds_are_kept_apart(due_times):
    due_times.record("rest", {"t1": Due(7, 100)})
    assert due(due_times) == []
    assert due_times.due_by("rest", 100, count=9) == ["t1"]


def test_nothing_is_left_of_what_is_not_due(due_times, client):
    due_times.record("work", {"t1": Due(7, 100), "t2": Due(1, None)})
    due_times.record("work", {"t1": Due(8, None)})
    assert list(client.scan_iter(match="hw:*:due:*")) == []


def test_recording_nothing_does_no_harm(due_times):
    due_times.record("work", {})
    assert due(due_times) == []
