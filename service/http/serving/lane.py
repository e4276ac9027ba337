"""The fast lane: answers operations with `runs_on_loop` on the event loop, with the same bytes as Flask."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, TypeAlias
from urllib.parse import parse_qsl

from granian.rsgi import Headers, Scope  # type: ignore[attr-defined]
from werkzeug.datastructures import MultiDict

from hoodwink.service.http.framework.client_address import DIRECT, AddressOf
from hoodwink.service.http.framework.endpoint import Encoded, Endpoint, encoded_problem
from hoodwink.service.http.framework.failures import problem_of
from hoodwink.service.http.framework.metrics import count_request
from hoodwink.service.http.messages.requests import INVITATION, Request

Finder: TypeAlias = Callable[[Scope, bytes], Callable[[], Encoded] | None]
"""Returns a function that answers a request on the loop, or `None` if Flask should answer it."""

_NOT_MODIFIED: Final = 304

_INVITATION: Final = INVITATION.lower()
"""Requests with this header go to Flask, because checking it may read the installation secret from Redis."""
_NO_ARGUMENTS: Final[MultiDict[str, str]] = MultiDict()

_QUERY: Final = re.compile(r"(?:(?:include|viewer)=(?:\w|,|%2C)*(?:&|$))*", re.ASCII)
"""Queries that are cheap enough for the loop. `version`, for example, replays a log and would block all others."""


class Lane:
    """The endpoints in the lane, by method and path."""

    def __init__(self, endpoints: Iterable[Endpoint], address_of: AddressOf = DIRECT) -> None:
        """Takes all endpoints, and a function that returns the client address of a request."""
        self._address_of = address_of
        self._routes: defaultdict[str, list[tuple[re.Pattern[str], Endpoint]]] = defaultdict(list)
        for endpoint in endpoints:
            if endpoint.operation.runs_on_loop:
                # Every id matches. All other paths go to Flask, which answers 404.
                pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[0-9A-Za-z_-]+)", endpoint.operation.path)
                self._routes[endpoint.operation.method].append((re.compile(pattern), endpoint))

    def find(self, scope: Scope, body: bytes) -> Callable[[], Encoded] | None:
        """Returns a function that answers a request, or `None` for an unusual query or header."""
        method, path = scope.method, scope.path
        # Flask answers unusual requests. This lane only has to handle those that clients send all day.
        for pattern, endpoint in self._routes.get(method, ()):
            found = pattern.fullmatch(path)
            if found is not None:
                headers, query = _plain(scope.headers), scope.query_string
                if headers is None or _INVITATION in headers or (query and not _QUERY.fullmatch(query)):
                    return None
                request = Request(
                    method=method,
                    path=path,
                    headers=headers,
                    body=body,
                    query_string=query.encode(),
                    address=self._address_of(scope),
                    arguments=MultiDict(parse_qsl(query, keep_blank_values=True)) if query else _NO_ARGUMENTS,
                )
                return partial(_answer, endpoint, request, found.groupdict())
        return None


def _plain(headers: Headers) -> Mapping[str, str] | None:
    """Returns the headers by name, or `None` if one is repeated or could not be decoded."""
    received = headers.items()
    by_name = dict(received)
    # Granian omits undecodable values from `items` but not from `keys`.
    return by_name if len(by_name) == len(received) == len(headers.keys()) else None


def _answer(endpoint: Endpoint, request: Request, path: Mapping[str, str]) -> Encoded:
    """Returns the response with the headers that Flask would send, and counts it."""
    try:
        encoded = endpoint.answer(request, path)
    except Exception as error:  # noqa: BLE001 - each has its problem
        encoded = encoded_problem(problem_of(error, request.method, request.path))
    count_request(endpoint.name, encoded.status)
    # As werkzeug does: a 304 has neither type nor length.
    if encoded.status == _NOT_MODIFIED:
        # `Endpoint.answer` puts the type first.
        return encoded._replace(headers=encoded.headers[1:])
    encoded.headers.append(("Content-Length", str(len(encoded.body))))
    return encoded
