"""The metrics of jobs."""

from types import SimpleNamespace
from typing import Any

import pytest

from hoodwink.service.application.jobs.jobs import JobKind
from hoodwink.workers.job_metrics import JOBS, timed
from tests.service.application.world import StandingClock


@pytest.mark.parametrize("outcome", ["done", "failed"])
def test_a_job_is_timed_in_seconds_by_its_outcome(outcome):
    clock, claimed = StandingClock(), SimpleNamespace(kind=next(iter(JobKind)))

    def work(*_: object) -> Any:
        clock.wait(2.0)
        return SimpleNamespace(is_failure=outcome == "failed")

    before = seconds(claimed.kind, outcome)
    timed(work, clock)(claimed, print)  # type: ignore[arg-type]
    assert seconds(claimed.kind, outcome) - before == 2.0


def seconds(kind: JobKind, outcome: str) -> float:
    (metric,) = JOBS.collect()
    labels = {"kind": str(kind), "outcome": outcome}
    return sum(one.value for one in metric.samples if one.name.endswith("_sum") and one.labels == labels)
