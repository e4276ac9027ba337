"""Reads and discards the bodies of requests that have been refused.

Most clients read no response before they have sent the whole body. If the server closed the connection meanwhile, they
would see a broken connection instead of the refusal.
"""

import asyncio
from collections.abc import AsyncIterable
from typing import Final

from granian.rsgi import ProtocolClosed, ProtocolError  # type: ignore[attr-defined]

MAX_DISCARDING: Final = 32
"""Bodies that a process discards at the same time; requests beyond that are refused without reading."""

MAX_DISCARDED_BYTES: Final = 16 * 1024 * 1024
"""Bytes of one body that are discarded; the connection of a client that sends more breaks."""

DISCARD_SECONDS: Final = 10.0
"""The time that a client has to send the rest of its body."""

STALL_SECONDS: Final = 1.0
"""The time for the next chunk, after which the client counts as gone."""

_PAUSE_SECONDS: Final = 0.002
"""Before each next chunk, so that a flood of refused bodies leaves the event loop to others."""


class RefusedBodies:
    """Discards bodies, a few at a time and a chunk at a time. Its methods belong on the event loop."""

    def __init__(
        self,
        *,
        max_discarding: int = MAX_DISCARDING,
        max_bytes: int = MAX_DISCARDED_BYTES,
        seconds: float = DISCARD_SECONDS,
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        self._places = max_discarding
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._stall_seconds = stall_seconds

    async def discard(self, body: AsyncIterable[bytes]) -> None:
        """Returns when the body has been sent, or as soon as a bound is reached; raises nothing."""
        if self._places <= 0:
            return
        self._places -= 1
        try:
            async with asyncio.timeout(self._seconds):
                await self._read(body)
        except (TimeoutError, ProtocolClosed, ProtocolError):
            pass  # the refusal has been sent in any case; a body may have been read in part before
        finally:
            self._places += 1

    async def _read(self, body: AsyncIterable[bytes]) -> None:
        room, chunks = self._max_bytes, aiter(body)
        while room > 0:
            async with asyncio.timeout(self._stall_seconds):
                chunk = await anext(chunks, b"")
            if not chunk:
                return
            room -= len(chunk)
            await asyncio.sleep(_PAUSE_SECONDS)
