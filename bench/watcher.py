"""A client that follows a table's events over its own connection."""

import asyncio
import re
import time
from bisect import bisect_left
from typing import Final, cast

from bench.connection import head, without_body
from hoodwink.service.settings import Settings

_IDS: Final = re.compile(rb"^id: (\d+)-", re.MULTILINE)


class Watcher(asyncio.Protocol):
    """Records the time at which each version arrived. Parses only the ids of events, to save CPU time."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._arrivals: list[tuple[int, float]] = []
        self._rest = b""
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._ended: asyncio.Future[None] = self._loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(without_body(head("GET", self._path, headers={"Accept": "text/event-stream"})))

    def data_received(self, data: bytes) -> None:
        lines, _, self._rest = (self._rest + data).rpartition(b"\n")
        ids = _IDS.findall(lines)
        if ids:
            self._note_arrival(int(ids[-1]))
        if b"event: end" in lines:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    def leave(self) -> None:
        self._transport.close()

    async def wait_until_ended(self) -> None:
        await self._ended

    async def wait_for(self, version: int) -> None:
        """Waits until all events up to the version have arrived."""
        if not self._arrivals or self._arrivals[-1][0] < version:
            self._waiting[version] = self._loop.create_future()
            await self._waiting[version]

    def arrival_of(self, version: int) -> float:
        """Returns the time at which all events up to the version had arrived, on the clock of `time.perf_counter`."""
        return self._arrivals[bisect_left(self._arrivals, (version, 0.0))][1]

    def _note_arrival(self, version: int) -> None:
        self._arrivals.append((version, time.perf_counter()))
        for awaited in [waiting for waiting in self._waiting if waiting <= version]:
            self._waiting.pop(awaited).set_result(None)


async def follow(settings: Settings, table: str) -> Watcher:
    """Returns a watcher of a table after its stream has begun."""
    loop = asyncio.get_running_loop()
    path = f"/v1/tables/{table}/events"
    _, watcher = await loop.create_connection(lambda: Watcher(path), settings.host, settings.port)
    await watcher.wait_for(0)
    return watcher
