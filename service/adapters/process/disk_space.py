"""The free space on the embedded Redis's disk. Commands are refused before Redis can no longer write.

With `fsync` set to `always`, a Redis that cannot write its append-only file exits, and reads fail, too.
"""

import os
import time
from math import inf
from pathlib import Path
from typing import Final

from hoodwink.service.application.ports import StorageFull

MIN_FREE_BYTES: Final = 64 * 1024 * 1024
"""Below this, commands are refused. The rest is for the projections of stored events."""

LOW_BYTES: Final = 512 * 1024 * 1024
"""Below this, the operator is warned."""

_LOOK_SECONDS: Final = 1.0


class DiskSpace:
    """Checks the free space at most once a second. Safe to share between threads."""

    def __init__(self, folder: Path | None) -> None:
        """Takes a folder on that disk, or `None` if the data are on another machine, where the space is unknown."""
        self._folder = folder
        self._look_at = -inf
        self._free: int | None = None

    @property
    def free(self) -> int | None:
        """The bytes left for this user, or `None` if unknown."""
        if self._folder is not None and (now := time.monotonic()) >= self._look_at:
            self._look_at = now + _LOOK_SECONDS
            try:
                found = os.statvfs(self._folder)
            except OSError:  # a missing folder is Redis's problem to report
                self._free = None
            else:
                # Not `f_bfree`, which includes blocks that only root may use.
                self._free = found.f_bavail * found.f_frsize
        return self._free

    @property
    def warning(self) -> str | None:
        """A line for the operator while little space is left, or `None`."""
        free = self.free
        if free is None or free >= LOW_BYTES:
            return None
        effect = "Commands are refused until there is more." if free < MIN_FREE_BYTES else "Make room soon."
        return f"{free // (1024 * 1024)} MiB are left on the disk with the data. {effect}"

    def check(self) -> None:
        """Raises `StorageFull` if too little space is left to append anything."""
        free = self.free
        if free is not None and free < MIN_FREE_BYTES:
            raise StorageFull
