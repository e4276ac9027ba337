"""A server of the API in its own process, with small limits: `python -m tests.service.http.serving`."""

import os
import threading
from typing import Any

from hoodwink.service.adapters.process.request_ids import current_request
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.app import create_app, endpoints
from hoodwink.service.http.framework.endpoint import Encoded
from hoodwink.service.http.messages.bodies import MAX_BODY
from hoodwink.service.http.server import server
from hoodwink.service.http.serving.bridge import BodyLimits, Bridge
from hoodwink.service.http.serving.cross_origin import CrossOrigin
from hoodwink.service.http.serving.guards.costly_reads import CostlyReads
from hoodwink.service.http.serving.guards.idle_connections import IdleConnections
from hoodwink.service.http.serving.guards.large_bodies import LargeBodies
from hoodwink.service.http.serving.guards.unread_answers import UnreadAnswers
from hoodwink.service.http.serving.lane import Lane
from hoodwink.service.http.serving.streams.hub import Hub
from hoodwink.service.http.serving.streams.job_watch import JobWatch
from hoodwink.service.http.serving.streams.places import Places
from hoodwink.service.http.serving.streams.streams import Streams
from hoodwink.service.http.serving.wsgi import call, environ_of
from hoodwink.service.settings import Settings
from tests.service.http.refused.listed import OPERATIONS

MAX_STREAMS = 8
MAX_IDLE = 60
MAX_BODY_BYTES = 1_000_000
MAX_UNREAD_BYTES = 40_000_000
STALLED_SECONDS = 3.0
ORIGIN = "https://play.example.org"


def application() -> CrossOrigin:
    """Returns the API next to an application that echoes requests and counts those in the lane, open to `ORIGIN`."""
    settings = Settings.from_environment(os.environ)
    service = Service(settings)
    jobs = JobWatch(lambda: service.jobs)
    hub = Hub(
        reader=lambda: service.store,
        tail=service.follow,
        tables=lambda: service.tables,
        tournaments=lambda: service.tournaments,
        players=lambda: service.players,
        my_tables=lambda: service.my_tables,
        clock=lambda: service.clock,
        presence=lambda: service.presence,
        jobs=jobs,
    )
    app = create_app(service)
    lane = Lane(endpoints(service))

    def either(environ: dict[str, Any], start_response: Any) -> Any:
        chosen = echo if environ["PATH_INFO"].startswith("/echo") else app.wsgi_app
        return chosen(environ, start_response)

    in_lane = list[str]()

    def find(scope: Any, body: bytes) -> Any:
        if scope.path.startswith("/echo/lane") and not scope.query_string:
            environ = environ_of(scope, body) | {"IN_LANE": str(len(in_lane))}
            return lambda: Encoded(*call(echo, environ))
        answer = lane.find(scope, body)
        if answer is not None:
            in_lane.append(scope.path)
        return answer

    bridge = Bridge(
        either,
        find,
        Streams(
            hub,
            players=lambda: service.players,
            places=Places(lambda: service.limits, max_streams=MAX_STREAMS),
            heartbeat_seconds=1,
            slow_seconds=0.5,
        ),
        service.loop_connection(),
        jobs,
        CostlyReads(OPERATIONS.values()),
        idle=IdleConnections(port=settings.port, per_address=MAX_IDLE, max_idle=100),
        bodies=LargeBodies(lambda: service.limits, max_bytes=MAX_BODY_BYTES),
        unread=UnreadAnswers(max_bytes=MAX_UNREAD_BYTES, stalled_seconds=STALLED_SECONDS),
        threads=2,
        limits=BodyLimits(lambda path: 100 if path == "/echo/small" else MAX_BODY, seconds=2),
    )
    return CrossOrigin(bridge, frozenset({ORIGIN}))


def echo(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answers with the parts of the request line by line, or with the number of bytes in the query."""
    if environ["PATH_INFO"].endswith("/fault"):
        raise ZeroDivisionError
    if environ["PATH_INFO"].endswith("/large"):
        start_response("200 OK", [("Content-Type", "application/octet-stream")])
        return [bytes(int(environ["QUERY_STRING"]))]
    body = environ["wsgi.input"].read()
    shown = {key: value for key, value in environ.items() if isinstance(value, str)}
    shown |= {"body": repr(body), "thread": threading.current_thread().name, "request": current_request()}
    lines = "\n".join(f"{key}={value}" for key, value in sorted(shown.items()))
    start_response(
        "200 OK",
        [("Content-Type", "text/plain"), ("Connection", "close"), ("X-Twice", "1"), ("X-Twice", "2")],
    )
    return [lines.encode("latin-1"), b"\n"]


if __name__ == "__main__":
    server(Settings.from_environment(os.environ), target="tests.service.http.serving:application").serve()
