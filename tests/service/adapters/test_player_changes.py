"""A process follows the changes of players, and begins anew when the connection was lost."""

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import Any

from service.adapters.connection import connect, connect_async
from service.adapters.feed_tail import FeedTail
from service.adapters.keys import Keys
from service.application.ports import StoreUnavailable, StreamId
from service.http.serving import player_changes
from service.http.serving.player_changes import follow_players
from tests.service.application.world import service_on


async def until(holds):
    for _ in range(2_000):
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come about")


def test_a_process_learns_of_changes_from_the_store(embedded_redis, monkeypatch):
    monkeypatch.setattr(player_changes, "_PAUSE_SECONDS", 0.01)
    client = connect(embedded_redis.url)
    client.flushall()
    mine = service_on(client).players
    followed = service_on(connect(embedded_redis.url), redis_url=embedded_redis.url)
    theirs: Any = followed.players
    fails = iter([True])

    @asynccontextmanager
    async def tail():
        if next(fails, False):
            raise StoreUnavailable("gone")
        async with followed.follow_players() as changes:
            yield changes

    async def story():
        task = asyncio.create_task(follow_players(tail, lambda: theirs))
        ada = await asyncio.to_thread(lambda: mine.register(name="Ada").player.id)
        await until(lambda: theirs._known_until >= 0)
        await asyncio.to_thread(theirs.get, ada)
        assert theirs._cache.get(ada).name == "Ada"
        await asyncio.to_thread(mine.rename, mine.get(ada), "Augusta")
        await until(lambda: theirs._cache.get(ada) is None)
        await asyncio.to_thread(theirs.get, ada)
        client.client_kill_filter(_type="normal", skipme=True)
        await until(lambda: theirs._cache.get(ada) is None)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        return ada

    ada = asyncio.run(story())
    assert theirs.get(ada).name == "Augusta"


def test_changes_of_players_wake_none_of_the_groups(embedded_redis):
    client = connect(embedded_redis.url)
    client.flushall()
    mine, keys = service_on(client).players, Keys(16)

    async def story():
        reader = await connect_async(embedded_redis.url)
        changes = FeedTail(client=reader, feeds=(keys.players,))
        await changes.start()
        ada = await asyncio.to_thread(lambda: mine.register(name="Ada").player.id)
        found = await changes.read(block_ms=1_000)
        await reader.aclose()
        return ada, found

    ada, found = asyncio.run(story())
    assert [(entry.stream, entry.types) for entry in found] == [
        (StreamId("player", ada), ("player.registered@2",))
    ]
    assert not client.exists(*keys.feeds, *keys.quiet)
    assert client.hget(keys.names(StreamId("player", ada)), ada) == b"Ada"
    mine.erase(mine.get(ada), None)
    assert not client.exists(keys.names(StreamId("player", ada)))
