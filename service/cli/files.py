"""Files that commands read and write."""

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


def table_log(file: Path) -> bytes:
    """Returns the bytes of the log of a table; raises `ClickException` if it is that of a tournament."""
    log = content(file)
    if log.startswith(b'{"format":"hoodwink-tournament-log'):
        raise click.ClickException(
            f"{file} is the log of a tournament, not of a table. `hoodwink verify FILE --tables DIRECTORY` checks it "
            "with the logs of its tables."
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
