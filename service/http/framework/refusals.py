"""The codes that an operation may answer with: those that it declares, and those that its declaration implies."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from domain.kernel import Code
from service.application.errors import BusyCode, ConflictCode, ForbiddenCode, NotFoundCode
from service.application.limits import LimitCode
from service.http.framework.operations import Access, Operation, RawBody, reads_invitation
from service.http.messages.problems import NO_ROOM_FOR_BODIES, SEAT_NOT_FOUND, HttpCode, Refusal, refusal

_BY_SERVER: Final = (
    HttpCode.BODY_INCOMPLETE,
    HttpCode.LENGTH_REQUIRED,
    HttpCode.BODY_TOO_LARGE,
    HttpCode.INTERNAL_ERROR,
)
"""Answered by the server, which reads the body before the operation is known."""

_EVERYWHERE: Final = (HttpCode.INVALID_QUERY, HttpCode.NOT_ACCEPTABLE, *_BY_SERVER)

UNROUTED: Final = (HttpCode.ROUTE_NOT_FOUND, HttpCode.METHOD_NOT_ALLOWED, *_BY_SERVER)
"""The codes of requests that no operation matches."""

_ACCESS: Final[Mapping[Access, tuple[HttpCode, ...]]] = MappingProxyType(
    {
        Access.OPEN: (),
        Access.OPTIONAL: (HttpCode.TOKEN_INVALID,),
        Access.PLAYER: (HttpCode.TOKEN_MISSING, HttpCode.TOKEN_INVALID),
        Access.ADMINISTRATOR: (
            HttpCode.TOKEN_MISSING,
            HttpCode.TOKEN_INVALID,
            HttpCode.NOT_ADMINISTRATOR,
        ),
    }
)

_PATH: Final[Mapping[str, NotFoundCode | Refusal]] = MappingProxyType(
    {
        "table_id": NotFoundCode.TABLE_NOT_FOUND,
        "import_id": NotFoundCode.IMPORT_NOT_FOUND,
        "player_id": NotFoundCode.PLAYER_NOT_FOUND,
        "game": NotFoundCode.GAME_NOT_FOUND,
        "seat": SEAT_NOT_FOUND,
        "tournament_id": NotFoundCode.TOURNAMENT_NOT_FOUND,
        "entrant_id": NotFoundCode.ENTRANT_NOT_FOUND,
        "entrant": NotFoundCode.ENTRANT_NOT_FOUND,
        "sitting": NotFoundCode.SITTING_NOT_FOUND,
        "round": NotFoundCode.ROUND_NOT_FOUND,
        "board": NotFoundCode.BOARD_NOT_FOUND,
    }
)
_PARAMETER: Final = re.compile(r"{(\w+)}")


def refusals_of(operation: Operation) -> tuple[Refusal, ...]:
    """Returns every code that the operation may answer with, and its status, without duplicates."""
    found = (
        *_EVERYWHERE,
        *_of_store(operation),
        *_ACCESS[operation.access],
        *(
            (HttpCode.STREAM_TOKEN_INVALID, HttpCode.LASTING_TOKEN_IN_URL)
            if operation.takes_stream_token
            else ()
        ),
        *(_PATH[name] for name in _PARAMETER.findall(operation.path)),
        *_of_admission(operation),
        *(limit.code for limit in operation.limits),
        *_of_body(operation),
        *_of_headers(operation),
        *operation.refuses,
    )
    return tuple(dict.fromkeys(map(refusal, found)))


def _of_store(operation: Operation) -> Iterator[Code]:
    if operation.needs_store:
        yield HttpCode.STORE_UNAVAILABLE
        if operation.method != "GET" and not operation.stores_nothing:
            yield HttpCode.NOT_REPLICATED


def _of_admission(operation: Operation) -> Iterator[Code]:
    if reads_invitation(operation):
        yield ForbiddenCode.NOT_INVITED


def _of_body(operation: Operation) -> Iterator[Code | Refusal]:
    if operation.body is None:
        return
    yield from (HttpCode.BAD_REQUEST, HttpCode.UNSUPPORTED_MEDIA_TYPE)
    if isinstance(operation.body, RawBody):
        yield from (LimitCode.TOO_MANY_BODIES, NO_ROOM_FOR_BODIES)
    else:
        yield from (HttpCode.BODY_MISSING, HttpCode.MALFORMED_JSON, HttpCode.INVALID_BODY)
        if operation.method == "POST" and operation.access is not Access.OPEN:  # a key belongs to its player
            yield ConflictCode.IDEMPOTENCY_KEY_REUSED


def _of_headers(operation: Operation) -> Iterator[Code]:
    if operation.method == "POST" or "Last-Event-ID" in operation.reads:
        yield HttpCode.INVALID_HEADER
    if "If-Match" in operation.reads:
        yield HttpCode.PRECONDITION_FAILED
        yield BusyCode.TABLE_BUSY if "{table_id}" in operation.path else BusyCode.TOURNAMENT_BUSY
        if operation.body is not None:
            yield ConflictCode.VERSION_CONFLICT
