"""The least that an answer costs on this server: Flask as it comes, marshmallow, one entry on a stream.

`hoodwink bench` holds the API against it. It is there only while a measurement runs, and no part of the API.
"""

from typing import Any, Final

from flask import Flask
from flask import request as asked
from marshmallow import Schema, fields

from service.adapters.wire import Wire
from service.bootstrap import Service
from service.http.serving.bridge import IsBrief, Wsgi

PATH: Final = "/bench/floor"
_KEY: Final = "hw:bench:floor"


class FloorSchema(Schema):
    """A body like that of an action."""

    type = fields.String(required=True)
    card = fields.String(required=True)


def with_floor(application: Wsgi, is_brief: IsBrief, service: Service) -> tuple[Wsgi, IsBrief]:
    """Returns the application with the floor beside it, which is brief."""
    floor = _floor(service).wsgi_app

    def either(environ: dict[str, Any], start_response: Any) -> Any:
        chosen = floor if environ["PATH_INFO"] == PATH else application
        return chosen(environ, start_response)

    return either, lambda method, path: path == PATH or is_brief(method, path)


def _floor(service: Service) -> Flask:
    app, schema, wire = Flask("floor"), FloorSchema(), Wire(service.client)

    def floor() -> dict[str, str]:
        form = schema.load(asked.get_json())
        entry = wire.call(_KEY, "XADD", _KEY, "*", "type", form["type"], "card", form["card"])
        return {"entry": entry.decode()}

    app.add_url_rule(PATH, "floor", floor, methods=["POST"])
    return app
