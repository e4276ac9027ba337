"""Writes `synchronous.py` from `asynchronous.py`, so that both clients do the same."""

import re
from pathlib import Path

SOURCE = Path(__file__).parent / "hoodwink_client" / "asynchronous.py"
TARGET = SOURCE.with_name("synchronous.py")
REPLACEMENTS = {
    r"AsyncGenerator, Awaitable, Callable": "Callable, Generator",
    r"Awaitable\[(.*?)\]": r"\1",
    r"\basync (def|for|with)\b": r"\1",
    r"\bawait ": "",
    r"\bAsync(\w+)": r"\1",
    r"\ba(close|closing|connect_sse|iter_sse|read)\b": r"\1",
    r"__a(enter|exit)__": r"__\1__",
    r"\basyncio\b": "time",
    r"The asynchronous client": "The synchronous client, generated from `asynchronous.py` by `make client`",
}


def synchronous() -> str:
    text = SOURCE.read_text(encoding="utf-8")
    for pattern, replacement in REPLACEMENTS.items():
        text = re.sub(pattern, replacement, text)
    return text


if __name__ == "__main__":
    TARGET.write_text(synchronous(), encoding="utf-8")
