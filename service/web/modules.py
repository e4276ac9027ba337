"""The page's modules as texts: what they import, so that a document can name all that a browser is about to need, and
their comments, which no browser needs.
"""

import posixpath
import re
from collections.abc import Mapping
from typing import Final

_STATIC: Final = re.compile(
    r"""(?:^|;)[ \t]*(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*(['"])([^'"\n]+)\1""", re.MULTILINE
)
"""An import or export from another module, where a statement begins: not in a comment, and no `import('…')`."""

_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself."""


def without_comments(source: str) -> str:
    r"""Returns a module or style sheet without the comments that have lines of their own; all other lines keep their numbers.

    >>> without_comments("/** Why. */\nlet a = 1; // one\n  // two\n  /* three\n   four */\nlet b;\n")
    '\nlet a = 1; // one\n\n\n\nlet b;\n'
    """
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)


def imports_of(source: str) -> list[str]:
    r"""Returns what a module imports statically, as it is written there.

    >>> imports_of("import {html} from './a.js';\nimport './b.js';\nif (x) await import('./c.js');")
    ['./a.js', './b.js']
    >>> imports_of("/*legal*/\nimport{t}from\"../d.js\";export{u}from\"./e.js\";const from=\"./f.js\";")
    ['../d.js', './e.js']
    """
    return [found[2] for found in _STATIC.finditer(source)]


def resolved(module: str, specifier: str) -> str:
    """Returns the path of what a module imports by a relative address.

    >>> resolved("table/games/coconut.js", "../../kit/words.js")
    'kit/words.js'
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), specifier))


def closure(entries: tuple[str, ...], sources: Mapping[str, str]) -> list[str]:
    """Returns these modules and all that they import, directly or not, nearest first.

    Args:
        entries: the paths of modules; one that is not among the sources is left out, as are imports of none.
        sources: the text of each module by its path.
    """
    found = [entry for entry in entries if entry in sources]
    for module in found:  # grows meanwhile
        paths = [resolved(module, specifier) for specifier in imports_of(sources[module])]
        found += [path for path in dict.fromkeys(paths) if path in sources and path not in found]
    return found
