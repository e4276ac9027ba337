"""The commands of a document, for tests that run them unchanged."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def recipes(document: str, heading: str) -> list[str]:
    """Returns the blocks of shell commands below a heading of the third level, up to the next heading."""
    text = (ROOT / document).read_text(encoding="utf-8")
    section = re.split(r"^#{2,3} ", text.partition(f"### {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    found = re.findall(r"^```sh\n(.*?)^```", section, flags=re.DOTALL | re.MULTILINE)
    assert found, f"{document} has no commands below {heading}"
    return found
