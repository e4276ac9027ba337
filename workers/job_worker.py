"""Runs a Celery worker for jobs: `python -m hoodwink.workers.job_worker`.

Jobs are expensive work that requests have started (`service/application/jobs/jobs.py`). Each runs in a process of its own
pool, which gives way to all other processes of the machine and is bounded in time and memory. Any of these processes
may be killed: the job is run again, and after some attempts given up.
"""

import os
from functools import cache, partial
from typing import Any, Final

from hoodwink.service.adapters.tasks.task_queue import RUN_JOB, job_application
from hoodwink.service.application.jobs.job_runs import JobRunner
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.workers.celery_process import DEFAULT_REDIS, run_worker
from hoodwink.workers.job_limits import NICENESS, WALL_PER_CPU, run_limited

_GRACE_SECONDS: Final = 10
"""After this time beyond its wall time a job that does not end by itself is killed with its process."""

_JOBS_PER_PROCESS: Final = 50
"""Then a process is replaced by a new one, because memory that a large job took may not be given back."""

settings = Settings.from_environment(os.environ)
app = job_application(settings.tasks_url or DEFAULT_REDIS)


@app.task(name=RUN_JOB, bind=True)
def run_job(task: Any, job_id: str) -> None:
    """Runs a job; a task that was given back was taken from a process that was killed."""
    _runner().run(job_id, again=bool(task.request.delivery_info.get("redelivered")))


@cache
def _runner() -> JobRunner:
    """Returns what runs the jobs in this process of the pool: its connections are made after the fork."""
    # They count, so the metrics' folder must be chosen before; `_prepare` has imported them for all processes.
    from hoodwink.workers.job_metrics import timed  # noqa: PLC0415
    from hoodwink.workers.job_works import GIVEN_UP, work_of  # noqa: PLC0415

    service = Service(settings, process="jobs")
    bounds = partial(run_limited, cpu_seconds=settings.job_seconds, memory_bytes=settings.job_megabytes << 20)
    work = timed(work_of(service, bounds), service.clock)
    return JobRunner(store=service.job_store, clock=service.clock, work=work, given_up=GIVEN_UP)


def _prepare() -> None:
    """Imports what jobs need once for all processes of the pool, and begins their counts."""
    import hoodwink.workers.job_works  # noqa: F401, PLC0415 - the metrics' folder must be chosen before
    from hoodwink.workers.job_metrics import begin_counts  # noqa: PLC0415

    begin_counts()


def main() -> None:
    """Runs the worker until SIGTERM or SIGINT."""
    os.nice(NICENESS)
    run_worker(
        app,
        settings,
        part="jobs",
        ready=_prepare,
        pool_cls="prefork",
        concurrency=settings.job_slots,
        time_limit=WALL_PER_CPU * settings.job_seconds + _GRACE_SECONDS,
        max_tasks_per_child=_JOBS_PER_PROCESS,
    )


if __name__ == "__main__":
    main()
