"""A server of the API in a process of its own, with small limits: `python -m tests.service.http.serving`."""

import os
import threading
from typing import Any

from service.bootstrap import Service
from service.http.app import create_app
from service.http.messages.bodies import LARGEST_BODY
from service.http.server import server
from service.http.serving.bridge import Bridge, Paths
from service.http.serving.hub import Hub
from service.http.serving.streams import Streams
from service.http.serving.worker import brief_operations
from service.settings import Settings

MOST_STREAMS = 8


def application() -> Bridge:
    """Returns a bridge over the API, and over an application that tells what it was asked."""
    service = Service(Settings.from_environment(os.environ))
    hub = Hub(
        reader=lambda: service.store,
        tail=service.follow,
        tables=lambda: service.tables,
        tournaments=lambda: service.tournaments,
    )
    app = create_app(service)
    is_brief = brief_operations(app)

    def either(environ: dict[str, Any], start_response: Any) -> Any:
        chosen = echo if environ["PATH_INFO"].startswith("/echo") else app.wsgi_app
        return chosen(environ, start_response)

    return Bridge(
        either,
        Streams(hub, most=MOST_STREAMS, heartbeat_seconds=1, slow_seconds=0.5),
        service.pipeline(),
        threads=2,
        paths=Paths(
            is_brief=lambda method, path: path.startswith("/echo/brief") or is_brief(method, path),
            largest_body=lambda path: 100 if path == "/echo/small" else LARGEST_BODY,
        ),
        body_seconds=0,
    )


def echo(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answers with what it was asked, line by line."""
    if environ["PATH_INFO"].endswith("/fault"):
        raise ZeroDivisionError
    body = environ["wsgi.input"].read()
    shown = {key: value for key, value in environ.items() if isinstance(value, str)}
    shown |= {"body": repr(body), "thread": threading.current_thread().name}
    lines = "\n".join(f"{key}={value}" for key, value in sorted(shown.items()))
    start_response(
        "200 OK",
        [("Content-Type", "text/plain"), ("Connection", "close"), ("X-Twice", "1"), ("X-Twice", "2")],
    )
    return [lines.encode("latin-1"), b"\n"]


if __name__ == "__main__":
    server(Settings.from_environment(os.environ), target="tests.service.http.serving:application").serve()
