"""The space left on the disk of the embedded Redis, so that commands are refused before Redis cannot write any more.

With `fsync` set to `always`, a Redis that cannot write its append-only file exits, and reads end with it.
"""

import os
import time
from math import inf
from pathlib import Path
from typing import Final

from hoodwink.service.application.ports import StorageFull

MIN_FREE_BYTES: Final = 64 * 1024 * 1024
"""Below this, nothing more is appended; projections of what is stored already still fit in."""

LOW_BYTES: Final = 512 * 1024 * 1024
"""Below this the operator is warned."""

_LOOK_SECONDS: Final = 1.0


class DiskSpace:
    """Looks at most once a second how much is left. Safe to share between threads."""

    def __init__(self, folder: Path | None) -> None:
        """Takes a folder on that disk, or `None` where the data are on another machine: then nothing is known."""
        self._folder = folder
        self._look_at = -inf
        self._free: int | None = None

    @property
    def free(self) -> int | None:
        """The bytes that are left for this user, or `None` if they are not known."""
        if self._folder is not None and (now := time.monotonic()) >= self._look_at:
            self._look_at = now + _LOOK_SECONDS
            try:
                found = os.statvfs(self._folder)
            except OSError:  # if the folder is gone, its user will notice
                self._free = None
            else:
                self._free = found.f_bavail * found.f_frsize
        return self._free

    @property
    def warning(self) -> str | None:
        """A line for the operator while little is left."""
        free = self.free
        if free is None or free >= LOW_BYTES:
            return None
        effect = "Commands are refused until there is more." if free < MIN_FREE_BYTES else "Make room soon."
        return f"{free // (1024 * 1024)} MiB are left on the disk with the data. {effect}"

    def check(self) -> None:
        """Raises `StorageFull` if too little is left to append anything."""
        free = self.free
        if free is not None and free < MIN_FREE_BYTES:
            raise StorageFull
