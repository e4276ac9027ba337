"""The Python files of this repository."""

import os
from collections.abc import Iterator
from pathlib import Path


def sources(*folders: Path) -> Iterator[Path]:
    """Yields the Python files in these folders, without searching the packages of npm, which would take far longer."""
    for folder in folders:
        for parent, children, names in os.walk(folder):
            children[:] = set(children) - {"node_modules"}
            yield from (Path(parent, name) for name in names if name.endswith(".py"))
