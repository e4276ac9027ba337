"""One instance a data folder, and how others find it.

The folder's lock file tells how the instance that holds it runs. The lock goes with the last process of the
instance, however that ends, so what the file tells is never stale.
"""

import fcntl
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import msgspec

from service.settings import Settings
from service.supervisor.checks import CannotStart

_LOCK = "hoodwink.lock"
_GRACE_SECONDS = 2.0


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """A running instance.

    Attributes:
        process: its supervisor.
        settings: as in force, with the address of the Redis that it uses; `None` while it starts.
    """

    process: int
    settings: Settings | None = None


def hold_folder(folder: Path) -> int:
    """Makes the data folder ours alone; returns the descriptor whose closing gives it back.

    Waits a moment for the processes of an instance that was killed just now.

    Raises:
        CannotStart: the folder cannot be written to, or another instance uses it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise CannotStart(
            f"cannot write to the data folder {folder}: {error.strerror}. HOODWINK_DATA chooses another."
        ) from None
    _await_lock(lock, folder)
    note_instance(lock, Instance(process=os.getpid()))
    return lock


def note_instance(lock: int, instance: Instance) -> None:
    """Tells others, through the lock file, how the instance that holds it runs."""
    os.truncate(lock, 0)
    os.pwrite(lock, msgspec.json.encode(instance), 0)


def find_instance(folder: Path) -> Instance | None:
    """Returns the instance that runs on a data folder, if one does."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDONLY)
    except OSError:
        return None
    try:
        return None if _locked(lock, fcntl.LOCK_SH) else _noted(lock)
    finally:
        os.close(lock)


def _await_lock(lock: int, folder: Path) -> None:
    give_up_at = monotonic() + _GRACE_SECONDS
    while not _locked(lock, fcntl.LOCK_EX):
        if monotonic() > give_up_at:
            owner = _noted(lock)
            os.close(lock)
            by = f" (process {owner.process})" if owner else ""
            raise CannotStart(f"another Hoodwink{by} uses the data folder {folder}.")
        sleep(0.02)


def _locked(lock: int, kind: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
        return True
    return False


def _noted(lock: int) -> Instance | None:
    with suppress(msgspec.DecodeError):  # read between two writes
        return msgspec.json.decode(os.pread(lock, 65536, 0), type=Instance)
    return None
