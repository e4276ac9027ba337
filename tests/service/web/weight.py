"""The transfer size of the page's files."""

import re
from typing import Final

from hoodwink.service.web.files import ENTRY, FOLDER, TEMPLATE, page, paths
from hoodwink.service.web.modules import closure

MAX_BYTES: Final = 70_000

TRANSFERRED: Final = r"""() => Object.fromEntries(['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type))
    .filter(({ name }) => !name.includes('/v1/'))
    .map(({ name, encodedBodySize }) => [new URL(name).pathname.replace(/^\/page\/\w+\//, ''), encodedBodySize]))"""
"""A function that returns the compressed size of each file of the page that a browser has loaded."""

_ROOMS: Final = ("home/game.js", "table/table.js")
_SOON: Final = (
    "shell/installing.js",
    "table/sidebar/crib.js",
    "table/scene/moments.js",
    "table/scene/terms.js",
)
"""Modules that no other one imports statically, but that a table needs within its first events."""

_OTHERS: Final = frozenset({"cards/cards.svg", "style/home.css"})

_IN_TEMPLATE: Final = re.compile(r"\{root\}/([\w./-]+)")


def sources() -> dict[str, str]:
    """Returns the text of every module by its path."""
    return {path: (FOLDER / path).read_text(encoding="utf-8") for path in paths() if path.endswith(".js")}


def needed(*entries: str) -> set[str]:
    """Returns the document, its references, and these modules with all imports; an entry may not exist yet."""
    named = _IN_TEMPLATE.findall((FOLDER / TEMPLATE).read_text(encoding="utf-8"))
    return {TEMPLATE, *named, *closure((ENTRY, *entries), sources())}


def loaded(game: str) -> set[str]:
    """Returns what a browser loads to show home, a game's room and a table of it; a browser test compares it."""
    return needed(*_ROOMS, f"table/games/{game}.js", *_SOON) | _OTHERS


def weight(*names: str) -> int:
    """Returns the total size in bytes of these files, each compressed as sent."""
    return sum(len(_sent(name)) for name in names)


def _sent(name: str) -> bytes:
    files = page()
    answer = files.document("", encodings="gzip") if name == TEMPLATE else None
    answer = answer or files.file(files.digest, name, encodings="gzip")
    assert answer is not None
    return answer.body
