"""Shows the operations on jobs."""

from pathlib import Path
from typing import Final

from hoodwink.service.application.jobs.jobs import JobKind
from tests.service.http.examples.recorder import Recorder, key
from tests.service.inline_jobs import queue_jobs, runner

LOG: Final = (Path(__file__).parents[3] / "golden" / "blindside-117.log").read_bytes()


def verification(recorder: Recorder) -> None:
    """Shows a job that verifies a log, during its run and at its end."""
    service, nobody = recorder.api.service, recorder.nobody
    queue_jobs(service)
    job = service.jobs.begin(JobKind.VERIFY, LOG, address="::1", key=key("a verification")).id
    now = service.clock.now_ms()
    claimed = service.job_store.claim(job, now=now, again=False)
    assert claimed is not None
    service.job_store.report(job, claimed.attempt, (12, 34), now=now)
    recorder.show(nobody.get(f"/v1/jobs/{job}"))
    recorder.show_stream(nobody, f"/v1/jobs/{job}", lambda: runner(service).run(job, again=True))
