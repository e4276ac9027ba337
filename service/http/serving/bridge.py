"""One port for two kinds of answer, on granian's RSGI: what the WSGI application says, and streams of events.

Requests are read on the event loop. What takes little time is answered there, many at once: while one waits for
Redis, the loop goes on with others (`Pipeline`). The rest is answered in a few threads, each of which hands its
answer to the server itself. A handler that leaves a `Watch` in the WSGI environment gets a stream in place of an
answer.
"""

import asyncio
import io
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import structlog
from granian.rsgi import Headers as RsgiHeaders  # type: ignore[attr-defined]
from granian.rsgi import ProtocolClosed, Scope  # type: ignore[attr-defined]

from service.adapters.pipeline import Pipeline
from service.http.framework.streaming import DESK, WATCH
from service.http.messages.problems import (
    MEDIA_TYPE,
    Problem,
    for_status,
    incomplete,
    length_required,
    too_large,
)
from service.http.serving.streams import Connection, Streams

log = structlog.get_logger(__name__)

Environ: TypeAlias = dict[str, Any]
Headers: TypeAlias = Sequence[tuple[str, str]]
Wsgi: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

IsBrief: TypeAlias = Callable[[str, str], bool]


class Paths(NamedTuple):
    """What is known of a request before it is answered.

    Attributes:
        is_brief: tells of a method and a path whether, without a query, the event loop may answer.
        largest_body: tells how many bytes a body sent to a path may have.
    """

    is_brief: IsBrief
    largest_body: Callable[[str], int]


_UNREADABLE: Final = "\xff"
"""Stands for a header's value that cannot be read; nothing that this API heeds looks like it."""

_HEADERS: Final = "hoodwink.headers"
"""Where in the environment the headers of a stream wait for it."""

# Connection management is the server's.
_HOP_BY_HOP: Final = frozenset({"connection", "keep-alive", "transfer-encoding", "upgrade"})
_TICK_SECONDS: Final = 1.0
_BODY_SECONDS: Final = 10.0
_SLOWEST_BYTES: Final = 64 * 1024
"""A body may take ten seconds, and one more for each so many bytes."""


class RsgiProtocol(Connection, Protocol):
    """What is used of granian's side of a request."""

    async def __call__(self) -> bytes: ...
    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...


class _Job:
    """A request whose body has arrived."""

    __slots__ = ("done", "environ", "protocol")

    def __init__(self, environ: Environ, protocol: RsgiProtocol) -> None:
        self.environ = environ
        self.protocol = protocol
        self.done: asyncio.Future[None]


class Bridge:
    """An RSGI application over a WSGI application."""

    def __init__(
        self,
        application: Wsgi,
        streams: Streams,
        pipeline: Pipeline,
        *,
        threads: int,
        paths: Paths,
        body_seconds: float = _BODY_SECONDS,
    ) -> None:
        """Takes an application and what it needs.

        Args:
            application: answers requests.
            streams: sends streams of events.
            pipeline: carries the requests that are answered on the loop.
            threads: how many answer the others.
            paths: tells the ones from the others, and how much they may send.
            body_seconds: how long a body may take, beside a second for each `_SLOWEST_BYTES`.
        """
        self._application = application
        self._streams = streams
        self._pipeline = pipeline
        self._paths = paths
        self._threads = threads
        self._body_seconds = body_seconds
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._answered: deque[_Job] = deque()
        self._is_waking = False
        self._reading: dict[asyncio.Task[Any], float] = {}
        self._closing: asyncio.Task[None] | None = None
        self._environ: Environ = {
            "SCRIPT_NAME": "",
            "SERVER_SOFTWARE": "granian",
            "GATEWAY_INTERFACE": "CGI/1.1",
            "wsgi.version": (1, 0),
            "wsgi.errors": sys.stderr,
            "wsgi.multiprocess": True,
            "wsgi.multithread": threads > 1,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
            DESK: streams,
        }

    # ------------------------------------------------------------------------ life of the worker

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Is called in the worker before its loop runs.

        The server ends gracefully on SIGINT and on SIGTERM, and waits for streams that never end. So
        SIGTERM ends them first, and then becomes the other, of which the server bears only one: what a
        terminal or an init system sends to all processes at once must not count.
        """
        self._loop = loop
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        loop.add_signal_handler(signal.SIGTERM, self._terminate)
        self._ticker = loop.create_task(self._tick())
        self._opener = loop.create_task(self._pipeline.keep_open())
        for number in range(self._threads):
            threading.Thread(target=self._work, name=f"wsgi-{number}", daemon=True).start()

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        self._ticker.cancel()
        self._opener.cancel()
        for _ in range(self._threads):
            self._jobs.put(None)

    def _terminate(self) -> None:
        if self._closing is None:
            self._closing = self._loop.create_task(self._streams.close())
            self._closing.add_done_callback(lambda _: self._loop.call_later(0.05, _interrupt))

    async def _tick(self) -> None:
        """Gives up on bodies that do not arrive, and looks after the streams."""
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            now = self._loop.time()
            for task, deadline in list(self._reading.items()):
                if now > deadline:
                    task.cancel()
            self._streams.tick(now)

    # --------------------------------------------------------------------------------- a request

    async def __rsgi__(self, scope: Scope, protocol: RsgiProtocol) -> None:
        try:
            body = await self._body(scope, protocol)
        except Problem as problem:
            # The rest of the body is on its way still, so the connection cannot serve another request.
            headers = [("content-type", MEDIA_TYPE), ("connection", "close")]
            return protocol.response_bytes(problem.status, headers, problem.encoded())
        job = _Job(self._environ_of(scope, body), protocol)
        if self._may_be_carried(scope):
            await self._pipeline.carry(self._answer, job)
            return None
        job.done = self._loop.create_future()
        self._jobs.put(job)
        await job.done
        if _HEADERS in job.environ:
            await self._streams.send(protocol, scope.client, job.environ[_HEADERS], job.environ[WATCH])
        return None

    def _may_be_carried(self, scope: Scope) -> bool:
        is_known = self._pipeline.is_open and not scope.query_string
        return is_known and self._paths.is_brief(scope.method, scope.path)

    async def _body(self, scope: Scope, protocol: RsgiProtocol) -> bytes:
        """Returns the request's body; raises `Problem` 408, 411 or 413."""
        # The server ends a chunked body that broke off as it ends a whole one, so none is carried out.
        if "transfer-encoding" in scope.headers:
            raise length_required()
        most, length = self._paths.largest_body(scope.path), scope.headers.get("content-length")
        if length is None or length == "0":
            return b""
        if int(length) > most:  # the server has checked that it is a number
            raise too_large(most)
        task = asyncio.current_task()
        assert task is not None
        self._reading[task] = self._loop.time() + self._body_seconds + most / _SLOWEST_BYTES
        try:
            body = await protocol()
        except (ProtocolClosed, asyncio.CancelledError):
            raise incomplete() from None
        finally:
            del self._reading[task]
        if len(body) != int(
            length
        ):  # the server refuses that by itself today; a command must not depend on it
            raise incomplete()
        return body

    def _environ_of(self, scope: Scope, body: bytes) -> Environ:
        server, _, port = scope.server.rpartition(":")
        client, _, client_port = scope.client.rpartition(":")
        environ = {
            **self._environ,
            "REQUEST_METHOD": scope.method,
            "PATH_INFO": _wsgi_text(scope.path),
            "QUERY_STRING": _wsgi_text(scope.query_string),
            "SERVER_NAME": server.strip("[]"),
            "SERVER_PORT": port,
            "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
            "REMOTE_ADDR": client.strip("[]"),
            "REMOTE_PORT": client_port,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.url_scheme": scope.scheme,
            "wsgi.input": io.BytesIO(body),
        }
        _add_headers(environ, scope.headers)
        if scope.authority:
            environ.setdefault("HTTP_HOST", scope.authority)
        return environ

    # ------------------------------------------------------------------------- the threads' side

    def _work(self) -> None:
        """Answers requests, one after the other. The loop is woken once for many answers."""
        while (job := self._jobs.get()) is not None:
            self._answer(job)
            self._answered.append(job)
            del job
            if not self._is_waking:
                self._is_waking = True
                self._loop.call_soon_threadsafe(self._let_go)

    def _let_go(self) -> None:
        self._is_waking = False  # before the look, so that no answer is left behind
        while self._answered:
            job = self._answered.popleft()
            if not job.done.done():
                job.done.set_result(None)

    def _answer(self, job: _Job) -> None:
        try:
            status, headers, body = call(self._application, job.environ)
        except Exception:
            log.exception("the application failed")
            problem = for_status(500)
            status, headers, body = 500, [("content-type", MEDIA_TYPE)], problem.encoded()
            job.environ.pop(WATCH, None)
        if WATCH in job.environ and job.environ["REQUEST_METHOD"] == "GET":
            job.environ[_HEADERS] = [one for one in headers if one[0] != "Content-Length"]
        else:
            job.protocol.response_bytes(status, headers, body)


def _interrupt() -> None:
    signal.signal(signal.SIGINT, lambda *_: None)  # the loop has a handler still, which hears of it again
    os.kill(os.getpid(), signal.SIGINT)


def call(application: Wsgi, environ: Environ) -> tuple[int, list[tuple[str, str]], bytes]:
    """Returns status, headers and body of what a WSGI application answers."""
    head: list[tuple[int, Headers]] = []
    written: list[bytes] = []

    def start_response(status: str, headers: Headers, _exc_info: Any = None) -> Callable[[bytes], None]:
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
    """Returns the bytes of a part of the address as PEP 3333 has them: each as one character."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("latin-1")


def _add_headers(environ: Environ, headers: RsgiHeaders) -> None:
    """Adds the request's headers; one that comes more than once becomes a list (RFC 9110, 5.2).

    The server withholds a value that is not ASCII. It must not pass for a header that was never sent.
    """
    received, names = headers.items(), headers.keys()
    readable = dict(received)
    if len(names) > len(readable):
        received = [*received, *[(name, _UNREADABLE) for name in names if name not in readable]]
    for name, value in received:
        if name == "content-type":
            environ["CONTENT_TYPE"] = value
        elif name != "content-length" and "_" not in name:  # `a_b` must not pass for `a-b`
            key = "HTTP_" + name.upper().replace("-", "_")
            before = environ.get(key)
            joint = "; " if name == "cookie" else ", "
            environ[key] = value if before is None else f"{before}{joint}{value}"
