"""Waits for jobs on the event loop, for quick outcomes and for the progress that streams send.

While anybody waits, one task reads all these jobs in one round trip. No thread waits for a job.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import structlog

from hoodwink.service.application.jobs.jobs import Job, Jobs, Outcome
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.http.framework.streaming import JobSubscription
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.job_answers import job_answer
from hoodwink.service.http.serving.streams.watcher import Stream

log = structlog.get_logger(__name__)

MOMENT_SECONDS: Final = 2.0
"""Time for which a request waits for its job's outcome before it is answered 202."""

MAX_WAITING: Final = 64
"""Requests that may wait in this process. Others are answered 202 immediately."""

_MIN_SECONDS: Final = 0.03
_SECONDS_PER_JOB: Final = 0.002
_LOST_SECONDS: Final = 1.0

Listener: TypeAlias = Callable[[Job | None], None]
"""Called with the latest state of a job, or with `None` if it has vanished."""


class JobWatch:
    """The jobs that are awaited in this process. Call its methods on the event loop."""

    def __init__(self, jobs: Callable[[], Jobs], *, max_waiting: int = MAX_WAITING) -> None:
        """Takes a function that returns the jobs. They are read in a thread."""
        self._jobs = jobs
        self._max_waiting = max_waiting
        self._waiting = 0
        self._listeners: dict[str, list[Listener]] = {}
        self._watching: asyncio.Task[None] | None = None

    async def after_a_moment(self, job: Job) -> Job:
        """Returns a job when it has ended or `MOMENT_SECONDS` have passed, or immediately if too many requests wait."""
        if self._waiting >= self._max_waiting:
            return job
        self._waiting += 1
        try:
            return await self._await_end(job, MOMENT_SECONDS)
        finally:
            self._waiting -= 1

    async def outcome(self, begin: Callable[[Jobs], Job]) -> Outcome | None:
        """Starts a job in a thread and returns its outcome, or `None` if it vanishes; raises `StoreUnavailable`."""
        job = await asyncio.to_thread(lambda: begin(self._jobs()))
        return (await self._await_end(job, None)).outcome

    async def _await_end(self, job: Job, seconds: float | None) -> Job:
        """Returns a job when it has ended or vanished, or when the time is up."""
        latest, ended = job, asyncio.Event()

        def listen(now: Job | None) -> None:
            nonlocal latest
            latest = now or latest
            if now is None or now.outcome is not None:
                ended.set()

        self._add(job.id, listen)
        try:
            async with asyncio.timeout(seconds):
                await ended.wait()
        except TimeoutError:
            pass
        finally:
            self._drop(job.id, listen)
        return latest

    def join(self, stream: Stream, subscription: JobSubscription) -> Callable[[], None]:
        """Writes a job to a stream whenever it changes, until it has ended; returns a function that stops this."""
        job_id, sent = subscription.job.id, list[Job]()

        def listen(job: Job | None) -> None:
            if job is None:
                stream.end()
            elif not sent or job != sent[-1]:  # jobs are read many times a second, but change rarely
                sent[:] = [job]
                stream.write(_frame(job))
                if job.outcome is not None:
                    stream.end()

        listen(subscription.job)
        # A job that had already ended has just ended the stream, and will not change any more.
        if subscription.job.outcome is None:
            self._add(job_id, listen)
        return lambda: self._drop(job_id, listen)

    def _add(self, job_id: str, listener: Listener) -> None:
        self._listeners.setdefault(job_id, []).append(listener)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    def _drop(self, job_id: str, listener: Listener) -> None:
        listeners = self._listeners.get(job_id, [])
        if listener in listeners:
            listeners.remove(listener)
        if not listeners:
            self._listeners.pop(job_id, None)

    async def _watch(self) -> None:
        while self._listeners:
            # The pause grows with the number of jobs, which bounds the jobs read per second.
            await asyncio.sleep(_MIN_SECONDS + _SECONDS_PER_JOB * len(self._listeners))
            try:
                await self.refresh()
            except StoreUnavailable as error:
                log.warning("jobs cannot be read", error=str(error))
                await asyncio.sleep(_LOST_SECONDS)
            except Exception:  # without this task, those who wait without a time limit would wait for ever
                log.exception("jobs cannot be read")
                await asyncio.sleep(_LOST_SECONDS)

    async def refresh(self) -> None:
        """Reads all watched jobs and calls their listeners; raises `StoreUnavailable`."""
        ids = list(self._listeners)
        found = await asyncio.to_thread(self._find, ids)
        for job_id, job in zip(ids, found, strict=True):
            # The last listener of a job may have left during the read.
            for listener in list(self._listeners.get(job_id, ())):
                listener(job)

    def _find(self, job_ids: Sequence[str]) -> Sequence[Job | None]:
        return self._jobs().find_each(job_ids)


def _frame(job: Job) -> bytes:
    kind = b"progress" if job.outcome is None else b"end"
    return b"event: %b\ndata: %b\n\n" % (kind, encode(job_answer(job)))
