"""The Flask application: a route per operation, the pages, and a problem document for every error."""

from collections.abc import Callable, Iterator
from http import HTTPStatus

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from hoodwink.service.bootstrap import Service
from hoodwink.service.http.description import API
from hoodwink.service.http.framework.endpoint import Encoded, Endpoint, encoded_problem
from hoodwink.service.http.framework.failures import problem_of
from hoodwink.service.http.framework.job_replies import JOB
from hoodwink.service.http.framework.metrics import count_request
from hoodwink.service.http.framework.operations import declared
from hoodwink.service.http.framework.streaming import STREAMS, SUBSCRIPTION
from hoodwink.service.http.messages.problems import for_status
from hoodwink.service.http.messages.requests import Request
from hoodwink.service.http.pages import add_page, add_security_contact, page_for


def endpoints(service: Service) -> Iterator[Endpoint]:
    for resource in API:
        made = resource(service)
        for name, operation in declared(resource):
            yield Endpoint(name, operation, getattr(made, name), service)


def create_app(service: Service) -> Flask:
    app = Flask("hoodwink", static_folder=None)
    # Flask's own answer to OPTIONS is a 200 of type `text/html`; `_on_http_error` sends 204 without a type.
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    # Werkzeug would redirect `/v1//games` to an absolute URL on `localhost`, because the bridge drops `Host`.
    app.url_map.merge_slashes = False
    for endpoint in endpoints(service):
        operation = endpoint.operation
        app.add_url_rule(operation.rule, endpoint.name, view_of(endpoint), methods=[operation.method])
    add_page(app, service)
    if contact := service.settings.security_contact:
        add_security_contact(app, contact)
    app.register_error_handler(Exception, _on_exception)
    app.register_error_handler(HTTPException, _on_http_error)
    app.after_request(_count)
    return app


def view_of(endpoint: Endpoint) -> Callable[..., Response]:
    def view(**path: str) -> Response:
        encoded = endpoint.answer(_request(endpoint.operation.largest_body), path)
        # WSGI has no place for a stream or a pending job, so the bridge picks both up from the environment.
        if encoded.subscription is not None:
            request.environ[SUBSCRIPTION] = encoded.subscription
        if encoded.job is not None:
            request.environ[JOB] = encoded.job
        return _response(encoded)

    return view


def _request(largest_body: int) -> Request:
    """Returns Flask's request in the form that handlers take. Werkzeug rejects a larger body with 413."""
    request.max_content_length = largest_body
    return Request(
        method=request.method,
        path=request.path,
        headers=request.headers,
        # An operation without a body ignores one. With a maximum of 0, werkzeug would answer 413.
        body=request.get_data(cache=False) if largest_body else b"",
        query_string=request.query_string,
        arguments=request.args,
        address=request.environ.get("REMOTE_ADDR", ""),
        streams=request.environ.get(STREAMS),
    )


def _response(encoded: Encoded) -> Response:
    return Response(encoded.body, encoded.status, encoded.headers)


def _count(response: Response) -> Response:
    # Never the path: clients choose it, and each new label is kept in memory for as long as the process runs.
    count_request(request.endpoint or "none", response.status_code)
    return response


def _on_exception(error: Exception) -> Response:
    return _response(encoded_problem(problem_of(error, request.method, request.path)))


def _on_http_error(error: HTTPException) -> Response:
    """Returns the response to a request that Flask or werkzeug rejected. For OPTIONS, lists the allowed methods."""
    if error.code == HTTPStatus.NOT_FOUND and (document := page_for(request)) is not None:
        return document
    methods = getattr(error, "valid_methods", None)
    headers = {"Allow": ", ".join(sorted({*methods, "OPTIONS"}))} if methods else {}
    if methods and request.method == "OPTIONS":
        answer = Response(status=204, headers=headers)
        del answer.headers["Content-Type"]
        return answer
    return _response(encoded_problem(for_status(error.code or 500, headers)))
