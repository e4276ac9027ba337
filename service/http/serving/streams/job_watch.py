"""Waits for jobs on the event loop: for outcomes that come within a moment, and for the progress that streams send.

While anybody waits, one task reads all jobs that are waited for, in one round trip. No thread waits for a job.
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
"""How long a request waits for the outcome of its job before it is answered 202."""

MAX_WAITING: Final = 64
"""How many requests may wait in this process; the others are answered 202 immediately."""

_MIN_SECONDS: Final = 0.03
_SECONDS_PER_JOB: Final = 0.002
_LOST_SECONDS: Final = 1.0

Told: TypeAlias = Callable[[Job | None], None]


class JobWatch:
    """The jobs that are waited for in this process. Its methods belong on the event loop."""

    def __init__(self, jobs: Callable[[], Jobs], *, most_waiting: int = MAX_WAITING) -> None:
        """Takes a function that returns the jobs, which are asked in a thread."""
        self._jobs = jobs
        self._most_waiting = most_waiting
        self._waiting = 0
        self._told: dict[str, list[Told]] = {}
        self._watching: asyncio.Task[None] | None = None

    async def after_a_moment(self, job: Job) -> Job:
        """Returns a job as soon as it has ended, or as it is after a moment; immediately if too many requests wait."""
        if self._waiting >= self._most_waiting:
            return job
        self._waiting += 1
        try:
            return await self._await_end(job, MOMENT_SECONDS)
        finally:
            self._waiting -= 1

    async def outcome(self, begin: Callable[[Jobs], Job]) -> Outcome | None:
        """Begins a job in a thread and returns its outcome, or `None` if it vanishes; raises `StoreUnavailable`."""
        job = await asyncio.to_thread(lambda: begin(self._jobs()))
        return (await self._await_end(job, None)).outcome

    async def _await_end(self, job: Job, seconds: float | None) -> Job:
        """Returns a job as soon as it has ended or vanished, or as it is after some time."""
        latest, ended = job, asyncio.Event()

        def tell(now: Job | None) -> None:
            nonlocal latest
            latest = now or latest
            if now is None or now.outcome is not None:
                ended.set()

        self._add(job.id, tell)
        try:
            async with asyncio.timeout(seconds):
                await ended.wait()
        except TimeoutError:
            pass
        finally:
            self._drop(job.id, tell)
        return latest

    def join(self, stream: Stream, subscription: JobSubscription) -> Callable[[], None]:
        """Writes a job to a stream whenever it changes, until it has ended; returns a function that ends this."""
        job_id, sent = subscription.job.id, list[Job]()

        def tell(job: Job | None) -> None:
            if job is None:
                stream.end()
            elif not sent or job != sent[-1]:
                sent[:] = [job]
                stream.write(_frame(job))
                if job.outcome is not None:
                    stream.end()

        tell(subscription.job)
        if subscription.job.outcome is None:
            self._add(job_id, tell)
        return lambda: self._drop(job_id, tell)

    def _add(self, job_id: str, tell: Told) -> None:
        self._told.setdefault(job_id, []).append(tell)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    def _drop(self, job_id: str, tell: Told) -> None:
        told = self._told.get(job_id, [])
        if tell in told:
            told.remove(tell)
        if not told:
            self._told.pop(job_id, None)

    async def _watch(self) -> None:
        while self._told:
            await asyncio.sleep(_MIN_SECONDS + _SECONDS_PER_JOB * len(self._told))
            try:
                await self.refresh()
            except StoreUnavailable as error:
                log.warning("jobs cannot be read", error=str(error))
                await asyncio.sleep(_LOST_SECONDS)

    async def refresh(self) -> None:
        """Reads all watched jobs and wakes their watchers; raises `StoreUnavailable`."""
        ids = list(self._told)
        found = await asyncio.to_thread(self._find, ids)
        for job_id, job in zip(ids, found, strict=True):
            for tell in list(self._told.get(job_id, ())):
                tell(job)

    def _find(self, job_ids: Sequence[str]) -> Sequence[Job | None]:
        return self._jobs().find_each(job_ids)


def _frame(job: Job) -> bytes:
    kind = b"progress" if job.outcome is None else b"end"
    return b"event: %b\ndata: %b\n\n" % (kind, encode(job_answer(job)))
