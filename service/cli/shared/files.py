"""The files that commands read and write."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click

C = TypeVar("C", bound=Callable[..., Any])

EXPORTED_LOG = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
"""The type of an argument that names an exported log; `-` is standard input."""

LOG_SUFFIXES: Final = frozenset({".ndjson", ".log"})
"""The suffixes of files with exported logs."""


def content(file: Path) -> bytes:
    with click.open_file(str(file), "rb") as opened:
        read: bytes = opened.read()
    return read


def is_table_log(log: bytes) -> bool:
    """Returns whether the bytes begin like the log of a table."""
    # Not parsed: the format is the first field of the first line, and the rest may be large or damaged.
    return log.startswith(b'{"format":"hoodwink-log/')


def is_tournament_log(log: bytes) -> bool:
    """Returns whether the bytes begin like the log of a tournament."""
    return log.startswith(b'{"format":"hoodwink-tournament-log/')


def table_log(file: Path) -> bytes:
    """Returns the content of a table's log; raises `ClickException` for the log of a tournament."""
    log = content(file)
    if is_tournament_log(log):
        raise click.ClickException(
            f"{file} is the log of a tournament, not of a table. `hoodwink verify FILE --tables DIRECTORY` checks it "
            "together with the logs of its tables."
        )
    return log


def tournament_log(file: Path) -> bytes:
    """Returns the content of a tournament's log; raises `ClickException` for the log of a table."""
    log = content(file)
    if is_table_log(log):
        raise click.ClickException(
            f"{file} is the log of a table, not of a tournament. `hoodwink verify FILE` without --tables checks it."
        )
    return log


def out_option(command: C) -> C:
    """Adds the option `--out` to a command; its value is `None` for standard output."""
    return click.option(
        "--out",
        type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
        callback=lambda _context, _parameter, file: None if file == Path("-") else file,
        help="Write to this file; by default, or with -, to standard output.",
    )(command)


@contextmanager
def reserve(file: Path | None) -> Iterator[None]:
    """Ensures that the file can be written before a long computation starts.

    If the computation has written nothing, the file that this check created is removed again.

    Raises:
        OSError: the file cannot be written.
    """
    if file is None:
        yield
        return
    is_new = not file.exists()
    file.touch()  # opening it for writing would already empty an existing file
    try:
        yield
    finally:
        if is_new and not file.stat().st_size:  # an empty file would look like a result
            file.unlink()


@contextmanager
def reserve_folder(folder: Path | None) -> Iterator[None]:
    """Ensures that the folder can be written to before a long computation starts.

    If the computation has written nothing, the folder that this check created is removed again.

    Raises:
        OSError: the folder cannot be created or written to.
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
