"""The codes that an operation may answer with: declared ones, and those that its declaration implies."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from hoodwink.domain.kernel import Code
from hoodwink.service.application.errors import BusyCode, ConflictCode, ForbiddenCode, JobCode, NotFoundCode
from hoodwink.service.application.limits import LimitCode
from hoodwink.service.http.framework.operations import Access, Operation, RawBody, reads_invitation
from hoodwink.service.http.messages.problems import (
    NO_ROOM_FOR_BODIES,
    SEAT_NOT_FOUND,
    HttpCode,
    Refusal,
    refusal,
)

_BY_SERVER: Final = (
    HttpCode.BODY_INCOMPLETE,
    HttpCode.LENGTH_REQUIRED,
    HttpCode.BODY_TOO_LARGE,
    HttpCode.INTERNAL_ERROR,
)
"""Codes of the server, which reads the body before it knows the operation."""

_EVERYWHERE: Final = (HttpCode.INVALID_QUERY, HttpCode.NOT_ACCEPTABLE, *_BY_SERVER)
_STORE: Final = (HttpCode.STORE_UNAVAILABLE, HttpCode.NOT_REPLICATED, HttpCode.STORAGE_FULL)
_BODY: Final = (HttpCode.BAD_REQUEST, HttpCode.UNSUPPORTED_MEDIA_TYPE)
_FORM: Final = (HttpCode.BODY_MISSING, HttpCode.MALFORMED_JSON, HttpCode.INVALID_BODY)
_TOKEN: Final = (HttpCode.TOKEN_MISSING, HttpCode.TOKEN_INVALID)

COMMON: Final = (*_EVERYWHERE, *_BODY, *_FORM, HttpCode.INVALID_HEADER, *_TOKEN, *_STORE)
"""The codes that follow from the form of a request, its token and the store."""

UNROUTED: Final = (HttpCode.ROUTE_NOT_FOUND, HttpCode.METHOD_NOT_ALLOWED, *_BY_SERVER)
"""The codes of requests that match no operation."""

_ACCESS: Final[Mapping[Access, tuple[HttpCode, ...]]] = MappingProxyType(
    {
        Access.OPEN: (),
        Access.OPTIONAL: (HttpCode.TOKEN_INVALID,),
        Access.PLAYER: _TOKEN,
        Access.ADMINISTRATOR: (*_TOKEN, HttpCode.NOT_ADMINISTRATOR),
    }
)

_PATH: Final[Mapping[str, NotFoundCode | Refusal]] = MappingProxyType(
    {
        "table_id": NotFoundCode.TABLE_NOT_FOUND,
        "digest": NotFoundCode.REASON_NOT_FOUND,
        "import_id": NotFoundCode.IMPORT_NOT_FOUND,
        "job_id": NotFoundCode.JOB_NOT_FOUND,
        "push_id": NotFoundCode.PUSH_NOT_FOUND,
        "webhook_id": NotFoundCode.WEBHOOK_NOT_FOUND,
        "player_id": NotFoundCode.PLAYER_NOT_FOUND,
        "passkey": NotFoundCode.PASSKEY_NOT_FOUND,
        "session": NotFoundCode.SESSION_NOT_FOUND,
        "game": NotFoundCode.GAME_NOT_FOUND,
        "seat": SEAT_NOT_FOUND,
        "tournament_id": NotFoundCode.TOURNAMENT_NOT_FOUND,
        "series_id": NotFoundCode.SERIES_NOT_FOUND,
        "date": NotFoundCode.DATE_NOT_FOUND,
        "entrant_id": NotFoundCode.ENTRANT_NOT_FOUND,
        "entrant": NotFoundCode.ENTRANT_NOT_FOUND,
        "sitting": NotFoundCode.SITTING_NOT_FOUND,
        "round": NotFoundCode.ROUND_NOT_FOUND,
        "board": NotFoundCode.BOARD_NOT_FOUND,
        "deal": NotFoundCode.DEAL_NOT_FOUND,
    }
)
_OF_JOBS: Final = (
    LimitCode.TOO_MANY_JOBS,
    BusyCode.NO_ROOM_FOR_JOBS,
    BusyCode.JOB_INTERRUPTED,
    JobCode.JOB_TOO_EXPENSIVE,
)

_PARAMETER: Final = re.compile(r"{(\w+)}")


def refusals_of(operation: Operation) -> tuple[Refusal, ...]:
    """Returns every code that the operation may answer with, with its status, without duplicates."""
    found = (
        *_EVERYWHERE,
        *_of_store(operation),
        *_ACCESS[operation.access],
        *(() if operation.is_for_banned else (HttpCode.PLAYER_BANNED,)),
        *(
            (HttpCode.STREAM_TOKEN_INVALID, HttpCode.LASTING_TOKEN_IN_URL)
            if operation.takes_stream_token
            else ()
        ),
        *(_PATH[name] for name in _PARAMETER.findall(operation.path)),
        *_of_admission(operation),
        *(limit.code for limit in (*operation.limits, *operation.budgets)),
        *_of_body(operation),
        *_of_headers(operation),
        *(_OF_JOBS if operation.leads_to_job else ()),
        *operation.refuses,
    )
    return tuple(dict.fromkeys(map(refusal, found)))


def _of_store(operation: Operation) -> Iterator[Code]:
    if operation.needs_store:
        yield HttpCode.STORE_UNAVAILABLE
        # A job's input is no commit, so no replica has to confirm it.
        is_commit = not (operation.stores_nothing or operation.is_fleeting or operation.begins_job)
        if operation.method != "GET" and is_commit:
            yield HttpCode.NOT_REPLICATED
            yield HttpCode.STORAGE_FULL


def _of_admission(operation: Operation) -> Iterator[Code]:
    # A private tournament answers 404 instead, as if it did not exist (T-24).
    if reads_invitation(operation) and "{table_id}" in operation.path:
        yield ForbiddenCode.NOT_INVITED


def _of_body(operation: Operation) -> Iterator[Code | Refusal]:
    if operation.body is None:
        return
    yield from _BODY
    if isinstance(operation.body, RawBody):
        # Only raw bodies are large enough to be counted.
        yield from (LimitCode.TOO_MANY_BODIES, NO_ROOM_FOR_BODIES)
    else:
        yield from _FORM
        # A key belongs to its player, and is kept with what is stored.
        is_kept = not (operation.is_fleeting or operation.stores_nothing)
        if operation.method == "POST" and operation.access is not Access.OPEN and is_kept:
            yield ConflictCode.IDEMPOTENCY_KEY_REUSED


def _of_headers(operation: Operation) -> Iterator[Code]:
    if operation.method == "POST" or "Last-Event-ID" in operation.reads:
        yield HttpCode.INVALID_HEADER
    if "If-Match" in operation.reads:
        # Every command to a table or tournament reads this header. It is decided again if another process was
        # faster, and gives up after many attempts.
        yield HttpCode.PRECONDITION_FAILED
        yield BusyCode.TABLE_BUSY if "{table_id}" in operation.path else BusyCode.TOURNAMENT_BUSY
        if operation.body is not None:  # which may have `expected_version`
            yield ConflictCode.VERSION_CONFLICT
