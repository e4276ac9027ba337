"""The log files of the parts. Each part writes to its file itself, so a crash of the supervisor loses no line."""

import os
import shutil
from collections import deque
from pathlib import Path
from typing import BinaryIO

_LARGEST_BYTES = 16 * 1024 * 1024


class PartLog:
    """The file `<folder>/<part>.log`; the log of the previous run is kept in `<part>.log.1`."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.log"
        self._previous = folder / f"{name}.log.1"
        if self.path.exists():
            self.path.replace(self._previous)
        self.path.touch()
        self._read_to = 0

    def open(self) -> BinaryIO:
        """Returns the file, opened for a process to append to."""
        return self.path.open("ab")

    def tail(self, lines: int) -> list[str]:
        """Returns the last lines."""
        with self.path.open(errors="replace") as file:
            return [line.rstrip("\n") for line in deque(file, maxlen=lines)]

    def new_lines(self) -> list[str]:
        """Returns the complete lines written since the last call."""
        with self.path.open("rb") as file:
            file.seek(self._read_to)
            written, newline, _ = file.read().rpartition(b"\n")
        self._read_to += len(written) + len(newline)
        return written.decode(errors="replace").splitlines()

    def rotate(self) -> None:
        """Moves the content of a file that has grown too large to `<part>.log.1`."""
        if self.path.stat().st_size < _LARGEST_BYTES:
            return
        # Copied and truncated, not renamed: the part keeps the file open and would go on writing to the renamed one.
        shutil.copyfile(self.path, self._previous)
        os.truncate(self.path, 0)
        self._read_to = 0
