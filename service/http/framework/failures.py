"""Turns every exception of a handler into a problem."""

from typing import Final

import structlog

from hoodwink.domain.kernel import RuleViolation
from hoodwink.service.application.errors import (
    ApplicationError,
    Busy,
    Forbidden,
    LimitReached,
    NotFound,
    SignedOut,
)
from hoodwink.service.application.ports import NotReplicated, StorageFull, StoreUnavailable
from hoodwink.service.http.framework.metrics import count_limited
from hoodwink.service.http.messages.problems import (
    HttpCode,
    Problem,
    Refusal,
    for_status,
    unauthorized,
    unavailable,
)

log = structlog.get_logger(__name__)

_LOOKS: Final = frozenset({"GET", "HEAD"})
_FULL_RETRY_SECONDS: Final = 30


def problem_of(error: Exception, method: str, path: str) -> Problem:
    """Returns the problem for an exception that the handler of a request raised."""
    match error:
        case Problem():
            return error
        case RuleViolation():
            return Problem(error.code, error.detail)
        case Busy():
            return unavailable(error.code)
        case NotFound():
            return Problem(Refusal(404, error.code), error.detail)
        case Forbidden():
            return Problem(Refusal(403, error.code), error.detail)
        case LimitReached():
            count_limited(error.limit)
            return unavailable(error.code, error.detail, retry_after=error.retry_after)
        case SignedOut():
            return unauthorized(HttpCode.TOKEN_INVALID)
        case ApplicationError():
            return Problem(error.code, error.detail)
        case NotReplicated() if method not in _LOOKS:  # what a look had to append is no command of the client
            return unavailable(HttpCode.NOT_REPLICATED)
        case StorageFull():
            return unavailable(HttpCode.STORAGE_FULL, retry_after=_FULL_RETRY_SECONDS)
        case StoreUnavailable():
            return _store_problem(method)
        case _:
            log.error("a request failed", method=method, path=path, exc_info=error)
            return for_status(500)


def _store_problem(method: str) -> Problem:
    detail = HttpCode.STORE_UNAVAILABLE.meaning
    if method not in _LOOKS:
        detail += " Whether the command took effect is unknown; under a key, it can be sent again."
    return unavailable(HttpCode.STORE_UNAVAILABLE, detail)
