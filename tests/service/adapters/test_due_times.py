"""Due times of tables, on each kind of Redis."""

import pytest

from hoodwink.service.adapters.store.due_times import Backlog, RedisDueTimes
from hoodwink.service.application.audit.due_audit import DueRecord
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.work.due import Due
from tests.service.adapters.commits import commit, record


@pytest.fixture
def due_times(client, store):
    """Due times of forty tables of ten events each."""
    for number in range(40):
        store.append(commit(0, events=10, stream=StreamId("table", f"t{number}")))
    return RedisDueTimes(client=client)


def due_at(version: int, at: int | None, *, bots: bool = False) -> Due:
    return Due(version, record(version).hash, at, bots)


def due(due_times: RedisDueTimes, now_ms: int = 1_000, count: int = 100) -> list[str]:
    return list(due_times.due_by("work", now_ms, count=count))


def test_a_table_is_due_from_its_time_on(due_times):
    due_times.record("work", {"t1": due_at(1, 500)})
    assert (due(due_times, 499), due(due_times, 500)) == ([], ["t1"])


def test_what_is_longest_due_comes_first_over_all_partitions(due_times):
    due_times.record("work", {f"t{number}": due_at(1, 900 - number) for number in range(40)})
    assert due(due_times) == [f"t{number}" for number in reversed(range(40))]
    assert due(due_times, count=3) == ["t39", "t38", "t37"]


def test_a_later_version_overrules_an_earlier_one_and_not_the_other_way(due_times):
    due_times.record("work", {"t1": due_at(7, 100)})
    due_times.record("work", {"t1": due_at(6, None)})
    assert due(due_times) == ["t1"]
    due_times.record("work", {"t1": due_at(6, 2_000)})
    assert due(due_times) == ["t1"]
    due_times.record("work", {"t1": due_at(10, 2_000)})
    assert due(due_times) == []


def test_the_same_version_may_be_looked_at_again(due_times):
    due_times.record("work", {"t1": due_at(7, 100)})
    due_times.record("work", {"t1": due_at(7, 2_000)})
    assert due(due_times) == []
    due_times.record("work", {"t1": due_at(7, None)})
    assert due(due_times, 9_999) == []


def test_kinds_are_kept_apart(due_times):
    due_times.record("rest", {"t1": due_at(7, 100)})
    assert due(due_times) == []
    assert due_times.due_by("rest", 100, count=9) == {"t1": 100}


def test_an_earlier_version_that_another_projector_delivers_again_makes_nothing_due(due_times):
    due_times.record("work", {"t1": due_at(7, 100), "t2": due_at(8, None)})
    due_times.record("work", {"t1": due_at(8, None)})
    due_times.record("work", {"t1": due_at(7, 100), "t2": due_at(7, 100)})
    assert due(due_times) == []


def test_tables_without_people_come_last_and_hide_no_others(due_times):
    crowd = {f"t{number}": due_at(1, 100 + number, bots=True) for number in range(30)}
    due_times.record("work", crowd | {"t30": due_at(1, 900), "t31": due_at(1, 800)})
    assert due(due_times, count=3) == ["t31", "t30", "t0", "t1", "t2"]


def test_backlogs_tell_tables_without_people_apart(due_times):
    due_times.record("work", {"t1": due_at(1, 500), "t2": due_at(1, 100, bots=True)})
    due_times.record("work", {"t3": due_at(1, 2_000, bots=True)})
    due_times.record("rest", {"t1": due_at(1, 300)})
    assert due_times.backlogs(1_000) == {
        "work": Backlog(recorded=1, due=1, oldest=500),
        "bots": Backlog(recorded=2, due=1, oldest=100),
        "rest": Backlog(recorded=1, due=1, oldest=300),
        "report": Backlog(recorded=0, due=0, oldest=None),
        "round": Backlog(recorded=0, due=0, oldest=None),
    }


def test_a_table_that_people_leave_or_come_to_is_due_once(due_times):
    due_times.record("work", {"t1": due_at(1, 500)})
    for version, bots in [(2, True), (3, False)]:
        due_times.record("work", {"t1": due_at(version, 600, bots=bots)})
        backlogs = due_times.backlogs(1_000)
        assert [backlogs[kind].recorded for kind in ("work", "bots")] == [1 - bots, bots]
        assert set(due_times.ids("work")) == {"t1"}
        assert due_times.find("work", "t1") == DueRecord(600, version)
    due_times.record("work", {"t1": due_at(4, 600, bots=True)})
    due_times.record("work", {"t1": due_at(5, None)})
    assert due(due_times) == []


def test_recording_nothing_does_no_harm(due_times):
    due_times.record("work", {})
    assert due(due_times) == []


# ------------------------------------------------------------------------ after the store went back


def put_back(client, store, events: int, **changes) -> None:
    """Leaves the first events of table t1, as if the store had come back older; `changes` alters them."""
    client.delete("hw:{p07}:table:t1", "hw:{p07}:commands:table:t1")
    store.append(commit(0, events=events, **changes))


def test_what_was_true_of_an_event_that_is_not_stored_changes_nothing(due_times):
    due_times.record("work", {"t1": due_at(7, 100)})
    due_times.record("work", {"t1": due_at(11, None)})
    due_times.record("work", {"t1": Due(8, "f" * 64, None)})
    assert due(due_times) == ["t1"]


def test_a_version_noted_before_the_store_went_back_does_not_outlive_it(due_times, client, store):
    due_times.record("work", {"t1": due_at(9, 5_000)})
    put_back(client, store, events=6)
    due_times.record("work", {"t1": due_at(6, 100)})
    assert due(due_times) == ["t1"]


def test_a_due_time_of_another_history_of_the_same_length_changes_nothing(due_times, client, store):
    put_back(client, store, events=10, hash="e" * 64)
    due_times.record("work", {"t1": Due(10, "e" * 64, 100)})
    due_times.record("work", {"t1": due_at(10, None)})
    assert due(due_times) == ["t1"]


def test_only_a_table_that_is_not_there_is_struck_off_as_missing(due_times, client):
    due_times.record("work", {"t1": due_at(7, 100)})
    due_times.record("work", {"t1": Due(0, "", None)})
    assert due(due_times) == ["t1"]
    client.delete("hw:{p07}:table:t1")
    due_times.record("work", {"t1": Due(0, "", None)})
    assert due(due_times) == []


def test_a_version_without_a_hash_is_believed_as_far_as_the_stream_goes(due_times):
    due_times.record("work", {"t1": Due(10, "", 100)})
    due_times.record("work", {"t1": Due(11, "", None)})
    assert due(due_times) == ["t1"]


# --------------------------------------------------------------------- what is on record, and mending it


def test_what_is_on_record_is_found(due_times):
    due_times.record("work", {"t1": due_at(7, 1_750_000_000_123)})
    assert due_times.find("work", "t1") == DueRecord(1_750_000_000_123, 7)
    assert due_times.find("rest", "t1") == due_times.find("work", "t2") == DueRecord()


def test_every_table_with_a_record_is_listed_in_pages(client, store, monkeypatch):
    due_times = RedisDueTimes(client=client, partitions=1)
    call, replies = due_times._transport.call, list[int]()

    def counted(key, *command, **named):
        reply = call(key, *command, **named)
        replies.append(len(reply[1]))
        return reply

    tables = {f"t{number}": number for number in range(3_000)}
    client.zadd("hw:{p00}:due:work", tables)
    client.hset("hw:{p00}:due:work:versions", mapping=dict.fromkeys(tables, 1))
    monkeypatch.setattr(due_times._transport, "call", counted)
    assert set(due_times.ids("work")) == set(tables)
    assert max(replies) < 1_200
    assert set(due_times.ids("rest")) == set()


def test_half_of_a_record_is_found_too(due_times, client):
    due_times.record("work", {"t1": due_at(7, 500)})
    (times,) = client.scan_iter(match="hw:*:due:work")
    client.delete(times)
    assert list(due_times.ids("work")) == ["t1"]
    assert due_times.find("work", "t1") == DueRecord(None, 7)
