"""The commands of a document, for tests that run them unchanged."""

import re
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]


def quicker(text: str, substitutes: Mapping[str, str]) -> str:
    """Returns a document whose commands play less; each of the texts to replace must occur in it."""
    for long, short in substitutes.items():
        assert long in text, f"no command has {long!r}"
        text = text.replace(long, short)
    return text


def recipes(document: str, heading: str) -> list[str]:
    """Returns the blocks of shell commands below a heading of the third level, up to the next heading."""
    text = (ROOT / document).read_text(encoding="utf-8")
    section = re.split(r"^#{2,3} ", text.partition(f"### {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    found = re.findall(r"^```sh\n(.*?)^```", section, flags=re.DOTALL | re.MULTILINE)
    assert found, f"{document} has no commands below {heading}"
    return found
