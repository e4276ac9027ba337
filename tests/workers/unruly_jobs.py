"""A job worker with misbehaving jobs, chosen by their input: `python -m tests.workers.unruly_jobs`."""

import os
import signal
import time
from typing import NoReturn

from hoodwink.service.application.jobs.job_runs import Progress
from hoodwink.service.application.jobs.jobs import Claimed, Outcome
from hoodwink.service.bootstrap import Service
from hoodwink.workers import job_worker, job_works


def misbehave(_service: Service, job: Claimed, progress: Progress) -> Outcome:
    """Misbehaves as told by the input; returns the number of the attempt."""
    match job.input:
        case b"die once" if job.attempt == 1:
            _die()
        case b"die always":
            _die()
        case b"be stopped once" if job.attempt == 1:
            os.kill(os.getppid(), signal.SIGKILL)  # the worker itself, which then cannot return the task
            _die()
        case b"spin":
            number = 0
            while True:
                number += 1
        case b"wait":
            time.sleep(60)
        case b"hoard":
            hoard = bytearray()
            while True:
                hoard += bytes(1 << 20)
    progress(1, 1)
    return job_works.success({"attempt": job.attempt, "niceness": os.nice(0)})


def _die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody survives that")


if __name__ == "__main__":
    job_works.WORKS = dict.fromkeys(job_works.WORKS, misbehave)  # type: ignore[misc]
    job_worker.main()
