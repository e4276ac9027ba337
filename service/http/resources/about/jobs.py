"""`/v1/jobs`: the progress and outcome of work that requests have started."""

import re
from typing import Final

from hoodwink.service.application.errors import NotFound, NotFoundCode
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import EVENT_STREAM, JSON, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.framework.streaming import JobSubscription
from hoodwink.service.http.messages.job_answers import JobAnswer, job_answer
from hoodwink.service.http.messages.problems import NO_STREAM
from hoodwink.service.http.messages.streams import JOB_MESSAGES
from hoodwink.service.http.resources.history import accepted_type, begin_stream

_ID: Final = re.compile("[a-z2-7]{32}")


class JobResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/jobs/{job_id}",
        tag=Tag.SERVICE,
        summary="View a job, or follow its progress",
        description="Returns the job, or a live stream of server-sent events: a `progress` with the job whenever it has "
        "changed, and finally an `end` with its outcome. Anyone who knows the id can read the job; there is no list of jobs. "
        "The outcome is kept for an hour, or less if newer ones need the space; "
        "a temporary failure (a problem with a status from 500 on) for half a minute. A job that waits longer than a day is dropped.",
        # Without a token, since logs can be checked without one, too. The id is the secret.
        answer=Answer("The job.", {JSON: JobAnswer, EVENT_STREAM: JOB_MESSAGES}),
        refuses=NO_STREAM,
    )
    def get_job(self, call: Call) -> Reply:
        named = call.path["job_id"]
        if not _ID.fullmatch(named):  # ids become part of keys in Redis
            raise NotFound(NotFoundCode.JOB_NOT_FOUND)
        job = self._service.jobs.find(named)
        if accepted_type(call, JSON, EVENT_STREAM) == EVENT_STREAM:
            return begin_stream(call, JobSubscription(job=job), not_live=frozenset())
        return Reply(job_answer(job))
