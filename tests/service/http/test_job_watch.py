"""The event loop waits for jobs: for those that end within a moment, and for the progress that streams send."""

import asyncio
import json

import msgspec
import pytest

from hoodwink.service.application.jobs.jobs import Job, JobKind, Jobs, JobState, Outcome
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.http.framework.streaming import JobSubscription
from hoodwink.service.http.serving.streams import job_watch
from hoodwink.service.http.serving.streams.job_watch import JobWatch

QUEUED = Job(id="a", kind=JobKind.VERIFY, state=JobState.QUEUED)
RUNNING = msgspec.structs.replace(QUEUED, state=JobState.RUNNING, done=1, total=2)
ENDED = msgspec.structs.replace(
    QUEUED, state=JobState.ENDED, outcome=Outcome(status=200, body=msgspec.Raw(b"{}"))
)


class Told(Jobs):
    """Jobs that tell one after the other what happens to a job, and then always the last of it."""

    def __init__(self, *told):
        self._told = list(told)
        self.looks = 0

    def find_each(self, job_ids):
        assert set(job_ids) == {"a"}
        self.looks += 1
        told = self._told.pop(0) if len(self._told) > 1 else self._told[0]
        if isinstance(told, Exception):
            raise told
        return [told]


class Recorded:
    """A stream that keeps what it is sent."""

    def __init__(self):
        self.sent, self.ended = [], asyncio.Event()

    def write(self, chunk):
        head, data = chunk.decode().splitlines()[:2]
        self.sent.append((head.removeprefix("event: "), json.loads(data.removeprefix("data: "))["state"]))

    def end(self):
        self.ended.set()


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    monkeypatch.setattr(job_watch, "_LOST_SECONDS", 0)
    monkeypatch.setattr(job_watch, "MOMENT_SECONDS", 60)


def waited(jobs, *, at_once=1, **given):
    """Returns the job as each of several requests has it after a moment."""

    async def wait():
        watch = JobWatch(lambda: jobs, **given)
        return await asyncio.gather(*[watch.after_a_moment(QUEUED) for _ in range(at_once)])

    return asyncio.run(wait())


def test_who_waits_has_the_outcome_as_soon_as_it_is_there():
    assert waited(Told(QUEUED, RUNNING, ENDED)) == [ENDED]


def test_a_job_that_takes_longer_is_returned_as_it_is_then(monkeypatch):
    monkeypatch.setattr(job_watch, "MOMENT_SECONDS", 0.2)
    assert waited(Told(RUNNING)) == [RUNNING]


def test_those_beyond_the_most_who_may_wait_do_not_wait():
    assert waited(Told(ENDED), at_once=5, max_waiting=3) == [ENDED, ENDED, ENDED, QUEUED, QUEUED]


def test_all_who_wait_for_a_job_share_one_look():
    jobs = Told(RUNNING, ENDED)
    assert waited(jobs, at_once=9) == [ENDED] * 9
    assert jobs.looks == 2


def test_a_lost_store_is_asked_again():
    assert waited(Told(StoreUnavailable("gone"), ENDED)) == [ENDED]


def test_a_job_that_is_gone_is_returned_as_it_was():
    assert waited(Told(None)) == [QUEUED]


@pytest.mark.parametrize(("last", "expected"), [(ENDED, ENDED.outcome), (None, None)])
def test_an_outcome_is_awaited_beyond_a_moment_and_is_none_if_the_job_vanishes(monkeypatch, last, expected):
    monkeypatch.setattr(job_watch, "MOMENT_SECONDS", 0)
    jobs = Told(RUNNING, last)
    watch = JobWatch(lambda: jobs)
    assert asyncio.run(watch.outcome(lambda _: QUEUED)) == expected
    assert not watch._listeners


def streamed(jobs, first=QUEUED):
    async def follow():
        stream = Recorded()
        leave = JobWatch(lambda: jobs).join(stream, JobSubscription(job=first))
        await stream.ended.wait()
        leave()
        return stream.sent

    return asyncio.run(follow())


def test_a_stream_has_each_change_once_and_the_outcome_in_the_end():
    assert streamed(Told(QUEUED, RUNNING, RUNNING, ENDED)) == [
        ("progress", "queued"),
        ("progress", "running"),
        ("end", "done"),
    ]


def test_the_stream_of_a_job_that_has_ended_has_its_outcome():
    assert streamed(Told(), ENDED) == [("end", "done")]


def test_the_stream_of_a_job_that_is_gone_ends():
    assert streamed(Told(None)) == [("progress", "queued")]


def test_nothing_is_read_while_nobody_waits():
    async def wait():
        jobs = Told(ENDED)
        watch = JobWatch(lambda: jobs)
        assert await watch.after_a_moment(QUEUED) == ENDED
        looks = jobs.looks
        await asyncio.sleep(0.1)
        return jobs.looks - looks

    assert asyncio.run(wait()) == 0
