"""A request as handlers see it, whether it came through Flask or by the fast lane in front of it."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec
from werkzeug.datastructures import Headers, MIMEAccept, MultiDict
from werkzeug.http import parse_accept_header

from hoodwink.service.application.limits import Hold

INVITATION: Final = "Hoodwink-Invitation"
"""The header for the invitation code of a table. It is never part of an address, because addresses end up in logs."""


class StreamLimiter(Protocol):
    """Where the server accepts streams of events."""

    def take_place(self, subscription: Any, address: str) -> Hold:
        """Returns a place for a stream to that address, which is released when the stream ends.

        Raises:
            LimitReached: the player or the address has too many streams.
            Problem: 503 if the process has no room.
        """
        ...


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request, as handlers see it.

    Attributes:
        path: decoded, without the query.
        headers: looked up by their names in lower case.
        body: the whole body; empty where the operation takes none.
        query_string: as it was sent.
        arguments: the query, parsed.
        address: that of the client, without a port.
        streams: set where the server can answer with a stream of events.
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
        """Returns the media type that the client prefers of those offered, or `None` if it accepts none of them."""
        accepted = parse_accept_header(self.headers.get("accept"), MIMEAccept)
        return accepted.best_match(offered)
