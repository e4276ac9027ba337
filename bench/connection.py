"""A keep-alive connection for one HTTP/1.1 request at a time, as lean as asyncio allows.

The client runs on the same cores as the measured service, so its own cost is part of every figure.
"""

import asyncio
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, Self, cast

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
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
    """A connection. Await each response before sending the next request."""

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
