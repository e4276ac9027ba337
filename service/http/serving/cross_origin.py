"""Lets web pages of other origins use the API, with CORS headers (https://fetch.spec.whatwg.org).

It wraps the whole bridge, so that the fast lane, Flask, refusals and streams all send the same headers.
"""

import asyncio
from collections.abc import AsyncIterator
from collections.abc import Set as AbstractSet
from typing import Final

from granian.rsgi import Scope

from hoodwink.service.adapters.process.request_ids import HEADER
from hoodwink.service.http.serving.bridge import NOT_SNIFFED, Bridge, RsgiProtocol
from hoodwink.service.http.serving.streams.streams import Transport

ANY: Final = "*"
METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE"
REQUEST_HEADERS: Final = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Hoodwink-Invitation, X-Request-Id"
EXPOSED: Final = (
    "ETag, Location, Retry-After, Link, Allow, Content-Disposition, WWW-Authenticate, X-Request-Id"
)
_PREFLIGHT: Final = [
    ("access-control-allow-methods", METHODS),
    ("access-control-allow-headers", REQUEST_HEADERS),
    # Two hours, the most that Chromium accepts.
    ("access-control-max-age", "7200"),
]


class CrossOrigin:
    """An RSGI application that adds CORS headers to the answers of another one."""

    def __init__(self, application: Bridge, origins: AbstractSet[str]) -> None:
        """Takes the allowed origins as browsers send them, or `*` for all."""
        self._application = application
        self._origins = origins
        self._allows_any = ANY in origins

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._application.__rsgi_init__(loop)

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._application.__rsgi_del__(loop)

    async def __rsgi__(self, scope: Scope, protocol: RsgiProtocol) -> None:
        origin = scope.headers.get("origin", "")
        is_allowed = bool(origin) and (self._allows_any or origin in self._origins)
        # Never with `Access-Control-Allow-Credentials`: there are no cookies, so a page can do nothing without a token
        # that its user has given it.
        added = [("access-control-allow-origin", ANY if self._allows_any else origin)] if is_allowed else []
        # Even without an origin: a cache could serve that answer to a page later.
        if not self._allows_any:
            added.append(("vary", "Origin"))
        # For every address: a page can only read the 404 of a wrong one if its preflight request succeeds.
        if is_allowed and scope.method == "OPTIONS" and "access-control-request-method" in scope.headers:
            request = self._application.request_id(scope.headers)
            protocol.response_bytes(204, [*added, *_PREFLIGHT, NOT_SNIFFED, (HEADER, request)], b"")
            return
        if is_allowed:
            added.append(("access-control-expose-headers", EXPOSED))
        await self._application.__rsgi__(scope, _WithHeaders(protocol, added))


class _WithHeaders:
    """The server's side of a request, with headers added to the answer."""

    __slots__ = ("_added", "_protocol", "client_disconnect")

    def __init__(self, protocol: RsgiProtocol, added: list[tuple[str, str]]) -> None:
        self._protocol = protocol
        self._added = added
        self.client_disconnect = protocol.client_disconnect

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._protocol)

    async def __call__(self) -> bytes:
        return await self._protocol()

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self._protocol.response_bytes(status, [*headers, *self._added], body)

    def response_stream(self, status: int, headers: list[tuple[str, str]]) -> Transport:
        return self._protocol.response_stream(status, [*headers, *self._added])
