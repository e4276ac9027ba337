"""Checks the texts of problems for technical terms."""

import re
from typing import Final

import msgspec

from hoodwink.domain.kernel import Code, SharedCode
from hoodwink.domain.series import SeriesCode
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.http.messages.problems import HttpCode

FOR_CLIENTS: Final[frozenset[Code]] = frozenset(
    {
        HttpCode.BAD_REQUEST,
        HttpCode.BODY_MISSING,
        HttpCode.LENGTH_REQUIRED,
        HttpCode.MALFORMED_JSON,
        HttpCode.NOT_ACCEPTABLE,
        HttpCode.TOKEN_INVALID,
        HttpCode.TOKEN_MISSING,
        HttpCode.UNSUPPORTED_MEDIA_TYPE,
    }
)
"""Only authors of clients see these; the page never sends such requests."""

IN_FORMS: Final[frozenset[Code]] = frozenset(
    {
        SeriesCode.INVALID_SERIES,
        TournamentCode.INVALID_SETUP,
        TournamentCode.NO_START,
        SharedCode.INVALID_OPTIONS,
    }
)
"""They name settings in backquotes, which the page replaces by the words of its form."""

NOT_IN_WORDS: Final = FOR_CLIENTS | IN_FORMS
"""Codes whose texts may name headers or fields."""

_HEADERS: Final = "Authorization|Idempotency-Key|If-[A-Z][a-z-]+|Last-Event-ID|Content-[A-Z]\\w+|Transfer-Encoding|Hoodwink-\\w+|X-\\w+|ETag"
_TECHNICAL: Final = re.compile(
    rf"`[^`]*`|\b(?:{_HEADERS})\b"
    r"|\b(?:GET|HEAD|POST|PATCH|DELETE)\b"
    r"|\b[a-z]+(?:_[a-z]+)+\b"  # a field, an option or a code
    r"|\b[A-Z][a-z]+[A-Z]\w*\b"  # a class
    r"|\b[A-Z]{1,2}-\d+[a-z]?\b"  # a rule
    r"|\blegal actions list\b|\bNone\b"
)


def technical_words(text: str) -> list[str]:
    """Returns the names of headers, fields, classes and rules in a text, which mean nothing to a player.

    >>> technical_words("Send `watch` as Hoodwink-Invitation (SH-59).")
    ['`watch`', 'Hoodwink-Invitation', 'SH-59']
    """
    return _TECHNICAL.findall(text)


def check_words(body: bytes) -> None:
    """Asserts that a problem's text has no technical terms. Answers to HEAD have no body."""
    document = msgspec.json.decode(body) if body else {"code": "", "detail": ""}
    if document["code"] not in NOT_IN_WORDS:
        assert technical_words(document["detail"]) == [], document
