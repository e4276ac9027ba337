"""A job computes the standings of a large tournament for all watchers, outside the API processes."""

import asyncio

import pytest

from hoodwink.domain.tournaments import life
from hoodwink.service.application.jobs.jobs import Full
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.http.resources.tournaments import readings as tournament_readings
from hoodwink.service.http.resources.tournaments import standings
from hoodwink.service.http.serving.streams import standings_channels
from hoodwink.service.http.serving.streams.standings_channels import pause_after
from hoodwink.workers.job_works import GIVEN_UP
from tests.service.http.api import CONFIRMED
from tests.service.http.streams.test_hub import RecordedStream, hub_over, until
from tests.service.http.streams.test_hub_tournaments import TournamentScene, kinds
from tests.service.http.tournaments.test_tournament_answers import watch
from tests.service.inline_jobs import queue_jobs, runner


class LargeScene(TournamentScene):
    """A tournament that counts as large, and jobs that run only when a test runs them."""

    def __init__(self):
        super().__init__()
        service = self.service
        queue_jobs(service)

    def watch(self, player=None):
        return watch(self.cup, "/standings")

    @property
    def channel(self):
        (channel,) = self.hub._standings._channels.values()
        return channel

    def due(self):
        """Returns the waiting jobs."""
        return [job.id for job in self.service.job_store.due(now=self.service.clock.now_ms())]

    async def job(self):
        """Waits for the only job and returns it."""
        await until(self.due)
        (job_id,) = self.due()
        return job_id

    async def run_job(self):
        runner(self.service).run(await self.job())

    async def fail_job(self):
        now = self.service.clock.now_ms()
        failures = self.channel.failures
        self.service.job_store.end(await self.job(), GIVEN_UP, now=now, until=now + 1)
        await until(lambda: self.channel.failures > failures)

    async def look(self):
        await self.hub._standings.refresh(self.hub._standings.watched())

    def change(self):
        self.cup.command("/pause")
        self.cup.command("/resume")


@pytest.fixture(autouse=True)
def large(monkeypatch):
    for module in (standings, standings_channels, tournament_readings):
        monkeypatch.setattr(module, "has_many_lines", lambda _: True)
    monkeypatch.setattr(standings_channels, "FIRST_PAUSE_SECONDS", 3600)


@pytest.fixture
def computed(monkeypatch):
    """The versions with computed standings."""
    versions, standings_of = [], life.standings_of

    def record(tournament, **given):
        versions.append(tournament.version)
        return standings_of(tournament, **given)

    monkeypatch.setattr("hoodwink.service.http.messages.standings_answers.standings_of", record)
    return versions


def in_scene(scenario):
    async def run():
        scene = LargeScene()
        try:
            await scenario(scene)
        finally:
            await scene.hub.close()

    asyncio.run(run())


def test_one_job_serves_the_watchers_of_all_processes_and_requests(computed):
    async def scenario(scene):
        elsewhere, far = hub_over(scene.cup.api, scene.feed), RecordedStream()
        (first, _), (second, _) = await scene.see(), await scene.see()
        await elsewhere.join(far, scene.watch())
        begun = scene.cup.get("/standings").json
        assert begun["id"] == await scene.job()
        assert (first.chunks, second.chunks, far.chunks, computed) == ([], [], [], [])

        await scene.run_job()
        await until(lambda: first.events and second.events and far.events)
        await elsewhere.close()
        late, _ = await scene.see()

        shown = scene.cup.get("/standings")
        assert shown.status_code == 200
        for stream in (first, second, far, late):
            assert stream.events == [("standings", scene.version, shown.json)]
        assert computed == [scene.version]

    in_scene(scenario)


def test_a_job_follows_each_round_until_the_stream_ends(computed):
    async def scenario(scene):
        stream, _ = await scene.see()
        await scene.run_job()
        await until(lambda: stream.events)
        scene.change()
        await scene.look()
        assert scene.due() == []

        scene.cup.play_round()
        scene.notify()
        await scene.run_job()
        await until(lambda: len(stream.events) == 2)
        assert stream.events[-1][2]["rows"][0]["score"] == "1"

        scene.cup.command("/finish", CONFIRMED | {"reason": "It is late."})
        scene.notify()
        await scene.run_job()
        await until(lambda: stream.has_ended)
        assert kinds(stream) == ["standings", "standings", "standings", "end"]
        assert len(computed) == 3

    in_scene(scenario)


def test_events_during_a_job_begin_no_second_job():
    async def scenario(scene):
        await scene.see()
        begun = await scene.job()
        scene.change()
        await scene.look()
        await scene.see()
        assert await scene.job() == begun

    in_scene(scenario)


def test_a_failed_job_is_retried_only_after_a_pause():
    async def scenario(scene):
        stream, _ = await scene.see()
        await scene.fail_job()
        scene.change()
        await scene.look()
        await scene.see()
        assert (scene.due(), stream.chunks, stream.has_ended) == ([], [], False)

    in_scene(scenario)


def test_standings_are_sent_when_a_retried_job_succeeds(monkeypatch):
    monkeypatch.setattr(standings_channels, "FIRST_PAUSE_SECONDS", 0)

    async def scenario(scene):
        stream, _ = await scene.see()
        for failures in (1, 2):
            await scene.fail_job()
            assert scene.channel.failures == failures
            await until(scene.channel.finding.done)
            scene.change()
            await scene.look()
        await scene.run_job()
        await until(lambda: stream.events)
        assert scene.channel.failures == 0

    in_scene(scenario)


def test_pauses_after_failures_double_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(standings_channels, "FIRST_PAUSE_SECONDS", 5)
    assert [pause_after(failures) for failures in (1, 2, 3, 8, 9)] == [5, 10, 20, 640, 640]


@pytest.mark.parametrize("error", [StoreUnavailable("gone"), Full()])
def test_a_store_that_refuses_jobs_leaves_the_stream_open(monkeypatch, error):
    async def scenario(scene):
        def refuse(*_, **__):
            raise error

        with monkeypatch.context() as patched:
            patched.setattr(scene.service.job_store, "begin", refuse)
            stream, _ = await scene.see()
            await until(lambda: scene.channel.failures == 1)
        assert not stream.has_ended

    in_scene(scenario)


def test_a_job_without_watchers_is_no_longer_awaited():
    async def scenario(scene):
        _, leave = await scene.see()
        await scene.job()
        finding = scene.channel.finding
        looking = asyncio.create_task(scene.look())
        await asyncio.sleep(0)
        leave()
        await asyncio.gather(looking, until(finding.done))
        assert not scene.hub._jobs._listeners

    in_scene(scenario)
