"""The baseline for the API: a plain Flask application that appends one entry to a stream.

`python -m bench.baseline` serves it like the API: with the same server, behind the same bridge, on the event loop, and
with the Redis of the measured service.
"""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import Any, Final, NamedTuple

from flask import Flask
from flask import request as asked
from granian.rsgi import Scope
from marshmallow import Schema, fields
from msgspec.structs import replace

from hoodwink.service.adapters.process.interpreter import python_module
from hoodwink.service.adapters.process.parentage import end_with_parent
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.bootstrap import Service
from hoodwink.service.http import server
from hoodwink.service.http.framework.endpoint import Encoded
from hoodwink.service.http.serving.wsgi import call, environ_of
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import CannotStart, free_port

PATH: Final = "/bench/baseline"
_KEY: Final = "hw:bench:baseline"
_PATIENCE_SECONDS: Final = 15.0
_PAUSE_SECONDS: Final = 0.05


class BaselineServer(NamedTuple):
    """The process that serves the baseline, and the settings of the service with the port of this server."""

    process: int
    settings: Settings


class BaselineSchema(Schema):
    """A request body like that of an action."""

    type = fields.String(required=True)
    card = fields.String(required=True)


@contextmanager
def baseline_server(service: Settings) -> Iterator[BaselineServer]:
    """Serves the baseline next to a service during the block. On Linux, it also ends when this thread ends.

    Raises:
        CannotStart: the server did not become ready.
    """
    settings = replace(service, port=free_port(service.host, 0))
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            python_module("bench.baseline"),
            env=os.environ | settings.to_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - it only makes system calls
        )
        try:
            if not _becomes_ready(process, settings):
                log.seek(0)
                raise CannotStart(f"The server of the baseline did not start.\n{log.read()}")
            yield BaselineServer(process.pid, settings)
        finally:
            process.terminate()
            process.wait()


def _becomes_ready(process: subprocess.Popen[bytes], settings: Settings) -> bool:
    end = time.monotonic() + _PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < end:
        connection = HTTPConnection(settings.host, settings.port, timeout=_PATIENCE_SECONDS)
        try:
            connection.request("GET", PATH)
            connection.getresponse()
        except (HTTPException, OSError):
            time.sleep(_PAUSE_SECONDS)
        else:
            return True
        finally:
            connection.close()
    return False


def application() -> Any:
    """Returns the application that a worker process of the server runs."""
    settings = server.begin_worker()
    from hoodwink.service.http.serving.worker import bridge_to  # noqa: PLC0415 - the metrics' folder must be set first

    service = Service(settings, process="api")
    wsgi = _flask(service).wsgi_app

    def lane(scope: Scope, body: bytes) -> Callable[[], Encoded]:
        return lambda: Encoded(*call(wsgi, environ_of(scope, body)))

    return bridge_to(wsgi, lane, service, settings)


def _flask(service: Service) -> Flask:
    app, schema, transport = Flask("baseline"), BaselineSchema(), Transport(service.client)

    def baseline() -> dict[str, str]:
        form = schema.load(asked.get_json())
        entry = transport.call(_KEY, "XADD", _KEY, "*", "type", form["type"], "card", form["card"])
        return {"entry": entry.decode()}

    app.add_url_rule(PATH, "baseline", baseline, methods=["POST"])
    return app


if __name__ == "__main__":
    server.main("bench.baseline:application")
