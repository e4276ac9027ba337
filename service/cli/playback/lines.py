"""Events as lines in a terminal."""

import re
from typing import Final

from rich.text import Text

from hoodwink.service.application.players.legibility import visible
from hoodwink.service.cli.shared.output import plain

_RED_CARD: Final = re.compile(r"\b[2-9TJQKA][DH]\b")
_JOKER: Final = re.compile(r"\bJK\b")


def event_line(version: int, words: str) -> Text:
    return Text.assemble((visible(f"{version:>5}"), "dim"), "  ", coloured(words))


def coloured(words: str) -> Text:
    """Returns a text with red cards in red and jokers in magenta, if the terminal has colours."""
    text = plain(words)
    text.highlight_regex(_RED_CARD, "red")
    text.highlight_regex(_JOKER, "magenta")
    return text
