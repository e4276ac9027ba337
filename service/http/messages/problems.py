"""Errors as RFC 9457 problem documents, each with a stable code.

Codes are defined below, in `service/application/errors.py` and, for the rules, in `domain/kernel/errors.py`, in
`codes.py` of tables and tournaments, and with the actions of each game.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

import msgspec

from hoodwink.domain.kernel import Action, CardChoice, Code, RuleCode, SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.proving.proof import Finding
from hoodwink.service.application.errors import BusyCode, ConflictCode, ForbiddenCode, JobCode, NotFoundCode
from hoodwink.service.application.limits import LimitCode
from hoodwink.service.http.messages.caching import for_caller

MEDIA_TYPE: Final = "application/problem+json"


class Fault(msgspec.Struct, frozen=True, gc=False):
    """One error in a request.

    Attributes:
        place: the part of the request: `body`, `query` or `header`.
        name: the field in dotted form, the parameter or the header.
        detail: the error, or the allowed values.
    """

    place: str
    name: str
    detail: str


class ProblemDocument(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """An error, in the form of RFC 9457.

    Attributes:
        type: `urn:hoodwink:problem:` and the code.
        code: a stable code in snake_case; `ErrorCode` lists them all.
        detail: a sentence for people; it reveals nothing that the client may not know.
        faults: the errors in the request; only with status 400.
        finding: the first error in a log that does not verify.
        version: the current version of the table or tournament, if the request expected another one.
        legal_actions, legal_choices, legal_offences: the actions that your seat may take now; only with `version`.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    faults: tuple[Fault, ...] | None = None
    finding: Finding | None = None
    version: int | None = None
    legal_actions: tuple[Action, ...] | None = None
    legal_choices: tuple[CardChoice, ...] | None = None
    legal_offences: tuple[Action, ...] | None = None


def phrase_of(status: int) -> str:
    """Returns the name of a status in RFC 9110; before 3.13, Python has older names for some.

    >>> phrase_of(413)
    'Content Too Large'
    """
    return _PHRASES.get(status, HTTPStatus(status).phrase)


_PHRASES: Final[Mapping[int, str]] = MappingProxyType(
    {413: "Content Too Large", 422: "Unprocessable Content"}
)


class HttpCode(Code):
    """Errors that are found before a request reaches a use case."""

    status: int

    def __new__(cls, code: str, status: int, meaning: str) -> Self:
        made = str.__new__(cls, code)  # in an enumeration, `super().__new__` is not the one of `str`
        made._value_, made.status, made.meaning = code, status, meaning
        return made

    BAD_REQUEST = ("bad_request", 400, "The request cannot be understood.")
    INVALID_BODY = ("invalid_body", 400, "The request contains invalid values.")
    INVALID_QUERY = ("invalid_query", 400, "The address contains an invalid parameter.")
    INVALID_HEADER = ("invalid_header", 400, "A header of the request is not valid.")
    BODY_MISSING = ("body_missing", 400, "The request needs a body.")
    MALFORMED_JSON = ("malformed_json", 400, "The body must be a JSON object.")
    TOKEN_MISSING = ("token_missing", 401, "You are not signed in; this needs a player's token.")
    TOKEN_INVALID = ("token_invalid", 401, "The token is not valid.")
    STREAM_TOKEN_INVALID = (
        "stream_token_invalid",
        401,
        "The stream token is not valid or has expired; get another one.",
    )
    LASTING_TOKEN_IN_URL = (
        "lasting_token_in_url",
        400,
        "Addresses end up in logs: send your own token in a header, or a stream token here.",
    )
    NOT_ADMINISTRATOR = ("not_administrator", 403, "Only an administrator of the service may do that.")
    PLAYER_BANNED = (
        "player_banned",
        403,
        "You are banned from this service: you can still read, and erase yourself, but do nothing else.",
    )
    ROUTE_NOT_FOUND = ("route_not_found", 404, "There is nothing at this address.")
    METHOD_NOT_ALLOWED = (
        "method_not_allowed",
        405,
        "This address does not support the method.",
    )
    NOT_ACCEPTABLE = (
        "not_acceptable",
        406,
        "The response is not available in a form that the request accepts.",
    )
    BODY_INCOMPLETE = (
        "body_incomplete",
        408,
        "The body did not arrive completely, so the request had no effect. Send it again.",
    )
    TOURNAMENT_NOT_OVER = (
        "tournament_not_over",
        409,
        "This is available only after the tournament and its last table have ended.",
    )
    LENGTH_REQUIRED = (
        "length_required",
        411,
        "The request had no effect; send the body with a Content-Length and without a Transfer-Encoding.",
    )
    PRECONDITION_FAILED = (
        "precondition_failed",
        412,
        "The table or tournament is not at the version that the request names.",
    )
    BODY_TOO_LARGE = ("body_too_large", 413, "The request is too large.")
    UNSUPPORTED_MEDIA_TYPE = ("unsupported_media_type", 415, "The media type of the body is not supported.")
    NO_REPORT_POSSIBLE = ("no_report_possible", 422, "FIDE's report format cannot represent this tournament.")
    RESULTS_TOO_LARGE = (
        "results_too_large",
        422,
        "The tournament is too large to export here; ask the operator of the service to export it.",
    )
    INVALID_LOG = ("invalid_log", 422, "The log does not verify.")
    INTERNAL_ERROR = (
        "internal_error",
        500,
        "The service failed to handle the request. The error has been logged.",
    )
    STORE_UNAVAILABLE = (
        "store_unavailable",
        503,
        "The service cannot save anything at the moment. Try again in a moment.",
    )
    STORAGE_FULL = (
        "storage_full",
        503,
        "The service's disk is full, so nothing was changed. You can still watch; try again later.",
    )
    NOT_REPLICATED = (
        "not_replicated",
        503,
        (
            "The command was stored, but too few replicas confirmed it in time, so it may still be lost with the server that "
            "stored it. Send it again with the same key to wait for them again."
        ),
    )


_STATUSES: Final[tuple[tuple[type[Code], int], ...]] = (
    (RuleCode, 422),
    (NotFoundCode, 404),
    (ForbiddenCode, 403),
    (ConflictCode, 409),
    (BusyCode, 503),
    (JobCode, 422),  # not 503: a job that is too expensive will be so again
    (LimitCode, 429),
)


def status_of(code: Code) -> int:
    if isinstance(code, HttpCode):
        return code.status
    return next(status for kind, status in _STATUSES if isinstance(code, kind))


class Refusal(NamedTuple):
    """A code with the HTTP status of the answer."""

    status: int
    code: Code


def refusal(code: Code | Refusal) -> Refusal:
    """Returns a code with its usual status, unless it has another one already."""
    return code if isinstance(code, Refusal) else Refusal(status_of(code), code)


# The rules know these codes, too, but here they refuse a request for its address, its sender or its time.
SEAT_NOT_FOUND: Final = Refusal(404, SharedCode.NO_SUCH_SEAT)
NOT_YOUR_SEAT: Final = Refusal(403, TableCode.NOT_YOUR_SEAT)
TABLE_NOT_OVER: Final = Refusal(409, TableCode.TABLE_NOT_OVER)
# 503 and not 429 as beyond a limit of one's own: here others have taken the room.
NO_ROOM_FOR_STREAMS: Final = Refusal(503, LimitCode.TOO_MANY_STREAMS)
NO_ROOM_FOR_BODIES: Final = Refusal(503, LimitCode.TOO_MANY_BODIES)
NO_STREAM: Final = (LimitCode.TOO_MANY_STREAMS, NO_ROOM_FOR_STREAMS)
"""The refusals of a live stream: a limit of the player or the address, or no room in the process."""


_CACHING: Final = for_caller()  # the same request may succeed in a moment, or for another caller


class Problem(Exception):
    """Raised to answer with a problem document."""

    def __init__(
        self,
        code: Code | Refusal,
        detail: str = "",
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        **more: Any,
    ) -> None:
        """`more` has further fields of the document."""
        status, code = refusal(code)
        self.status = status
        super().__init__(f"{status} {code}: {detail or code.meaning}")
        self.headers = {**_CACHING, **headers}
        self.document = ProblemDocument(
            type=f"urn:hoodwink:problem:{code}",
            title=phrase_of(status),
            status=status,
            code=code,
            detail=detail or code.meaning,
            **more,
        )

    def encoded(self) -> bytes:
        return msgspec.json.encode(self.document)


_INVALID: Final[Mapping[str, HttpCode]] = MappingProxyType(
    {"body": HttpCode.INVALID_BODY, "query": HttpCode.INVALID_QUERY, "header": HttpCode.INVALID_HEADER}
)


def invalid(place: str, faults: Sequence[tuple[str, str]]) -> Problem:
    """Returns the problem of invalid fields; it names the first twenty."""
    # Names come from the client, so without these bounds the answer could be as long as the body.
    named = tuple(Fault(place, name[:80], detail) for name, detail in faults[:20])
    return Problem(_INVALID[place], faults=named)


def too_large(max_bytes: int) -> Problem:
    return Problem(HttpCode.BODY_TOO_LARGE, f"The body may have at most {max_bytes:,} bytes.")


def unauthorized(code: HttpCode, detail: str = "") -> Problem:
    """Returns the problem of a request without a valid token."""
    # RFC 9110 requires the header with 401. A browser ignores the scheme Bearer, so it shows no dialogue.
    return Problem(code, detail, headers={"WWW-Authenticate": 'Bearer realm="hoodwink"'})


def unavailable(code: Code | Refusal, detail: str = "", *, retry_after: int = 1) -> Problem:
    """Returns a temporary problem with the seconds to wait."""
    return Problem(code, detail, headers={"Retry-After": str(retry_after)})


_REFUSED_BY_FLASK: Final[Mapping[int, HttpCode]] = MappingProxyType(
    {
        404: HttpCode.ROUTE_NOT_FOUND,
        405: HttpCode.METHOD_NOT_ALLOWED,
        413: HttpCode.BODY_TOO_LARGE,
        500: HttpCode.INTERNAL_ERROR,
    }
)


def for_status(status: int, headers: Mapping[str, str] = MappingProxyType({})) -> Problem:
    """Returns the problem of a request that Flask or werkzeug refused; an unexpected status becomes `bad_request`."""
    return Problem(_REFUSED_BY_FLASK.get(status, HttpCode.BAD_REQUEST), headers=headers)
