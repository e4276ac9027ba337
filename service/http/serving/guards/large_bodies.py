"""Limits large request bodies in progress: their bytes per process, and their number per address."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from hoodwink.service.application.limits import Limit, Limits
from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.http.messages.problems import NO_ROOM_FOR_BODIES, unavailable

MAX_SMALL: Final = MAX_BODY
"""Bodies up to this size are never counted, so that a flood of large ones cannot stop play."""
_RETRY_SECONDS: Final = 5


class LargeBodies:
    """Counts the announced bytes of large bodies. Call its methods on the event loop."""

    def __init__(self, limits: Callable[[], Limits], *, max_bytes: int) -> None:
        """Takes the limits per address, and the maximum for all large bodies together."""
        self._limits = limits
        # Without a lock, because only the event loop changes it.
        self._room = max_bytes

    @contextmanager
    def reserve(self, length: int, address: str) -> Iterator[None]:
        """Reserves the bytes of a body until its request is answered.

        Raises:
            LimitReached: the address has too many large bodies in progress.
            Problem: 503 if the process has no room for this many bytes.
        """
        # The announced length, not the bytes so far: many bodies at their beginning would fill the memory later.
        held = self._limits().hold(Limit.BODIES_PER_ADDRESS, address)
        try:
            if length > self._room:
                raise unavailable(NO_ROOM_FOR_BODIES, retry_after=_RETRY_SECONDS)
            self._room -= length
            try:
                yield  # until the answer, not until the last byte: the objects parsed from a body need memory, too
            finally:
                self._room += length
        finally:
            held.release()
