"""Folds the metrics files of ended processes, which would otherwise pile up with each start of a process.

A process counts in its own files, `counter_<pid>.db` and so on, which are added up when the metrics are read. The
counts of ended processes are kept in one file per kind, so that no counter goes back.
"""

import fcntl
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Final

from prometheus_client.mmap_dict import MmapedDict

_ENDED: Final = "ended"
"""Replaces the process id in the name of the file with the counts of ended processes."""


@contextmanager
def fold_metrics(folder: Path, *, is_new: bool = False) -> Iterator[None]:
    """Folds the files of ended processes, and prevents further folding during the body, so that it finds each count once.

    Args:
        folder: the folder that the processes share.
        is_new: whether this process has just been started, so that files with its id belong to an earlier process.
    """
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        former = sorted(file for file in folder.glob("*_*.db") if _has_ended(file, is_new=is_new))
        for kind, files in groupby(former, key=_kind):
            _fold(folder / f"{kind}_{_ENDED}.db", list(files))
        yield
    finally:
        os.close(lock)


def _kind(file: Path) -> str:
    return file.stem.rpartition("_")[0]


def _has_ended(file: Path, *, is_new: bool) -> bool:
    owner = file.stem.rpartition("_")[2]
    if owner == _ENDED:
        return False
    try:
        os.kill(int(owner), 0)
    except ProcessLookupError:
        return True
    except PermissionError:  # now a process of another user, which may end; until then its file is still read
        return False
    return is_new and int(owner) == os.getpid()


def _fold(target: Path, former: Iterable[Path]) -> None:
    if not target.name.startswith("gauge"):  # a gauge means nothing without its process
        _write(target, _totals([target, *former] if target.exists() else former))
    # If this process is killed at this point, the counts will be added a second time. The other order would lose
    # them, and a counter that goes back looks like a restart: Prometheus would count everything again.
    for file in former:
        file.unlink()


def _totals(files: Iterable[Path]) -> dict[str, float]:
    totals = defaultdict[str, float](float)
    for file in files:
        for key, value, *_ in MmapedDict.read_all_values_from_file(str(file)):  # type: ignore[no-untyped-call]
            totals[key] += value
    return totals


def _write(target: Path, totals: dict[str, float]) -> None:
    # Not `.db`, or readers without the lock would take it for a process's file.
    draft = target.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    values = MmapedDict(str(draft))  # type: ignore[no-untyped-call]
    for key, total in totals.items():
        values.write_value(key, total, 0.0)  # type: ignore[no-untyped-call]
    values.close()  # type: ignore[no-untyped-call]
    draft.replace(target)
