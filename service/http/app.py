"""The Flask application: every operation as a route, and every error as a problem document."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Flask, Response, request
from flask_swagger_ui import get_swaggerui_blueprint
from werkzeug.exceptions import HTTPException

from domain.kernel import RuleViolation
from service.application.errors import ApplicationError, Busy
from service.application.ports import StoreUnavailable
from service.bootstrap import Service
from service.http.description import API
from service.http.framework.endpoint import endpoint
from service.http.framework.lean import LeanFlask, LeanResponse
from service.http.framework.metrics import count_request
from service.http.framework.operations import declared
from service.http.messages.problems import MEDIA_TYPE, HttpCode, Problem, for_status, unavailable


def create_app(service: Service) -> LeanFlask:
    """Returns the WSGI application over the service's parts."""
    app = LeanFlask("hoodwink", static_folder=None)
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.merge_slashes = False
    for resource in API:
        _add(app, resource(service), service)
    app.register_blueprint(_pages())
    app.add_url_rule("/", "front_door", lambda: LeanResponse(b"", 302, [("Location", "/docs/")]))
    _answer_errors(app)
    app.after_request(_counted)
    return app


def _add(app: LeanFlask, resource: Any, service: Service) -> None:
    for name, operation in declared(type(resource)):
        view = endpoint(operation, getattr(resource, name), lambda: service)
        app.add_route(operation.rule, name, view, operation.method)


def _pages() -> Any:
    """Returns the pages that show the description; all their parts come from here."""
    return get_swaggerui_blueprint(
        "/docs", "/openapi.json", config={"app_name": "Hoodwink", "validatorUrl": None, "deepLinking": True}
    )


def _counted(response: Response) -> Response:
    count_request(request.endpoint or "none", response.status_code)
    return response


def _answer_errors(app: Flask) -> None:
    handlers: dict[type[Exception], Callable[[Any], Problem]] = {
        Problem: lambda problem: problem,
        RuleViolation: lambda violation: Problem(violation.code, violation.detail),
        ApplicationError: _application_problem,
        StoreUnavailable: _store_problem,
        Exception: partial(_unexpected, app),
    }
    for kind, make in handlers.items():
        app.register_error_handler(kind, _answering(make))
    app.register_error_handler(HTTPException, _refused)


def _answering(make: Callable[[Any], Problem]) -> Callable[[Any], LeanResponse]:
    def answer(error: Any) -> LeanResponse:
        return response_of(make(error))

    return answer


def response_of(problem: Problem) -> LeanResponse:
    """Returns the answer that a problem makes."""
    headers = [("Content-Type", MEDIA_TYPE), *problem.headers.items()]
    return LeanResponse(problem.encoded(), problem.status, headers)


def _application_problem(error: ApplicationError) -> Problem:
    if isinstance(error, Busy):
        return unavailable(error.code)
    return Problem(error.code, error.detail)


def _store_problem(_error: StoreUnavailable) -> Problem:
    detail = HttpCode.STORE_UNAVAILABLE.meaning
    if request.method not in {"GET", "HEAD"}:
        detail += " Whether the command took effect is unknown; with an Idempotency-Key it may be sent again."
    return unavailable(HttpCode.STORE_UNAVAILABLE, detail)


def _unexpected(app: Flask, error: Exception) -> Problem:
    app.logger.error("%s %s failed", request.method, request.path, exc_info=error)
    return for_status(500)


def _refused(error: HTTPException) -> LeanResponse:
    """Answers what Flask and werkzeug refuse by themselves."""
    methods = getattr(error, "valid_methods", None)
    headers = {"Allow": ", ".join(sorted(methods))} if methods else {}
    return response_of(for_status(error.code or 500, headers))
