"""Jobs in real worker processes end with an outcome even if they exceed limits or processes are killed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from hoodwink.service.application.jobs.jobs import JobKind
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.embedded_redis import EmbeddedRedis
from hoodwink.workers import job_worker
from hoodwink.workers.job_limits import NICENESS
from tests.service.direct import service_on
from tests.service.processes import end
from tests.workers.parts import until

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
NUMBERS = count()


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    with EmbeddedRedis(folder=tmp_path_factory.mktemp("jobs") / "redis") as redis:
        yield Settings(redis_url=redis.url, job_slots=1, job_seconds=1, job_megabytes=64)


@pytest.fixture(scope="module")
def service(settings: Settings) -> Iterator[Service]:
    with service_on(settings) as service:
        yield service


@contextmanager
def worker(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a job worker whose jobs misbehave."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.workers.unruly_jobs"],
        cwd=ROOT,
        env=os.environ | settings.to_environment(),
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        end(process)


@pytest.fixture(scope="class")
def working(settings: Settings) -> Iterator[None]:
    with worker(settings):
        yield


def begin(service: Service, text: str) -> str:
    body = text.encode()
    return service.jobs.begin(JobKind.VERIFY, body, address=f"10.0.0.{next(NUMBERS)}").id


def outcome(service: Service, job: str) -> Any:
    """Sends tasks until a job has an outcome; returns its status and body."""
    ended = until(lambda: service.jobs.find(job).outcome, doing=service.job_dispatcher.dispatch)
    return ended.status, msgspec.json.decode(ended.body)


@pytest.mark.parametrize("is_redelivered", [False, True])
def test_a_redelivered_job_does_not_wait_for_its_lease(monkeypatch, is_redelivered):
    runner = Mock()
    monkeypatch.setattr(job_worker, "_runner", lambda: runner)
    job_worker.run_job.push_request(delivery_info={"redelivered": is_redelivered})

    job_worker.run_job.run("a")
    job_worker.run_job.pop_request()

    runner.run.assert_called_once_with("a", again=is_redelivered)


@pytest.mark.usefixtures("working")
class TestOneWorker:
    """A worker with one process for jobs."""

    def test_a_job_runs_at_low_priority(self, service):
        niceness = min(os.nice(0) + NICENESS, 19)  # the tests themselves may run at low priority

        assert outcome(service, begin(service, "behave")) == (200, {"attempt": 1, "niceness": niceness})

    def test_a_job_with_a_killed_process_is_run_again(self, service):
        status, body = outcome(service, begin(service, "die once"))
        assert (status, body["attempt"]) == (200, 2)

    def test_a_job_that_kills_its_process_each_time_is_given_up(self, service):
        status, body = outcome(service, begin(service, "die always"))
        assert (status, body["code"]) == (503, "job_interrupted")

    @pytest.mark.parametrize("text", ["spin", "wait", "hoard"])
    def test_a_job_over_its_limits_ends_and_others_follow(self, service, text):
        jobs = [begin(service, text), begin(service, "behave")]
        status, body = outcome(service, jobs[0])
        assert (status, body["code"]) == (422, "job_too_expensive")
        assert "your own machine" in body["detail"]
        assert outcome(service, jobs[1])[0] == 200

    def test_a_second_run_does_not_change_the_outcome(self, service):
        job = begin(service, "behave")
        first = outcome(service, job)
        service.job_dispatcher._queue.send_job(job, is_large=False)
        assert outcome(service, begin(service, "behave"))[0] == 200
        assert outcome(service, job) == first


def test_a_job_of_a_killed_worker_is_run_by_the_next(settings, service):
    with worker(settings) as killed:
        job = begin(service, "be stopped once")
        until(lambda: killed.poll() is not None, doing=service.job_dispatcher.dispatch)
    with worker(settings):
        status, body = outcome(service, job)
        assert (status, body["attempt"]) == (200, 2)
