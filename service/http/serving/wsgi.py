"""Translates between the server's requests and WSGI (PEP 3333)."""

import io
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from granian.rsgi import Headers as RsgiHeaders  # type: ignore[attr-defined]
from granian.rsgi import Scope

Environ: TypeAlias = dict[str, Any]
Headers: TypeAlias = Sequence[tuple[str, str]]
Wsgi: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

_UNREADABLE: Final = "\xff"
"""Replaces a header value that the server could not decode. No header accepts it."""

# The server manages the connection, and the API is the same for every host.
_HOP_BY_HOP: Final = frozenset({"connection", "keep-alive", "transfer-encoding", "upgrade"})
_NOT_PASSED_ON: Final = _HOP_BY_HOP | {"host", "content-length"}

_ENVIRON: Final[Environ] = {
    "SCRIPT_NAME": "",
    "SERVER_NAME": "localhost",
    "SERVER_SOFTWARE": "granian",
    "GATEWAY_INTERFACE": "CGI/1.1",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.multiprocess": True,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.input_terminated": True,
}


def environ_of(scope: Scope, body: bytes, address: str = "") -> Environ:
    """Returns the WSGI environment (PEP 3333) of a request from this address."""
    environ = {
        **_ENVIRON,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": _wsgi_text(scope.path),
        "QUERY_STRING": _wsgi_text(scope.query_string),
        "SERVER_PORT": scope.server.rpartition(":")[2],
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": address,
        # Of the bytes read, which are all: the bridge rejects an incomplete body.
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
    }
    _add_headers(environ, scope.headers)
    return environ


def call(application: Wsgi, environ: Environ) -> tuple[int, list[tuple[str, str]], bytes]:
    """Returns status, headers and body of a WSGI application's answer."""
    head: list[tuple[int, Headers]] = []
    written: list[bytes] = []

    def start_response(status: str, headers: Headers, _exc_info: Any = None) -> Callable[[bytes], None]:
        # A second call, with `exc_info`, replaces the first head (PEP 3333). Nothing has been sent before.
        head[:] = [(int(status[:3]), headers)]
        return written.append

    result = application(environ, start_response)
    try:
        written.extend(result)
    finally:
        close = getattr(result, "close", None)
        if close is not None:
            close()
    status, headers = head[0]
    kept = [(name, value) for name, value in headers if name.lower() not in _HOP_BY_HOP]
    return status, kept, written[0] if len(written) == 1 else b"".join(written)


def _wsgi_text(text: str) -> str:
    """Returns a part of the address in the encoding of PEP 3333, with one character per byte."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("latin-1")


def _add_headers(environ: Environ, headers: RsgiHeaders) -> None:
    """Adds the request's headers, and joins the values of a repeated one to a list (RFC 9110, 5.2)."""
    received, names = headers.items(), headers.keys()
    readable = dict(received)
    # The server omits a value that is not ASCII; without a replacement an unreadable `If-Match`, for example, would
    # count as absent, and the command would take effect. It does not tell whether it omitted one of several values of
    # a name; but then the others still count, and as a list `If-Match` only gets stricter without one.
    if len(names) > len(readable):
        received = [*received, *[(name, _UNREADABLE) for name in names if name not in readable]]
    for name, value in received:
        if name == "content-type":
            environ["CONTENT_TYPE"] = value
        elif name not in _NOT_PASSED_ON and "_" not in name:  # WSGI could not distinguish `a_b` from `a-b`
            key = "HTTP_" + name.upper().replace("-", "_")
            before = environ.get(key)
            joint = "; " if name == "cookie" else ", "  # HTTP/2 proxies split cookies (RFC 9113, 8.2.3)
            environ[key] = value if before is None else f"{before}{joint}{value}"
