"""Reads and discards the bodies of refused requests.

Most clients read the response only after they have sent the whole body. If the server closed the connection before
that, they would see a broken connection instead of the refusal.
"""

import asyncio
from collections.abc import AsyncIterable
from contextlib import suppress
from typing import Final

from granian.rsgi import ProtocolClosed, ProtocolError  # type: ignore[attr-defined]

MAX_DISCARDING: Final = 32
"""Bodies that a process discards at the same time. Beyond that it closes connections without reading."""

MAX_DISCARDED_BYTES: Final = 16 * 1024 * 1024
"""Maximum per body. If a client sends more, its connection breaks."""

DISCARD_SECONDS: Final = 10.0
"""Maximum time for the rest of a body."""

STALL_SECONDS: Final = 1.0
"""Maximum time for the next chunk, after which the client counts as gone."""

_PAUSE_SECONDS: Final = 0.002
"""Pause between chunks, so that a flood of refused bodies leaves the event loop to others."""


class RefusedBodies:
    """Discards a few bodies at a time, chunk by chunk. Call its methods on the event loop."""

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
        """Returns when the body has been sent or a limit is reached. Never raises."""
        # No queue: waiting clients would keep their connections open, and a flood of them would occupy all.
        if self._places <= 0:
            return
        self._places -= 1
        try:
            async with asyncio.timeout(self._seconds):
                await self._read(body)
        except (TimeoutError, ProtocolClosed, ProtocolError):
            pass  # nothing is lost: the refusal was sent before, and the body is not wanted
        finally:
            self._places += 1

    async def _read(self, body: AsyncIterable[bytes]) -> None:
        room, chunks = self._max_bytes, aiter(body)
        while room > 0:
            chunk = b""
            with suppress(StopAsyncIteration):
                async with asyncio.timeout(self._stall_seconds):
                    # Not with a default, for which `anext` needs `throw` at the end of the time. Granian does not have it.
                    chunk = await anext(chunks)
            if not chunk:
                return
            room -= len(chunk)
            await asyncio.sleep(_PAUSE_SECONDS)
