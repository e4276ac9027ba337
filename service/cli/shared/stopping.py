"""Commands that people end with Ctrl-C."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from hoodwink.service.cli.shared.output import say

INTERRUPTED: Final = 130
"""The exit code that shells expect after Ctrl-C: 128 + SIGINT."""


@contextmanager
def stoppable(message: str) -> Iterator[None]:
    """After Ctrl-C, prints one line and exits with the usual code."""
    try:
        yield
    except KeyboardInterrupt:
        say(message, err=True)
        sys.exit(INTERRUPTED)
