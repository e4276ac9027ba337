"""The large request bodies under way in this process: how many bytes they may have together, and how many an address."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from hoodwink.service.application.limits import Limit, Limits
from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.http.messages.problems import NO_ROOM_FOR_BODIES, unavailable

MAX_SMALL: Final = MAX_BODY
"""The most bytes of a body that is not counted, so that play goes on during a flood of large ones."""
_RETRY_SECONDS: Final = 5


class LargeBodies:
    """Counts the bytes that large bodies have announced. Its methods belong on the event loop."""

    def __init__(self, limits: Callable[[], Limits], *, most_bytes: int) -> None:
        """Takes the limits of addresses, and the most bytes of all large bodies together."""
        self._limits = limits
        self._room = most_bytes

    @contextmanager
    def reserve(self, length: int, address: str) -> Iterator[None]:
        """Reserves the bytes of a body until its request is answered, because what is read from it takes memory, too.

        Raises:
            LimitReached: the address has too many large bodies under way.
            Problem: 503 if the process has no room for as many bytes.
        """
        held = self._limits().hold(Limit.BODIES_PER_ADDRESS, address)
        try:
            if length > self._room:
                raise unavailable(NO_ROOM_FOR_BODIES, retry_after=_RETRY_SECONDS)
            self._room -= length
            try:
                yield
            finally:
                self._room += length
        finally:
            held.release()
