"""What is looked at before anything starts, so that each mishap is one clear line."""

import fcntl
import os
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

_LOCK = "hoodwink.lock"
_GRACE_SECONDS = 2.0


class CannotStart(Exception):
    """Raised when the service cannot run here; the message is one line for people."""


def free_port(host: str, port: int) -> int:
    """Returns the port to listen on: the one asked for if it is free, any free one for 0.

    Raises:
        CannotStart: the port is taken or forbidden, or the address is none of this machine's.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
            return int(probe.getsockname()[1])
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotStart(
            f"cannot listen on {host}, port {port}: {reason}. HOODWINK_HOST and HOODWINK_PORT choose another."
        ) from None


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
    give_up_at = monotonic() + _GRACE_SECONDS
    while not _locked(lock):
        if monotonic() > give_up_at:
            owner = os.pread(lock, 20, 0).decode().strip()
            os.close(lock)
            raise CannotStart(f"another Hoodwink (process {owner}) uses the data folder {folder}.")
        sleep(0.02)
    os.truncate(lock, 0)
    os.pwrite(lock, b"%d\n" % os.getpid(), 0)
    return lock


def _locked(lock: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
