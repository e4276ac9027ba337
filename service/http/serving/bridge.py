"""Connects granian's RSGI to the fast lane, the WSGI application and the event streams.

Requests are read on the event loop. The loop also answers the requests of the fast lane: while one waits for Redis,
it continues with others (`LoopConnection`). The WSGI application answers all other requests in a few threads, and
each thread hands its answer to the server itself. If a view leaves a subscription in the WSGI environment, the
client gets a stream instead.
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
from hoodwink.service.http.serving.ticking import keep_ticking
from hoodwink.service.http.serving.wsgi import Environ, Headers, Wsgi, call, environ_of

log = structlog.get_logger(__name__)

NOT_SNIFFED: Final = ("x-content-type-options", "nosniff")
"""Sent with every answer, so that browsers trust its `Content-Type` and do not guess."""

# Slower clients are refused, or a trickle of bytes would hold a connection and its memory for hours.
_MIN_BYTES_PER_SECOND: Final = 64 * 1024


class BodyLimits(NamedTuple):
    """How large a body may be, and how long it may take to arrive.

    Attributes:
        largest: returns the maximum body size of a path, in bytes.
        seconds: the time allowed for any body, plus one second per `_MIN_BYTES_PER_SECOND` of its announced length.
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
        application: answers all requests outside the fast lane.
        lane: finds the requests that the event loop answers.
        streams: sends event streams.
        connection: runs the requests of the lane; while it is closed, the application answers all requests.
        jobs: waits for the outcomes of jobs.
        costly: answers costly reads.
        address_of: returns the client address of a request.
        idle: closes excess idle connections.
        bodies: limits large bodies.
        unread: cuts off clients that do not read large answers.
        threads: the number of threads that run the application.
        limits: the limits of request bodies.
        background: starts further tasks, which run on the loop until the worker ends.
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
        background: Sequence[Callable[[], Coroutine[Any, Any, Any]]] = (),
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
        checks = (
            self._drop_late_bodies,
            streams.cut_off_slow_clients,
            streams.send_heartbeats,
            unread.tick,
            self._close_idle,
        )
        self._background = (lambda: keep_ticking(checks), connection.keep_open, *background)
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
        self._tasks = [loop.create_task(start()) for start in self._background]

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        for task in self._tasks:
            task.cancel()
        self._threads.shutdown(wait=False)
        self._costly.thread.shutdown(wait=False)

    def _terminate(self) -> None:
        if self._closing is None:
            self._closing = self._loop.create_task(self._streams.close())
            # The tasks of the ended streams need a moment to return, or granian would wait for them.
            self._closing.add_done_callback(lambda _: self._loop.call_later(0.05, _interrupt))

    async def _drop_late_bodies(self) -> None:
        # One sweep instead of a timer per body, because almost every body has arrived by then.
        now = self._loop.time()
        for task, deadline in list(self._reading.items()):
            if now > deadline:
                task.cancel()

    async def _close_idle(self) -> None:
        # A client that is still receiving an answer sends nothing, and would look idle.
        await self._idle.tick(self._busy | self._unread.clients())

    # --------------------------------------------------------------------------------- a request

    def request_id(self, headers: RsgiHeaders) -> str:
        """Returns the client's id of a request, or a new one."""
        return self._ids.of(headers.get(HEADER))

    async def __rsgi__(self, scope: Scope, protocol: RsgiProtocol) -> None:
        received = scope.headers  # a local variable, because Granian copies the headers on each access
        request = self.request_id(received)
        begin_request(request)  # never reset: each request has its own task, and so its own context
        try:
            length = self._content_length(scope.path, received)
            if length > MAX_SMALL:
                return await self._answer_large(scope, protocol, length, request)
            body = await self._body(protocol, length) if length else b""
        except Problem as problem:
            return await self._refuse(scope, protocol, problem, request)
        return await self._answer(scope, protocol, body, request)

    async def _answer_large(self, scope: Scope, protocol: RsgiProtocol, length: int, request: str) -> None:
        """Answers a request with a large body, or refuses it unread if there are too many."""
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
        """Refuses a request whose body was not read or did not arrive."""
        _send_refusal(protocol, problem, request)
        client = scope.client
        # Otherwise the idle check could close the connection before the client has read the refusal.
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
        # Only here: the lane answers too fast for the idle check to find its connections.
        client = scope.client
        self._busy.add(client)
        try:
            threads = self._costly.thread if self._costly.has(scope) else self._threads
            pending = await self._loop.run_in_executor(
                threads, self._answer_in_thread, scope, protocol, body, request
            )
            if isinstance(pending, Job):
                await self._answer_job(protocol, client, pending, request)
            elif pending is not None:
                await self._streams.send(protocol, client, *pending)
        finally:
            self._busy.discard(client)
        return None

    async def _answer_job(self, protocol: RsgiProtocol, client: str, begun: Job, request: str) -> None:
        """Answers a request that has started a job, without blocking a thread."""
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

    def _content_length(self, path: str, headers: RsgiHeaders) -> int:
        """Returns the length of the request's body; raises `Problem` 411 or 413."""
        # Granian reports a truncated chunked body as complete, and half a command must never be executed.
        if "transfer-encoding" in headers:
            raise Problem(HttpCode.LENGTH_REQUIRED)
        announced = headers.get("content-length")
        if announced is None:
            return 0
        length = int(announced)  # cannot fail: Granian rejects a value that is not a number
        most = self._limits.largest(path)
        if length > most:
            raise too_large(most)
        return length

    async def _body(self, protocol: RsgiProtocol, length: int) -> bytes:
        """Returns the request's body; raises `Problem` 408."""
        task = asyncio.current_task(self._loop)
        assert task is not None
        self._reading[task] = self._loop.time() + self._limits.seconds + length / _MIN_BYTES_PER_SECOND
        try:
            body = await protocol()
        # Cancelled by `_drop_late_bodies`, because the body is late.
        except (ProtocolClosed, asyncio.CancelledError):
            raise Problem(HttpCode.BODY_INCOMPLETE) from None
        finally:
            del self._reading[task]
        # Granian checks this itself now. If it ever stops, half a command must still not be executed.
        if len(body) != length:
            raise Problem(HttpCode.BODY_INCOMPLETE)
        return body

    def _answer_in_thread(
        self, scope: Scope, protocol: RsgiProtocol, body: bytes, request: str
    ) -> tuple[Headers, Any] | Job | None:
        """Answers a request in a thread, or returns the work left to the loop: a stream (headers, subscription) or a job."""
        environ = environ_of(scope, body, self._address_of(scope))
        environ[STREAMS] = self._streams
        with serving(request):
            status, headers, content = self._call_application(environ)
        headers += (NOT_SNIFFED, (HEADER, request))
        if SUBSCRIPTION in environ:
            headers = [header for header in headers if header[0] != "Content-Length"]
            if scope.method == "GET":
                return headers, environ[SUBSCRIPTION]
            # HEAD runs the handler of GET, which took a place for a stream that nobody will read.
            environ[SUBSCRIPTION].place.release()
        if JOB in environ:
            job: Job = environ[JOB]
            return job
        protocol.response_bytes(status, headers, content)
        self._unread.add(scope.client, len(content))
        return None

    def _call_application(self, environ: Environ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Returns the application's answer, or a 500 if the application raises."""
        try:
            return call(self._application, environ)
        except Exception:
            log.exception("the application failed")
            # The stream does not begin, so nothing else would free its place.
            if (subscription := environ.pop(SUBSCRIPTION, None)) is not None:
                subscription.place.release()
            failure = for_status(500)
            return 500, [("content-type", MEDIA_TYPE), *failure.headers.items()], failure.encoded()


def _serve(request: str, answer: Callable[[], Encoded]) -> Encoded:
    begin_request(request)  # again, because the greenlet has the context of its pool, not of the request
    return answer()


def _send_refusal(protocol: RsgiProtocol, problem: Problem, request: str) -> None:
    # The rest of the body may still arrive, where the server would read the next request.
    headers = [
        ("content-type", MEDIA_TYPE),
        ("connection", "close"),
        NOT_SNIFFED,
        (HEADER, request),
        *problem.headers.items(),
    ]
    protocol.response_bytes(problem.status, headers, problem.encoded())


def _interrupt() -> None:
    # While SIGINT is ignored, the kernel drops it, and granian's handler on the loop is never called.
    signal.signal(signal.SIGINT, lambda *_: None)
    os.kill(os.getpid(), signal.SIGINT)
