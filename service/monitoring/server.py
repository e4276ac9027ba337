"""A small HTTP server for the operator: `/healthz` and `/metrics` of one process."""

import socket
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from threading import Thread
from typing import Any, ClassVar, Final, TypeAlias

import structlog

from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.bootstrap import Service
from hoodwink.service.monitoring.exposition import METRICS_TYPE, Exposition
from hoodwink.service.settings import Settings

log = structlog.get_logger(__name__)

Fault: TypeAlias = Callable[[Service], str | None]
"""Returns what is wrong with a process, in one line for people, or `None`."""

_TEXT: Final = "text/plain; charset=utf-8"


def serve_metrics(settings: Settings, fault: Fault) -> None:
    """Serves in a thread, if the settings name a port. `/healthz` answers 503 if there is a fault."""
    if not settings.metrics_port:
        return
    # Not the service of this process, whose connections are for requests and tasks.
    service = Service(settings, process="metrics")
    exposition = Exposition(service)

    class Handler(_Handler):
        pages = {  # noqa: RUF012 - never changed
            "/healthz": lambda: _health(fault(service)),
            "/metrics": lambda: (HTTPStatus.OK, f"{METRICS_TYPE}; charset=utf-8", exposition.text()),
        }

    Thread(target=_server(settings, Handler).serve_forever, name="metrics", daemon=True).start()


def store_fault(service: Service) -> str | None:
    """Returns why the store accepts no writes, or `None` if it does."""
    try:
        service.check_store()
    except StoreUnavailable as error:
        return str(error)
    return None


def _health(fault: str | None) -> tuple[HTTPStatus, str, bytes]:
    status = HTTPStatus.SERVICE_UNAVAILABLE if fault else HTTPStatus.OK
    return status, _TEXT, f"{fault or 'ok'}\n".encode()


class _Handler(BaseHTTPRequestHandler):
    """Answers requests for a few pages."""

    timeout: ClassVar[float | None] = 5.0  # or each silent connection would occupy a thread forever
    server_version = "hoodwink"
    sys_version = ""  # the default reveals the version of Python
    pages: dict[str, Callable[[], tuple[HTTPStatus, str, bytes]]]

    def do_GET(self) -> None:
        page = self.pages.get(self.path)
        status, media_type, body = page() if page else _missing(self.pages)
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the standard library
        """Writes nothing: there is no access log."""


def _missing(pages: dict[str, Any]) -> tuple[HTTPStatus, str, bytes]:
    return HTTPStatus.NOT_FOUND, _TEXT, f"This port serves {' and '.join(pages)}.\n".encode()


class _Server(ThreadingMixIn, TCPServer):
    allow_reuse_address = True
    # All API processes listen, and each can answer for all. `hoodwink run` checks that nobody else does.
    allow_reuse_port = True
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Logs an error in the format of all lines, instead of printing a traceback."""
        error = sys.exception()
        # A client that leaves early is no fault of the service.
        if not isinstance(error, ConnectionError | TimeoutError):
            log.error("a request for metrics failed", exc_info=error)


def _server(settings: Settings, handler: type[BaseHTTPRequestHandler]) -> TCPServer:
    found = socket.getaddrinfo(settings.metrics_host, settings.metrics_port, type=socket.SOCK_STREAM)
    family, *_, address = found[0]
    server = type("Server", (_Server,), {"address_family": family})
    made: TCPServer = server(address, handler)
    return made
