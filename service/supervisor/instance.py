"""Allows one instance per data folder, and lets other processes find it.

The folder's lock file describes the instance that holds it. The kernel releases the lock with the last process of
the instance, even if it is killed, so a description in a locked file is never stale.
"""

import fcntl
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import msgspec

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.checks import CannotStart

LOCK: Final = "hoodwink.lock"
_GRACE_SECONDS = 2.0


class Instance(msgspec.Struct, frozen=True, kw_only=True):
    """A running instance.

    Attributes:
        process: the process id of its supervisor.
        settings: its effective settings, including the address of its Redis; `None` while it starts.
    """

    process: int
    settings: Settings | None = None


def lock_folder(folder: Path) -> int:
    """Locks the data folder for this instance; returns a descriptor whose closing releases the lock.

    Waits a moment for the processes of an instance that was killed just now.

    Raises:
        CannotStart: the folder cannot be written to, or another instance uses it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):  # proves that files can be created
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise CannotStart(
            f"Cannot write to the data folder {folder}: {error.strerror}. "
            "Choose another folder with HOODWINK_DATA."
        ) from None
    _await_lock(lock, folder)
    if not _is_there(lock, folder):  # the former holder's start was refused, and it has removed the folder
        os.close(lock)
        return lock_folder(folder)
    record_instance(lock, Instance(process=os.getpid()))
    return lock


def record_instance(lock: int, instance: Instance) -> None:
    """Writes the description of the instance to its lock file."""
    os.truncate(lock, 0)
    os.pwrite(lock, msgspec.json.encode(instance), 0)


def find_instance(folder: Path) -> Instance | None:
    """Returns the instance that uses a data folder, or `None`."""
    try:
        lock = os.open(folder / LOCK, os.O_RDONLY)
    except OSError:
        return None
    try:
        # Shared, so that two processes that look at the same moment do not take each other for an instance.
        return None if _try_lock(lock, fcntl.LOCK_SH) else _read_record(lock)
    finally:
        os.close(lock)


def _is_there(lock: int, folder: Path) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(lock), (folder / LOCK).stat())
    return False


def _await_lock(lock: int, folder: Path) -> None:
    give_up_at = monotonic() + _GRACE_SECONDS
    # Retried, because the processes of a killed instance hold the lock until the last one is gone.
    while not _try_lock(lock, fcntl.LOCK_EX):
        if monotonic() > give_up_at:
            owner = _read_record(lock)
            os.close(lock)
            by = f" (process {owner.process})" if owner else ""
            raise CannotStart(
                f"Another Hoodwink{by} uses the data folder {folder}. Stop it, or choose another folder "
                "with HOODWINK_DATA and another port with HOODWINK_PORT."
            )
        sleep(0.02)


def _try_lock(lock: int, kind: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
        return True
    return False


def _read_record(lock: int) -> Instance | None:
    with suppress(msgspec.DecodeError):  # the holder truncates before it writes, so the file may be empty
        return msgspec.json.decode(os.pread(lock, 65536, 0), type=Instance)
    return None
