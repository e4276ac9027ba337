"""The API's answers about jobs."""

from typing import Any, Literal

import msgspec

from hoodwink.service.application.jobs.jobs import Job, JobKind, JobState


class JobAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A job: work that was too much to be done while the client waits.

    Attributes:
        id: unguessable; anyone who has it can read the job.
        kind: what it does.
        state: `queued` until a worker takes it, then `running`, and in the end `done` or `failed`.
        done, total: how much of the work is done, and how much there is in all; `total` is 0 until that is known.
        location: the address of what was made, if anything was.
        result: the answer that the request would have got, once the job is `done`.
        problem: the problem document that it would have got, once the job has `failed`.
    """

    id: str
    kind: JobKind
    state: Literal["queued", "running", "done", "failed"]
    done: int
    total: int
    location: str | None
    result: Any
    problem: Any


def job_answer(job: Job) -> JobAnswer:
    """Returns a job as its client sees it."""
    outcome, state = job.outcome, _state(job)
    return JobAnswer(
        id=job.id,
        kind=job.kind,
        state=state,
        done=job.total if state == "done" else job.done,
        total=job.total,
        location=None if outcome is None else outcome.headers.get("Location"),
        result=None if outcome is None or outcome.is_failure else outcome.body,
        problem=outcome.body if outcome is not None and outcome.is_failure else None,
    )


def _state(job: Job) -> Literal["queued", "running", "done", "failed"]:
    if job.outcome is not None:
        return "failed" if job.outcome.is_failure else "done"
    return "running" if job.state is JobState.RUNNING else "queued"
