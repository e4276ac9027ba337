"""Files of the archive in a local folder. None ever changes once it has its name."""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from errno import EIO
from pathlib import Path
from typing import Protocol

from hoodwink.service.application.ports import DamagedArchive, StoreUnavailable


class Files(Protocol):
    """Named files that are written once. Every call may raise `StoreUnavailable`."""

    def put(self, name: str, data: bytes) -> None:
        """Stores a file durably; raises `FileExistsError` if the name is taken."""
        ...

    def keep(self, name: str) -> bool:
        """Returns whether a file exists, which then survives a power cut, too."""
        ...

    def read(self, name: str, offset: int, length: int) -> bytes:
        """Returns a part of a file; raises `DamagedArchive` if the file lacks it."""
        ...

    def size(self, name: str) -> int | None:
        """Returns the size of a file in bytes, or `None` if there is none."""
        ...

    def sizes(self, folder: str) -> Mapping[str, int]:
        """Returns the sizes of all files in a folder by their names, in any order."""
        ...


class Folder:
    """Stores files under a local folder, which is created with the first one."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, name: str, data: bytes) -> None:
        """See `Files`. An interrupted call leaves at most a file whose name begins with a dot."""
        path = self._root / name
        unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            _make_folder(path.parent)
            try:
                # Private, because the logs of private tables are in it.
                with open(unfinished, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                # A link and not a rename, which would replace a file that another process has written.
                path.hardlink_to(unfinished)
            finally:
                unfinished.unlink(missing_ok=True)
            _sync(path.parent)
        except FileExistsError:
            raise
        except OSError as error:
            raise StoreUnavailable(f"the archive cannot be written: {error}") from error

    def keep(self, name: str) -> bool:
        """See `Files`. The process that wrote the file may have been killed before it synced the folders."""
        if self.size(name) is None:
            return False
        with _reading(name):
            _sync((self._root / name).parent)
            _sync(self._root)
        return True

    def read(self, name: str, offset: int, length: int) -> bytes:
        with _reading(name), (self._root / name).open("rb") as file:
            data = os.pread(file.fileno(), length, offset)
        if len(data) < length:
            raise DamagedArchive(f"{name} is too short")
        return data

    def size(self, name: str) -> int | None:
        with _reading(name), suppress(FileNotFoundError):
            return (self._root / name).stat().st_size
        return None

    def sizes(self, folder: str) -> Mapping[str, int]:
        with _reading(folder), suppress(FileNotFoundError):
            paths = (self._root / folder).iterdir()
            return {
                f"{folder}/{path.name}": path.stat().st_size
                for path in paths
                if not path.name.startswith(".")
            }
        return {}


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Turns an error of the system into `DamagedArchive` for one file, or `StoreUnavailable` for all."""
    try:
        yield
    except FileNotFoundError:
        raise DamagedArchive(f"{name} is missing") from None
    except OSError as error:
        # A bad sector. As an outage, it would hold up everything that waits until the store answers again.
        if error.errno == EIO:
            raise DamagedArchive(f"{name} cannot be read: {error.strerror}") from error
        raise StoreUnavailable(f"the archive cannot be read: {name}: {error.strerror}") from error


def _make_folder(path: Path) -> None:
    """Makes a folder and those above it, each durably."""
    if not path.is_dir():
        _make_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
        _sync(path.parent)


def _sync(folder: Path) -> None:
    # A new name is in its folder, so it survives a power cut only once the folder is on the disk, too.
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
