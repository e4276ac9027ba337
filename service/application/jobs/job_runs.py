"""Runs jobs: the worker's side, and the dispatch of tasks for them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final, Protocol, TypeAlias

import structlog

from hoodwink.service.application.jobs.jobs import Claimed, Job, JobKind, JobStore, Outcome
from hoodwink.service.application.ports import Clock, StoreUnavailable

log = structlog.get_logger(__name__)

MAX_ATTEMPTS: Final = 3
"""A job that has killed its worker this often is given up."""

LARGE_BYTES: Final = 256 * 1024
"""Jobs with larger inputs, and reviews, run after all others, so that many of them delay nobody's tournament."""

REPORT_MS: Final = 500
"""Minimum time between two reports of progress."""

_BEAT_SECONDS: Final = 4.0  # three beats fit into the lease, so that one lost write does not cost it

Progress: TypeAlias = Callable[[int, int], None]
"""Takes the amount of work done and the total. It may be called often."""

Work: TypeAlias = Callable[[Claimed, Progress], Outcome]
"""Does the work of a job; raises only `StoreUnavailable`."""


class JobQueue(Protocol):
    """Sends jobs to the workers."""

    def send_job(self, job_id: str, *, is_large: bool) -> None:
        """Queues a job for a worker, a large one after all others; raises `StoreUnavailable`."""
        ...


class DueJobs(JobStore, Protocol):
    """A store that knows which jobs need a task."""

    def due(self, *, now: int) -> Sequence[Job]:
        """Returns jobs that need a task: new ones, and those whose worker was killed."""
        ...

    def mark_sent(self, job_id: str, *, now: int) -> None:
        """Records that a task was sent for a job, which is due again later if no worker takes it."""
        ...

    def forget_old(self, *, now: int) -> int:
        """Drops expired jobs, and the oldest outcomes if there is no room for all; returns their number."""
        ...


class JobRunner:
    """Runs one job at a time."""

    def __init__(self, *, store: JobStore, clock: Clock, work: Work, given_up: Outcome) -> None:
        """`given_up` is the outcome of a job that has killed its worker at every attempt."""
        self._store = store
        self._clock = clock
        self._work = work
        self._given_up = given_up

    def run(self, job_id: str, *, again: bool = False) -> None:
        """Runs a job, unless it has ended or another worker holds it.

        Args:
            job_id: of the job.
            again: run it even if another worker seems to hold it, because that one is known to have been killed.
        """
        claimed = self._store.claim(job_id, now=self._clock.now_ms(), again=again)
        if claimed is None:
            return
        # An attempt that kills its worker can store no outcome, so only the next claim can notice that.
        if claimed.attempt > MAX_ATTEMPTS:
            outcome = self._given_up
        else:
            with self._beating(job_id, claimed.attempt):
                # If this raises, the job has no outcome, and runs again once its lease has ended.
                outcome = self._work(claimed, self._progress(job_id, claimed.attempt))
        now = self._clock.now_ms()
        self._store.end(job_id, outcome, now=now, until=now + outcome.kept_ms)

    def _progress(self, job_id: str, attempt: int) -> Progress:
        # The work may report after every event, but each report that is stored is a write to Redis.
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
            # The work continues: either its outcome can be stored, or the job runs again.
            log.warning("a job could not report its progress", error=str(error))

    @contextmanager
    def _beating(self, job_id: str, attempt: int) -> Iterator[None]:
        """Renews the lease of the job, even while the work reports no progress."""
        # In a thread, because a single step of the work, such as a pairing, may take longer than the lease.
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
    """Sends a task for each due job, and drops old jobs."""

    def __init__(self, *, store: DueJobs, queue: JobQueue, clock: Clock) -> None:
        self._store = store
        self._queue = queue
        self._clock = clock

    def dispatch(self) -> None:
        """Raises `StoreUnavailable`."""
        now = self._clock.now_ms()
        for job in self._store.due(now=now):
            # Sent first, recorded second: a task that is sent twice finds the job taken, but a job whose task was
            # never sent would wait for the next one.
            self._queue.send_job(job.id, is_large=job.size > LARGE_BYTES or job.kind is JobKind.REVIEW)
            self._store.mark_sent(job.id, now=now)
        self._store.forget_old(now=now)
