"""Jobs without a worker: run immediately or by a test."""

from typing import Any

from hoodwink.service.application.jobs.job_runs import JobRunner
from hoodwink.service.application.jobs.jobs import Job, Jobs
from hoodwink.service.bootstrap import Service
from hoodwink.workers.job_works import GIVEN_UP, work_of


def runner(service: Service) -> JobRunner:
    """Returns a runner of jobs in this process, without limits."""
    return JobRunner(store=service.job_store, clock=service.clock, work=work_of(service), given_up=GIVEN_UP)


def queue_jobs(service: Service) -> None:
    """Lets jobs wait until a test runs them, by replacing the inline jobs with the service's own."""
    del vars(service)["jobs"]


class InlineJobs(Jobs):
    """Runs each job immediately."""

    def __init__(self, service: Service) -> None:
        super().__init__(
            store=service.job_store,
            identities=service.identities,
            entropy=service.entropy,
            clock=service.clock,
            bounds=service.settings.bounds,
        )
        self._runner = runner(service)

    def begin(self, *given: Any, **named: Any) -> Job:
        job = super().begin(*given, **named)
        self._runner.run(job.id)
        return self.find(job.id)
