"""Runs jobs: the worker's side, and the dispatch of tasks for them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final, Protocol, TypeAlias

import structlog

from hoodwink.service.application.jobs.jobs import KEPT_MS, Claimed, Job, JobStore, Outcome
from hoodwink.service.application.ports import Clock, StoreUnavailable

log = structlog.get_logger(__name__)

MAX_ATTEMPTS: Final = 3
"""How often a job is begun; one that has killed its worker each time is given up."""

LARGE_BYTES: Final = 256 * 1024
"""Jobs with larger inputs run after all others, so that a client who sends many large logs delays nobody's tournament."""

REPORT_MS: Final = 500
"""The least time between two reports of progress."""

_BEAT_SECONDS: Final = 4.0

Progress: TypeAlias = Callable[[int, int], None]
"""Takes how much of the work is done, and how much there is in all. It may be called often."""

Work: TypeAlias = Callable[[Claimed, Progress], Outcome]
"""Does the work of a job; it raises nothing but `StoreUnavailable`."""


class JobQueue(Protocol):
    """Sends jobs to the workers."""

    def send_job(self, job_id: str, *, is_large: bool) -> None:
        """Asks a worker to run a job, a large one after all others; raises `StoreUnavailable`."""
        ...


class DueJobs(JobStore, Protocol):
    """A store that knows for which jobs a task has to be sent."""

    def due(self, *, now: int) -> Sequence[Job]:
        """Returns jobs for which a task has to be sent: new ones, and those whose worker was killed."""
        ...

    def mark_sent(self, job_id: str, *, now: int) -> None:
        """Notes that a task was sent for a job; it is due again later if no worker takes it."""
        ...

    def forget_old(self, *, now: int) -> int:
        """Drops jobs whose time is over, and the oldest outcomes where there is no room for all; returns their number."""
        ...


class JobRunner:
    """Runs one job at a time."""

    def __init__(self, *, store: JobStore, clock: Clock, work: Work, given_up: Outcome) -> None:
        """Takes the outcome of a job that has killed its worker at every attempt."""
        self._store = store
        self._clock = clock
        self._work = work
        self._given_up = given_up

    def run(self, job_id: str, *, again: bool = False) -> None:
        """Runs a job, unless it has ended or another worker is at it.

        Args:
            job_id: of the job.
            again: run it although another worker seems to be at it: that one is known to have been killed.
        """
        claimed = self._store.claim(job_id, now=self._clock.now_ms(), again=again)
        if claimed is None:
            return
        if claimed.attempt > MAX_ATTEMPTS:
            outcome = self._given_up
        else:
            with self._beating(job_id, claimed.attempt):
                outcome = self._work(claimed, self._progress(job_id, claimed.attempt))
        now = self._clock.now_ms()
        self._store.end(job_id, outcome, now=now, until=now + KEPT_MS)

    def _progress(self, job_id: str, attempt: int) -> Progress:
        reported_at = self._clock.elapsed_ms()

        def report(done: int, total: int) -> None:
            nonlocal reported_at
            now = self._clock.elapsed_ms()
            if now - reported_at >= REPORT_MS:
                reported_at = now
                self._note(job_id, attempt, (done, total))

        return report

    def _note(self, job_id: str, attempt: int, progress: tuple[int, int] | None) -> None:
        try:
            self._store.report(job_id, attempt, progress, now=self._clock.now_ms())
        except StoreUnavailable as error:
            # The work goes on: its outcome will be stored, or the job is run again.
            log.warning("a job could not report", error=str(error))

    @contextmanager
    def _beating(self, job_id: str, attempt: int) -> Iterator[None]:
        """Shows that the worker is alive, also while the work reports no progress."""
        ended = Event()

        def beat() -> None:
            while not ended.wait(_BEAT_SECONDS):
                self._note(job_id, attempt, None)

        thread = Thread(target=beat, name="beat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


class JobDispatcher:
    """Sends a task for each job that is due, and drops jobs whose time is over or for whose outcomes there is no room."""

    def __init__(self, *, store: DueJobs, queue: JobQueue, clock: Clock) -> None:
        self._store = store
        self._queue = queue
        self._clock = clock

    def dispatch(self) -> None:
        """Does both once; raises `StoreUnavailable`."""
        now = self._clock.now_ms()
        for job in self._store.due(now=now):
            # Sent before that is noted: a task that is sent twice finds the job taken, one that is lost delays it.
            self._queue.send_job(job.id, is_large=job.size > LARGE_BYTES)
            self._store.mark_sent(job.id, now=now)
        self._store.forget_old(now=now)
