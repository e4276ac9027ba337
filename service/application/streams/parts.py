"""Long work is split into parts, and the thread may rest between them."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

PART: Final = 256
"""Events per part: a few milliseconds of work, after which the event loop may answer other requests."""


def _do_nothing() -> None:
    pass


# Nothing by default, because aggregates are also loaded on the event loop, where a rest would delay
# everybody. Costly reads and the archiver set it for their own threads.
resting: Final[ContextVar[Callable[[], None]]] = ContextVar("resting", default=_do_nothing)
"""Called by `rest`; set by the code that runs long work."""


def rest() -> None:
    """Lets other threads compute, if the context asks for it. Call it between two parts."""
    resting.get()()
