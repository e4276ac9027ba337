"""Due times of tables, on each kind of Redis."""

import pytest

from hoodwink.service.adapters.store.due_times import Backlog, RedisDueTimes
from hoodwink.service.application.audit.due_audit import DueRecord
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.work.due import Due, DueKind
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


def ids(due_times: RedisDueTimes, kind: DueKind, partitions: int = 16) -> list[str]:
    return [id_ for partition in range(partitions) for id_ in due_times.ids(kind, partition)]


def test_a_table_is_due_from_its_time_on(due_times):
    due_times.record({"work": {"t1": due_at(1, 500)}})
    assert (due(due_times, 499), due(due_times, 500)) == ([], ["t1"])


def test_the_longest_due_comes_first_across_partitions(due_times):
    due_times.record({"work": {f"t{number}": due_at(1, 900 - number) for number in range(40)}})
    assert due(due_times) == [f"t{number}" for number in reversed(range(40))]
    assert due(due_times, count=3) == ["t39", "t38", "t37"]


def test_only_a_later_version_replaces_a_due_time(due_times):
    due_times.record({"work": {"t1": due_at(7, 100)}})
    due_times.record({"work": {"t1": due_at(6, None)}})
    assert due(due_times) == ["t1"]
    due_times.record({"work": {"t1": due_at(6, 2_000)}})
    assert due(due_times) == ["t1"]
    due_times.record({"work": {"t1": due_at(10, 2_000)}})
    assert due(due_times) == []


def test_the_same_version_can_be_rescheduled(due_times):
    due_times.record({"work": {"t1": due_at(7, 100)}})
    due_times.record({"work": {"t1": due_at(7, 2_000)}})
    assert due(due_times) == []
    due_times.record({"work": {"t1": due_at(7, None)}})
    assert due(due_times, 9_999) == []


def test_kinds_of_due_times_are_separate(due_times):
    due_times.record({"rest": {"t1": due_at(7, 100)}})
    assert due(due_times) == []
    assert due_times.due_by("rest", 100, count=9) == {"t1": 100}


def test_a_redelivered_earlier_version_schedules_nothing(due_times):
    due_times.record({"work": {"t1": due_at(7, 100), "t2": due_at(8, None)}})
    due_times.record({"work": {"t1": due_at(8, None)}})
    due_times.record({"work": {"t1": due_at(7, 100), "t2": due_at(7, 100)}})
    assert due(due_times) == []


def test_bot_tables_come_last_and_hide_no_others(due_times):
    crowd = {f"t{number}": due_at(1, 100 + number, bots=True) for number in range(30)}
    due_times.record({"work": crowd | {"t30": due_at(1, 900), "t31": due_at(1, 800)}})
    assert due(due_times, count=3) == ["t31", "t30", "t0", "t1", "t2"]


def test_backlogs_count_bot_tables_separately(due_times):
    due_times.record({"work": {"t1": due_at(1, 500), "t2": due_at(1, 100, bots=True)}})
    due_times.record({"work": {"t3": due_at(1, 2_000, bots=True)}})
    due_times.record({"rest": {"t1": due_at(1, 300)}})
    assert due_times.backlogs(1_000) == {
        "work": Backlog(recorded=1, due=1, oldest=500),
        "bots": Backlog(recorded=2, due=1, oldest=100),
        "rest": Backlog(recorded=1, due=1, oldest=300),
        "report": Backlog(recorded=0, due=0, oldest=None),
        "round": Backlog(recorded=0, due=0, oldest=None),
        "result": Backlog(recorded=0, due=0, oldest=None),
        "season": Backlog(recorded=0, due=0, oldest=None),
    }


def test_a_table_changing_between_people_and_bots_is_due_once(due_times):
    due_times.record({"work": {"t1": due_at(1, 500)}})
    for version, bots in [(2, True), (3, False)]:
        due_times.record({"work": {"t1": due_at(version, 600, bots=bots)}})
        backlogs = due_times.backlogs(1_000)
        assert [backlogs[kind].recorded for kind in ("work", "bots")] == [1 - bots, bots]
        assert set(ids(due_times, "work")) == {"t1"}
        assert due_times.find("work", "t1") == DueRecord(600, version)
    due_times.record({"work": {"t1": due_at(4, 600, bots=True)}})
    due_times.record({"work": {"t1": due_at(5, None)}})
    assert due(due_times) == []


def test_recording_nothing_is_allowed(due_times):
    due_times.record({"work": {}})
    assert due(due_times) == []


# ------------------------------------------------------------------------ after a rollback


def put_back(client, store, events: int, **changes) -> None:
    """Rolls table t1 back to its first events, altered by `changes`."""
    client.delete("hw:{p07}:table:t1", "hw:{p07}:commands:table:t1")
    store.append(commit(0, events=events, **changes))


def test_a_due_time_of_an_unstored_event_changes_nothing(due_times):
    due_times.record({"work": {"t1": due_at(7, 100)}})
    due_times.record({"work": {"t1": due_at(11, None)}})
    due_times.record({"work": {"t1": Due(8, "f" * 64, None)}})
    assert due(due_times) == ["t1"]


def test_a_version_recorded_before_a_rollback_is_replaced(due_times, client, store):
    due_times.record({"work": {"t1": due_at(9, 5_000)}})
    put_back(client, store, events=6)
    due_times.record({"work": {"t1": due_at(6, 100)}})
    assert due(due_times) == ["t1"]


def test_a_due_time_of_another_equally_long_history_changes_nothing(due_times, client, store):
    put_back(client, store, events=10, hash="e" * 64)
    due_times.record({"work": {"t1": Due(10, "e" * 64, 100)}})
    due_times.record({"work": {"t1": due_at(10, None)}})
    assert due(due_times) == ["t1"]


def test_only_a_missing_table_is_removed_as_missing(due_times, client):
    due_times.record({"work": {"t1": due_at(7, 100)}})
    due_times.record({"work": {"t1": Due(0, "", None)}})
    assert due(due_times) == ["t1"]
    client.delete("hw:{p07}:table:t1")
    due_times.record({"work": {"t1": Due(0, "", None)}})
    assert due(due_times) == []


def test_a_version_without_a_hash_is_trusted_up_to_the_streams_end(due_times):
    due_times.record({"work": {"t1": Due(10, "", 100)}})
    due_times.record({"work": {"t1": Due(11, "", None)}})
    assert due(due_times) == ["t1"]


# --------------------------------------------------------------------- records and repairs


def test_recorded_due_times_are_found(due_times):
    due_times.record({"work": {"t1": due_at(7, 1_750_000_000_123)}})
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
    assert set(ids(due_times, "work", partitions=1)) == set(tables)
    assert max(replies) < 1_200
    assert ids(due_times, "rest", partitions=1) == []


def test_half_a_record_is_found(due_times, client):
    due_times.record({"work": {"t1": due_at(7, 500)}})
    (times,) = client.scan_iter(match="hw:*:due:work")
    client.delete(times)
    assert ids(due_times, "work") == ["t1"]
    assert due_times.find("work", "t1") == DueRecord(None, 7)
