"""A file of the logs that an audit has verified, so that an interrupted audit can be continued."""

from pathlib import Path
from typing import Final, TextIO

from hoodwink.service.adapters.process.private_files import private_umask

NOTES: Final = "audit.progress"
"""The file in the data folder that lists the verified logs."""


class AuditNotes:
    """Writes a line for each verified log: name, version, hash. A completed audit removes the file.

    Attributes:
        count: the number of logs that an earlier audit verified.
        fault: why the file cannot be written, or `None`.
    """

    def __init__(self, file: Path, *, afresh: bool) -> None:
        self._file = file
        self._verified = {} if afresh else _read(file)
        self._lines: TextIO | None = None
        self.count = len(self._verified)
        self.fault: str | None = None
        if afresh:
            self.remove()

    def verified(self, name: str) -> tuple[int, str] | None:
        """Returns the version and hash of the last verified event, or `None`."""
        return self._verified.get(name)

    def note(self, name: str, version: int, head: str) -> None:
        """Records that the log was verified up to that event, unless the file cannot be written."""
        if self.fault is not None:  # the audit itself continues
            return
        try:
            if self._lines is None:
                with private_umask():
                    self._file.parent.mkdir(parents=True, exist_ok=True)
                    self._lines = self._file.open("a", encoding="utf-8")
            self._lines.write(f"{name} {version} {head}\n")
            self._lines.flush()  # after each log, because verifying it again costs more than a write
        except OSError as error:
            self.fault = str(error)

    def close(self) -> None:
        """Closes the file and leaves it for the next audit."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None

    def remove(self) -> None:
        self.close()
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            self.fault = str(error)


def _read(file: Path) -> dict[str, tuple[int, str]]:
    """Returns version and hash by name. Ignores an incomplete line, which a killed audit may leave."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    verified = [line.split(" ") for line in lines]
    return {part[0]: (int(part[1]), part[2]) for part in verified if len(part) == 3 and part[1].isdecimal()}
