"""Feed entries become due times, and due times become tasks."""

from collections.abc import Mapping

import pytest

from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.domain.tables import codec
from hoodwink.domain.tables.commands import AbandonTable
from hoodwink.domain.tables.events import TableStarted
from hoodwink.service.application.ports import FeedEntry, StoreUnavailable, StreamId
from hoodwink.service.application.work.dispatch import CROWDED_RETRY_MS, RETRY_MS, Dispatcher
from hoodwink.service.application.work.due import Due, IdleTimes
from hoodwink.service.application.work.tasks import NO_REQUESTS, TABLES_PER_TASK, Task
from tests.service.adapters.commits import commit
from tests.service.application.world import HOUR_MS, NOW, World

WORK = WorkDue(IMMEDIATELY)
_TABLES = 2 * TABLES_PER_TASK + 2
"""The number of simultaneously due tables for three tasks, the last with few tables."""


@pytest.fixture
def world():
    """A world whose streams are long enough for the entries of these tests."""
    world = World(abandon_hours=24)
    for number in range(_TABLES):
        world.service.store.append(commit(0, events=20, stream=StreamId("table", f"t{number}")))
    world.service.feed.trim()
    return world


class Broker:
    """Records tasks, each for one or more tables.

    Attributes:
        waits_for_bots: the number of lowest-priority tasks waiting for a worker.
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
    """The broker of a dispatcher that has just sent three tasks for many tables; no worker takes them."""
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


# ------------------------------------------------------------------------------- without a delay


def test_a_task_is_sent_for_immediate_work(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    assert (due_now(world), world.broker.sent) == (["t1"], ["t1"])


def test_a_task_carries_the_ids_of_the_requests_behind_it(world, broker):
    world.dispatcher.dispatch([entry(6, NOTHING_DUE, "t1"), entry(6, NOTHING_DUE, "t2")])
    world.dispatcher.dispatch([entry(7, WORK, "t1", request="r1"), entry(7, WORK, "t2")])
    assert (broker.tasks[-1], broker.requests[-1]) == (("t1", "t2"), {"t1": "r1"})


def test_a_task_carries_the_earliest_due_time_of_its_tables(world, broker):
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
def test_no_task_is_sent_before_the_due_time(world, due):
    world.dispatcher.dispatch([entry(5, due)])
    world.dispatcher.tick()
    assert (due_now(world), world.broker.sent) == ([], [])


def test_a_task_is_sent_immediately_for_an_expired_wait(world):
    world.dispatcher.dispatch([entry(5, WorkDue(NOW))])
    assert world.broker.sent == ["t1"]


def test_the_latest_entry_of_a_table_counts(world):
    world.dispatcher.dispatch([entry(5, WORK), entry(6, WORK), entry(7, NOTHING_DUE)])
    assert (due_now(world), world.broker.sent) == ([], [])


def test_player_streams_are_ignored(world):
    world.dispatcher.dispatch([entry(1, WORK, stream=StreamId("player", "ada"))])
    assert world.broker.sent == []


def test_no_second_task_is_sent_while_a_bot_is_at_work(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    for version in range(6, 20):
        world.clock.now += RETRY_MS - 1
        world.dispatcher.dispatch([entry(version, WORK)])
        world.broker.tasks.clear()
        world.dispatcher.tick()
    assert world.broker.sent == ["t1"]


def test_a_task_for_new_work_after_a_pause_is_sent_immediately(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    world.dispatcher.dispatch([entry(6, NOTHING_DUE)])
    world.dispatcher.dispatch([entry(7, WORK)])
    assert world.broker.sent == ["t1", "t1"]


def test_a_pause_within_one_batch_counts(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    world.dispatcher.dispatch([entry(6, WORK), entry(7, NOTHING_DUE), entry(8, WORK)])
    assert world.broker.sent == ["t1", "t1"]


# ----------------------------------------------------------------------- late, lost, repeated


def test_a_task_is_sent_when_a_clock_expires(world):
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


def test_waiting_tasks_postpone_the_resending_of_lost_ones(world):
    world.dispatcher.dispatch([entry(5, WORK)])
    world.clock.now += CROWDED_RETRY_MS - 1
    world.dispatcher.tick()
    assert world.broker.sent == ["t1"]
    world.clock.now += 1
    world.dispatcher.tick()
    assert world.broker.sent == ["t1", "t1"]


def test_the_broker_is_not_filled_without_workers(world, broker):
    for _ in range(50):
        world.clock.now += CROWDED_RETRY_MS
        world.dispatcher.tick()
    assert len(broker.tasks) <= 2 * _TABLES + 3  # two for each table; the last tables share theirs


def test_shared_tasks_also_count_as_late_rather_than_lost(world, broker):
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert len(broker.tasks) == 3


def test_lost_tasks_are_sent_again_even_if_half_are_waiting(world, broker):
    del broker.tasks[:2]
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert len(broker.tasks) == 1 + 3


def test_a_backlog_does_not_delay_the_first_task_of_a_table(world):
    world.dispatcher.dispatch([entry(5, WORK), entry(5, WorkDue(NOW + 1), "t2")])
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert world.broker.sent == ["t1", "t2"]


def test_a_backlog_of_bot_tables_does_not_delay_first_tasks(world, broker):
    broker.tasks.clear()  # workers took them and left each table to a lowest-priority task
    broker.waits_for_bots = 100 * _TABLES
    world.dispatcher.dispatch([entry(6, WorkDue(NOW + 500), "t0"), entry(6, WorkDue(NOW + 700), "t1")])
    for _ in range(3):
        world.clock.now += RETRY_MS
        world.dispatcher.tick()
    assert broker.tasks == [("t0", "t1")]


def test_tasks_of_waiting_bot_tables_are_not_sent_again(world, broker):
    broker.tasks.clear()
    broker.waits_for_bots = 2 * _TABLES
    for _ in range(50):
        world.clock.now += CROWDED_RETRY_MS
        world.dispatcher.tick()
    assert broker.tasks == []


def test_a_new_dispatcher_finds_the_work_of_a_killed_one(world):
    world.dispatcher.dispatch([entry(5, WORK), entry(5, WorkDue(NOW + 60_000), "t2")])
    world.broker.tasks.clear()
    world.dispatcher = world.new_dispatcher()
    world.dispatcher.tick()
    assert list(world.broker.tasks) == ["t1"]


def test_repeated_entries_do_not_send_tasks_forever(world):
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


def test_an_old_entry_does_not_cancel_due_work(world):
    world.dispatcher.dispatch([entry(9, WORK)])
    world.dispatcher.dispatch([entry(8, NOTHING_DUE)])
    assert due_now(world) == ["t1"]
    world.broker.tasks.clear()
    world.clock.now += RETRY_MS
    world.dispatcher.tick()
    assert list(world.broker.tasks) == ["t1"]


def test_the_order_of_entries_in_a_batch_does_not_matter(world):
    world.dispatcher.dispatch([entry(9, WORK), entry(8, NOTHING_DUE)])
    assert due_now(world) == ["t1"]


def test_an_unavailable_broker_loses_no_work(world, monkeypatch):
    def refuse(task: Task, *ids: str, due_at: int, requests: Mapping[str, str]) -> None:
        raise StoreUnavailable("down")

    with monkeypatch.context() as broken:
        broken.setattr(world.broker, "send", refuse)
        with pytest.raises(StoreUnavailable):
            world.dispatcher.dispatch([entry(5, WORK)])
    world.dispatcher.tick()
    assert world.broker.sent == ["t1"]


def test_all_due_times_of_a_batch_are_recorded_in_one_round_trip(world, monkeypatch):
    world.dispatcher.dispatch([entry(4, NOTHING_DUE, "t3")])  # Redis then knows the script
    pool, trips = world.client.connection_pool, list[tuple[object, ...]]()
    connect = pool.get_connection

    def counted(*given: object) -> object:
        trips.append(given)
        return connect(*given)

    monkeypatch.setattr(pool, "get_connection", counted)
    started = entry(6, WorkDue(NOW + 1), "t2", types=(TableStarted.wire,))
    world.dispatcher.dispatch([entry(5, WORK, "t1"), started])
    assert len(trips) == 1
    assert [world.service.due_times.find(kind, "t2").at for kind in ("work", "rest")] == [
        NOW + 1,
        NOW + 24 * HOUR_MS,
    ]


def test_tasks_per_round_are_limited_and_the_longest_due_come_first(world):
    for number in range(5):
        world.table("ada", "bo", table=f"open{number}", start=False)
        world.service.due_times.record({"work": {f"open{number}": Due(1, "", NOW - number)}})
    world.dispatcher.tick(count=3)
    assert world.broker.sent == ["open4", "open3", "open2"]


# ----------------------------------------------------------------------------- abandonment


def test_g_14_a_started_table_is_visited_after_a_day(world):
    table = world.table("ada", "bo", table="game")
    world.settle()
    world.broker.sent.clear()
    world.clock.now += 24 * HOUR_MS - 1
    world.dispatcher.tick()
    assert world.broker.sent == []
    world.clock.now += 1
    world.dispatcher.tick()
    assert world.broker.sent == [table]


def test_g_17_an_opened_table_is_visited_after_a_day(world):
    table = world.table("ada", "bo", table="game", start=False)
    world.settle()
    world.clock.now += 24 * HOUR_MS - 1
    world.dispatcher.tick()
    assert world.broker.sent == []
    world.clock.now += 1
    world.dispatcher.tick()
    assert world.broker.sent == [table]


def test_g_14_a_table_started_under_an_old_event_name_is_visited_too(world, monkeypatch):
    monkeypatch.setitem(codec._UPCASTS, "table.begun", (TableStarted.wire, dict))
    world.dispatcher.dispatch([entry(5, NOTHING_DUE, types=("table.begun",))])
    assert list(world.service.due_times.due_by("rest", NOW + 24 * HOUR_MS, count=1)) == ["t1"]


def test_g_14_a_finished_table_is_never_visited_again(world):
    table = world.table("ada", "bo", table="game")
    world.settle()
    world.do(table, AbandonTable(), by="worker")
    world.settle()
    world.clock.now += 100 * HOUR_MS
    world.broker.sent.clear()
    world.dispatcher.tick()
    assert world.broker.sent == []
    assert {key for key in world.client.keys("hw:*:due:*") if not key.endswith(b":versions")} == set()
