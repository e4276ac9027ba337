"""Shows the operations for operators."""

import os
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.service.http.examples.recorder import Recorder


def health(recorder: Recorder) -> None:
    """Shows the state of a service right after its start."""
    recorder.show(recorder.nobody.get("/healthz"))
    recorder.show(recorder.nobody.get("/readyz"))
    # Without the figures of this process, which differ in every run.
    with TemporaryDirectory() as empty, patch.dict(os.environ, PROMETHEUS_MULTIPROC_DIR=empty):
        recorder.show(recorder.nobody.get("/metrics"))
