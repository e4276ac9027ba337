"""Connects granian's RSGI to the fast lane, the WSGI application and the streams of events.

Requests are read on the event loop. Those that the fast lane finds are answered there, many at a time: while one waits
for Redis, the loop continues with others (`LoopConnection`). The other requests are answered by the WSGI application in
a few threads. Each thread hands its answer to the server itself. A view that leaves a subscription in the WSGI
environment gets a stream in place of an answer.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, Protocol

import structlog
from granian.rsgi import Headers as RsgiHeaders  # type: ignore[attr-defined]
from granian.rsgi import ProtocolClosed, Scope  # type: ignore[attr-defined]

from hoodwink.service.adapters.process.request_ids import HEADER, RequestIds, begin_request, serving
from hoodwink.service.adapters.redis.loop_connection import LoopConnection
from hoodwink.service.application.errors import LimitReached
from hoodwink.service.application.jobs.jobs import Job
from hoodwink.service.http.framework.client_address import DIRECT, AddressOf, counted_as
from hoodwink.service.http.framework.endpoint import Encoded
from hoodwink.service.http.framework.failures import problem_of
from hoodwink.service.http.framework.job_replies import JOB, accepted
from hoodwink.service.http.framework.streaming import STREAMS, SUBSCRIPTION
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.caching import for_caller
from hoodwink.service.http.messages.problems import MEDIA_TYPE, HttpCode, Problem, for_status, too_large
from hoodwink.service.http.serving.guards.costly_reads import CostlyReads
from hoodwink.service.http.serving.guards.idle_connections import IdleConnections
from hoodwink.service.http.serving.guards.large_bodies import MAX_SMALL, LargeBodies
from hoodwink.service.http.serving.guards.refused_bodies import RefusedBodies
from hoodwink.service.http.serving.guards.unread_answers import UnreadAnswers
from hoodwink.service.http.serving.lane import Finder
from hoodwink.service.http.serving.streams.job_watch import JobWatch
from hoodwink.service.http.serving.streams.streams import Connection, Streams
from hoodwink.service.http.serving.wsgi import Environ, Headers, Wsgi, call, environ_of

log = structlog.get_logger(__name__)

NOT_SNIFFED: Final = ("x-content-type-options", "nosniff")
"""Sent with every answer, so that browsers trust its `Content-Type` and do not guess."""

_TICK_SECONDS: Final = 1.0
_SLOWEST_BYTES: Final = 64 * 1024


class BodyLimits(NamedTuple):
    """The limits of a body's size and of the time in which it must arrive.

    Attributes:
        largest: returns the most bytes that a body sent to a path may have.
        seconds: the time for any body; each `_SLOWEST_BYTES` that are announced add one second.
    """

    largest: Callable[[str], int]
    seconds: float = 10.0


class RsgiProtocol(Connection, Protocol):
    """The part of granian's request protocol that the bridge uses."""

    async def __call__(self) -> bytes: ...
    def __aiter__(self) -> AsyncIterator[bytes]: ...
    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...


class Bridge:
    """An RSGI application that answers in the fast lane or through a WSGI application.

    Args:
        application: answers the requests that the lane does not find.
        lane: finds the requests that the event loop answers.
        streams: sends streams of events.
        connection: runs the requests of the lane; while it is not open, the application answers all requests.
        jobs: waits for the outcomes of jobs.
        costly: answers costly reads.
        address_of: names the client of a request.
        idle: cuts off idle connections where there are too many.
        bodies: counts large bodies.
        unread: cuts off clients that do not read large answers.
        threads: the number of threads that run the application.
        limits: the limits of request bodies.
        works: what else runs on the loop, as long as the worker does.
    """

    def __init__(  # noqa: PLR0913 - the parts of the application
        self,
        application: Wsgi,
        lane: Finder,
        streams: Streams,
        connection: LoopConnection,
        jobs: JobWatch,
        costly: CostlyReads,
        *,
        address_of: AddressOf = DIRECT,
        idle: IdleConnections,
        bodies: LargeBodies,
        unread: UnreadAnswers,
        threads: int,
        limits: BodyLimits,
        works: Sequence[Callable[[], Coroutine[Any, Any, Any]]] = (),
    ) -> None:
        self._application = application
        self._lane = lane
        self._streams = streams
        self._connection = connection
        self._costly = costly
        self._jobs = jobs
        self._address_of = address_of
        self._idle = idle
        self._bodies = bodies
        self._unread = unread
        self._busy: set[str] = set()
        self._refused = RefusedBodies()
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="wsgi")
        self._limits = limits
        self._works = (self._tick, connection.keep_open, *works)
        self._ids = RequestIds()
        self._tasks: list[asyncio.Task[Any]] = []
        self._reading: dict[asyncio.Task[Any], float] = {}
        self._closing: asyncio.Task[None] | None = None

    # ------------------------------------------------------------------------ life of the worker

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Starts the background tasks; the server calls this in the worker before its loop runs."""
        self._loop = loop
        # Granian ends gracefully on a signal, but waits for open streams, which do not end by themselves. So SIGTERM
        # first closes the streams and then sends SIGINT, once: granian's worker fails on a second one. SIGINT from
        # outside is ignored, because a terminal or an init system may send it to all processes of the group.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        loop.add_signal_handler(signal.SIGTERM, self._terminate)
        self._tasks = [loop.create_task(work()) for work in self._works]

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        for task in self._tasks:
            task.cancel()
        self._threads.shutdown(wait=False)
        self._costly.thread.shutdown(wait=False)

    def _terminate(self) -> None:
        if self._closing is None:
            self._closing = self._loop.create_task(self._streams.close())
            self._closing.add_done_callback(lambda _: self._loop.call_later(0.05, _interrupt))

    async def _tick(self) -> None:
        """Gives up bodies that do not arrive in time, sends heartbeats, and cuts off clients that stall or are idle."""
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            now = self._loop.time()
            for task, deadline in list(self._reading.items()):
                if now > deadline:
                    task.cancel()
            self._streams.tick(now)
            await self._unread.tick()
            await self._idle.tick(self._busy | self._unread.clients())

    # --------------------------------------------------------------------------------- a request

    def request_id(self, headers: RsgiHeaders) -> str:
        """Returns the id of a request: the one that the client sent, or a new one."""
        return self._ids.of(headers.get(HEADER))

    async def __rsgi__(self, scope: Scope, protocol: RsgiProtocol) -> None:
        received = scope.headers  # the server builds them again on each access
        request = self.request_id(received)
        begin_request(request)  # the server runs each request in a task of its own
        try:
            length = self._announced(scope.path, received)
            if length > MAX_SMALL:
                return await self._answer_large(scope, protocol, length, request)
            body = await self._body(protocol, length) if length else b""
        except Problem as problem:
            return await self._refuse(scope, protocol, problem, request)
        return await self._answer(scope, protocol, body, request)

    async def _answer_large(self, scope: Scope, protocol: RsgiProtocol, length: int, request: str) -> None:
        """Answers a request with a large body, which is refused before it is read if there are too many."""
        client = scope.client
        self._busy.add(client)
        try:
            with self._bodies.reserve(length, counted_as(self._address_of(scope))):
                await self._answer(scope, protocol, await self._body(protocol, length), request)
        except LimitReached as error:
            problem = problem_of(error, scope.method, scope.path)
            await self._refuse(scope, protocol, problem, request)
        finally:
            self._busy.discard(client)

    async def _refuse(self, scope: Scope, protocol: RsgiProtocol, problem: Problem, request: str) -> None:
        """Refuses a request whose body was not read, or did not arrive."""
        _refuse(protocol, problem, request)
        client = scope.client
        self._busy.add(client)
        try:
            await self._refused.discard(protocol)
        finally:
            self._busy.discard(client)

    async def _answer(self, scope: Scope, protocol: RsgiProtocol, body: bytes, request: str) -> None:
        answer = self._lane(scope, body) if self._connection.is_open else None
        if answer is not None:
            status, headers, content, *_ = await self._connection.run_on_loop(_serve, request, answer)
            headers += (NOT_SNIFFED, (HEADER, request))
            return protocol.response_bytes(status, headers, content)
        # What the lane answers takes no time in which its connection could be found idle.
        client = scope.client
        self._busy.add(client)
        try:
            threads = self._costly.thread if self._costly.find(scope) else self._threads
            left = await self._loop.run_in_executor(threads, self._in_thread, scope, protocol, body, request)
            if isinstance(left, Job):
                await self._answer_job(protocol, client, left, request)
            elif left is not None:
                await self._streams.send(protocol, client, *left)
        finally:
            self._busy.discard(client)
        return None

    async def _answer_job(self, protocol: RsgiProtocol, client: str, begun: Job, request: str) -> None:
        """Answers a request that has begun a job; no thread waits for it."""
        reply = accepted(await self._jobs.after_a_moment(begun))
        content = reply.body if isinstance(reply.body, bytes) else encode(reply.body)
        headers = [
            ("Content-Type", reply.media_type),
            *{**for_caller(), **reply.headers}.items(),
            ("Content-Length", str(len(content))),
            NOT_SNIFFED,
            (HEADER, request),
        ]
        protocol.response_bytes(reply.status or 200, headers, content)
        self._unread.add(client, len(content))

    def _announced(self, path: str, headers: RsgiHeaders) -> int:
        """Returns the length of the request's body; raises `Problem` 411 or 413."""
        # The server reports a chunked body that broke off as complete, so no chunked body is accepted.
        if "transfer-encoding" in headers:
            raise Problem(HttpCode.LENGTH_REQUIRED)
        announced = headers.get("content-length")
        if announced is None:
            return 0
        length = int(announced)  # the server has checked that it is a number
        most = self._limits.largest(path)
        if length > most:
            raise too_large(most)
        return length

    async def _body(self, protocol: RsgiProtocol, length: int) -> bytes:
        """Returns the request's body; raises `Problem` 408."""
        task = asyncio.current_task(self._loop)
        assert task is not None
        self._reading[task] = self._loop.time() + self._limits.seconds + length / _SLOWEST_BYTES
        try:
            body = await protocol()
        except (ProtocolClosed, asyncio.CancelledError):
            raise Problem(HttpCode.BODY_INCOMPLETE) from None
        finally:
            del self._reading[task]
        # Granian checks this itself at present, but a half command must not be executed if it ever stops.
        if len(body) != length:
            raise Problem(HttpCode.BODY_INCOMPLETE)
        return body

    def _in_thread(
        self, scope: Scope, protocol: RsgiProtocol, body: bytes, request: str
    ) -> tuple[Headers, Any] | Job | None:
        """Answers a request in a thread, or returns the headers and the subscription of a stream to be sent, or a job."""
        environ = environ_of(scope, body, self._address_of(scope))
        environ[STREAMS] = self._streams
        with serving(request):
            status, headers, content = self._call_application(environ)
        headers += (NOT_SNIFFED, (HEADER, request))
        if SUBSCRIPTION in environ:
            headers = [header for header in headers if header[0] != "Content-Length"]
            if scope.method == "GET":
                return headers, environ[SUBSCRIPTION]
            environ[SUBSCRIPTION].place.release()
        if JOB in environ:
            job: Job = environ[JOB]
            return job
        protocol.response_bytes(status, headers, content)
        self._unread.add(scope.client, len(content))
        return None

    def _call_application(self, environ: Environ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Returns the application's answer; where it fails, that of a fault of the service."""
        try:
            return call(self._application, environ)
        except Exception:
            log.exception("the application failed")
            if (subscription := environ.pop(SUBSCRIPTION, None)) is not None:
                subscription.place.release()
            failure = for_status(500)
            return 500, [("content-type", MEDIA_TYPE), *failure.headers.items()], failure.encoded()


def _serve(request: str, answer: Callable[[], Encoded]) -> Encoded:
    begin_request(request)
    return answer()


def _refuse(protocol: RsgiProtocol, problem: Problem, request: str) -> None:
    # The rest of the body may still arrive, so the connection cannot be used for another request.
    headers = [
        ("content-type", MEDIA_TYPE),
        ("connection", "close"),
        NOT_SNIFFED,
        (HEADER, request),
        *problem.headers.items(),
    ]
    protocol.response_bytes(problem.status, headers, problem.encoded())


def _interrupt() -> None:
    # The signal must not be ignored any more, or granian's handler on the loop would not be called.
    signal.signal(signal.SIGINT, lambda *_: None)
    os.kill(os.getpid(), signal.SIGINT)
