"""The transfer size of the page's files."""

import re
from typing import Final

from hoodwink.service.web.files import ENTRY, FOLDER, TEMPLATE, page, paths
from hoodwink.service.web.modules import closure

MAX_BYTES: Final = 60_000

_IN_TEMPLATE: Final = re.compile(r"\{root\}/([\w./-]+)")


def sources() -> dict[str, str]:
    """Returns the text of every module by its path."""
    return {path: (FOLDER / path).read_text(encoding="utf-8") for path in paths() if path.endswith(".js")}


def needed(*entries: str) -> set[str]:
    """Returns the document, its references, and these modules with all imports; an entry may not exist yet."""
    named = _IN_TEMPLATE.findall((FOLDER / TEMPLATE).read_text(encoding="utf-8"))
    return {TEMPLATE, *named, *closure((ENTRY, *entries), sources())}


def weight(*names: str) -> int:
    """Returns the total size in bytes of these files, each compressed as sent."""
    return sum(len(_sent(name)) for name in names)


def _sent(name: str) -> bytes:
    files = page()
    answer = files.document("", encodings="gzip") if name == TEMPLATE else None
    answer = answer or files.file(files.digest, name, encodings="gzip")
    assert answer is not None
    return answer.body
