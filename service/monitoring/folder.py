"""The folder through which processes of one machine share their metrics."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX: Final = "hoodwink-metrics-"
_OWNER: Final = "owner"
"""The file in such a folder that its processes keep locked. The kernel unlocks it when the last of them ends."""


@contextmanager
def metrics_folder() -> Iterator[None]:
    """Chooses the folder in which this process and its children count. By default it is a new one for them alone."""
    if given := os.environ.get(_VARIABLE):
        Path(given).mkdir(parents=True, exist_ok=True)
        begin_counting()
        yield
    else:
        _remove_abandoned()
        with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder, _lock(Path(folder)):
            os.environ[_VARIABLE] = folder
            yield


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Keeps the folder's file locked during the body, and in processes that are forked meanwhile."""
    draft = folder / "draft"
    owner = os.open(draft, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(owner, fcntl.LOCK_EX)
        draft.rename(folder / _OWNER)  # an unlocked file of that name would mark the folder as abandoned
        yield
    finally:
        os.close(owner)


def _remove_abandoned() -> None:
    """Removes the folders of killed processes, which could not do it themselves."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # A folder without the file stays: a process may be about to create it. Other users' files cannot be opened.
        with suppress(OSError):
            owner = os.open(folder / _OWNER, os.O_RDWR)
            try:
                fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(owner)


def begin_counting() -> None:
    """Folds the files of ended processes. A process must call it before it counts anything."""
    # Imported late, because prometheus_client chooses where to count when it is imported.
    from hoodwink.service.monitoring.folding import fold_metrics  # noqa: PLC0415

    with fold_metrics(Path(os.environ[_VARIABLE]), is_new=True):
        pass
