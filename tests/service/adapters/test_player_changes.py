"""A process follows player changes, and starts again after a lost connection."""

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest

from hoodwink.domain.administration import Act
from hoodwink.service.adapters.redis.connection import close_async, connect_async
from hoodwink.service.adapters.store.checksums import with_checksum
from hoodwink.service.adapters.store.feeds.feed_tail import FeedTail
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.players.identity import Use
from hoodwink.service.application.ports import StoreUnavailable, StreamId
from hoodwink.service.http.serving.streams import player_changes
from hoodwink.service.http.serving.streams.player_changes import follow_players
from tests.service.adapters.servers import connected, everywhere, real
from tests.service.application.world import StandingClock, service_on
from tests.service.databases import new_redis


async def until(holds):
    for _ in range(2_000):
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come about")


@pytest.fixture
def others(url):
    with connected(url) as client:
        yield client


@real
def test_a_process_learns_of_changes_from_the_store(client, others, url, monkeypatch):
    monkeypatch.setattr(player_changes, "_PAUSE_SECONDS", 0.01)
    mine = service_on(client).players
    followed = service_on(others, redis_url=url)
    theirs: Any = followed.players
    fails = iter([True])

    @asynccontextmanager
    async def tail():
        if next(fails, False):
            raise StoreUnavailable("gone")
        async with followed.follow_players() as changes:
            yield changes

    checked = []

    async def check_tokens(changed):
        checked.append(changed)

    async def story():
        task = asyncio.create_task(follow_players(tail, lambda: theirs, check_tokens))
        ada = await asyncio.to_thread(lambda: mine.register(name="Ada").player.id)
        await until(lambda: theirs._known_until >= 0)
        await asyncio.to_thread(theirs.get, ada)
        assert theirs._cache.get(ada).name == "Ada"
        await asyncio.to_thread(mine.rename, mine.get(ada), "Augusta")
        await until(lambda: theirs._cache.get(ada) is None)
        await asyncio.to_thread(theirs.get, ada)
        client.client_kill_filter(_type="normal", skipme=True, **everywhere(client))
        await until(lambda: theirs._cache.get(ada) is None)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        return ada

    ada = asyncio.run(story())
    assert theirs.get(ada).name == "Augusta"
    assert (checked[0], *checked[-2:]) == (None, {ada}, None)


@real
@pytest.mark.parametrize("use", Use)
def test_a_cached_key_is_dropped_when_another_process_rotates_it(client, others, url, use):
    mine = service_on(client)
    followed = service_on(others, redis_url=url)
    secrets = Mock(wraps=followed.identities._secrets)
    followed.identities._secrets = secrets

    def derived():
        made = followed.identities
        return made.invitation("t1") if use is Use.INVITATIONS else made.stream_proof("ada", "hash", 1, "")

    async def check_tokens(_changed):
        pass

    async def story():
        task = asyncio.create_task(
            follow_players(followed.follow_players, lambda: followed.players, check_tokens)
        )
        await until(followed.players.is_known)
        before = await asyncio.to_thread(derived)
        assert before == await asyncio.to_thread(derived)
        secrets.rotated_key.assert_called_once_with(use)
        await asyncio.to_thread(mine.identities.rotate, use)
        await asyncio.to_thread(mine.administration.record, "olga", Act.ROTATE_INVITATIONS)
        await until(lambda: not followed.identities._rotated)
        assert await asyncio.to_thread(derived) != before
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(story())


@real
def test_player_changes_wake_no_group(client, url):
    mine, keys = service_on(client).players, Keys(16)

    async def story():
        reader = await connect_async(url)
        changes = FeedTail(client=reader, feeds=(keys.players,))
        await changes.start()
        ada = await asyncio.to_thread(lambda: mine.register(name="Ada").player.id)
        found = await changes.read(block_ms=1_000)
        await close_async(reader)
        return ada, found

    ada, found = asyncio.run(story())
    assert [(entry.stream, entry.types) for entry in found] == [
        (StreamId("player", ada), ("player.registered@2",))
    ]
    assert not client.exists(*keys.feeds, *keys.quiet)
    assert client.hget(keys.names(StreamId("player", ada)), ada) == with_checksum("Ada").encode()
    mine.erase(mine.get(ada), None)
    assert not client.exists(keys.names(StreamId("player", ada)))


class Script:
    """A tail with prepared replies: each read advances the clock, and the last one cancels the reader."""

    def __init__(self, clock, replies):
        self.clock, self.replies = clock, iter(replies)
        self.starts, self.is_at_end = 0, True

    async def start(self):
        self.starts += 1

    async def read(self, *, block_ms):
        reply = next(self.replies, None)
        if reply is None:
            raise asyncio.CancelledError
        self.clock.now += reply.ms
        self.is_at_end = reply.is_at_end
        return []


class Read(NamedTuple):
    ms: int
    is_at_end: bool = True


def follow_script(*replies):
    """Returns the tail, the players, and the time as of which they knew all changes after each reply."""
    clock = StandingClock()
    players: Any = service_on(new_redis(), clock).players
    script: Any = Script(clock, replies)
    heard, hear = list[int](), players.hear

    async def no_tokens(_changed):
        pass

    def heard_until(ids, *, until):
        heard.append(until)
        hear(ids, until=until)

    players.hear = heard_until

    @asynccontextmanager
    async def tail():
        yield script

    with suppress(asyncio.CancelledError):
        asyncio.run(follow_players(tail, lambda: players, no_tokens))
    return script, players, heard


def test_players_are_known_as_of_the_last_complete_request():
    script, _, heard = follow_script(Read(10), Read(20), Read(30))

    assert (heard, script.starts) == ([0, 10, 30], 1)


def test_a_truncated_reply_does_not_advance_the_known_time():
    _, _, heard = follow_script(Read(10), Read(20, is_at_end=False), Read(30, is_at_end=False), Read(40))

    assert heard == [0, 0, 0, 60]


def test_a_suspended_process_restarts_and_clears_its_cache():
    script, players, heard = follow_script(Read(10), Read(5_000), Read(20))

    assert (heard, script.starts, players._changes) == ([0, 10, 5_010], 2, 2)
