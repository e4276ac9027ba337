"""Reads the page's modules as text: finds their imports, which documents preload, and shortens them."""

import posixpath
import re
from collections.abc import Mapping
from typing import Final

_STATIC: Final = re.compile(
    r"""(?:^|;)[ \t]*(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*(['"])([^'"\n]+)\1""", re.MULTILINE
)
"""An import or export from another module, at the start of a statement: not in a comment, and no `import('…')`."""

_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
"""A comment that fills whole lines."""

_REMARK: Final = re.compile(r"(?<=[;,{}()\]]) // [^'\"`\n]*$", re.MULTILINE)
"""A comment after code. Those with quotes stay, because telling them from strings would need a parser."""

_INDENT: Final = re.compile(r"^[ \t]+", re.MULTILINE)

_AROUND: Final = re.compile(r"\s*([{};])\s*")
_BEFORE: Final = re.compile(r"([:,])\s+")

_MARKUP_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_BETWEEN: Final = re.compile(r"(?<=>)\s+(?=<)")


def without_comments(source: str) -> str:
    r"""Returns a module or style sheet without the comments that fill whole lines.

    >>> without_comments("/** Why. */\nlet a = 1; // one\n  // two\n  /* three\n   four */\nlet b;\n")
    '\nlet a = 1; // one\n\n\n\nlet b;\n'
    """
    # Empty lines remain, so that line numbers in a browser's errors are those of the source.
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)


def shortened(source: str) -> str:
    r"""Returns a module without comments and indentation, with the same line numbers.

    >>> shortened("let a = () => {\n  // why\n    return `<p>\n      text</p>`; // what\n};\n")
    'let a = () => {\n\nreturn `<p>\ntext</p>`;\n};\n'
    """
    # Inside templates too, where HTML takes any white space for one space.
    return _INDENT.sub("", _REMARK.sub("", without_comments(source)))


def shortened_style(source: str) -> str:
    r"""Returns a style sheet without whole-line comments and without white space next to its punctuation.

    A string in a style sheet must not contain such punctuation.

    >>> shortened_style("/* Why. */\na :hover, b {\n  color: red;\n  margin: 0 1px;\n}\n")
    'a :hover,b{color:red;margin:0 1px;}'
    """
    return _BEFORE.sub(r"\1", _AROUND.sub(r"\1", without_comments(source))).strip()


def shortened_picture(source: str) -> str:
    r"""Returns an SVG picture without text in it, without its comments and without white space between its elements.

    >>> shortened_picture("<svg>\n<!-- A heart,\n  red -->\n<path d='M0 0\n  L9 9'/>\n</svg>\n")
    "<svg><path d='M0 0 L9 9'/></svg>"
    """
    return " ".join(_BETWEEN.sub("", _MARKUP_COMMENT.sub("", source)).split())


def imports_of(source: str) -> list[str]:
    r"""Returns the specifiers of a module's static imports.

    >>> imports_of("import {html} from './a.js';\nimport './b.js';\nif (x) await import('./c.js');")
    ['./a.js', './b.js']
    >>> imports_of("/*legal*/\nimport{t}from\"../d.js\";export{u}from\"./e.js\";const from=\"./f.js\";")
    ['../d.js', './e.js']
    """
    return [found[2] for found in _STATIC.finditer(source)]


def resolved(module: str, specifier: str) -> str:
    """Returns the path of a module that another one imports by a relative address.

    >>> resolved("table/games/coconut.js", "../../kit/words.js")
    'kit/words.js'
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), specifier))


def closure(entries: tuple[str, ...], sources: Mapping[str, str]) -> list[str]:
    """Returns these modules and all their direct and indirect imports, nearest first.

    Args:
        entries: the paths of modules; paths without a source are left out.
        sources: the text of each module by its path.
    """
    found = [entry for entry in entries if entry in sources]
    for module in found:  # the loop appends to it
        paths = [resolved(module, specifier) for specifier in imports_of(sources[module])]
        found += [path for path in dict.fromkeys(paths) if path in sources and path not in found]
    return found
