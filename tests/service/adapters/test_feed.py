"""The feed, on each kind of Redis."""

import threading
from typing import Any

import pytest

from hoodwink.domain.due_times import WorkDue
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.feeds.feed import RedisFeed
from hoodwink.service.adapters.store.feeds.feed_entries import NO_STREAM
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import FeedEntry, Lag, StreamId
from tests.service.adapters.commits import TABLE, commit

PARTITION = Keys(16).partition(TABLE)
FEED = Keys(16).feeds[PARTITION]
TABLES = [StreamId("table", f"t{number}") for number in range(40)]


def read(feed: RedisFeed, group: str = "bots", consumer: str = "one", **changes: object) -> list[FeedEntry]:
    asked = {"partitions": feed.partitions, "count": 100, "block_ms": 0} | changes
    return feed.read(group=group, consumer=consumer, **asked)  # type: ignore[arg-type]


def versions(entries: list[FeedEntry]) -> list[int]:
    return [entry.version for entry in entries]


def fill(store: RedisEventStore, count: int, first: int = 0) -> None:
    for at in range(first, first + count):
        store.append(commit(at))


# --------------------------------------------------------------------------------------- reading


def test_a_malformed_entry_neither_hides_others_nor_comes_again(store, feed, client):
    fill(store, 1)
    client.xadd(FEED, {"a": "b"})
    fill(store, 1, first=1)
    entries = read(feed)
    assert [entry.stream for entry in entries] == [TABLE, NO_STREAM, TABLE]
    feed.ack("bots", entries)
    assert feed.lag("bots").entries == 0


def test_an_entry_points_to_a_commit_and_its_due_work(store, feed):
    store.append(commit(0))
    store.append(commit(1, events=3, due=WorkDue(5, 7)))
    _, entry = read(feed)
    assert (entry.partition, entry.stream) == (PARTITION, TABLE)
    assert (entry.first_version, entry.version, entry.due) == (2, 4, WorkDue(5, 7))
    assert entry.types == ("blindside.card_kept",) * 3


def test_a_group_begins_with_the_oldest_entry_and_gets_each_once(store, feed):
    fill(store, 3)
    assert versions(read(feed)) == [1, 2, 3]
    fill(store, 2, 3)
    assert versions(read(feed)) == [4, 5]
    assert read(feed) == []


def test_every_group_gets_everything(store, feed):
    fill(store, 2)
    assert versions(read(feed, "bots")) == versions(read(feed, "ledger")) == [1, 2]


def test_groups_do_not_receive_quiet_commits(store, feed):
    for at, is_quiet in enumerate([False, True, True, False]):
        store.append(commit(at, is_quiet=is_quiet))

    assert versions(read(feed)) == [1, 4]
    assert [entry.version for entry in read(feed, "ledger")] == [1, 4]


def test_entries_of_all_partitions_arrive_in_order_per_stream(store, feed):
    for at in range(3):
        for stream in TABLES:
            store.append(commit(at, stream=stream))
    entries = read(feed)
    assert {entry.partition for entry in entries} == set(feed.partitions)
    for stream in TABLES:
        assert versions([entry for entry in entries if entry.stream == stream]) == [1, 2, 3]


def test_a_count_applies_per_partition(store, feed):
    fill(store, 5)
    assert [versions(read(feed, count=2)) for _ in range(4)] == [[1, 2], [3, 4], [5], []]


def test_consumers_share_a_group_by_partition(store, feed):
    for stream in TABLES:
        store.append(commit(0, stream=stream))
    even = read(feed, consumer="even", partitions=feed.partitions[::2])
    odd = read(feed, consumer="odd", partitions=feed.partitions[1::2])
    assert {entry.partition % 2 for entry in even} == {0}
    assert {entry.stream for entry in even} | {entry.stream for entry in odd} == set(TABLES)
    assert len(even) + len(odd) == len(TABLES)


def test_waiting_ends_with_the_first_entry(store, feed):
    read(feed)
    found: list[FeedEntry] = []

    def wait() -> None:
        while not found:  # fakeredis wakes up at any write, and sometimes without one
            found.extend(read(feed, block_ms=4_000))

    waiting = threading.Thread(target=wait)
    waiting.start()
    store.append(commit(0))
    waiting.join(60)
    assert versions(found) == [1]


def test_waiting_ends_with_its_timeout(feed):
    assert read(feed, block_ms=30) == []
    assert read(feed, block_ms=30, partitions=[PARTITION]) == []


def test_waiting_is_bounded_by_the_clients_timeout(feed):
    with pytest.raises(AssertionError, match="4000 ms at most"):
        read(feed, block_ms=4_001)


def test_a_group_lost_with_the_feed_is_created_again(store, feed, client):
    fill(store, 1)
    read(feed)
    client.delete(FEED)
    fill(store, 1, 1)
    assert versions(read(feed)) == [2]


# ---------------------------------------------------------------------------------- redelivery


def test_unacknowledged_entries_come_first_after_a_restart(store, client):
    fill(store, 4)
    first = RedisFeed(client=client)
    taken = read(first)
    first.ack("bots", taken[1:3])
    fill(store, 1, 4)
    after = RedisFeed(client=client)
    assert versions(read(after)) == [1, 4]
    assert versions(read(after)) == [5]


def test_a_long_backlog_is_redelivered_in_pages(store, client):
    fill(store, 5)
    read(RedisFeed(client=client))
    after = RedisFeed(client=client)
    assert [versions(read(after, count=2)) for _ in range(4)] == [[1, 2], [3, 4], [5], []]


def test_acknowledged_entries_never_come_again(store, client):
    fill(store, 3)
    feed = RedisFeed(client=client)
    entries = read(feed)
    feed.ack("bots", entries)
    feed.ack("bots", entries)
    assert read(RedisFeed(client=client)) == []


def test_rewinding_redelivers_unacknowledged_entries(store, feed):
    fill(store, 3)
    feed.ack("bots", read(feed)[:1])
    assert read(feed) == []
    feed.rewind(group="bots", consumer="one")
    assert versions(read(feed)) == [2, 3]


def test_entries_of_a_dead_consumer_can_be_claimed(store, feed):
    fill(store, 3)
    feed.ack("bots", read(feed, consumer="dead")[:1])
    heir = {"group": "bots", "consumer": "heir", "partitions": feed.partitions, "count": 10}
    assert feed.claim(**heir, idle_ms=3_600_000) == []
    claimed = feed.claim(**heir, idle_ms=0)
    assert versions(claimed) == [2, 3]
    feed.ack("bots", claimed)
    assert feed.claim(**heir, idle_ms=0) == []


def test_claiming_stops_at_the_count(store, feed):
    fill(store, 5)
    read(feed, consumer="dead")
    claimed = feed.claim(group="bots", consumer="heir", partitions=[PARTITION], count=2, idle_ms=0)
    assert versions(claimed) == [1, 2]


def test_nothing_can_be_claimed_in_a_missing_group(store, feed):
    fill(store, 1)
    assert feed.claim(group="never", consumer="heir", partitions=feed.partitions, count=1, idle_ms=0) == []


def test_a_trimmed_pending_entry_is_dropped(store, feed, client):
    fill(store, 3)
    read(feed)
    client.xtrim(FEED, maxlen=1, approximate=False)
    feed.rewind(group="bots", consumer="one")
    assert versions(read(feed)) == [3]
    assert feed.lag("bots").entries == 1


def test_a_trimmed_claimed_entry_is_dropped(store, feed, client):
    read(feed)
    fill(store, 3)
    read(feed, consumer="dead")
    client.xtrim(FEED, maxlen=1, approximate=False)
    heir = {"group": "bots", "consumer": "one", "partitions": feed.partitions}
    assert versions(feed.claim(**heir, count=10, idle_ms=0)) == [3]
    read(feed)
    assert feed.lag("bots").entries == 1


# ------------------------------------------------------------------------------- lag and trimming


def test_a_group_that_acknowledged_everything_has_no_lag(store, feed):
    fill(store, 2)
    feed.ack("bots", read(feed))
    assert feed.lag("bots") == Lag(entries=0, age_ms=0)


def test_a_wrong_count_of_redis_is_no_lag(store, feed, client):
    fill(store, 2)
    feed.ack("bots", read(feed))
    last = client.xinfo_stream(FEED)["last-generated-id"]
    client.execute_command("XGROUP", "SETID", FEED, "bots", last, "ENTRIESREAD", 1)
    assert feed.lag("bots") == Lag(entries=0, age_ms=0)


def test_lag_counts_undelivered_and_unacknowledged_entries(store, feed):
    for at in range(3):
        for stream in TABLES[:10]:
            store.append(commit(at, stream=stream))
    taken = read(feed, count=1)
    feed.ack("bots", taken[:1])
    assert feed.lag("bots").entries == 29


def test_a_group_that_never_read_lags_by_everything(store, feed):
    fill(store, 3)
    assert feed.lag("bots").entries == 3
    assert feed.lag("bots").age_ms >= 0


def test_lag_has_the_age_of_the_oldest_unacknowledged_entry(store, feed, client):
    client.xadd(FEED, {"stream": "table:t1", "first": 1, "version": 1, "types": "a", "due": ""}, id="1000-0")
    ancient = feed.lag("bots").age_ms
    assert ancient > 1_000_000_000_000
    taken = read(feed)
    assert feed.lag("bots").age_ms >= ancient
    feed.ack("bots", taken)
    assert feed.lag("bots").age_ms == 0


def test_trimming_drops_entries_acknowledged_by_every_group(store, feed, client):
    fill(store, 5)
    feed.ack("bots", read(feed, "bots"))
    feed.ack("ledger", read(feed, "ledger", count=3))
    assert feed.trim() == 3
    assert versions(read(feed, "ledger")) == [4, 5]
    assert client.xlen(FEED) == 2


def test_trimming_keeps_pending_entries_and_all_after_them(store, feed, client):
    fill(store, 5)
    entries = read(feed)
    feed.ack("bots", [entry for entry in entries if entry.version != 2])
    assert feed.trim() == 1
    feed.rewind(group="bots", consumer="one")
    assert versions(read(feed)) == [2]


def test_acknowledging_stops_neither_trimming_nor_counting(store, feed, monkeypatch):
    fill(store, 3)
    entries = read(feed)
    seen = feed._groups(FEED)
    feed.ack("bots", entries)
    monkeypatch.setattr(feed, "_groups", lambda key: seen if key == FEED else [])
    assert feed.lag("bots") == Lag(entries=3, age_ms=0)
    assert feed.trim() == 3


def test_without_groups_nothing_is_trimmed(store, feed, client):
    fill(store, 2)
    assert feed.trim() == 0
    assert client.xlen(FEED) == 2


def test_trimming_keeps_young_entries(store, client):
    feed = RedisFeed(client=client, keep_ms=60_000)
    client.xadd(FEED, {"stream": "table:t1", "first": 1, "version": 1, "types": "a", "due": ""}, id="1000-0")
    fill(store, 2)
    feed.ack("bots", read(feed))
    assert feed.trim() == 1
    assert client.xlen(FEED) == 2


def test_trimming_drops_old_entries_without_new_ones(store, client):
    feed = RedisFeed(client=client, keep_ms=60_000)
    old = {"stream": "table:t1", "first": 1, "version": 1, "types": "a", "due": ""}
    client.xadd(FEED, old, id="1000-0")
    feed.ack("bots", read(feed))
    assert feed.trim() == 1


def test_trimming_waits_for_a_reader_that_has_not_read_yet(store, feed):
    fill(store, 3)
    feed.keep({"bots", "ledger"})
    feed.ack("bots", read(feed, "bots"))
    assert feed.trim() == 0
    assert versions(read(feed, "ledger")) == [1, 2, 3]


def test_trimming_drops_old_quiet_entries(store, client):
    quiet = Keys(16).quiet[PARTITION]
    client.xadd(quiet, {"stream": "table:t1", "first": 1, "version": 1, "types": "a", "due": ""}, id="1000-0")
    store.append(commit(0, is_quiet=True))

    assert RedisFeed(client=client, keep_ms=60_000).trim() == 1
    assert client.xlen(quiet) == 1


def test_reading_continues_after_trimming(store, feed):
    fill(store, 3)
    feed.ack("bots", read(feed))
    feed.trim()
    fill(store, 2, 3)
    assert versions(read(feed)) == [4, 5]
    assert feed.lag("bots").entries == 2


def test_a_dropped_group_does_not_hold_back_trimming(store, feed):
    fill(store, 3)
    found = read(feed, "bots")
    read(feed, "retired", count=1)
    feed.keep({"bots"})
    assert feed.lag("bots").entries == 3
    feed.ack("bots", found)
    assert feed.trim() == 3


@pytest.mark.parametrize("size", [1, 3])
def test_the_feed_works_with_any_number_of_partitions(client, size):
    store, feed = RedisEventStore(client=client, partitions=size), RedisFeed(client=client, partitions=size)
    for stream in TABLES[:9]:
        store.append(commit(0, stream=stream))
    assert {entry.stream for entry in read(feed)} == set(TABLES[:9])


# ------------------------------------------------------------------------------- dead consumers


def consumers(client: Any) -> set[bytes]:
    return {facts["name"] for facts in client.xinfo_consumers(FEED, "bots")}


def test_a_long_idle_consumer_without_entries_is_removed(store, feed, client):
    fill(store, 2)
    feed.ack("bots", read(feed, consumer="gone"))
    fill(store, 1, 2)
    read(feed, consumer="owes")
    assert feed.forget_consumers(idle_ms=3_600_000) == 0
    assert consumers(client) == {b"gone", b"owes"}
    feed.forget_consumers(idle_ms=0)
    assert consumers(client) == {b"owes"}
    fill(store, 1, 3)
    assert versions(read(feed, consumer="gone")) == [4]


def test_a_dead_consumers_entries_are_claimed_before_its_removal(store, feed, client):
    fill(store, 2)
    read(feed, consumer="gone")
    claimed = feed.claim(group="bots", consumer="one", partitions=feed.partitions, count=9, idle_ms=0)
    assert versions(claimed) == [1, 2]
    feed.forget_consumers(idle_ms=0)
    assert consumers(client) == {b"one"}
    feed.ack("bots", claimed)
    assert feed.lag("bots") == Lag(0, 0)
