"""Connections of clients, as lean as asyncio allows: for one HTTP/1.1 request at a time, and for a table's events.

A client runs on the same cores as the measured service, so its own cost is part of every figure.
"""

import asyncio
import re
import time
from bisect import bisect_left
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, Self, cast

from hoodwink.service.settings import Settings

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_IDS: Final = re.compile(rb"^id: (\d+)-", re.MULTILINE)
_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})


class Refused(Exception):
    """Raised for a response with an error status, and for a lost connection."""


class Answer(NamedTuple):
    """Status and body of a response."""

    status: int
    body: bytes


def head(method: str, path: str, *, token: str = "", headers: Mapping[str, str] = _NO_HEADERS) -> bytes:
    """Returns the head of a request without its end; `without_body` or `with_json` completes the request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: hoodwink"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    return "".join([f"{line}\r\n" for line in lines]).encode()


def without_body(beginning: bytes) -> bytes:
    return beginning + b"\r\n"


def with_json(beginning: bytes, body: bytes) -> bytes:
    return b"%bContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (beginning, len(body), body)


class Connection(asyncio.Protocol):
    """A keep-alive connection. Await each response before sending the next request."""

    @classmethod
    async def connect(cls, host: str, port: int) -> Self:
        _, connection = await asyncio.get_running_loop().create_connection(cls, host, port)
        return connection

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._buffer = b""
        self._answer: asyncio.Future[Answer] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def ask(self, request: bytes) -> "asyncio.Future[Answer]":
        self._answer = self._loop.create_future()
        self._transport.write(request)
        return self._answer

    async def ask_checked(self, request: bytes) -> bytes:
        """Returns the body of the response; raises `Refused` for an error status."""
        status, body = await self.ask(request)
        if not 200 <= status < 300:
            raise Refused(f"{request.partition(b' HTTP')[0].decode()} was answered {status}: {body.decode()}")
        return body

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, end, body = self._buffer.partition(b"\r\n\r\n")
        if not end:
            return
        length = _LENGTH.search(head)
        if length is not None and len(body) < int(length[1]):
            return
        self._buffer = b""
        assert self._answer is not None, "data came without a request"
        if not self._answer.cancelled():
            self._answer.set_result(Answer(int(head[9:12]), body))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Refused(f"the connection was lost: {exc}"))

    def close(self) -> None:
        self._transport.close()


class Watcher(asyncio.Protocol):
    """A connection that records the time at which each version of a table arrived. Parses only the ids of events, to save CPU time."""

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
            arrived = self._waiting.pop(awaited)
            if not arrived.cancelled():
                arrived.set_result(None)


async def follow(settings: Settings, table: str) -> Watcher:
    """Returns a watcher of a table after its stream has begun."""
    loop = asyncio.get_running_loop()
    path = f"/v1/tables/{table}/events"
    _, watcher = await loop.create_connection(lambda: Watcher(path), settings.host, settings.port)
    await watcher.wait_for(0)
    return watcher
