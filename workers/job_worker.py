"""Runs a Celery worker for jobs: `hoodwink run jobs`.

Jobs are expensive work that requests have started (`service/application/jobs/jobs.py`). Each runs in a process of a
pool, with low priority and with limits of time and memory. Any of these processes may be killed: its job runs
again, and is given up after some attempts.
"""

import os
from functools import cache, partial
from typing import Any, Final

from hoodwink.service.adapters.tasks.applications import job_application
from hoodwink.service.adapters.tasks.task_queue import RUN_JOB
from hoodwink.service.application.jobs.job_runs import JobRunner
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.workers.celery_process import run_worker
from hoodwink.workers.job_limits import NICENESS, WALL_PER_CPU, run_limited

_GRACE_SECONDS: Final = 10
"""A job that has not ended this long after its wall time is killed with its process."""

_JOBS_PER_PROCESS: Final = 50
"""Jobs after which a process is replaced, because it may not give back the memory that a large job took."""

settings = Settings.from_environment(os.environ)
app = job_application(settings.tasks_url)


@app.task(name=RUN_JOB, bind=True)
def run_job(task: Any, job_id: str) -> None:
    # The broker delivers a task again only after its process was killed, so there is no need to wait for the lease.
    _runner().run(job_id, again=bool(task.request.delivery_info.get("redelivered")))


@cache
def _runner() -> JobRunner:
    """Returns the runner of this process of the pool."""
    # Made after the fork, because processes must not share connections. The imports create metrics, so the metrics'
    # folder must be chosen before; `_prepare` has already imported them for all processes.
    from hoodwink.workers.job_metrics import timed  # noqa: PLC0415
    from hoodwink.workers.job_works import GIVEN_UP, work_of  # noqa: PLC0415

    service = Service(settings, process="jobs")
    bounds = partial(run_limited, cpu_seconds=settings.job_seconds, memory_bytes=settings.job_megabytes << 20)
    work = timed(work_of(service, bounds), service.clock)
    return JobRunner(store=service.job_store, clock=service.clock, work=work, given_up=GIVEN_UP)


def _prepare() -> None:
    """Imports the jobs' modules once for all processes of the pool, and begins their counts."""
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
