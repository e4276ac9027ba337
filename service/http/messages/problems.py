"""Errors as RFC 9457 problem documents, each with a stable code.

The codes stand in the lists below and in those of the rooms that they come from: `service/application/errors.py`, and for
the rules `domain/kernel/errors.py`, `codes.py` of tables and tournaments, and the actions of each game.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final, Self

import msgspec

from domain.kernel import Code, RuleCode
from domain.tables import Finding
from service.application.errors import BusyCode, ConflictCode, ForbiddenCode, NotFoundCode

MEDIA_TYPE: Final = "application/problem+json"


class Fault(msgspec.Struct, frozen=True, gc=False):
    """One thing that is wrong with what was sent.

    Attributes:
        place: `body`, `query` or `header`.
        name: the field in dotted form, the parameter or the header.
    """

    place: str
    name: str
    detail: str


class ProblemDocument(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What every error answers with.

    Attributes:
        type: `urn:hoodwink:problem:` and the code.
        code: stable and snake_case; `ErrorCode` lists them all.
        detail: a sentence for people. It tells nothing that the asker may not know.
        faults: what is wrong with the fields of a 400.
        finding: what is wrong first with a log that does not verify.
        version: of the table as it is now, where that is the matter.
        legal_actions, legal_choices, legal_offences: what the asker's seat may do now, beside `version`.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    faults: tuple[Fault, ...] | None = None
    finding: Finding | None = None
    version: int | None = None
    legal_actions: tuple[Any, ...] | None = None
    legal_choices: tuple[Any, ...] | None = None
    legal_offences: tuple[Any, ...] | None = None


def phrase_of(status: int) -> str:
    """Returns what RFC 9110 calls a status; until 3.13 Python has older names for some.

    >>> phrase_of(413)
    'Content Too Large'
    """
    return _PHRASES.get(status, HTTPStatus(status).phrase)


_PHRASES: Final[Mapping[int, str]] = MappingProxyType(
    {413: "Content Too Large", 422: "Unprocessable Content"}
)


class HttpCode(Code):
    """What is wrong with a request before it reaches a use case, or with what it asks for as a whole."""

    status: int

    def __new__(cls, code: str, status: int, meaning: str) -> Self:
        """Makes a member of its code, its status and what it means."""
        made = str.__new__(cls, code)  # an enumeration keeps its base's `__new__` for itself
        made._value_, made.status, made.meaning = code, status, meaning
        return made

    BAD_REQUEST = ("bad_request", 400, "The request cannot be understood.")
    INVALID_BODY = ("invalid_body", 400, "The body is invalid; `faults` lists the fields.")
    INVALID_QUERY = ("invalid_query", 400, "The query is invalid; `faults` lists the parameters.")
    INVALID_HEADER = ("invalid_header", 400, "A header is invalid; `faults` names it.")
    BODY_MISSING = ("body_missing", 400, "The request has no body, and one is needed.")
    MALFORMED_JSON = ("malformed_json", 400, "The body must be a JSON object.")
    TOKEN_MISSING = ("token_missing", 401, "Send your token: Authorization: Bearer hw_…")
    TOKEN_INVALID = ("token_invalid", 401, "The token is not valid.")
    NOT_ADMINISTRATOR = ("not_administrator", 403, "Only an administrator of the service may do that.")
    ROUTE_NOT_FOUND = ("route_not_found", 404, "There is nothing at this address.")
    METHOD_NOT_ALLOWED = (
        "method_not_allowed",
        405,
        "This address does not take that method; `Allow` lists those that it takes.",
    )
    NOT_ACCEPTABLE = ("not_acceptable", 406, "The answer cannot be had in a form that `Accept` names.")
    BODY_INCOMPLETE = (
        "body_incomplete",
        408,
        "The body did not arrive whole, so nothing was carried out; send the request again.",
    )
    TABLE_NOT_OVER = ("table_not_over", 409, "This is available only after the table has ended.")
    TOURNAMENT_NOT_OVER = (
        "tournament_not_over",
        409,
        "This is available only after the tournament and its last table have ended.",
    )
    LENGTH_REQUIRED = (
        "length_required",
        411,
        "Send the body with a Content-Length and without Transfer-Encoding; nothing was carried out.",
    )
    PRECONDITION_FAILED = (
        "precondition_failed",
        412,
        "The table or tournament is not at the version that If-Match names.",
    )
    BODY_TOO_LARGE = ("body_too_large", 413, "The body is larger than this address takes.")
    UNSUPPORTED_MEDIA_TYPE = ("unsupported_media_type", 415, "The body is not in a form that can be read.")
    NO_REPORT_POSSIBLE = ("no_report_possible", 422, "FIDE's report cannot hold this tournament.")
    RESULTS_TOO_LARGE = (
        "results_too_large",
        422,
        "So many results take too long here; the operator can write them: `hoodwink tournament export --json`.",
    )
    INVALID_LOG = ("invalid_log", 422, "The log does not verify; `finding` says where.")
    INTERNAL_ERROR = ("internal_error", 500, "Something went wrong here; it has been noted.")
    STORE_UNAVAILABLE = ("store_unavailable", 503, "The store does not answer.")
    TOO_MANY_STREAMS = ("too_many_streams", 503, "Too many are watching here; try again later.")
    BUSY = ("busy", 503, "Another log is being checked; try again in a moment.")


_STATUSES: Final[tuple[tuple[type[Code], int], ...]] = (
    (RuleCode, 422),
    (NotFoundCode, 404),
    (ForbiddenCode, 403),
    (ConflictCode, 409),
    (BusyCode, 503),
)


def status_of(code: Code) -> int:
    """Returns the HTTP status of a code."""
    if isinstance(code, HttpCode):
        return code.status
    return next(status for kind, status in _STATUSES if isinstance(code, kind))


class Problem(Exception):
    """Raised to answer with a problem document."""

    def __init__(
        self,
        code: Code,
        detail: str = "",
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        **more: Any,
    ) -> None:
        """Takes the headers of the answer, and more of the document's fields."""
        self.status = status = status_of(code)
        super().__init__(f"{status} {code}: {detail or code.meaning}")
        self.headers = headers
        self.document = ProblemDocument(
            type=f"urn:hoodwink:problem:{code}",
            title=phrase_of(status),
            status=status,
            code=code,
            detail=detail or code.meaning,
            **more,
        )

    def encoded(self) -> bytes:
        """Returns the document as JSON."""
        return msgspec.json.encode(self.document)


_INVALID: Final[Mapping[str, HttpCode]] = MappingProxyType(
    {"body": HttpCode.INVALID_BODY, "query": HttpCode.INVALID_QUERY, "header": HttpCode.INVALID_HEADER}
)


def invalid(place: str, faults: Sequence[tuple[str, str]]) -> Problem:
    """Returns the problem of fields that do not fit; the first twenty are named."""
    named = tuple(Fault(place, name[:80], detail) for name, detail in faults[:20])
    return Problem(_INVALID[place], faults=named)


def too_large(most: int) -> Problem:
    """Returns the problem of a body of more than `most` bytes."""
    return Problem(HttpCode.BODY_TOO_LARGE, f"The body may have {most:,} bytes at most.")


def incomplete() -> Problem:
    """Returns the problem of a body that broke off or took too long."""
    return Problem(HttpCode.BODY_INCOMPLETE)


def length_required() -> Problem:
    """Returns the problem of a body sent without its length in advance."""
    return Problem(HttpCode.LENGTH_REQUIRED)


def unavailable(code: Code, detail: str = "", *, retry_after: int = 1) -> Problem:
    """Returns the problem of something that will pass by itself."""
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
    """Returns the problem of what Flask and werkzeug refuse by themselves; what is not expected is a bad request."""
    return Problem(_REFUSED_BY_FLASK.get(status, HttpCode.BAD_REQUEST), headers=headers)
