"""A request as handlers see it, whether it came through Flask or the fast lane."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec
from werkzeug.datastructures import Headers, MIMEAccept, MultiDict
from werkzeug.http import parse_accept_header

from hoodwink.service.application.limits import Hold

INVITATION: Final = "Hoodwink-Invitation"
"""The header for the invitation code of a table or tournament. The code is never part of an address, because addresses end up in logs."""


class StreamLimiter(Protocol):
    """Accepts event streams for the server."""

    def take_place(self, subscription: Any, address: str) -> Hold:
        """Returns a place for a stream to that address; the end of the stream releases it.

        Raises:
            LimitReached: the player or the address has too many streams.
            Problem: 503 if the process has no room.
        """
        ...


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request, as handlers see it.

    Attributes:
        path: decoded, without the query.
        headers: by lower-case name, since the fast lane has a plain `dict`.
        body: the whole body; empty if the operation takes none.
        query_string: as it was sent.
        arguments: the parsed query.
        address: the client's, without a port.
        streams: set if the server can answer with an event stream.
    """

    method: str
    path: str
    headers: Headers | Mapping[str, str]
    body: bytes = b""
    query_string: bytes = b""
    arguments: MultiDict[str, str] = MultiDict()
    address: str = ""
    streams: StreamLimiter | None = None

    def best_match(self, *offered: str) -> str | None:
        """Returns the offered media type that the client prefers, or `None` if it accepts none of them."""
        accepted = parse_accept_header(self.headers.get("accept"), MIMEAccept)
        return accepted.best_match(offered)
