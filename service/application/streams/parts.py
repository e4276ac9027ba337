"""Long work is done in parts, between which the thread that does it may rest."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

PART: Final = 256
"""Events read, replayed or written at a time, a few milliseconds. The event loop answers other requests between two parts."""


def _go_on() -> None:
    pass


resting: Final[ContextVar[Callable[[], None]]] = ContextVar("resting", default=_go_on)
"""Called by `rest` in this context; set by the code that runs long work."""


def rest() -> None:
    """Lets others compute, where the context asks for that; to be called between two parts."""
    resting.get()()
