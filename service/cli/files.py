"""Files that commands read and write."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click

C = TypeVar("C", bound=Callable[..., Any])

EXPORTED_LOG = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
"""An exported log to read; `-` is the standard input."""


LOG_SUFFIXES: Final = frozenset({".ndjson", ".log"})
"""What the files of exported logs end with."""


def content(file: Path) -> bytes:
    """Returns the bytes of an `EXPORTED_LOG`."""
    with click.open_file(str(file), "rb") as opened:
        read: bytes = opened.read()
    return read


def is_table_log(log: bytes) -> bool:
    """Tells whether bytes begin as the log of a table."""
    return log.startswith(b'{"format":"hoodwink-log/')


def is_tournament_log(log: bytes) -> bool:
    """Tells whether bytes begin as the log of a tournament."""
    return log.startswith(b'{"format":"hoodwink-tournament-log/')


def table_log(file: Path) -> bytes:
    """Returns the bytes of the log of a table; raises `ClickException` if it is that of a tournament."""
    log = content(file)
    if is_tournament_log(log):
        raise click.ClickException(
            f"{file} is the log of a tournament, not of a table. `hoodwink verify FILE --tables DIRECTORY` checks it "
            "with the logs of its tables."
        )
    return log


def tournament_log(file: Path) -> bytes:
    """Returns the bytes of the log of a tournament; raises `ClickException` if it is that of a table."""
    log = content(file)
    if is_table_log(log):
        raise click.ClickException(
            f"{file} is the log of a table, not of a tournament. `hoodwink verify FILE` without --tables checks it by itself."
        )
    return log


def out_option(command: C) -> C:
    """Adds `--out`, which is `None` for the standard output, to a command."""
    return click.option(
        "--out",
        type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
        callback=lambda _context, _parameter, file: None if file == Path("-") else file,
        help="Write it there; by default, or with -, to the standard output.",
    )(command)


@contextmanager
def reserved(file: Path | None) -> Iterator[None]:
    """Refuses what cannot be written before the work whose result goes there.

    A file made for that is removed again if the work ends with nothing written.

    Raises:
        OSError: the file cannot be written.
    """
    if file is None:
        yield
        return
    is_new = not file.exists()
    file.touch()
    try:
        yield
    finally:
        if is_new and not file.stat().st_size:
            file.unlink()


@contextmanager
def reserved_folder(folder: Path | None) -> Iterator[None]:
    """Makes a folder before the work whose results go there; if nothing is written, one made for that goes again.

    Raises:
        OSError: it cannot be made, or nothing can be written there.
    """
    if folder is None:
        yield
        return
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    try:
        yield
    finally:
        if is_new and not any(folder.iterdir()):
            folder.rmdir()
