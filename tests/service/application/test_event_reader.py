"""Projections share the reads of a stream although they follow different events."""

from collections.abc import Sequence
from typing import Any

import pytest

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.tables.entries import Entry
from hoodwink.service.application.ports import FeedEntry, StreamId
from hoodwink.service.application.streams.aggregates import TABLE
from hoodwink.service.application.streams.event_reader import EventReader
from hoodwink.service.application.streams.history import Loaded
from tests.service.application.world import RecordedRollbacks, World, put_back
from tests.service.databases import new_redis

STREAM = StreamId("table", "t1")
UNOPENED = Loaded(TABLE.unopened)


class CountingStore:
    """The events of a stream, with the number of events read."""

    def __init__(self, world: World) -> None:
        self._store = world.service.store
        self.events_read = 0

    def read(self, stream: StreamId, *, after: int = 0, count: int | None = None) -> Sequence[Entry]:
        entries = self._store.read(stream, after=after, count=count)
        self.events_read += len(entries)
        return entries


@pytest.fixture
def world() -> World:
    world = World(new_redis())
    world.table("bot", "bot", rounds=2, table="t1")
    world.settle()
    return world


def feed_entry(world: World, version: int, head: str | None = None) -> FeedEntry:
    """Returns the feed entry of a commit ending with this version."""
    stored = world.service.store.read(STREAM, after=version - 1, count=1)[0].hash
    return FeedEntry(
        0, f"{version}-0", STREAM, version, version, (), NOTHING_DUE, stored if head is None else head
    )


def reader_of(world: World) -> tuple[EventReader, CountingStore]:
    store: Any = CountingStore(world)
    return EventReader(store, rollbacks=RecordedRollbacks()), store


def whole(world: World, version: int) -> list[int]:
    """Returns the versions of the followed events up to a version, found by a reader without cache."""
    reader, _ = reader_of(world)
    return versions(reader.read(STREAM, UNOPENED, version))


def versions(batch: Any) -> list[int]:
    return [event.recorded.entry.version for event in batch.events]


def test_two_reads_of_one_projection_serve_another_in_one(world):
    reader, store = reader_of(world)
    first = reader.read_to(feed_entry(world, 8), UNOPENED, 8)
    reader.read_to(feed_entry(world, 15), first.after, 15)
    before = store.events_read

    batch = reader.read_to(feed_entry(world, 15), UNOPENED, 15)

    assert (store.events_read, batch.after.state.version) == (before, 15)
    assert versions(batch) == whole(world, 15)


def test_only_events_not_yet_read_by_others_are_read(world):
    reader, store = reader_of(world)
    reader.read_to(feed_entry(world, 8), UNOPENED, 8)
    before = store.events_read

    batch = reader.read_to(feed_entry(world, 15), UNOPENED, 15)

    assert store.events_read - before == 1 + 7  # the last known event proves the history
    assert (batch.after.state.version, versions(batch)) == (15, whole(world, 15))


def test_the_first_part_of_a_longer_batch_is_reused(world):
    reader, store = reader_of(world)
    followed = versions(reader.read_to(feed_entry(world, 15), UNOPENED, 15))[-2]
    before = store.events_read

    batch = reader.read_to(feed_entry(world, followed), UNOPENED, followed)

    assert (store.events_read, versions(batch)) == (before, whole(world, followed))
    assert batch.after == reader.read(STREAM, UNOPENED, followed).after


def test_the_middle_part_of_other_batches_is_reused(world):
    reader, store = reader_of(world)
    first, second, *_, last = whole(world, 25)
    middle = reader.read_to(feed_entry(world, 15), UNOPENED, 15)
    reader.read_to(feed_entry(world, 25), middle.after, 25)
    known = reader.read_to(feed_entry(world, second), UNOPENED, second).after
    before = store.events_read

    batch = reader.read_to(feed_entry(world, last), known, last)

    assert store.events_read == before
    assert versions(batch) == [version for version in whole(world, 25) if version not in (first, second)]
    assert batch.after == reader.read(STREAM, UNOPENED, last).after


def test_a_batch_without_the_state_at_the_entry_is_not_reused(world):
    reader, _ = reader_of(world)
    followed = versions(reader.read_to(feed_entry(world, 15), UNOPENED, 15))
    between = next(version for version in range(1, 15) if version not in followed)

    assert reader.read_to(feed_entry(world, between), UNOPENED, between).after.state.version == between


def test_events_of_another_history_are_not_reused(world):
    reader, _ = reader_of(world)
    reader.read_to(feed_entry(world, 8), UNOPENED, 8)
    reader.read_to(feed_entry(world, 15), reader.read_to(feed_entry(world, 8), UNOPENED, 8).after, 15)
    put_back(world.service, "t1", 8)
    other = World(world.client)
    other.clock.now += 9_000
    other.visit("t1")

    for version in (15, 20):
        batch = reader.read_to(feed_entry(other, version), UNOPENED, version)
        assert batch.after.head == other.service.store.read(STREAM, after=version - 1, count=1)[0].hash
        assert versions(batch) == whole(other, version)


def test_an_entry_of_an_earlier_release_is_read_without_hash(world):
    reader, _ = reader_of(world)
    for _ in range(2):
        batch = reader.read_to(feed_entry(world, 8, head=""), UNOPENED, 8)
        assert (batch.after.state.version, versions(batch)) == (8, whole(world, 8))


def test_a_store_shorter_than_its_entry_is_read_to_its_end(world):
    reader, _ = reader_of(world)
    entry = feed_entry(world, 15)
    put_back(world.service, "t1", 8)
    for _ in range(3):
        assert reader.read_to(entry, UNOPENED, 15).after.state.version == 8
