"""A job worker's metrics."""

from typing import Final

from prometheus_client import Histogram

from hoodwink.service.application.jobs.job_runs import Progress, Work
from hoodwink.service.application.jobs.jobs import Claimed, JobKind, Outcome
from hoodwink.service.application.ports import Clock

JOBS: Final = Histogram(
    "hoodwink_job_seconds",
    "Time of jobs from their beginning to their outcome, by outcome.",
    ["kind", "outcome"],
    buckets=(0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0, 120.0),
)


def begin_counts() -> None:
    """Begins each count at 0, because Prometheus sees no increase when a counter first appears."""
    for kind in JobKind:
        for outcome in ("done", "failed"):
            JOBS.labels(kind, outcome)


def timed(work: Work, clock: Clock) -> Work:
    def run(claimed: Claimed, progress: Progress) -> Outcome:
        began = clock.elapsed_ms()
        outcome = work(claimed, progress)
        label = "failed" if outcome.is_failure else "done"
        JOBS.labels(claimed.kind, label).observe((clock.elapsed_ms() - began) / 1_000)
        return outcome

    return run
