"""The baseline of `hoodwink bench`: a plain Flask application that appends one entry to a stream.

`hoodwink bench` holds the API against it. It is there only while a measurement runs, and no part of the API.
"""

from collections.abc import Callable
from typing import Any, Final

from flask import Flask
from flask import request as asked
from granian.rsgi import Scope
from marshmallow import Schema, fields

from service.adapters.transport import Transport
from service.bootstrap import Service
from service.http.framework.endpoint import Encoded
from service.http.serving.bridge import Wsgi, call, environ_of
from service.http.serving.lane import Finder

PATH: Final = "/bench/baseline"
_KEY: Final = "hw:bench:baseline"


class BaselineSchema(Schema):
    """A request body like that of an action."""

    type = fields.String(required=True)
    card = fields.String(required=True)


def with_baseline(application: Wsgi, lane: Finder, service: Service) -> tuple[Wsgi, Finder]:
    """Returns the application and the lane with the baseline beside them."""
    baseline = _baseline(service).wsgi_app

    def either(environ: dict[str, Any], start_response: Any) -> Any:
        chosen = baseline if environ["PATH_INFO"] == PATH else application
        return chosen(environ, start_response)

    def find(scope: Scope, body: bytes) -> Callable[[], Encoded] | None:
        if scope.path == PATH:
            return lambda: Encoded(*call(baseline, environ_of(scope, body)))
        return lane(scope, body)

    return either, find


def _baseline(service: Service) -> Flask:
    app, schema, transport = Flask("baseline"), BaselineSchema(), Transport(service.client)

    def baseline() -> dict[str, str]:
        form = schema.load(asked.get_json())
        entry = transport.call(_KEY, "XADD", _KEY, "*", "type", form["type"], "card", form["card"])
        return {"entry": entry.decode()}

    app.add_url_rule(PATH, "baseline", baseline, methods=["POST"])
    return app
