"""Which logs an audit has verified, in a file, so that one that was broken off can be continued."""

from pathlib import Path
from typing import TextIO


class AuditNotes:
    """Notes in a file, a line for each log: name, version, hash. Written as it goes, gone when all is done.

    Attributes:
        count: the logs that an earlier audit has noted.
        trouble: why nothing can be noted, or `None`.
    """

    def __init__(self, file: Path, *, afresh: bool) -> None:
        self._file = file
        self._verified = {} if afresh else _read(file)
        self._lines: TextIO | None = None
        self.count = len(self._verified)
        self.trouble: str | None = None
        if afresh:
            self.remove()

    def verified(self, name: str) -> tuple[int, str] | None:
        """Returns version and hash of the last event that was verified, or `None`."""
        return self._verified.get(name)

    def note(self, name: str, version: int, head: str) -> None:
        """Notes that the log was verified up to there, unless the file cannot be written."""
        if self.trouble is not None:
            return
        try:
            if self._lines is None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._lines = self._file.open("a", encoding="utf-8")
            self._lines.write(f"{name} {version} {head}\n")
            self._lines.flush()
        except OSError as error:
            self.trouble = str(error)

    def close(self) -> None:
        """Leaves the notes for the next audit."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None

    def remove(self) -> None:
        """Forgets the notes."""
        self.close()
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            self.trouble = str(error)


def _read(file: Path) -> dict[str, tuple[int, str]]:
    """Returns what the file holds; a line that a killed audit left unfinished counts for nothing."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    noted = [line.split(" ") for line in lines]
    return {each[0]: (int(each[1]), each[2]) for each in noted if len(each) == 3 and each[1].isdecimal()}
