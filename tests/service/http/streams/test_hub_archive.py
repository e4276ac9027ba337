"""Watchers of archived tables wait for the archive, and all others do not."""

import asyncio
import threading

import pytest

from hoodwink.service.adapters.archive.segments import Segments
from hoodwink.service.application.ports import StoreUnavailable, StreamId
from hoodwink.service.application.streams.cache import Cache
from hoodwink.service.http.serving.streams import hub as hub_module
from hoodwink.service.settings import Settings
from tests.service.http.api import new_api
from tests.service.http.streams.test_hub import RecordedStream, TableScene, until


class SlowArchive:
    """Readings of archived logs wait until the test lets them go on."""

    def __init__(self, patched):
        self.is_read, self.may_answer = threading.Event(), threading.Event()
        read = Segments.read

        def wait_and_read(segments, place):
            self.is_read.set()
            assert self.may_answer.wait(60)
            return read(segments, place)

        patched.setattr(Segments, "read", wait_and_read)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(hub_module, "MAX_REST_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 20)
    monkeypatch.setattr(hub_module, "CHECK_SECONDS", 0)  # each round reads all watched streams


@pytest.fixture
def api(tmp_path):
    return new_api(Settings(archive=str(tmp_path), partitions=1))


def archive(scene):
    """Ends and archives the scene's table."""
    scene.people[0].resign(scene.path)
    archive, stream = scene.api.service.archive, StreamId("table", scene.table)
    assert archive.move(0, 202611, {stream: archive.whole(stream)}) == 1


def forget(logs):
    logs._cache, logs._last_events = Cache(1), Cache(1)


@pytest.mark.parametrize("after", [None, 3])
def test_live_events_arrive_while_the_archive_is_slow(api, ada, bob, monkeypatch, after):
    async def run():
        ended, live = TableScene(api, ada, bob), TableScene(api, ada, bob)
        live.hub, live.feed = ended.hub, ended.feed
        archive(ended)
        followed, _ = await live.join()
        subscription, recorded_stream = ended.watch(after=after), RecordedStream()
        forget(api.service.archived_logs)
        slow = SlowArchive(monkeypatch)
        joining = asyncio.create_task(ended.hub.join(recorded_stream, subscription))
        try:
            await until(slow.is_read.is_set)
            for _ in range(3):
                await live.act_and_notify()
                await until(lambda: live.version in followed.ids)
            resumed, _ = await live.join(after=5)
            assert resumed.ids == followed.ids[1:] == [6, 7, 8]
            assert not joining.done()
        finally:
            slow.may_answer.set()
        await joining
        last = subscription.loaded.state.version
        missed = [last] if after is None else [*range(after + 1, last + 1)]
        assert recorded_stream.ids == [*missed, last]
        assert recorded_stream.events[-1] == ("end", last, {"version": last})
        assert recorded_stream.has_ended
        await ended.hub.close()

    asyncio.run(run())


def test_an_archive_that_is_away_ends_no_stream(api, ada, bob, monkeypatch):
    async def run():
        ended, live = TableScene(api, ada, bob), TableScene(api, ada, bob)
        live.hub, live.feed = ended.hub, ended.feed
        stays, _ = await ended.join()
        followed, _ = await live.join()
        archive(ended)
        forget(api.service.archived_logs)
        with monkeypatch.context() as patched:
            attempts = away(patched)
            await live.act_and_notify()
            await until(lambda: live.version in followed.ids and len(attempts) > 1)
            assert not stays.has_ended
            assert live.feed.opened == 1
        await live.act_and_notify()
        await until(lambda: stays.events[-1][0] == "end")
        await ended.hub.close()

    asyncio.run(run())


def away(patched):
    """Makes every reading of an archived log fail; returns the places that were asked for."""
    asked = []

    def refuse(_segments, place):
        asked.append(place)
        raise StoreUnavailable("away")

    patched.setattr(Segments, "read", refuse)
    return asked
