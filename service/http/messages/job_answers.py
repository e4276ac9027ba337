"""The API's answers about jobs."""

from typing import Any, Literal

import msgspec

from hoodwink.service.application.jobs.jobs import Job, JobKind, JobState


class JobAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A job: work that takes too long for a request.

    Attributes:
        id: unguessable; anyone who has it can read the job.
        kind: the kind of work.
        state: `queued` until a worker takes it, then `running`, and finally `done` or `failed`.
        done, total: the progress; `total` is 0 until it is known.
        location: the address of the new resource, if there is one.
        result: the response that the request would have got, once the job is `done`.
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
        done=job.total if state == "done" else job.done,  # a worker need not report its last step
        total=job.total,
        location=None if outcome is None else outcome.headers.get("Location"),
        result=None if outcome is None or outcome.is_failure else outcome.body,
        problem=outcome.body if outcome is not None and outcome.is_failure else None,
    )


def _state(job: Job) -> Literal["queued", "running", "done", "failed"]:
    if job.outcome is not None:
        return "failed" if job.outcome.is_failure else "done"
    # For clients, a job whose input is still being stored is queued, too.
    return "running" if job.state is JobState.RUNNING else "queued"
