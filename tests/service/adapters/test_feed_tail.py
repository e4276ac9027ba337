"""The tail of the feed, on a server and on a cluster."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from hoodwink.domain.due_times import IMMEDIATELY, WorkDue
from hoodwink.service.adapters.redis.connection import close_async, connect_async
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.feeds import feed_tail
from hoodwink.service.adapters.store.feeds.feed_tail import FeedTail
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StoreUnavailable, StreamId
from tests.service.adapters.commits import TABLE, commit
from tests.service.adapters.servers import real
from tests.service.processes import await_true

TABLES = [StreamId("table", f"t{number}") for number in range(20)]


def with_tail(url: str, story: Callable[[FeedTail], Awaitable[Any]]) -> Any:
    async def play() -> Any:
        client = await connect_async(url)
        tail = FeedTail(client=client, feeds=(Keys(16).feeds, Keys(16).quiet))
        await tail.start()
        try:
            return await story(tail)
        finally:
            await close_async(client)

    return asyncio.run(play())


@real
def test_earlier_entries_are_not_read(store, url):
    store.append(commit(0))

    async def story(tail: FeedTail) -> Any:
        return await tail.read(block_ms=20)

    assert with_tail(url, story) == []


@real
def test_entries_after_the_start_are_read_once_in_order(store, url):
    async def story(tail: FeedTail) -> Any:
        found = []
        for at in range(3):
            for stream in TABLES:
                store.append(commit(at, stream=stream, events=1))
            found += await tail.read(block_ms=1000)
        return found + await tail.read(block_ms=20)

    found = with_tail(url, story)
    for stream in TABLES:
        assert [entry.version for entry in found if entry.stream == stream] == [1, 2, 3]


@real
def test_quiet_entries_are_read(store, url):
    async def story(tail: FeedTail) -> Any:
        for at, is_quiet in enumerate([True, False, True]):
            store.append(commit(at, is_quiet=is_quiet))
        return await tail.read(block_ms=1000)

    found = with_tail(url, story)
    assert sorted(entry.version for entry in found) == [1, 2, 3]
    assert {entry.partition for entry in found} == {Keys(16).partition(TABLE)}


@real
def test_a_truncated_reply_is_marked(store, url, monkeypatch):
    monkeypatch.setattr(feed_tail, "_COUNT", 2)

    async def story(tail: FeedTail) -> Any:
        for at in range(3):
            store.append(commit(at, events=1))
        return [(len(await tail.read(block_ms=20)), tail.is_at_end) for _ in range(3)]

    assert with_tail(url, story) == [(2, False), (1, True), (0, True)]


@real
def test_waiting_ends_with_the_first_entry(store, url):
    async def story(tail: FeedTail) -> Any:
        waiting = asyncio.create_task(tail.read(block_ms=20_000))
        await asyncio.sleep(0)
        await asyncio.to_thread(store.append, commit(0, events=2, due=WorkDue(IMMEDIATELY)))
        return await asyncio.wait_for(waiting, 10)

    ((found,),) = [with_tail(url, story)]
    assert (found.stream, found.first_version, found.version, found.due) == (
        TABLE,
        1,
        2,
        WorkDue(IMMEDIATELY),
    )
    assert found.partition == Keys(16).partition(TABLE)
    assert found.types == ("blindside.card_kept",) * 2


@pytest.mark.parametrize("client", ["embedded"], indirect=True)
def test_a_tail_continues_after_a_lost_connection(client, url):
    async def story(tail: FeedTail) -> Any:
        waiting = asyncio.create_task(tail.read(block_ms=20_000))
        await asyncio.to_thread(await_true, lambda: client.info("clients")["blocked_clients"] == 1)
        client.client_kill_filter(_type="normal", skipme=True)
        with pytest.raises(StoreUnavailable):
            await asyncio.wait_for(waiting, 10)
        RedisEventStore(client=client).append(commit(0))
        return await tail.read(block_ms=1000)

    assert [entry.version for entry in with_tail(url, story)] == [1]
