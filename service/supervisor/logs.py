"""The log files of the parts. Each part writes its own file, so a crash of the supervisor loses no line."""

import os
import shutil
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

_MAX_LOG_BYTES = 16 * 1024 * 1024


class PartLog:
    """The file `<folder>/<part>.log`. The log of the previous run is kept in `<part>.log.1`.

    A part that cannot write our format writes to `<part>.out`, and `new_lines` adds its lines to the log.
    """

    def __init__(self, folder: Path, name: str, shape: Callable[[str], str] | None = None) -> None:
        """Takes the function that converts a line of the part to our format; `None` if no conversion is needed."""
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.log"
        self._written = folder / f"{name}.out" if shape else self.path
        self._shape = shape
        for path in {self.path, self._written}:
            if path.exists():
                path.replace(_previous(path))
            path.touch()
        self._read_to = 0

    def open(self) -> BinaryIO:
        """Returns the file that a process appends to."""
        return self._written.open("ab")  # appending, because `rotate` truncates it meanwhile

    def tail(self, lines: int) -> list[str]:
        """Returns the last lines, as the part wrote them."""
        with self._written.open(errors="replace") as file:
            return [line.rstrip("\n") for line in deque(file, maxlen=lines)]

    def new_lines(self) -> list[str]:
        """Returns the complete lines written since the last call."""
        with self._written.open("rb") as file:
            file.seek(self._read_to)
            written, newline, _ = file.read().rpartition(b"\n")  # the last line may be incomplete
        self._read_to += len(written) + len(newline)
        lines = written.decode(errors="replace").splitlines()
        return lines if self._shape is None else self._write_shaped(lines, self._shape)

    def _write_shaped(self, lines: list[str], shape: Callable[[str], str]) -> list[str]:
        shaped = [shape(line) for line in lines if line.strip()]
        if shaped:
            with self.path.open("a") as file, suppress(OSError):  # the disk may be full
                file.write("\n".join([*shaped, ""]))
        return shaped

    def rotate(self) -> None:
        """Moves the content of a file that has become too large to `<part>.log.1`."""
        for path in {self.path, self._written}:
            if path.stat().st_size >= _MAX_LOG_BYTES:
                # Copied and truncated, because the part keeps the file open and would write to a renamed one.
                shutil.copyfile(path, _previous(path))
                os.truncate(path, 0)
                self._read_to = 0 if path == self._written else self._read_to


def _previous(path: Path) -> Path:
    return path.with_name(f"{path.name}.1")
