"""Waiting for jobs on the event loop: briefly in requests, and for progress in streams."""

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


class ScriptedJobs(Jobs):
    """Returns the given states of a job one after the other, and then always the last one."""

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


class RecordedStream:
    """A stream that records the bytes written to it."""

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


def outcomes_of_waiting(jobs, *, at_once=1, **given):
    """Returns the job that each of several waiting requests gets."""

    async def wait():
        watch = JobWatch(lambda: jobs, **given)
        return await asyncio.gather(*[watch.after_a_moment(QUEUED) for _ in range(at_once)])

    return asyncio.run(wait())


def test_a_waiting_request_gets_the_outcome_immediately():
    assert outcomes_of_waiting(ScriptedJobs(QUEUED, RUNNING, ENDED)) == [ENDED]


def test_a_slow_job_is_returned_in_its_latest_state(monkeypatch):
    monkeypatch.setattr(job_watch, "MOMENT_SECONDS", 0.2)
    assert outcomes_of_waiting(ScriptedJobs(RUNNING)) == [RUNNING]


def test_requests_over_the_waiting_limit_do_not_wait():
    assert outcomes_of_waiting(ScriptedJobs(ENDED), at_once=5, max_waiting=3) == [
        ENDED,
        ENDED,
        ENDED,
        QUEUED,
        QUEUED,
    ]


def test_requests_waiting_for_one_job_share_its_reads():
    jobs = ScriptedJobs(RUNNING, ENDED)
    assert outcomes_of_waiting(jobs, at_once=9) == [ENDED] * 9
    assert jobs.looks == 2


@pytest.mark.parametrize("error", [StoreUnavailable("gone"), ValueError("a fault")])
def test_a_failed_read_of_the_store_is_retried(monkeypatch, error):
    monkeypatch.setattr(job_watch, "MOMENT_SECONDS", 5)
    assert outcomes_of_waiting(ScriptedJobs(error, ENDED)) == [ENDED]


def test_a_vanished_job_is_returned_in_its_last_state():
    assert outcomes_of_waiting(ScriptedJobs(None)) == [QUEUED]


@pytest.mark.parametrize(("last", "expected"), [(ENDED, ENDED.outcome), (None, None)])
def test_an_outcome_is_awaited_and_is_none_if_the_job_vanishes(monkeypatch, last, expected):
    monkeypatch.setattr(job_watch, "MOMENT_SECONDS", 0)
    jobs = ScriptedJobs(RUNNING, last)
    watch = JobWatch(lambda: jobs)
    assert asyncio.run(watch.outcome(lambda _: QUEUED)) == expected
    assert not watch._listeners


def streamed_frames(jobs, first=QUEUED):
    async def follow():
        stream = RecordedStream()
        leave = JobWatch(lambda: jobs).join(stream, JobSubscription(job=first))
        await stream.ended.wait()
        leave()
        return stream.sent

    return asyncio.run(follow())


def test_a_stream_has_each_change_once_and_then_the_outcome():
    assert streamed_frames(ScriptedJobs(QUEUED, RUNNING, RUNNING, ENDED)) == [
        ("progress", "queued"),
        ("progress", "running"),
        ("end", "done"),
    ]


def test_the_stream_of_an_ended_job_has_its_outcome():
    assert streamed_frames(ScriptedJobs(), ENDED) == [("end", "done")]


def test_the_stream_of_a_vanished_job_ends():
    assert streamed_frames(ScriptedJobs(None)) == [("progress", "queued")]


def test_the_store_is_not_read_while_nobody_waits():
    async def wait():
        jobs = ScriptedJobs(ENDED)
        watch = JobWatch(lambda: jobs)
        assert await watch.after_a_moment(QUEUED) == ENDED
        looks = jobs.looks
        await asyncio.sleep(0.1)
        return jobs.looks - looks

    assert asyncio.run(wait()) == 0
