"""Files that only their owner can read. The data contain every card and secret, and the logs show who sent which request."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def set_private_umask() -> int:
    """Makes the files private that this process and its children create from now on; returns the previous umask."""
    return os.umask(_OTHERS)


@contextmanager
def private_umask() -> Iterator[None]:
    """Makes the files private that this process, and children it starts, create during the body."""
    before = set_private_umask()
    try:
        yield
    finally:
        os.umask(before)


def make_private(folder: Path, names: Iterable[str]) -> list[Path]:
    """Removes the access of others to a folder and to its contents under these names.

    Returns:
        The paths that others may still read, because they belong to another user.
    """
    # Only these names, because a folder may contain more than our data (`HOODWINK_DATA=.`).
    candidates = [folder, *(found for name in names for found in _all_in(folder / name))]
    return [path for path in candidates if not _is_made_private(path)]


def _all_in(path: Path) -> Iterator[Path]:
    yield path
    if path.is_dir() and not path.is_symlink():
        yield from path.rglob("*")


def _is_made_private(path: Path) -> bool:
    with suppress(FileNotFoundError):
        # A link has no permissions of its own, and its target may be anywhere.
        if not path.is_symlink() and (mode := stat.S_IMODE(path.stat().st_mode)) & _OTHERS:
            try:
                path.chmod(mode & ~_OTHERS)
            except PermissionError:
                return False
    return True
