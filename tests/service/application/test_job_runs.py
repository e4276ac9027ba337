"""The dispatch of jobs: each is sent until a worker takes it, large ones last."""

import msgspec
import pytest

from hoodwink.service.application.jobs.job_runs import LARGE_BYTES, JobDispatcher, JobRunner
from hoodwink.service.application.jobs.jobs import JobKind, Outcome
from hoodwink.service.application.ports import StoreUnavailable
from tests.service.http.api import new_service


class Sent:
    """A queue that records the jobs sent to it, or is unreachable."""

    def __init__(self):
        self.jobs, self.is_away = [], False

    def send_job(self, job_id, *, is_large):
        if self.is_away:
            raise StoreUnavailable("gone")
        self.jobs.append((job_id, is_large))


@pytest.fixture
def service():
    return new_service()


def begin(service, job_id, body=b"log", kind=JobKind.VERIFY):
    service.job_store.begin(job_id, kind, (), body, now=service.clock.now_ms())


def test_a_job_is_sent_once_and_to_the_right_queue(service):
    queue = Sent()
    dispatcher = JobDispatcher(store=service.job_store, queue=queue, clock=service.clock)
    begin(service, "a")
    begin(service, "b", bytes(LARGE_BYTES + 1))
    begin(service, "c", kind=JobKind.REVIEW)
    for _ in range(2):
        dispatcher.dispatch()
    assert sorted(queue.jobs) == [("a", False), ("b", True), ("c", True)]


def test_an_unsent_job_is_sent_later(service):
    queue = Sent()
    queue.is_away = True
    dispatcher = JobDispatcher(store=service.job_store, queue=queue, clock=service.clock)
    begin(service, "a")
    with pytest.raises(StoreUnavailable):
        dispatcher.dispatch()
    queue.is_away = False
    dispatcher.dispatch()
    assert queue.jobs == [("a", False)]


@pytest.mark.parametrize(("status", "is_kept"), [(200, True), (422, True), (500, False), (503, False)])
def test_a_temporary_failure_is_dropped_soon_so_that_the_same_request_runs_again(service, status, is_kept):
    outcome = Outcome(status=status, body=msgspec.Raw(b"{}"))
    begin(service, "a")
    runner = JobRunner(
        store=service.job_store, clock=service.clock, work=lambda *_: outcome, given_up=outcome
    )
    runner.run("a")
    assert service.jobs.find("a").outcome == outcome, "those who wait for the job get its outcome"

    service.clock.wait(60)

    assert (service.jobs.find_each(["a"]) != [None]) is is_kept
