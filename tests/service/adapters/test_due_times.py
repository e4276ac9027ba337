"""When tables are due, on each shape of Redis."""

import pytest

from service.adapters.due_times import RedisDueTimes
from service.application.dispatch import Due
from service.application.due_audit import DueRecord
from service.application.projections import Mark


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


# --------------------------------------------------------------------- what is on record, and mending it


def test_what_is_on_record_is_found(due_times):
    due_times.record("work", {"t1": Due(7, 1_750_000_000_123)})
    assert due_times.find("work", "t1") == DueRecord(1_750_000_000_123, Mark(7))
    assert due_times.find("rest", "t1") == due_times.find("work", "t2") == DueRecord()


def test_every_table_on_record_is_told_in_pages(client, monkeypatch):
    due_times = RedisDueTimes(client=client, partitions=1)
    call, replies = due_times._wire.call, list[int]()

    def counted(key, *command, **named):
        reply = call(key, *command, **named)
        replies.append(len(reply[1]))
        return reply

    tables = {f"t{number}": Due(1, number) for number in range(3_000)}
    due_times.record("work", tables)
    monkeypatch.setattr(due_times._wire, "call", counted)
    assert set(due_times.tables("work")) == set(tables)
    assert max(replies) < 1_200
    assert set(due_times.tables("rest")) == set()


def test_half_of_a_record_is_found_too(due_times, client):
    due_times.record("work", {"t1": Due(7, 500)})
    (times,) = client.scan_iter(match="hw:*:due:work")
    client.delete(times)
    assert list(due_times.tables("work")) == ["t1"]
    assert due_times.find("work", "t1") == DueRecord(None, Mark(7))


@pytest.mark.parametrize("at", [None, 900])
def test_a_record_is_replaced_though_it_was_of_a_later_version(due_times, client, at):
    due_times.record("work", {"t1": Due(7, 500)})
    assert due_times.replace("work", "t1", DueRecord(500, Mark(7)), Due(3, at))
    assert due_times.find("work", "t1") == (DueRecord(at, Mark(3)) if at else DueRecord())
    assert bool(list(client.scan_iter(match="hw:*:due:*"))) == bool(at)


def test_what_is_not_on_record_is_put_there(due_times):
    assert due_times.replace("work", "t1", DueRecord(), Due(3, 900))
    assert due(due_times) == ["t1"]


@pytest.mark.parametrize(
    "seen", [DueRecord(), DueRecord(500, Mark(6)), DueRecord(499, Mark(7)), DueRecord(None, Mark(7))]
)
def test_a_record_that_is_another_one_by_now_stays(due_times, seen):
    due_times.record("work", {"t1": Due(7, 500)})
    assert not due_times.replace("work", "t1", seen, Due(9, None))
    assert due_times.find("work", "t1") == DueRecord(500, Mark(7))
