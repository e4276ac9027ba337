"""Every error of a handler as a problem document."""

from typing import Final

import structlog

from domain.kernel import RuleViolation
from service.application.errors import (
    ApplicationError,
    Busy,
    Forbidden,
    HistoryChanged,
    KeyReused,
    NotFound,
)
from service.application.ports import StoreUnavailable
from service.application.queries import ProjectionBehind
from service.http.messages.problems import Problem, for_status, unavailable

log = structlog.get_logger(__name__)

_STATUSES: Final[tuple[tuple[type[ApplicationError], int], ...]] = (
    (NotFound, 404),
    (Forbidden, 403),
    (HistoryChanged, 409),
    (KeyReused, 409),
)


def problem_of(error: Exception, method: str, path: str) -> Problem:
    """Returns what a request of that method and path is answered with when its handler raised an error."""
    match error:
        case Problem():
            return error
        case RuleViolation():
            return Problem(422, error.code, error.detail)
        case Busy() | ProjectionBehind():
            return unavailable(error.code, error.detail)
        case ApplicationError():
            status = next(status for kind, status in _STATUSES if isinstance(error, kind))
            return Problem(status, error.code, error.detail)
        case StoreUnavailable():
            return _store_problem(method)
        case _:
            log.error("a request failed", method=method, path=path, exc_info=error)
            return for_status(500)


def _store_problem(method: str) -> Problem:
    detail = "The store does not answer."
    if method not in {"GET", "HEAD"}:
        detail += " Whether the command took effect is unknown; with an Idempotency-Key it may be sent again."
    return unavailable("store_unavailable", detail)
