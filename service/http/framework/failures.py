"""Maps every exception of a handler to a problem document."""

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

_READS: Final = frozenset({"GET", "HEAD"})
_FULL_RETRY_SECONDS: Final = 30  # an operator has to make room first


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
        case SignedOut():  # the token was valid when it was checked, and ended before the command was stored
            return unauthorized(HttpCode.TOKEN_INVALID)
        case ApplicationError():  # after its subclasses, whose statuses and headers differ
            return Problem(error.code, error.detail)
        # A read can append, too, such as the end of a table that came back from a backup. But that is no command of
        # the client, to be repeated with a key.
        case NotReplicated() if method not in _READS:
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
    if method not in _READS:
        detail += " Whether the command took effect is unknown; with a key, it is safe to send it again."
    return unavailable(HttpCode.STORE_UNAVAILABLE, detail)
