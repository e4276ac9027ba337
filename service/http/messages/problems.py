"""Errors as RFC 9457 problem documents, each with a stable code."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

import msgspec

from domain.tables import Finding

MEDIA_TYPE: Final = "application/problem+json"


class Fault(msgspec.Struct, frozen=True, gc=False):
    """One thing that is wrong with what was sent.

    Attributes:
        place: `body`, `query`, `path` or `header`.
        name: the field in dotted form, the parameter or the header.
    """

    place: str
    name: str
    detail: str


class ProblemDocument(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What every error answers with.

    Attributes:
        type: `urn:hoodwink:problem:` and the code.
        code: stable and snake_case; of a 422 the rule that forbids the action.
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


class Problem(Exception):
    """Raised to answer with a problem document."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        **more: Any,
    ) -> None:
        """Takes the headers of the answer, and more of the document's fields."""
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.headers = headers
        self.document = ProblemDocument(
            type=f"urn:hoodwink:problem:{code}",
            title=phrase_of(status),
            status=status,
            code=code,
            detail=detail,
            **more,
        )

    def encoded(self) -> bytes:
        """Returns the document as JSON."""
        return msgspec.json.encode(self.document)


def invalid(place: str, faults: Sequence[tuple[str, str]]) -> Problem:
    """Returns the problem of fields that do not fit; the first twenty are named."""
    named = tuple(Fault(place, name[:80], detail) for name, detail in faults[:20])
    return Problem(
        400, f"invalid_{place}", f"The {place} is invalid; `faults` lists the fields.", faults=named
    )


def too_large(most: int) -> Problem:
    """Returns the problem of a body of more than `most` bytes."""
    return Problem(413, "body_too_large", f"The body may have {most:,} bytes at most.")


def incomplete() -> Problem:
    """Returns the problem of a body that broke off or took too long."""
    detail = "The body did not arrive whole, so nothing was carried out; send the request again."
    return Problem(408, "body_incomplete", detail)


def length_required() -> Problem:
    """Returns the problem of a body sent without its length in advance."""
    detail = (
        "Send the body with a Content-Length header and without Transfer-Encoding; nothing was carried out."
    )
    return Problem(411, "length_required", detail)


def unavailable(code: str, detail: str, *, retry_after: int = 1) -> Problem:
    """Returns the problem of something that will pass by itself."""
    return Problem(503, code, detail, headers={"Retry-After": str(retry_after)})


# What Flask and werkzeug refuse by themselves; a status that is not named here has the code `http_<status>`.
CODES: Final[Mapping[int, tuple[str, str]]] = MappingProxyType(
    {
        400: ("bad_request", "The request cannot be understood."),
        404: ("route_not_found", "There is nothing at this address."),
        405: ("method_not_allowed", "This address does not know that method."),
        413: ("body_too_large", "The body is larger than this address takes."),
        500: ("internal_error", "Something went wrong here; it has been noted."),
    }
)


def for_status(status: int, headers: Mapping[str, str] = MappingProxyType({})) -> Problem:
    """Returns the problem of a status alone."""
    code, detail = CODES.get(
        status, (f"http_{status}", HTTPStatus(status).description or "The request failed.")
    )
    return Problem(status, code, detail, headers=headers)
