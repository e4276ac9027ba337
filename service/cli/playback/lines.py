"""Events as lines in a terminal."""

import re
from typing import Final

from rich.text import Text

_RED_CARD: Final = re.compile(r"\b[2-9TJQKA][DH]\b")
_JOKER: Final = re.compile(r"\bJK\b")


def event_line(version: int, words: str) -> Text:
    """Returns the line of an event: its version, and the sentence that describes it."""
    return Text.assemble((f"{version:>5}", "dim"), "  ", coloured(words))


def coloured(words: str) -> Text:
    """Returns a text with red cards in red and jokers in magenta, if the terminal has colours.

    Characters that cannot be printed are replaced, because a log from elsewhere may contain names with control
    sequences for the terminal.
    """
    text = Text(printable(words))
    text.highlight_regex(_RED_CARD, "red")
    text.highlight_regex(_JOKER, "magenta")
    return text


def printable(words: str) -> str:
    r"""Returns a text in which `\ufffd` replaces every character that cannot be printed.

    >>> printable("Ada\x1b[2J")
    'Ada�[2J'
    """
    return "".join(character if character.isprintable() else "\ufffd" for character in words)
