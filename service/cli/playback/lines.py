"""Events as lines of a terminal."""

import re
from typing import Final

from rich.text import Text

_RED_CARD: Final = re.compile(r"\b[2-9TJQKA][DH]\b")
_JOKER: Final = re.compile(r"\bJK\b")


def event_line(version: int, words: str) -> Text:
    """Returns an event as a line: its version, and what happened."""
    return Text.assemble((f"{version:>5}", "dim"), "  ", inked(words))


def inked(words: str) -> Text:
    """Returns a text with red cards in red where the terminal has colours; the text alone says all.

    A log from elsewhere may hold names that steer the terminal, so what cannot be printed is replaced.
    """
    text = Text(printable(words))
    text.highlight_regex(_RED_CARD, "red")
    text.highlight_regex(_JOKER, "magenta")
    return text


def printable(words: str) -> str:
    r"""Returns a text without characters that do anything but show.

    >>> printable("Ada\x1b[2J")
    'Ada�[2J'
    """
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in words)
