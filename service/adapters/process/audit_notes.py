"""Files of the logs that an audit has verified, so that an interrupted audit can be continued and the next one limited.

Each partition has two files in a folder: `03.progress` belongs to the audit in progress, and `03.clean` to the last one
that found no difference. A line is `<stream> <version> <hash>` for a verified log, and `complete` once the whole
partition was audited without a difference.
"""

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from hoodwink.service.adapters.process.private_files import private_umask
from hoodwink.service.application.ports import StreamId

FOLDER: Final = "audit"
"""The name of the folder in the data folder."""

_COMPLETE: Final = "complete"


class AuditNotes:
    """The verified logs of one partition.

    Attributes:
        is_complete: whether the whole partition was audited without a difference, by this audit before it was
            interrupted or, if only changes are audited, by the last one.
        fault: why the file cannot be written, or `None`.
    """

    def __init__(self, folder: Path, partition: int, *, only_changes: bool = False) -> None:
        """Reads the files. With `only_changes`, logs that the last clean audit verified count as verified, too."""
        self._file, clean = _progress(folder, partition), _clean(folder, partition)
        progress = _read(self._file)
        self.is_complete = clean.exists() if only_changes else _COMPLETE in progress
        self._verified = (_read(clean) if only_changes else {}) | progress
        self._lines: TextIO | None = None
        self.fault: str | None = None

    def is_verified(self, stream: StreamId, version: int, head: str) -> bool:
        return self._verified.get(_name(stream)) == f"{version} {head}"

    def note(self, stream: StreamId, version: int, head: str) -> None:
        """Records that the log was verified up to that event, unless the file cannot be written."""
        self._write(f"{_name(stream)} {version} {head}")

    def complete(self) -> None:
        """Records that the whole partition, and not only changes, was audited without a difference."""
        self._write(_COMPLETE)

    def _write(self, line: str) -> None:
        if self.fault is not None:  # the audit itself continues
            return
        try:
            if self._lines is None:
                with private_umask():
                    self._file.parent.mkdir(parents=True, exist_ok=True)
                    self._lines = self._file.open("a", encoding="utf-8")
                self._lines.write("\n")  # the last line is incomplete if that audit was killed
            self._lines.write(f"{line}\n")
            self._lines.flush()  # after each log, because verifying it again costs more than a write
        except OSError as error:
            self.fault = str(error)

    def close(self) -> None:
        """Closes the file and leaves it for the next audit."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None


class AuditFolder:
    """The files of all partitions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def count(self) -> int:
        """Returns the number of logs that an interrupted audit has verified."""
        return sum(len(_read(file).keys() - {_COMPLETE}) for file in self.folder.glob("*.progress"))

    def has_clean(self) -> bool:
        """Returns whether some audit has found no difference."""
        return any(self.folder.glob("*.clean"))

    def forget_progress(self) -> None:
        """Makes the next audit begin again; raises `OSError`."""
        for file in self.folder.glob("*.progress"):
            file.unlink()

    def keep_as_clean(self, partitions: Collection[int], *, only_changes: bool) -> None:
        """Makes an audit without differences the last clean one; raises `OSError`."""
        with private_umask():
            self.folder.mkdir(parents=True, exist_ok=True)
            for partition in partitions:
                progress, clean = _progress(self.folder, partition), _clean(self.folder, partition)
                progress.touch()
                # Later lines count. If this is killed between the two steps, the next audit adds the same lines again.
                if only_changes and clean.exists():
                    with clean.open("a", encoding="utf-8") as lines:
                        lines.write(f"\n{progress.read_text(encoding='utf-8')}")
                    progress.unlink()
                else:
                    progress.replace(clean)


def _progress(folder: Path, partition: int) -> Path:
    return folder / f"{partition:02d}.progress"


def _clean(folder: Path, partition: int) -> Path:
    return folder / f"{partition:02d}.clean"


def _read(file: Path) -> dict[str, str]:
    """Returns version and hash by stream. A line that a killed audit left incomplete matches no log."""
    lines = ""
    with suppress(OSError):
        lines = file.read_text(encoding="utf-8", errors="replace")
    return {name: end for name, _, end in (line.partition(" ") for line in lines.splitlines()) if name}


def _name(stream: StreamId) -> str:
    return f"{stream.category}:{stream.id}"
