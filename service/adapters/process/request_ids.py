"""The id of the current request, from its header to the log lines of a worker.

It is a context variable. Each request, and each visit of a worker to a table, sets it in a context of its own.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from secrets import token_hex
from typing import Final

HEADER: Final = "x-request-id"
# Clients choose it, and it ends up in logs and Redis. So it is short and cannot forge a log line.
_PATTERN: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")

_current: "Final[ContextVar[str]]" = ContextVar("request_id", default="")

current_request = _current.get
"""Returns the id of the current request, or an empty text."""

begin_request = _current.set
"""Sets the id until the end of the current context."""


@contextmanager
def serving(request: str) -> Iterator[None]:
    """Sets the id for a block of code."""
    before = _current.set(request)
    try:
        yield
    finally:
        _current.reset(before)


class RequestIds:
    """Gives each request of a process its id."""

    def __init__(self) -> None:
        # A random prefix keeps processes apart, and a counter needs no system call per request.
        self._prefix = token_hex(4)
        self._numbers = count(1)

    def of(self, given: str | None) -> str:
        """Returns the client's id if it is valid, or a new one."""
        if given is not None and _PATTERN.fullmatch(given):
            return given
        return f"{self._prefix}-{next(self._numbers):x}"
