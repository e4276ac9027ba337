"""Files that only their owner can read: the data hold every card and every secret, the logs say who asked for what."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def write_privately() -> int:
    """Hides the files that this process and its children create from now on; returns the umask of before."""
    return os.umask(_OTHERS)


@contextmanager
def written_privately() -> Iterator[None]:
    """Hides the files that this process creates during the body, and those of children that it starts then."""
    before = write_privately()
    try:
        yield
    finally:
        os.umask(before)


def make_private(folder: Path, names: Iterable[str]) -> list[Path]:
    """Takes a folder, and what is in it under these names, away from everybody but its owner.

    A folder may hold more than our data (`HOODWINK_DATA=.`), so nothing else in it is touched.

    Returns:
        Those that others may still read, because they belong to another user.
    """
    candidates = [folder, *(found for name in names for found in _all_in(folder / name))]
    return [path for path in candidates if not _is_made_private(path)]


def _all_in(path: Path) -> Iterator[Path]:
    yield path
    if path.is_dir() and not path.is_symlink():
        yield from path.rglob("*")


def _is_made_private(path: Path) -> bool:
    with suppress(FileNotFoundError):
        # A link has no rights of its own, and may lead anywhere.
        if not path.is_symlink() and (mode := stat.S_IMODE(path.stat().st_mode)) & _OTHERS:
            try:
                path.chmod(mode & ~_OTHERS)
            except PermissionError:
                return False
    return True
