"""The modules whose docstrings contain examples.

pytest's own `--doctest-modules` would import and search every module of the project in each test process.
"""

import doctest
import re
from importlib import import_module
from pathlib import Path

from tests.sources import sources

_ROOT = Path(__file__).parents[1]
_EXAMPLE = re.compile(r"^ +>{3} ", re.MULTILINE)


def modules_with_examples(*folders: str) -> list[str]:
    """Returns the names of the modules in these folders, such as `hoodwink/domain`."""
    return [
        ".".join(path.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__")
        for folder in folders
        for path in sorted(sources(_ROOT / folder))
        if _EXAMPLE.search(path.read_text(encoding="utf-8"))
    ]


def check_examples(module: str) -> None:
    tried = doctest.testmod(import_module(module))
    assert tried.attempted
    assert not tried.failed
