"""Replies to requests that start a job: its outcome if there is one already, and otherwise its address."""

from typing import Final

import msgspec

from hoodwink.service.application.jobs.jobs import Job, JobKind, Jobs, Outcome
from hoodwink.service.http.framework.client_address import counted_as
from hoodwink.service.http.framework.operations import JSON, Call, Reply
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.job_answers import job_answer
from hoodwink.service.http.messages.problems import MEDIA_TYPE

JOB: Final = "hoodwink.job"
"""The key in the WSGI environment under which Flask's view leaves a job for the server, which waits for its outcome."""

_ACCEPTED: Final = 202
_TYPE: Final = "Content-Type"


def begin_job(
    call: Call,
    jobs: Jobs,
    kind: JobKind,
    given: bytes | None = None,
    *,
    key: str | None = None,
    is_shared: bool = False,
) -> Reply:
    """Starts a job; raises `LimitReached` or `Busy`.

    Args:
        given: the job's input; by default the body of the request.
        key: replaces the request's own.
        is_shared: whether all players who ask the same with the same key share a job.
    """
    job = jobs.begin(
        kind,
        call.raw if given is None else given,
        address=counted_as(call.request.address),
        # The id of a job covers the player, so players who share one must be left out. It still counts for the address.
        player=None if call.player is None or is_shared else call.player.id,
        key=call.key if key is None else key,
    )
    return accepted(job)


def accepted(job: Job) -> Reply:
    """Returns the outcome of a job, or 202 with the job, which the server replaces if the job ends within a moment."""
    outcome = job.outcome
    if outcome is not None:
        return _reply(outcome)
    headers = {"Location": f"/v1/jobs/{job.id}", "Retry-After": "1"}
    return Reply(job_answer(job), headers, status=_ACCEPTED, job=job)


def outcome_of(reply: Reply) -> Outcome:
    """Returns a reply as the outcome of a job; text becomes a JSON string."""
    if reply.media_type == JSON:
        body, headers = reply.body if isinstance(reply.body, bytes) else encode(reply.body), {}
    else:  # the job's own answer is JSON, in which the outcome is the field `result`
        body, headers = msgspec.json.encode(reply.body.decode()), {_TYPE: reply.media_type}
    return Outcome(status=reply.status or 200, body=msgspec.Raw(body), headers={**reply.headers, **headers})


def _reply(outcome: Outcome) -> Reply:
    headers, body = dict(outcome.headers), bytes(outcome.body)
    if outcome.is_failure:
        return Reply(body, headers, MEDIA_TYPE, outcome.status)
    media_type = headers.pop(_TYPE, JSON)
    if media_type != JSON:
        body = msgspec.json.decode(body, type=str).encode()
    return Reply(body, headers, media_type, outcome.status)
