"""From feed entries to due times, and to tasks for what is due."""

from collections.abc import Mapping

import pytest

from hoodwink.domain.tables import codec
from hoodwink.domain.tables.commands import AbandonTable
from hoodwink.domain.tables.due import NOTHING_DUE, WorkDue
from hoodwink.domain.tables.events import TableStarted
from hoodwink.domain.tables.pace import IMMEDIATELY
from hoodwink.service.application.ports import FeedEntry, StoreUnavailable, StreamId
from hoodwink.service.application.work.dispatch import CROWDED_RETRY_MS, RETRY_MS, Dispatcher
from hoodwink.service.application.work.due import Due, IdleTimes
from hoodwink.service.application.work.tasks import NO_REQUESTS, TABLES_PER_TASK, Task
from tests.service.adapters.commits import commit
from tests.service.application.world import HOUR_MS, NOW, World

WORK = WorkDue(IMMEDIATELY)
_TABLES = 2 * TABLES_PER_TASK + 2
"""Tables due together that take three tasks, the last of them for few."""


@pytest.fixture
def world():
    """A world whose streams are long enough for the entries of these tests."""
    world = World(abandon_hours=24)
    for number in range(_TABLES):
        world.service.store.append(commit(0, events=20, stream=StreamId("table", f"t{number}")))
    world.service.feed.trim()
    return world


class Broker:
    """Records tasks; each may be for several tables.

    Attributes:
        waits_for_bots: the number of tasks of the lowest priority that no worker takes.
    """

    def __init__(self) -> None:
        self.waits_for_bots = 0
        self.tasks: list[tuple[str, ...]] = []
        self.requests: list[Mapping[str, str]] = []
        self.due_at: list[int | None] = []

    def send(
        self, task: Task, *ids: str, due_at: int | None = None, requests: Mapping[str, str] = NO_REQUESTS
    ) -> None:
        assert task is Task.RUN_TABLE
        self.due_at.append(due_at)
        self.tasks.append(ids)
        self.requests.append(requests)

    def waiting(self) -> Mapping[int, int]:
        return {0: len(self.tasks), 9: self.waits_for_bots}


@pytest.fixture
def broker(world):
    """The broker of a dispatcher that has just sent three tasks for many tables, which no worker takes."""
    broker = Broker()
    world.dispatcher = Dispatcher(
        due_times=world.service.due_times,
        tasks=broker,
        broker=broker,
        clock=world.clock,
        idle_times=IdleTimes(HOUR_MS, HOUR_MS),
    )
    world.dispatcher.dispatch([entry(5, WORK, f"t{number}") for number in range(_TABLES)])
    return broker


def entry(version: int, due: WorkDue, table: str = "t1", **changes: object) -> FeedEntry:
    fields = {
        "partition": 0,
        "entry_id": f"{version}-0",
        "stream": StreamId("table", table),
        "first_version": version,
        "version": version,
        "types": ("blindside.card_kept",),
        "due": due,
    }
    return FeedEntry(**(fields | changes))  # type: ignore[arg-type]


def due_now(world: World) -> list[str]:
    return list(world.service.due_times.due_by("work", world.clock.now, count=100))


# ------------------------------------------------------------------------------- at once


def test_work_is_due_immediately_and_a_task_is_sent(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    assert (due_now(world), world.broker.sent) == (["t1"], ["t1"])


def test_a_task_is_sent_with_the_requests_that_led_to_it(world, broker):
    world.dispatcher.dispatch([entry(6, NOTHING_DUE, "t1"), entry(6, NOTHING_DUE, "t2")])
    world.dispatcher.dispatch([entry(7, WORK, "t1", request="r1"), entry(7, WORK, "t2")])
    assert (broker.tasks[-1], broker.requests[-1]) == (("t1", "t2"), {"t1": "r1"})


def test_a_task_is_sent_with_the_time_since_when_the_first_of_its_tables_is_due(world, broker):
    world.dispatcher.dispatch([entry(6, NOTHING_DUE, "t1"), entry(6, NOTHING_DUE, "t2")])
    broker.tasks.clear()
    world.dispatcher.dispatch([entry(7, WorkDue(NOW + 700), "t1"), entry(7, WorkDue(NOW + 500), "t2")])
    world.clock.now += 1_000
    world.dispatcher.tick()
    assert {*broker.tasks[-1]} >= {"t1", "t2"}
    world.dispatcher.dispatch([entry(8, NOTHING_DUE, "t3")])
    world.dispatcher.dispatch([entry(9, WORK, "t3")])
    assert broker.due_at[-1] == NOW + 1_000


@pytest.mark.parametrize("due", [NOTHING_DUE, WorkDue(NOW + 1)])
def test_what_is_not_due_yet_is_not_sent_for(world, due):
    world.dispatcher.dispatch([entry(5, due)])
    world.dispatcher.tick()
    assert (due_now(world), world.broker.sent) == ([], [])


def test_a_task_is_sent_immediately_for_a_wait_that_is_over(world):
    world.dispatcher.dispatch([entry(5, WorkDue(NOW))])
    assert world.broker.sent == ["t1"]


def test_the_latest_entry_of_a_table_counts(world):
    world.dispatcher.dispatch([entry(5, WORK), entry(6, WORK), entry(7, NOTHING_DUE)])
    assert (due_now(world), world.broker.sent) == ([], [])


def test_players_have_no_tables(world):
    world.dispatcher.dispatch([entry(1, WORK, stream=StreamId("player", "ada"))])
    assert world.broker.sent == []


def test_a_bot_at_work_is_not_sent_for_again(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    for version in range(6, 20):
        world.clock.now += RETRY_MS - 1
        world.dispatcher.dispatch([entry(version, WORK)])
        world.broker.tasks.clear()
        world.dispatcher.tick()
    assert world.broker.sent == ["t1"]


def test_after_a_pause_a_task_for_the_next_work_is_sent_immediately(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    world.dispatcher.dispatch([entry(6, NOTHING_DUE)])
    world.dispatcher.dispatch([entry(7, WORK)])
    assert world.broker.sent == ["t1", "t1"]


def test_a_rest_within_one_batch_counts_too(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    world.dispatcher.dispatch([entry(6, WORK), entry(7, NOTHING_DUE), entry(8, WORK)])
    assert world.broker.sent == ["t1", "t1"]


# ----------------------------------------------------------------------- late, lost, repeated


def test_a_clock_is_sent_for_when_its_time_has_come(world):
    world.dispatcher.dispatch([entry(5, WorkDue(NOW + 7_000))])
    world.clock.now += 6_999
    world.dispatcher.tick()
    assert world.broker.sent == []
    world.clock.now += 1
    world.dispatcher.tick()
    assert world.broker.sent == ["t1"]


def test_a_lost_task_is_sent_again(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    world.broker.tasks.clear()
    world.clock.now += RETRY_MS - 1
    world.dispatcher.tick()
    assert world.broker.sent == ["t1"]
    world.clock.now += 1
    world.dispatcher.tick()
    world.dispatcher.tick()
    assert world.broker.sent == ["t1", "t1"]


def test_while_tasks_wait_none_counts_as_lost_so_soon(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    world.clock.now += CROWDED_RETRY_MS - 1
    world.dispatcher.tick()
    assert world.broker.sent == ["t1"]
    world.clock.now += 1
    world.dispatcher.tick()
    assert world.broker.sent == ["t1", "t1"]


def test_without_workers_the_broker_is_not_filled(world, broker):
    for _ in range(50):
        world.clock.now += CROWDED_RETRY_MS
        world.dispatcher.tick()
    assert len(broker.tasks) <= 2 * _TABLES + 3  # two for each table, and the last to be sent share theirs


def test_tasks_that_several_tables_share_are_late_rather_than_lost_as_well(world, broker):
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert len(broker.tasks) == 3


def test_while_half_of_the_tasks_are_gone_the_others_are_sent_for(world, broker):
    del broker.tasks[:2]
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert len(broker.tasks) == 1 + 3


def test_a_crowd_keeps_nobody_from_a_first_task(world):
    world.dispatcher.dispatch([entry(5, WORK), entry(5, WorkDue(NOW + 1), "t2")])
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert world.broker.sent == ["t1", "t2"]


def test_a_crowd_of_tables_without_people_keeps_no_others_from_a_first_task(world, broker):
    broker.tasks.clear()  # workers have taken them, and left the tables to a task of the lowest priority each
    broker.waits_for_bots = 100 * _TABLES
    world.dispatcher.dispatch([entry(6, WorkDue(NOW + 500), "t0"), entry(6, WorkDue(NOW + 700), "t1")])
    for _ in range(3):
        world.clock.now += RETRY_MS
        world.dispatcher.tick()
    assert broker.tasks == [("t0", "t1")]


def test_a_crowd_of_tables_without_people_is_not_sent_for_again(world, broker):
    broker.tasks.clear()
    broker.waits_for_bots = 2 * _TABLES
    for _ in range(50):
        world.clock.now += CROWDED_RETRY_MS
        world.dispatcher.tick()
    assert broker.tasks == []


def test_a_killed_dispatcher_is_followed_by_one_that_finds_what_is_due(world):
    world.dispatcher.dispatch([entry(5, WORK), entry(5, WorkDue(NOW + 60_000), "t2")])
    world.broker.tasks.clear()
    world.dispatcher = world.new_dispatcher()
    world.dispatcher.tick()
    assert list(world.broker.tasks) == ["t1"]


def test_entries_that_come_again_send_nobody_for_nothing_for_ever(world):
    table = world.table("ada", "bo", table="game")
    world.settle()
    early = entry(2, WORK, table)
    for _ in range(3):
        world.dispatch([early])
        world.work()
        world.clock.now += RETRY_MS
        world.dispatcher.tick()
        world.work()
        assert due_now(world) == []


def test_an_old_entry_does_not_call_off_what_is_due(world):
    world.dispatcher.dispatch([entry(9, WORK)])
    world.dispatcher.dispatch([entry(8, NOTHING_DUE)])
    assert due_now(world) == ["t1"]
    world.broker.tasks.clear()
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert list(world.broker.tasks) == ["t1"]


def test_entries_of_one_batch_may_come_in_any_order(world):
    world.dispatcher.dispatch([entry(9, WORK), entry(8, NOTHING_DUE)])
    assert due_now(world) == ["t1"]


def test_a_broker_that_is_down_loses_nothing(world, monkeypatch):
    def refuse(task: Task, *ids: str, due_at: int, requests: Mapping[str, str]) -> None:
        raise StoreUnavailable("down")

    with monkeypatch.context() as broken:
        broken.setattr(world.broker, "send", refuse)
        with pytest.raises(StoreUnavailable):
            world.dispatcher.dispatch([entry(5, WORK)])
    world.dispatcher.tick()
    assert world.broker.sent == ["t1"]


def test_only_so_many_are_looked_at_and_the_longest_due_come_first(world):
    for number in range(5):
        world.table("ada", "bo", table=f"open{number}", start=False)
        world.service.due_times.record("work", {f"open{number}": Due(1, "", NOW - number)})
    world.dispatcher.tick(count=3)
    assert world.broker.sent == ["open4", "open3", "open2"]


# ----------------------------------------------------------------------------- abandonment


def test_g_14_a_table_that_started_is_looked_at_after_a_day(world):
    table = world.table("ada", "bo", table="game")
    world.settle()
    world.broker.sent.clear()
    world.clock.now += 24 * HOUR_MS - 1
    world.dispatcher.tick()
    assert world.broker.sent == []
    world.clock.now += 1
    world.dispatcher.tick()
    assert world.broker.sent == [table]


def test_g_17_a_table_that_was_opened_is_looked_at_after_a_day(world):
    table = world.table("ada", "bo", table="game", start=False)
    world.settle()
    world.clock.now += 24 * HOUR_MS - 1
    world.dispatcher.tick()
    assert world.broker.sent == []
    world.clock.now += 1
    world.dispatcher.tick()
    assert world.broker.sent == [table]


def test_g_14_so_is_one_that_started_under_an_old_wire_name(world, monkeypatch):
    monkeypatch.setitem(codec._UPCASTS, "table.begun", (TableStarted.wire, dict))
    world.dispatcher.dispatch([entry(5, NOTHING_DUE, types=("table.begun",))])
    assert list(world.service.due_times.due_by("rest", NOW + 24 * HOUR_MS, count=1)) == ["t1"]


def test_g_14_a_table_that_is_over_rests_for_good(world):
    table = world.table("ada", "bo", table="game")
    world.settle()
    world.do(table, AbandonTable(), by="worker")
    world.settle()
    world.clock.now += 100 * HOUR_MS
    world.broker.sent.clear()
    world.dispatcher.tick()
    assert world.broker.sent == []
    assert {key for key in world.client.keys("hw:*:due:*") if not key.endswith(b":versions")} == set()
