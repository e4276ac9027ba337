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
from hoodwink.service.application.ports import DamagedArchive, NotReplicated, StorageFull, StoreUnavailable
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
_OPERATOR_SECONDS: Final = 30  # an operator has to make room, or restore a file, first
_DAMAGED: Final = "The log is lost or damaged. Only the operator of this service can restore it."


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
            return unavailable(HttpCode.STORAGE_FULL, retry_after=_OPERATOR_SECONDS)
        case DamagedArchive():  # no outage that passes, so the operator has to know
            log.error("an archived log cannot be read", method=method, path=path, error=str(error))
            return unavailable(HttpCode.STORE_UNAVAILABLE, _DAMAGED, retry_after=_OPERATOR_SECONDS)
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
