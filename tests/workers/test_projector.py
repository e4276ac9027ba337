"""The projector's readers: acknowledged entries, and retries of failed ones."""

import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.projections import LEADERBOARDS, LEDGER, PROJECTIONS
from hoodwink.service.application.ports import FeedEntry, Lag, StoreUnavailable, StreamId
from hoodwink.service.application.projecting.projecting import GROUPS, RESULTS
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.workers import projector as module
from hoodwink.workers.projector import (
    Reader,
    _tidy_brokers,
    _tidy_imports,
    await_store,
    dispatching,
    forget_periodically,
    handlers_of,
    tidy_periodically,
)
from tests.service.application.test_projections import contents, played, projector_of, stored
from tests.service.application.world import FakeBroker, StandingClock, service_on
from tests.service.databases import new_redis


def feed_entry(number: int) -> FeedEntry:
    return FeedEntry(0, f"{number}-0", StreamId("table", f"t{number}"), 1, 1, ("table.opened",), NOTHING_DUE)


class Feed:
    """A feed of a few entries that sets `stopping` after the last was read."""

    partitions = (0,)

    def __init__(self, entries: Sequence[FeedEntry]) -> None:
        self.new = list(entries)
        self.pending: dict[str, FeedEntry] = {}
        self.rewound = False
        self.stopping = threading.Event()
        self.trims = 0
        self.forgotten = 0
        self.kept: list[set[str]] = []
        self.failures: list[Exception] = []

    def read(self, **_: Any) -> list[FeedEntry]:
        if self.failures:
            raise self.failures.pop()
        if self.rewound:
            self.rewound = False
            return list(self.pending.values())
        taken, self.new = self.new[:2], self.new[2:]
        self.pending |= {entry.entry_id: entry for entry in taken}
        if not taken:
            self.stopping.set()
        return taken

    def claim(self, **_: Any) -> list[FeedEntry]:
        return list(self.pending.values())

    def rewind(self, **_: Any) -> None:
        self.rewound = True

    def ack(self, group: str, entries: Sequence[FeedEntry]) -> None:
        for entry in entries:
            del self.pending[entry.entry_id]

    def lag(self, group: str) -> Lag:
        return Lag(len(self.pending), 0)

    def keep(self, groups: Collection[str]) -> None:
        self.kept.append(set(groups))

    def forget_consumers(self, *, idle_ms: int) -> int:
        self.forgotten += 1
        return 0

    def trim(self) -> int:
        self.trims += 1
        if self.failures:
            raise self.failures.pop()
        self.stopping.set()
        return 0


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 0)
    monkeypatch.setattr(module, "TRIM_SECONDS", 0)


def run(feed: Feed, handle: Any) -> None:
    Reader(feed=feed, group="books", consumer="one", handle=handle, clock=StandingClock()).run(feed.stopping)


def test_handled_entries_are_acknowledged_in_order():
    feed, handled = Feed([feed_entry(number) for number in range(5)]), list[str]()
    run(feed, lambda entries: handled.extend(entry.entry_id for entry in entries))
    assert handled == ["0-0", "1-0", "2-0", "3-0", "4-0"]
    assert feed.pending == {}


def test_a_failing_entry_does_not_delay_others():
    feed, handled = Feed([feed_entry(number) for number in range(5)]), list[str]()

    def handle(entries: Sequence[FeedEntry]) -> None:
        if any(entry.entry_id == "1-0" for entry in entries):
            raise ValueError("poison")
        handled.extend(entry.entry_id for entry in entries)

    run(feed, handle)
    assert handled == ["0-0", "2-0", "3-0", "4-0"]
    assert list(feed.pending) == ["1-0"]


def test_a_failed_entry_is_retried():
    feed, handled, repaired = Feed([feed_entry(0), feed_entry(1)]), list[str](), list[bool]()

    def handle(entries: Sequence[FeedEntry]) -> None:
        if entries and entries[0].entry_id == "0-0" and not repaired:
            raise ValueError("not yet")
        handled.extend(entry.entry_id for entry in entries)

    run(feed, handle)
    assert list(feed.pending) == ["0-0"]
    repaired.append(True)
    feed.stopping.clear()
    run(feed, handle)
    assert handled == ["1-0", "0-0"]
    assert feed.pending == {}


def test_no_entry_is_lost_while_the_store_is_unavailable():
    feed, handled, failures = Feed([feed_entry(number) for number in range(4)]), list[str](), [1, 1, 1]

    def handle(entries: Sequence[FeedEntry]) -> None:
        if entries and failures:
            failures.pop()
            raise StoreUnavailable("away")
        handled.extend(entry.entry_id for entry in entries)

    feed.failures = [StoreUnavailable("away"), ValueError("nonsense")]
    run(feed, handle)
    assert set(handled) == {"0-0", "1-0", "2-0", "3-0"}
    assert feed.pending == {}


def test_a_reader_waits_for_a_store_lost_between_single_entries():
    feed, seen = Feed([feed_entry(0), feed_entry(1)]), list[int]()

    def handle(entries: Sequence[FeedEntry]) -> None:
        seen.append(len(entries))
        if len(seen) == 2:
            raise ValueError("poison")  # the batch
        if len(seen) == 3:
            raise StoreUnavailable("away")

    run(feed, handle)
    assert feed.pending == {}


def test_a_reader_catches_up_with_a_real_feed(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_MS", 0)
    client = stored()
    service, stopping = service_on(client), threading.Event()
    ledger_projector = projector_of(client, LEDGER)

    def handle(entries: Sequence[FeedEntry]) -> None:
        ledger_projector.project(entries)
        if not entries:
            stopping.set()

    reader = Reader(feed=service.feed, group="ledger", consumer="one", handle=handle, clock=service.clock)
    reader.run(stopping)
    assert service.feed.lag("ledger") == Lag(0, 0)
    assert sum(len(snapshot.applied) for snapshot in contents(client, LEDGER)) == entered_tables()


def entered_tables() -> int:
    """Returns the number of tables with events for the ledger: a scored round or a void."""
    event_types = LEDGER.event_types
    return len(
        {commit.stream for commit in played() for entry in commit.entries if entry.type in event_types}
    )


class LoadingService:
    """A service whose store answers the third request."""

    def __init__(self) -> None:
        self.asked = 0

    def check_store(self) -> None:
        self.asked += 1
        if self.asked < 3:
            raise StoreUnavailable("Redis is loading the dataset in memory")


def test_a_projector_waits_until_the_store_has_loaded():
    service = LoadingService()
    await_store(service, threading.Event())  # type: ignore[arg-type]
    assert service.asked == 3


def test_a_stopping_projector_does_not_wait_for_the_store():
    service, stopping = LoadingService(), threading.Event()
    stopping.set()
    await_store(service, stopping)  # type: ignore[arg-type]
    assert service.asked == 0


@pytest.mark.parametrize(("handling", "pauses"), [(0.0, [4.0]), (1.0, [3.0]), (5.0, [])])
def test_a_reader_pauses_in_proportion_to_the_entries_it_read(monkeypatch, handling, pauses):
    feed, clock, paused = Feed([feed_entry(1), feed_entry(2)]), StandingClock(), list[float]()

    def handle(entries: Sequence[FeedEntry]) -> None:
        clock.wait(handling if entries else 0.0)

    monkeypatch.setattr(feed.stopping, "wait", paused.append)
    reader = Reader(
        feed=feed, group="books", consumer="one", handle=handle, clock=clock, interval_seconds=10.0
    )
    reader.run(feed.stopping)
    assert paused == pauses


def test_trimming_continues_after_errors():
    feed = Feed([])
    feed.failures = [StoreUnavailable("away"), ValueError("nonsense")]
    tidy_periodically(feed, lambda: None, feed.stopping)
    assert feed.trims == 3


def test_groups_of_an_earlier_release_are_dropped_before_the_first_trimming():
    feed = Feed([])
    feed.failures = [StoreUnavailable("away")]
    tidy_periodically(feed, lambda: None, feed.stopping)
    assert feed.kept == [set(GROUPS)] * 2, "repeated, because the first time failed"


def test_remains_of_dead_processes_are_cleaned_up_periodically(monkeypatch):
    feed, tidied, turns = Feed([]), list[int](), iter([False] * 61 + [True])
    monkeypatch.setattr(feed.stopping, "wait", lambda _: next(turns))
    tidy_periodically(feed, lambda: tidied.append(feed.trims), feed.stopping)
    assert tidied == [1, 61]
    assert feed.forgotten == 2


def test_players_are_deleted_in_batches_and_failures_retried(monkeypatch):
    stopping, pauses = threading.Event(), list[float]()
    outcomes: Iterator[bool | Exception] = iter(
        [True, False, StoreUnavailable("away"), ValueError("unknown"), False]
    )
    left = iter([False] * 5 + [True])

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        return next(left)

    def forget() -> bool:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(stopping, "wait", wait)
    forget_periodically("players", forget, stopping)
    minute = module.FORGET_SECONDS
    assert pauses == [minute, module._PAUSE_SECONDS, minute, minute, minute, minute]


def test_every_projection_and_the_rater_have_a_reader(monkeypatch):
    service, handled = service_on(new_redis(), given={"tasks": FakeBroker()}), list[str]()
    for name, live in service.projectors.items():
        monkeypatch.setattr(live, "project", lambda _entries, name=name: handled.append(name))
    monkeypatch.setattr(service.rater, "rate", lambda _entries: handled.append(RATER))
    handlers = handlers_of(service, lambda *_: None)
    assert set(handlers) == set(GROUPS)
    for handle in handlers.values():
        handle([])
    assert sorted(handled) == sorted([RATER, *(projection.name for projection in PROJECTIONS)])


def test_long_computation_of_ratings_beats_and_delays_neither_tournaments_nor_pushes(monkeypatch):
    service, handled = service_on(new_redis(), given={"tasks": FakeBroker()}), list[str]()
    beats = list[tuple[str, float]]()
    for name, live in service.projectors.items():
        monkeypatch.setattr(live, "project", lambda _entries, name=name: handled.append(name))
    handlers = handlers_of(service, lambda *beat: beats.append(beat))
    handlers[RATER]([])
    assert (handled, beats) == (["tournaments", "seasons"], [(RATER, 0)])
    service.projectors[LEADERBOARDS.name].progressed(100_000)
    assert beats == [(RATER, 0), (RESULTS, 100)]


def test_a_fault_in_one_projection_keeps_entries_from_none_of_the_others(monkeypatch):
    service, handled = service_on(new_redis(), given={"tasks": FakeBroker()}), list[str]()
    for name in ("history", "statistics"):
        monkeypatch.setattr(
            service.projectors[name], "project", lambda _entries, name=name: handled.append(name)
        )

    def fail(_entries: Sequence[FeedEntry]) -> None:
        raise ValueError("a fault")

    monkeypatch.setattr(service.projectors["ledger"], "project", fail)
    with pytest.raises(ValueError, match="a fault"):
        handlers_of(service, lambda *_: None)[RESULTS]([])
    assert handled == ["history", "statistics"]


class Counting:
    """A dispatcher that counts its calls."""

    def __init__(self) -> None:
        self.noted: list[int] = []
        self.ticks = 0

    def dispatch(self, entries: Sequence[FeedEntry]) -> None:
        self.noted.append(len(entries))

    def tick(self) -> None:
        self.ticks += 1


def test_names_of_restarted_workers_are_dropped_for_every_queue():
    client = new_redis()
    for prefix in ("celery", "celery-jobs", "celery-thinking", "celery-pushes"):
        client.sadd(
            f"hw:{prefix}:_kombu.binding.celery.pidbox", "\x06\x16\x06\x16worker-7@host.celery.pidbox"
        )
    _tidy_brokers(service_on(client))
    assert client.keys("hw:celery*") == []


def test_the_dispatcher_records_entries_and_ticks_at_intervals():
    clock = StandingClock()
    counting = Counting()
    handle = dispatching(counting, clock)  # type: ignore[arg-type]
    handle([])
    handle([feed_entry(1), feed_entry(2)])
    assert (counting.noted, counting.ticks) == ([2], 1)
    clock.now += module.TICK_MS
    handle([])
    assert (counting.noted, counting.ticks) == ([2], 2)


def test_the_projector_deletes_expired_imports():
    clock = StandingClock()
    service = service_on(new_redis(), clock)
    log = Path(__file__).parents[1] / "golden" / "blindside-117.log"
    named = service.imports.add(log.read_bytes())

    assert not _tidy_imports(service)
    assert service.import_retention.find(named)
    clock.wait(31 * 86_400)
    assert not _tidy_imports(service)
    assert list(service.store.streams("import")) == []
