"""The folder through which processes of one machine share their metrics."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@contextmanager
def metrics_folder() -> Iterator[None]:
    """Chooses the folder in which this process and its children count; by default a new one for them alone."""
    if given := os.environ.get(_VARIABLE):
        Path(given).mkdir(parents=True, exist_ok=True)
        begin_counting()
        yield
    else:
        with tempfile.TemporaryDirectory(prefix="hoodwink-metrics-") as folder:
            os.environ[_VARIABLE] = folder
            yield


def begin_counting() -> None:
    """Folds the files of ended processes; a process calls it before it counts anything."""
    # prometheus_client chooses where to count when it is imported.
    from service.monitoring.folding import folded  # noqa: PLC0415

    with folded(Path(os.environ[_VARIABLE]), is_new=True):
        pass
